import Bibliography
import Foundation
import Imaging
import Library
import Testing

@Suite struct ManualMatching {
    private static let record = Record(
        id: "OL1M", title: "Emma", authors: ["Austen, Jane, 1775-1817"], isbn: "9780141439587", publisher: "Penguin",
        year: 2003, pages: 512, language: "eng", source: "openlibrary")

    private struct List: MatchSource {
        var name: String
        var answer: [Record]?

        func records(for text: String, in scope: MatchScope, limit: Int) async throws -> [Record] {
            guard let answer else { throw LibraryError.notPossible("The provider is down.") }
            return answer
        }
    }

    @Test func `shows what will change, and changes it only then`() async throws {
        let library = try TestLibrary()
        _ = try await library.store.importScan(
            Scan.of([Scan.book("Enma", by: "Austin", 0.3, place: 0)], job: "1", photo: "a"))
        let item = try #require(try await library.store.reviewQueue().first)
        let shelf = try await library.store.shelf(named: "Hall")
        let mine = EntryDetails(reading: .read, rating: 4.5, notes: "Ann's", tags: ["gift"], shelf: shelf.id)
        _ = try await library.store.update(item.id, to: mine)

        let preview = try await library.store.previewMatch(item.id, with: Self.record)
        #expect(preview.changes.first == FieldChange(field: "title", before: "Enma", after: "Emma"))
        #expect(preview.changes.contains(FieldChange(field: "authors", before: "Austin", after: "Jane Austen")))
        #expect(Set(preview.stays).isSuperset(of: ["shelf", "photo", "notes", "tags", "rating"]))
        #expect(try await library.store.reviewQueue().first?.title == "Enma")

        let cover = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 40, height: 60)), quality: 90)
        let work = try await library.store.applyMatch(
            item.id, with: Self.record, cover: cover, ifRevision: preview.revision)
        #expect(work.reviewStatus == .userEdited)
        let entry = try await library.store.entry(item.id)
        #expect(entry.entry.details == mine)
        #expect(entry.edition?.isbn == ISBN("9780141439587"))
        #expect(entry.edition?.source == "openlibrary")
        let file = try #require(entry.edition?.cover)
        #expect(FileManager.default.fileExists(atPath: library.folder.covers.appending(path: file).path))
        #expect(try await library.store.reviewQueue().isEmpty)
        #expect(try await library.store.activity().map(\.name) == ["manual_match_applied"])
    }

    @Test func `leaves no cover behind when it fails`() async throws {
        let library = try TestLibrary()
        let entry = try await library.store.add(BookDetails(title: "Emma"))
        let cover = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 40, height: 60)), quality: 90)
        await #expect(throws: LibraryError.self) {
            try await library.store.applyMatch(entry.id, with: Self.record, cover: cover, ifRevision: 99)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.covers.path) == [])
    }

    @Test func `merges the sources and names the one that failed`() async throws {
        var other = Self.record
        other.id = "g1"
        other.source = "google"
        other.subtitle = "A Novel"
        let results = await MatchSearch([
            List(name: "local", answer: [Record(id: "1", title: "Emma Brown")]),
            List(name: "openlibrary", answer: [Self.record]), List(name: "google", answer: [other]),
            List(name: "isbndb", answer: nil),
        ]).results(for: "Emma")
        #expect(results.offers.map(\.record.title) == ["Emma Brown", "Emma"])
        #expect(results.offers.last?.sources == ["openlibrary", "google"])
        #expect(results.offers.last?.record.subtitle == "A Novel")
        #expect(results.failures == ["isbndb": "The provider is down."])
    }
}
