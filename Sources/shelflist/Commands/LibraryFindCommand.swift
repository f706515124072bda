import ArgumentParser
import Bibliography
import Foundation
import Imaging
import Library
import Scanning
import ShelflistAPI

struct LibraryFindCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Show where a book is: shelf, photo and position.",
        discussion: "--picture writes the photo with the spine outlined.")

    @Argument(help: "Words of the title or author.") var words: [String]
    @Option(
        help: ArgumentHelp("Write the photo of the first book found, its spine outlined, as JPEG.", valueName: "file"),
        completion: .file(extensions: ["jpg"]))
    var picture: String?
    @OptionGroup var options: LibraryOptions

    func run(_ store: LibraryStore) async throws {
        let found = try await store.find(words.joined(separator: " "))
        options.show(["books": found]) { Self.lines(found) }
        guard !found.isEmpty else { throw ExitCode.failure }
        guard let picture else { return }
        guard let book = found.first(where: { $0.photo?.shownFile != nil }) else {
            throw LibraryError.notPossible(
                """
                No picture of it is stored. Keep one of each shelf: shelflist library settings --keep-pictures on, \
                then scan the shelf again.
                """)
        }
        try await reportingErrors(picture) { try Self.draw(book, in: store, to: URL(filePath: picture)) }
    }

    private static func lines(_ found: [FoundBook]) -> [String] {
        guard !found.isEmpty else { return ["No matching book in the library."] }
        return found.flatMap { book -> [String] in
            let names = book.entry.authors.isEmpty ? "" : " – " + book.entry.authors.joined(separator: ", ")
            var place = [book.entry.shelfName.map { "shelf “\($0)”" } ?? "no shelf"]
            if let position = book.position {
                let row = position.rows > 1 ? "row \(position.row) of \(position.rows), " : ""
                place.append("\(row)place \(position.place) of \(position.places) from the left")
            }
            if let file = book.photo?.shownFile { place.append(file) }
            return [
                TextStyle.bold.applied(
                    to: TerminalText.safe(book.entry.title), colors: StandardStream.output.showsColors)
                    + TerminalText.safe(names), "  " + TerminalText.safe(place.joined(separator: " · ")),
            ]
        }
    }

    private static func draw(_ book: FoundBook, in store: LibraryStore, to destination: URL) throws {
        guard let file = book.photo?.shownFile, let detection = book.detection else { return }
        let bytes = [UInt8](try Data(contentsOf: store.folder.photo(file)))
        let size = PixelSize(width: 100_000, height: 100_000)
        let quad = detection.quad ?? UnitQuad(Quad(detection.boundingBox.pixels(in: size)), in: size)
        let annotator = try PhotoAnnotator(labelFont: try Installation.locate().labelFont)
        let outlined = AnnotatedBook(
            number: book.position?.place ?? 1, title: book.entry.title, author: book.entry.authors.first, quad: quad,
            tier: .ready)
        let jpeg = try annotator.jpeg(of: bytes, limits: PhotoLimits(maxBytes: 200_000_000), books: [outlined])
        try Data(jpeg).write(to: destination, options: .atomic)
    }
}
