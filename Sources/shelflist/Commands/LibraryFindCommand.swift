import ArgumentParser
import Bibliography
import Foundation
import Imaging
import Library
import Reading
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryFindCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "Show where a book is: shelf, photo and position.",
        discussion: "--picture writes the photo with the spine outlined.")

    @Argument(help: "Words of the title or author, or anything that is printed on a spine.") var words: [String]
    @Option(
        help: ArgumentHelp("Write the photo of the first book found, its spine outlined, as JPEG.", valueName: "file"),
        completion: .file(extensions: ["jpg"]))
    var picture: String?
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let found = try await client.library.find(words.joined(separator: " "))
        options.show(found) { Self.lines(found.books, found.spines ?? [], found.lines ?? []) }
        guard !found.books.isEmpty || found.spines?.isEmpty == false || found.lines?.isEmpty == false else {
            throw ExitCode.failure
        }
        guard let picture else { return }
        guard let book = found.books.first(where: { $0.book.position?.photoUrl != nil }),
            let photo = book.book.position?.photoUrl
        else {
            throw LibraryError.notPossible(
                """
                No picture of it is stored. Keep one of each shelf: shelflist library settings --keep-pictures on, \
                then scan the shelf again.
                """)
        }
        let jpeg = [UInt8](try await client.picture(photo))
        try await reportingErrors(picture) { try Self.draw(book, on: jpeg, to: URL(filePath: picture)) }
    }

    private static func lines(
        _ found: [LocatedBook], _ spines: [FoundSpine], _ others: [FoundLine]
    ) -> [String] {
        guard !found.isEmpty || !spines.isEmpty || !others.isEmpty else {
            return ["No matching book in the library."]
        }
        return lines(found)
            + spines.flatMap { spine -> [String] in
                let beside = [spine.left, spine.right].compactMap(\.self).map { "“\($0)”" }.joined(separator: " and ")
                let parts = [
                    spine.shelf.map { "shelf “\($0.path)”" } ?? "no shelf", words(spine.place),
                    beside.isEmpty ? nil : "beside \(beside)",
                ].compactMap(\.self)
                return [
                    TerminalText.safe("\(spine.title ?? "Unidentified spine"): \(spine.text)"),
                    "  " + TerminalText.safe(parts.joined(separator: " · ")),
                ]
            }
            + others.flatMap { line -> [String] in
                let shelf = line.shelf.map { "shelf “\($0.path)”" } ?? "no shelf"
                return [
                    TerminalText.safe("Text that belongs to no spine: \(line.text)"),
                    "  " + TerminalText.safe("\(shelf) · photo \(line.photoId)"),
                ]
            }
    }

    private static func words(_ place: PlaceInPhoto) -> String {
        let row = place.rows > 1 ? "row \(place.row) of \(place.rows), " : ""
        return "\(row)place \(place.place) of \(place.places) from the left"
    }

    private static func lines(_ found: [LocatedBook]) -> [String] {
        found.flatMap { located -> [String] in
            let book = located.book
            let names = book.author.isEmpty ? "" : " – " + book.author
            var parts = [book.shelf.map { "shelf “\($0.path)”" } ?? "no shelf"]
            if let place = located.place { parts.append(words(place)) }
            if let position = book.position, position.photoUrl != nil { parts.append("photo \(position.photoId)") }
            return [
                TextStyle.bold.applied(to: TerminalText.safe(book.title), colors: StandardStream.output.showsColors)
                    + TerminalText.safe(names), "  " + TerminalText.safe(parts.joined(separator: " · ")),
            ]
        }
    }

    private static func draw(_ located: LocatedBook, on photo: [UInt8], to destination: URL) throws {
        guard let position = located.book.position else { return }
        let size = PixelSize(width: 100_000, height: 100_000)
        let quad = position.quad ?? UnitQuad(Quad(position.boundingBox.pixels(in: size)), in: size)
        let annotator = try PhotoAnnotator(labelFont: try Installation.locate().labelFont)
        let outlined = AnnotatedBook(
            number: located.place?.place ?? 1, title: located.book.title, author: located.book.authors.first,
            quad: quad, tier: .ready)
        let jpeg = try annotator.jpeg(of: photo, limits: PhotoLimits(maxBytes: 200_000_000), books: [outlined])
        try Data(jpeg).write(to: destination, options: .atomic)
    }
}
