import Bibliography
import Foundation
import Imaging
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct ManualMatching {
    private static let record = BookRecord(
        id: "OL1M", title: "Emma", authors: ["Austen, Jane, 1775-1817"], isbn: "9780141439587", publisher: "Penguin",
        year: 2003, pages: 512, language: "eng", coverURL: URL(string: "https://covers.example/1.jpg"),
        source: "openlibrary")

    @Test("A match is previewed before it is applied")
    func preview() async throws {
        let library = try TestLibrary()
        try await library.store.scan(Scan.book("Enma", by: "Austin", 0.3, place: 0), job: "1", photo: "a")
        let item = try #require(try await library.store.booksInReview().first)
        let shelf = try await library.store.shelf(named: "Hall")
        let mine = EntryDetails(reading: .read, rating: 4.5, notes: "Ann's", tags: ["gift"], shelf: shelf.id)
        _ = try await library.store.update(item.id, to: mine)

        let preview = try await library.store.previewMatch(item.id, with: Self.record)
        let changes = preview.changes.map { "\($0.field): \($0.from ?? "") → \($0.to ?? "")" }
        #expect(changes.first == "title: Enma → Emma")
        #expect(changes.contains("authors: Austin → Jane Austen"))
        #expect(Set(preview.keeps).isSuperset(of: ["shelf", "photo", "notes", "tags", "rating"]))
        #expect(try await library.store.booksInReview().first?.title == "Enma")

        let work = try await library.store.applyMatch(
            item.id, with: Self.record, ifRevision: RevisionTag.revision(preview.etag))
        let cover = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 40, height: 60)), quality: 90)
        try await library.store.setCover(item.id, to: cover)
        #expect(work.reviewStatus == .userEdited)
        let entry = try await library.store.entry(item.id)
        #expect(entry.entry.details == mine)
        #expect(entry.edition?.isbn == ISBN("9780141439587"))
        #expect(entry.edition?.source == "openlibrary")
        let file = try #require(entry.edition?.cover)
        #expect(FileManager.default.fileExists(atPath: library.folder.covers.appending(path: file).path))
        #expect(try await library.store.booksInReview().isEmpty)
        let activity = try await library.store.activity().map(\.name)
        #expect(activity == ["bookshelf_scan_completed", "manual_match_applied"])
    }

    @Test("A failed match leaves no cover behind")
    func failedMatch() async throws {
        let library = try TestLibrary()
        let cover = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 40, height: 60)), quality: 90)
        await #expect(throws: LibraryError.notFound("entry 99")) {
            try await library.store.setCover(RowID(99), to: cover)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.covers.path) == [])
    }

    @Test("A match replaces the cover of another book and keeps the cover of the same")
    func coverOfOther() async throws {
        let library = try TestLibrary()
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 40, height: 60)), quality: 90)
        let entry = try await library.store.add(BookDetails("Emma", by: "Jane Austen"))
        try await library.store.setCover(entry.id, to: picture)
        var same = Self.record
        same.isbn = nil
        _ = try await library.store.applyMatch(entry.id, with: same)
        #expect(try await library.store.entry(entry.id).edition?.cover != nil)
        let other = BookRecord(id: "2", title: "Persuasion", authors: ["Jane Austen"], source: "openlibrary")
        _ = try await library.store.applyMatch(entry.id, with: other)
        #expect(try await library.store.entry(entry.id).edition?.cover == nil)
    }

    @Test("Covers that no book has and no undo brings back are deleted after 24 hours")
    func unusedCovers() async throws {
        let library = try TestLibrary()
        let (store, folder) = (library.store, library.folder)
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 40, height: 60)), quality: 90)
        let entry = try await store.add(BookDetails("Emma", by: "Jane Austen"))
        let (former, current) = (try await store.storeCover(picture), try await store.storeCover(picture))
        try await store.setCover(entry.id, toStored: former)
        try await store.actions(as: UndoToken()).setCover(entry.id, toStored: current)
        let unused = try await store.storeCover(picture)
        let names = [former, current, unused, "holiday.jpg"]
        try Data([1]).write(to: folder.cover("holiday.jpg"))
        for name in names { try folder.cover(name).setAge(23 * 3600) }
        #expect(try await store.cleanUpPhotos().deleted.isEmpty)
        for name in names { try folder.cover(name).setAge(25 * 3600) }
        let report = try await store.cleanUpPhotos()
        #expect(report.deleted.map(\.file) == ["covers/\(unused)"] && report.failed.isEmpty)
        #expect(names.filter(store.hasCover) == [former, current, "holiday.jpg"])
    }

    @Test("A match leaves no field of the wrong book")
    func replacesFields() async throws {
        let library = try TestLibrary()
        let wrong = BookDetails(
            title: "Emma", series: "Highbury", seriesNumber: SeriesNumber(rawValue: "1"),
            authors: [AuthorCredit(name: "Jane Austen")],
            isbn: ISBN("9780141439587"), publisher: "Penguin", year: 2003, pages: 512)
        let entry = try await library.store.add(wrong)
        let offered = BookRecord(id: "", title: "Babel", authors: ["R. F. Kuang"], source: "local")
        _ = try await library.store.applyMatch(entry.id, with: offered)
        #expect(try await library.store.book(entry.id) == BookDetails("Babel", by: "R. F. Kuang"))
        #expect(try await library.store.undo()?.kind == .match)
        // Fields that the record of the same book lacks are kept.
        _ = try await library.store.applyMatch(
            entry.id, with: BookRecord(id: "1", title: "Emma", authors: ["Austen, Jane"]))
        #expect(try await library.store.book(entry.id) == wrong)
    }

    @Test("A match fills an edition's gaps and keeps existing and edited fields")
    func fillsGaps() async throws {
        let library = try TestLibrary()
        let report = try await library.store.scan(
            Scan.book("Emma", by: "Jane Austen", place: 0), Scan.book("Ulysses", by: "James Joyce", place: 1),
            Scan.book("Enma", by: "J. Austen", 0.3, place: 2), job: "1", photo: "a")
        let ids = report.books.compactMap(\.entry)
        #expect(try await library.store.enrich(ids[0], with: Self.record) == Self.record.coverURL)
        let edition = try #require(try await library.store.entry(ids[0]).edition)
        #expect(edition.publisher == "Penguin")
        #expect(edition.pages == 512)
        #expect(edition.sourceID == "OL1M")
        // A second record changes nothing, and neither does one of another book.
        var other = Self.record
        other.publisher = "Another Press"
        _ = try await library.store.enrich(ids[0], with: other)
        #expect(try await library.store.entry(ids[0]).edition?.publisher == "Penguin")
        #expect(try await library.store.enrich(ids[1], with: Self.record) == nil)
        #expect(try await library.store.entry(ids[1]).edition == nil)
        // The user's version is kept, but a cover is accepted.
        var book = try await library.store.book(ids[2])
        book.title = "Emma"
        book.publisher = "My Press"
        _ = try await library.store.correct(ids[2], to: book)
        let revision = try await library.store.entry(ids[2]).work.revision
        #expect(try await library.store.enrich(ids[2], with: Self.record) == Self.record.coverURL)
        let detail = try await library.store.entry(ids[2])
        #expect(detail.edition?.publisher == "My Press")
        #expect(detail.edition?.pages == nil)
        #expect(detail.work.revision == revision)
        #expect(try await library.store.entry(ofBook: "b0", inScan: "1") == ids[0])
        let incomplete = try await library.store.incompleteBooks(ofScan: "1")
        #expect(Set(incomplete.map(\.entry)) == Set(ids))
    }
}
