import Bibliography
import Foundation
import Testing

@Suite("Filling gaps") struct FillingGapsTests {
    private let bare = BookRecord(id: "1", title: "Emma", year: 1815, source: "local")
    private let other = BookRecord(
        id: "2", title: "Emma!", subtitle: "A Novel", authors: ["Jane Austen"], series: "Classics",
        isbn: "9780141439587", publisher: "Penguin", year: 2003, pages: 512, language: "eng", cover: 7,
        coverURL: URL(string: "https://example.org/7.jpg"), source: "openlibrary")

    @Test("Missing fields are filled from another record of the same edition, and nothing is overwritten")
    func sameEdition() {
        var expected = other
        (expected.id, expected.title, expected.year, expected.source) = ("1", "Emma", 1815, "local")
        expected.cover = nil  // the ID belongs to the other source
        #expect(bare.filled(from: other, sameEdition: true) == expected)
    }

    @Test("Publisher, pages, language and ISBN are not filled from another edition")
    func otherEdition() {
        let filled = bare.filled(from: other, sameEdition: false)
        #expect([filled.publisher, filled.language, filled.isbn] == [nil, nil, nil])
        #expect(filled.pages == nil)
        #expect(filled.authors == ["Jane Austen"])
        #expect(filled.subtitle == "A Novel")
        #expect(filled.coverURL == other.coverURL)
    }
}
