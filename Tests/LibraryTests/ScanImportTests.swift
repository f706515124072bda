import Bibliography
import Foundation
import Imaging
import Library
import ShelflistAPI
import Testing

@Suite struct ScanImports {
    @Test("Books above the threshold are verified, and the others are queued")
    func threshold() async throws {
        let library = try TestLibrary()
        let report = try await library.store.scan(
            Scan.book("Babel", by: "R. F. Kuang", 0.97, place: 0),
            Scan.book("Dune", by: "Frank Herbert", 0.59, place: 1),
            Scan.book("Emma", by: "Jane Austen", 0.60, place: 2), Scan.book(nil, 0.9, place: 3), job: "1")
        #expect(report.books.map(\.outcome) == [.verified, .needsReview, .verified, .needsReview])
        #expect(try await library.store.entries().total == 4)
        let queue = try await library.store.booksInReview()
        #expect(queue.map(\.title) == ["Dune", "Unread spine"])
        #expect(queue[0].detection?.boundingBox.x == 1.0 / 40)
    }

    @Test("An invalid confidence is refused before anything is written", arguments: [-0.01, 1.01, .nan, .infinity])
    func invalidConfidence(confidence: Double) async throws {
        let library = try TestLibrary()
        await #expect(throws: LibraryError.self) {
            try await library.store.scan(
                Scan.book("Babel", place: 0), Scan.book("Dune", confidence, place: 1), job: "1")
        }
        #expect(try await library.store.entries().total == 0)
    }

    @Test("Books are added as the user edited them, and compared with the library as edited")
    func edited() async throws {
        let library = try TestLibrary()
        let owned = try await library.store.add(BookDetails("Dune", by: "Frank Herbert"))
        var scan = Scan.of(
            [
                Scan.book("Dune", by: "Frank Herbert", place: 0), Scan.book("Emma", 0.3, place: 1),
                Scan.book("Babel", place: 2),
            ], job: "1")
        var (emmeline, dune, rejected) = (ScanBookEdit(), ScanBookEdit(), ScanBookEdit())
        emmeline.correction = BookCorrection(title: "Emmeline", authors: ["Charlotte Turner Smith"])
        dune.correction.title = "Dune Messiah"
        rejected.isRejected = true
        scan.edits = ["b0": dune, "b1": emmeline, "b2": rejected]
        let report = try await library.store.importScan(scan)
        #expect(report.books.map(\.outcome) == [.verified, .verified])
        #expect(try await library.store.titles().sorted() == ["Dune", "Dune Messiah", "Emmeline"])
        let added = try await library.store.entry(try #require(report.books[1].entry))
        #expect(added.work.reviewStatus == .userEdited)
        #expect(added.work.authors.map(\.name) == ["Charlotte Turner Smith"])
        #expect(try await library.store.entry(owned.id).copies.count == 1)
        #expect(try await library.store.importScan(scan).count(.alreadyImported) == 2)
    }

    @Test("The call number on a spine is stored with the copy, unless the copy has one")
    func callNumber() async throws {
        let library = try TestLibrary()
        var book = Scan.book("Babel", by: "R. F. Kuang", place: 0)
        book.callNumber = "813 Kua"
        let added = try await library.store.scan(book, job: "1")
        let entry = try #require(added.books.first?.entry)
        #expect(try await library.store.entry(entry).entry.details.callNumber == "813 Kua")
        book.callNumber = "999 Abc"
        _ = try await library.store.scan(book, job: "2", photo: "another", duplicates: .existing)
        #expect(try await library.store.entry(entry).entry.details.callNumber == "813 Kua")
    }

    @Test("A repeated import adds nothing")
    func repeatedImport() async throws {
        let library = try TestLibrary()
        let books = (0..<30).map {
            Scan.book("Title \($0) of many", by: "Author \($0)", 0.3 + Double($0) / 50, place: $0)
        }
        _ = try await library.store.importScan(Scan.of(books, job: "1"))
        let again = try await library.store.importScan(Scan.of(books, job: "1"))
        #expect(again.count(.alreadyImported) == 30)
        #expect(try await library.store.entries().total == 30)
    }

    @Test("The same picture in another scan is recognized")
    func samePicture() async throws {
        let library = try TestLibrary()
        let book = Scan.book("Babel", by: "R. F. Kuang", place: 0)
        try await library.store.scan(book, job: "1", photo: "a")
        var moved = book
        moved.id = "another name"
        let again = try await library.store.scan(moved, job: "2", photo: "a")
        #expect(again.books.map(\.outcome) == [.alreadyImported])
        #expect(try await library.store.entries().total == 1)
    }

    @Test("An import is recorded in the activity log once") func recordsActivity() async throws {
        let library = try TestLibrary()
        let scan = Scan.of([Scan.book("Babel", place: 0), Scan.book("Dune", 0.2, place: 1)], job: "1", photo: "a")
        _ = try await library.store.importScan(scan)
        _ = try await library.store.importScan(scan)
        var more = scan
        more.books.append(Scan.book("Emma", place: 2))
        _ = try await library.store.importScan(more)
        _ = try await library.store.importScan(Scan.of([], job: "2", photo: "a"))
        let activity = try await library.store.activity()
        #expect(activity.map(\.name) == [String](repeating: "bookshelf_scan_completed", count: 3))
        #expect(activity.map { $0.data["books"] } == [.number(2), .number(3), .number(0)])
        #expect(activity.map { $0.data["needs_review"] } == [.number(1), .number(0), .number(0)])
    }

    @Test("Several authors stay separate")
    func authors() async throws {
        let library = try TestLibrary()
        let report = try await library.store.scan(
            Scan.book("Good Omens", by: "Terry Pratchett & Neil Gaiman", place: 0), job: "1")
        let entry = try #require(report.books.first?.entry)
        let work = try await library.store.entry(entry).work
        #expect(work.authors == [AuthorCredit(name: "Terry Pratchett"), AuthorCredit(name: "Neil Gaiman")])
    }

    @Test("The threshold setting applies within its range")
    func thresholdSetting() async throws {
        let library = try TestLibrary()
        try await library.store.set(reviewThreshold: 0.9)
        try await library.store.scan(Scan.book("Babel", 0.89, place: 0), job: "1")
        #expect(try await library.store.reviewCounts().ready == 1)
        for impossible in [0.39, 0.91, .nan] {
            await #expect(throws: LibraryError.self) { try await library.store.set(reviewThreshold: impossible) }
        }
    }
}
