import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite struct ListColumnsTests {
    private static let german = """
        Buchtitel;"Verfasser (Nachname, Vorname)";ISBN;Regal;Lesestatus;Bewertung;Schlagwörter;Notizen;Gelesen am
        Der Zauberberg;"Mann, Thomas";9783596294336;Flur;gelesen;7;"Roman, Davos";Von Oma;2024-05-17
        Momo;"Ende, Michael";;Kinderzimmer;Möchte ich lesen;10;;;
        Tintenherz;"Funke, Cornelia";;;;sehr gut;;;
        """

    @Test("A German list is imported with its own column names, and ratings up to ten become stars")
    func german() async throws {
        let library = try TestLibrary()
        let report = try await library.store.importBooks(Array(Self.german.utf8), name: "buecher.csv")
        #expect(report.format == .other)
        #expect(report.problems == [])
        let list = try await library.store.entries().entries
        let first = try #require(list.first { $0.title == "Der Zauberberg" })
        let mountain = try await library.store.entry(first.entry)
        #expect(mountain.work.authors.map(\.name) == ["Thomas Mann"])
        #expect(mountain.shelf?.name == "Flur")
        #expect(mountain.entry.details.reading == .read)
        #expect(mountain.entry.details.rating == 3.5)
        #expect(mountain.entry.details.tags == ["Roman", "Davos"])
        #expect(mountain.entry.details.notes == "Von Oma")
        #expect(mountain.entry.details.finishedOn?.rawValue == "2024-05-17")
        let momo = try #require(list.first { $0.title == "Momo" })
        #expect(momo.rating == 5 && momo.readingStatus == .toRead)
        #expect(list.first { $0.title == "Tintenherz" }?.rating == nil, "words are not a rating")
    }

    @Test("The preview names the fields of a German list")
    func preview() throws {
        let preview = try BookListPreview(Array(Self.german.utf8))
        #expect(preview.format == .other)
        #expect(preview.fields == [.title, .author, .isbn, .shelf, .status, .rating, .tags, .notes, .dateRead])
    }

    @Test("Ratings up to five stay stars, and an invalid one does not refuse the book")
    func stars() async throws {
        let library = try TestLibrary()
        let list = "title,author,rating\nEmma,Jane Austen,4\nDune,Frank Herbert,\nBabel,R. F. Kuang,-3\n"
        #expect(try await library.store.importBooks(Array(list.utf8), name: "list.csv").problems == [])
        let ratings = try await library.store.entries().entries.map { [$0.title: $0.rating] }
        #expect(ratings == [["Babel": nil], ["Dune": nil], ["Emma": 4]])
    }

    @Test("An edited Goodreads export whose title column was renamed is not called one")
    func edited() async throws {
        let library = try TestLibrary()
        let list = "Book Id,Buchtitel,Verfasser,My Rating,Exclusive Shelf\n1,Emma,Jane Austen,4,read\n"
        let report = try await library.store.importBooks(Array(list.utf8), name: "list.csv")
        #expect(report.format == .other)
        let emma = try #require(try await library.store.entries().entries.first)
        #expect(emma.rating == 4 && emma.readingStatus == .read)
    }
}
