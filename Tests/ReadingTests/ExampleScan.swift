import Bibliography
import Fixtures
import Foundation
import Identification
import Imaging
import Reading
import ShelflistAPI
import TestSupport

/// The example photo as it is scanned in these tests.
enum ExampleScan {
    /// The models that set-up puts into the checkout.
    static func installation() throws -> Installation {
        Installation(resources: try checkout().appending(path: ".deps"))
    }

    static func checkout() throws -> URL { try ExamplePhoto.folder().deletingLastPathComponent() }

    static func scanner(knowing records: [BookRecord]? = nil) throws -> PhotoScanner {
        let catalog = records.map(InMemoryCatalog.init(records:))
        return try PhotoScanner(
            installation: installation(), cache: SharedCache.folder, catalog: { catalog?.snapshot })
    }

    /// The books of the example photo as records.
    static func records() throws -> [BookRecord] {
        try ExamplePhoto.truth().books.map { book in
            BookRecord(id: book.title, title: book.title, authors: book.author.map { [$0] } ?? [])
        }
    }

    static func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: ExamplePhoto.photo())) }

    /// The example photo stored turned, without EXIF.
    static func bytes(stored turn: QuarterTurn) throws -> [UInt8] {
        try JPEGCodec.encode(PhotoDecoder.decode(bytes()).image.turned(turn), quality: 92)
    }
}

extension DetectedBook {
    /// Intersection over union of its box and the book's true one, 0...1.
    func overlap(with book: TrueBook) -> Double {
        let unit = PixelSize(width: 1, height: 1)
        return boundingBox.pixels(in: unit).overlap(with: book.box.pixels(in: unit))
    }
}
