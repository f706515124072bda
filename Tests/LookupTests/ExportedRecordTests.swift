import Bibliography
import Catalog
import Foundation
import Library
import ShelflistAPI
import TestSupport
import Testing

/// The records that the library exports, read by the catalog.
@Suite struct ExportedRecordTests {
    @Test("MARCXML of a library is read by the catalog's importer")
    func marcxml() async throws {
        let temporary = try TemporaryFolder()
        let store = try LibraryStore(folder: LibraryFolder(temporary.url.appending(path: "library")))
        let book = BookDetails(
            title: "The Left Hand & the <Dark>", subtitle: "a novel", series: "Tide Songs",
            seriesNumber: SeriesNumber(rawValue: "2.5"),
            authors: [
                AuthorCredit(name: "Frank Herbert"), AuthorCredit(name: "Ann Translator", role: .translator),
            ],
            isbn: ISBN("9780441172719"), publisher: "Ace", year: 1990, pages: 535, language: "eng")
        _ = try await store.add(book)
        _ = try await store.add(BookDetails(title: "Ünïcode 日本"))
        var (text, export) = ("", try await store.export(.marcxml))
        while let piece = try await export.next() { text += piece }
        let file = temporary.url.appending(path: "records.xml")
        try Data(text.utf8).write(to: file)

        let catalog = try Catalog(path: temporary.url.appending(path: "catalog.sqlite").path)
        let report = try #require(try catalog.importFiles([file.path]).files.first)
        #expect(report.failure == nil && report.skipped == 0)
        #expect(try catalog.info().editions == 2)
        let record = try #require(catalog.search("left hand dark").first)
        #expect(record.title == book.title && record.subtitle == book.subtitle && record.series == "Tide Songs, #2.5")
        #expect(record.authors == ["Herbert, Frank"])
        #expect([record.isbn, record.publisher, record.language] == ["9780441172719", "Ace", "eng"])
        #expect([record.year, record.pages] == [1990, 535])
        #expect(try catalog.search("unicode").first?.title == "Ünïcode 日本")
    }
}
