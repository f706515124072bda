import Bibliography
import Fixtures
import Foundation
import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Testing

/// Photos of shelves whose books are known.
@Suite struct ExpectedCopiesTests {
    private static func own(_ title: String, by author: String?) -> BookRecord {
        var own = record(title, by: author)
        own.id = "\(title) \(author ?? "")"
        own.source = BookRecord.librarySource
        return own
    }

    /// Books of the library, on any of its shelves.
    private static let books = [
        own("Quiet Harbour", by: "Nora Quill"), own("Lantern Street", by: "Nora Quill"),
        own("Salt and Copper", by: "Ivo Marek"), own("Winter Orchards", by: "Petra Vidmar"),
        own("Collected Fables", by: "Ada Lund"), own("Collected Fables", by: "Otto Brandt"),
        own("Kestrel", by: "Hanna Kolb"),
    ]

    /// Returns the title, the author and the confidence of each spine, from left to right.
    ///
    /// - Parameters:
    ///   - spines: the lines of each.
    ///   - expected: the places of the expected books, one for each copy.
    private func identify(
        _ spines: [[String]], expecting expected: [Int]
    ) throws -> [DetectedBook] {
        let catalog = InMemoryCatalog(records: Self.books + library)
        return try BookIdentifier(catalog: { CatalogSnapshot(search: catalog, version: "1", checks: false) })
            .identify(
                ReadShelf(lines: standing(spines), turn: .none), expected: expected.map { Self.books[$0] },
                in: photoSize
            ).books
    }

    @Test("Of two works with the same title, the one that is expected on the shelf wins", arguments: [4, 5])
    func tie(_ expected: Int) throws {
        let book = try #require(try identify([["COLLECTED FABLES"]], expecting: [expected]).first)
        #expect(book.author == Self.books[expected].authors.first)
        #expect(book.confidence >= 0.6 && book.checked, "\(book.confidence)")
    }

    @Test("Of two works with the same title, none is sure where both or neither is expected", arguments: [[], [4, 5]])
    func openTie(_ expected: [Int]) throws {
        let book = try #require(try identify([["COLLECTED FABLES"]], expecting: expected).first)
        #expect(book.confidence < 0.6, "\(book.confidence)")
    }

    @Test("A work from elsewhere that explains the text better is not outdone by an expected one")
    func elsewhere() throws {
        let book = try #require(try identify([["COLLECTED FABLES", "OTTO BRANDT"]], expecting: [4]).first)
        #expect(book.author == "Otto Brandt")
    }

    @Test("A spine that shows only an author is the author's only book without a spine")
    func author() throws {
        let spines = [["IVO MAREK"], ["WINTER ORCHARDS", "PETRA VIDMAR"]]
        let books = try identify(spines, expecting: [2, 3])
        #expect(books.map(\.title) == ["Salt and Copper", "Winter Orchards"])
        #expect(books.allSatisfy { $0.reviewStatus == .verified })
        #expect(try identify(spines, expecting: [3])[0].reviewStatus == .needsReview, "the book is not expected")
    }

    @Test("Of two books of an author, the one that another spine shows is not assigned again")
    func oneToOne() throws {
        let books = try identify([["NORA QUILL"], ["LANTERN STREET", "NORA QUILL"]], expecting: [0, 1])
        #expect(books.map(\.title) == ["Quiet Harbour", "Lantern Street"])
        let copies = try identify([["NORA QUILL"], ["LANTERN STREET", "NORA QUILL"]], expecting: [1])
        #expect(copies[0].reviewStatus == .needsReview, "the only copy stands beside it")
    }

    @Test("A spine that shows only an author of whom two books are without a spine stays open")
    func severalBooks() throws {
        #expect(try identify([["NORA QUILL"]], expecting: [0, 1])[0].reviewStatus == .needsReview)
    }

    @Test("A book that is not on the list is not called by the name of another book of its author")
    func leftOut() throws {
        let books = try identify([["MOUNTAIN ALMANAC", "NORA QUILL"]], expecting: [0])
        #expect(books[0].title != "Quiet Harbour" || books[0].reviewStatus == .needsReview)
    }

    @Test("Each copy is given to one spine, as often as it is expected")
    func copies() throws {
        func sure(_ expected: [Int]) throws -> Int {
            try identify([["HANNA KOLB"], ["HANNA KOLB"]], expecting: expected)
                .count { $0.title == "Kestrel" && $0.reviewStatus == .verified }
        }
        #expect(try sure([6]) == 1)
        #expect(try sure([6, 6]) == 2)
    }

    @Test("Title and author that were read as two spines become one")
    func split() throws {
        let catalog = InMemoryCatalog(records: Self.books + library)
        let lines = [
            down("SALT AND COPPER", x: 200, from: 100, length: 300, height: 40),
            down("IVO MAREK", x: 262, from: 100, length: 160, height: 40),
            down("WINTER ORCHARDS", x: 600, from: 100, length: 300),
            down("PETRA VIDMAR", x: 600, from: 450, length: 220),
        ]
        func titles(expecting expected: [BookRecord]) throws -> [String?] {
            try BookIdentifier(catalog: { catalog.snapshot })
                .identify(ReadShelf(lines: lines, turn: .none), expected: expected, in: photoSize).books.map(\.title)
        }
        let books = try titles(expecting: [Self.books[2], Self.books[3]])
        #expect(books == ["Salt and Copper", "Winter Orchards"])
    }

    @Test("Without expected copies, nothing changes")
    func unknownPlace() throws {
        let spines = [["COLLECTED FABLES"], ["NORA QUILL"], ["KESTREL", "HANNA KOLB"]]
        let catalog = InMemoryCatalog(records: Self.books + library)
        let shelf = ReadShelf(lines: standing(spines), turn: .none)
        let identifier = BookIdentifier(catalog: { catalog.snapshot })
        let other = Self.own("Nothing of the kind", by: "Xaver Unger")
        #expect(
            try identifier.identify(shelf, in: photoSize).books
                == identifier.identify(shelf, expected: [other], in: photoSize).books)
    }
}
