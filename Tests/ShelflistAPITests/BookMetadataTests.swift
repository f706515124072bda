import Bibliography
import Foundation
import ShelflistAPI
import Testing

@Suite("What sources say of a book") struct BookMetadataTests {
    /// As version 0.1 stored it with a job's book.
    private static let stored = """
        {"authors":["Jane Austen"],"coverUrl":"https://covers.openlibrary.org/b/id/7-L.jpg","isbn":"9780141439587",\
        "language":"eng","pageCount":512,"publishedDate":"1815","publisher":"Penguin","series":"Classics",\
        "source":"openlibrary","sourceID":"OL1W","subtitle":"A Novel","title":"Emma","year":1815}
        """

    @Test("Stored metadata opens as a record, and is written as before")
    func roundTrip() throws {
        let metadata = try JSONDecoder().decode(BookMetadata.self, from: Data(Self.stored.utf8))
        #expect(
            metadata.record
                == BookRecord(
                    id: "OL1W", title: "Emma", subtitle: "A Novel", authors: ["Jane Austen"], series: "Classics",
                    isbn: "9780141439587", publisher: "Penguin", year: 1815, pages: 512, language: "eng",
                    coverURL: URL(string: "https://covers.openlibrary.org/b/id/7-L.jpg"), source: "openlibrary"))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode(metadata), as: UTF8.self) == Self.stored)
    }

    @Test("Stored metadata with a title only opens")
    func sparse() throws {
        let metadata = try JSONDecoder().decode(BookMetadata.self, from: Data(#"{"title":"Emma"}"#.utf8))
        #expect(metadata.record == BookRecord(id: "", title: "Emma", source: ""))
    }

    @Test("An unavailable source keeps the keys of the API")
    func unavailable() throws {
        let source = UnavailableSource(source: "openlibrary", message: "Down.", retryAfterMs: 5)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let text = #"{"message":"Down.","provider":"openlibrary","retryAfterMs":5}"#
        #expect(String(decoding: try encoder.encode(source), as: UTF8.self) == text)
        #expect(try JSONDecoder().decode(UnavailableSource.self, from: Data(text.utf8)) == source)
    }
}
