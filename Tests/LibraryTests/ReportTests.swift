import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite struct Reports {
    @Test("A report keeps the problem and what the spine says")
    func detection() async throws {
        let library = try TestLibrary()
        let scan = Scan.of([Scan.book("Ema", by: "Jane", 0.4, place: 0)], job: "1", photo: "a")
        let detection = try #require(try await library.store.importScan(scan).books.first?.detection)
        try await library.store.report(
            detection,
            SpineReport(
                correct: false, problem: .wrongTitle,
                right: .init(title: " Emma ", author: "Jane Austen", isbn: "9780141439587")))
        let report = try #require(try await library.store.feedback().first)
        #expect(report.detection == detection)
        #expect((report.job, report.book) == ("1", "b0"))
        #expect(report.problem == .wrongTitle)
        #expect((report.readTitle, report.readAuthor) == ("Ema", "Jane"))
        #expect((report.rightTitle, report.rightAuthor) == ("Emma", "Jane Austen"))
        #expect(report.rightISBN == "9780141439587")
    }

    @Test("A book of a scan is reported without being in the library, and then not changed automatically")
    func ofScan() async throws {
        let library = try TestLibrary()
        let store = library.store
        let book = Scan.book("Ema", by: "Jane", 0.4, place: 0)
        try await store.report(
            book, ofScan: "job/1", crop: [0xFF, 0xD8], SpineReport(correct: false, problem: .notABook))
        let report = try #require(try await store.feedback().first)
        #expect(report.detection == nil)
        #expect((report.job, report.book) == ("job/1", "b0"))
        #expect(report.problem == .notABook)
        #expect(report.crop == Data([0xFF, 0xD8]))
        #expect(try await store.entries().total == 0)
        _ = try await store.importScan(Scan.of([book], job: "job/1", photo: "a"))
        let better = Scan.book("Emma", by: "Jane Austen", 0.95, place: 0)
        try await store.update(Scan.of([better], job: "job/1"), importing: [])
        #expect(try await store.titles() == ["Ema"])
    }

    @Test("A report on an imported book of a scan names its detection")
    func imported() async throws {
        let library = try TestLibrary()
        let book = Scan.book("Emma", 0.4, place: 0)
        let imported = try await library.store.importScan(Scan.of([book], job: "job/1", photo: "a"))
        try await library.store.report(book, ofScan: "job/1", crop: nil, SpineReport(correct: true))
        let report = try #require(try await library.store.feedback().first)
        #expect(report.detection != nil && report.detection == imported.books.first?.detection)
        #expect(report.correct && report.crop == nil)
    }

    @Test("Reports are listed since a day")
    func since() async throws {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let library = try TestLibrary(clock: { now })
        let book = Scan.book("Emma", 0.4, place: 0)
        try await library.store.report(book, ofScan: "1", crop: nil, SpineReport(correct: true))
        #expect(try await library.store.feedback(since: now - 86_400).count == 1)
        #expect(try await library.store.feedback(since: now + 86_400).isEmpty)
    }
}
