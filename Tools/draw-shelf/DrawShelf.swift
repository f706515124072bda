import ArgumentParser
import Fixtures
import Foundation
import Imaging
import ShelfRendering
import ShelflistAPI

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

    @Option(
        help: "Draw labels with capitals of this height in mm on the edge of the upper board, and write their codes.")
    var labels: Double?

    @Option(help: "Blur the labels by this many pixels.")
    var blur = 0

    @Option(help: "Slant the labels clockwise by this many degrees.")
    var slant = 0.0

    func validate() throws {
        guard labels.map({ (1...20).contains($0) }) ?? true, (0...40).contains(blur) else {
            throw ValidationError("--labels goes from 1 to 20 mm, --blur from 0 to 40 pixels.")
        }
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
        var drawn = try shelf.photograph(
            size: PixelSize(width: width, height: width * 3 / 4), name: file.lastPathComponent)
        if let labels { try draw(labels, seed: shelf.seed, onto: &drawn) }
        drawn = drawn.turned(QuarterTurn(rawValue: turn) ?? .none)
        let bytes = try JPEGCodec.encode(drawn.image, quality: shelf.camera.jpegQuality)
        let truth = file.deletingPathExtension().appendingPathExtension("json")
        try Data(bytes).write(to: file, options: .atomic)
        try drawn.truth.json().write(to: truth, options: .atomic)
        print("\(file.path): \(drawn.truth.books.count) books, \(bytes.count / 1000) kB; truth in \(truth.path)")
    }

    /// Draws five labels on the edge of the upper board.
    ///
    /// - Parameter capitals: their height in mm.
    private func draw(_ capitals: Double, seed: UInt64, onto photo: inout DrawnPhoto) throws {
        let typeface = try Typeface(file: SpineFont.dejaVuSans.file)
        let codes = (0..<5).map { PlaceCode(number: Int(seed % 10_000) * 13 + $0 * 1_009).description }
        for (place, code) in codes.enumerated() {
            // The edge of the example's board; a millimetre of its front is 6.4 pixels in a photo of 4,000.
            let middle = PixelPoint(
                x: (0.1 + 0.2 * Double(place)) * Double(photo.image.width), y: 0.506 * Double(photo.image.height))
            var label = DrawnLabel(code, at: middle, capitals: capitals * 6.4 * Double(width) / 4_000)
            (label.blur, label.slant) = (blur, slant)
            photo.image.draw(label, in: typeface)
        }
        photo.truth.labels = codes
    }
}
