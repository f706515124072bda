import ArgumentParser
import Fixtures
import Foundation
import Imaging
import ShelfRendering

/// Draws the example shelf and writes its ground truth in the format of the benchmark's labels.
@main
struct DrawShelf: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "draw-shelf",
        abstract: "Draw a photo of a shelf with known books, and write the ground truth as JSON.")

    @Argument(help: "The JPEG file to write; the truth gets the same name with the extension json.")
    var photo: String

    @Option(help: "Width of the photo in pixels; the height is three quarters of it.")
    var width = 4000

    @Option(help: "Rotate the stored picture clockwise by 0, 90, 180 or 270 degrees.")
    var turn = 0

    @Option(help: "Seed for the arrangement of the books, their wear and the noise.")
    var seed: UInt64?

    func validate() throws {
        guard (400...8000).contains(width) else {
            throw ValidationError("--width is \(width). Choose 400 to 8000 pixels.")
        }
        guard QuarterTurn(rawValue: turn) != nil else {
            throw ValidationError("--turn is \(turn). Choose 0, 90, 180 or 270.")
        }
    }

    func run() throws {
        let file = URL(fileURLWithPath: photo)
        var shelf = DrawnShelf.example
        shelf.seed = seed ?? shelf.seed
        let drawn = try shelf.photograph(
            size: PixelSize(width: width, height: width * 3 / 4), name: file.lastPathComponent
        ).turned(QuarterTurn(rawValue: turn) ?? .none)
        let bytes = try JPEGCodec.encode(drawn.image, quality: shelf.camera.jpegQuality)
        let truth = file.deletingPathExtension().appendingPathExtension("json")
        try Data(bytes).write(to: file, options: .atomic)
        try drawn.truth.json().write(to: truth, options: .atomic)
        print("\(file.path): \(drawn.truth.books.count) books, \(bytes.count / 1000) kB; truth in \(truth.path)")
    }
}
