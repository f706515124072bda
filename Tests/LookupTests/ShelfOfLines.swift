import Bibliography
import Fixtures
import Foundation
import Identification
import Imaging
import Reading
import ReadingFixtures
import ShelflistAPI
import SpineReading

/// A photo of standing spines whose text is given, and a reader that identifies books with these records.
struct ShelfOfLines: ShelfReading {
    static let size = PixelSize(width: 2000, height: 1500)

    /// The lines of each spine.
    let spines: [[String]]
    private let identifier: BookIdentifier
    private let expected: ExpectedRecords
    private var shelf: String?

    init(_ spines: [[String]], knowing records: [BookRecord], threshold: Double = 0.6) {
        let catalog = InMemoryCatalog(records: records)
        self.init(spines, threshold: threshold, records: { catalog.snapshot })
    }

    init(
        _ spines: [[String]], threshold: Double = 0.6, records: @escaping @Sendable () throws -> CatalogSnapshot?,
        expected: @escaping ExpectedRecords = { _ in [] }
    ) {
        (self.spines, self.expected) = (spines, expected)
        identifier = BookIdentifier(catalog: records, threshold: threshold)
    }

    func reading(shelf: String?) -> any ShelfReading {
        var reader = self
        reader.shelf = shelf
        return reader
    }

    /// The middle of a spine in pixels.
    static func middle(_ spine: Int) -> Double { 100 + 180 * Double(spine) }

    /// Text that runs down the spines, 18 pixels a letter.
    private var lines: [TextLine] {
        spines.enumerated().flatMap { spine, texts in
            var y = 100.0
            return texts.map { text in
                let (x, end) = (Self.middle(spine), y + 18 * Double(text.count))
                defer { y = end + 60 }
                return TextLine(
                    text: text, score: 0.95,
                    quad: Quad(
                        PixelPoint(x: x + 20, y: y), PixelPoint(x: x + 20, y: end), PixelPoint(x: x - 20, y: end),
                        PixelPoint(x: x - 20, y: y)))
            }
        }
    }

    /// A grey picture of the photo's size, as a file.
    static let file: Result<[UInt8], any Error> = Result {
        try JPEGCodec.encode(RGBImage(size: size, filledWith: RGBColor(0x808080)), quality: 80)
    }

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        var photo = try await ScriptedReader().read(ScriptedReader.bytes("books:"), name: name)
        (photo.width, photo.height) = (Self.size.width, Self.size.height)
        photo.reading = PhotoReading(shelf: ReadShelf(lines: lines, turn: .none), size: Self.size)
        return try await identify(photo)
    }

    func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto {
        guard let reading = photo.reading else { return photo }
        var photo = photo
        photo.books = try identifier.identify(
            reading.shelf, opinions: reading.opinions, verifiedFrom: reading.verifiedFrom,
            expected: shelf.map(expected) ?? [], in: reading.size
        ).books
        return photo
    }

    func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        throw CocoaError(.featureUnsupported)
    }
    func reread(_ spine: RGBImage) async throws -> DetectedBook { throw CocoaError(.featureUnsupported) }

    static let records = [
        ("The Name of the Wind", "Patrick Rothfuss"), ("The Lies of Locke Lamora", "Scott Lynch"),
        ("Emma", "Jane Austen"), ("Wuthering Heights", "Emily Brontë"), ("Jane Eyre", "Charlotte Brontë"),
        ("The Wind in the Willows", "Kenneth Grahame"), ("Walden", "Henry David Thoreau"),
        ("The Magicians", "Lev Grossman"),
    ].map { BookRecord(id: $0, title: $0, authors: [$1]) }

    /// Two spines that are sure, and two whose text leaves a doubt.
    static let doubtful = [
        ["THE LIES OF LOCKE LAMORA", "SCOTT LYNCH"], ["WUTHERING HEIGHTS", "EMILY BRONTE"], doubtfulSpine,
        ["XQVKWRTZLPMNHGDF", "BRTZ"],
    ]

    /// The first of these texts that leaves a doubt about *The Wind in the Willows*.
    private static let doubtfulSpine: [String] = {
        let texts = [["WIND WILL"], ["WIND", "GRAHAME"], ["WILLO"], ["WIND WIL", "KENN"], ["WIND WILL", "KENNE"]]
        let doubtful = texts.first { text in
            let shelf = ShelfOfLines([text], knowing: records)
            let read = ReadShelf(lines: shelf.lines, turn: .none)
            let book = try? shelf.identifier.identify(read, opinions: [], verifiedFrom: 0.6, in: size).books.first
            return book?.title == "The Wind in the Willows" && (0.05..<0.6).contains(book?.confidence ?? 0)
        }
        return doubtful ?? []
    }()
}
