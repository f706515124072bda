import Foundation
import Observation
import ShelfScannerCore
import ShelflistClientTesting
import TestSupport
import Testing

@MainActor @Suite(.endsHangs)
struct ResultModelTests {
    private let server = ScriptedServer()

    /// A scan of one photo with a sure book in the library and an unsure one in the review queue, at its results.
    private func finishedScan(_ client: ShelflistClient) async throws -> ScanModel {
        let found = [("Emma", 0.9), ("Persuasion", 0.3)].enumerated().map { place, book in
            DetectedBook(
                id: "book-\(place + 1)", title: book.0, author: "Jane Austen", confidence: book.1, checked: true,
                reviewStatus: book.1 < 0.6 ? .needsReview : .verified,
                outline: SpineOutline(UnitRect(x: Double(place) / 2, y: 0, width: 0.5, height: 1)), text: [],
                matches: [])
        }
        var review = ScanBookOutcome(.review)
        review.detectionId = "d2"
        let books = zip(found, [ScanBookOutcome(.open), review]).map {
            ScanResultBook(
                book: ScanBook(book: $0, photo: 1, positions: [.init(photo: 1, book: $0)]),
                cropUrl: JobURLs("1").crop(of: $0.id), library: $1)
        }
        let summary = ScanSummary(
            photos: 1, photosFailed: 0, books: found, duplicatesFolded: 0, seconds: 0, suggestions: [])
        try server.scan(
            [.photo(JobPhoto(index: 1, status: .done, books: 2)), .completed(summary)],
            results: ScanResults(jobId: "1", status: .completed, books: books, summary: summary, undoToken: nil))
        let scan = ScanModel(client: client, clock: HeldClock())
        scan.begin()
        scan.add { .data(Data([1])) }
        scan.start()
        for await isDone in Observations({ scan.results != nil }) where isDone { break }
        return scan
    }

    @Test("The photo of the results has one outline for each book, in the colour of its tier")
    func outlines() async throws {
        let scan = try await finishedScan(server.client(clock: HeldClock()))
        let shown = scan.outlines(of: try #require(scan.photos.first))
        #expect(shown.path == "/api/v1/scans/1/photos/1")
        #expect(shown.books.map(\.title) == ["Emma", "Persuasion"])
        #expect(shown.outlines == shown.books.map(\.quad) && shown.tiers == [.ready, .needsReview])
        #expect(Set(ConfidenceTier.allCases.map(\.outline)).count == ConfidenceTier.allCases.count)
    }

    @Test("A book of the results is edited, reported and searched by hand")
    func book() async throws {
        let client = server.client(clock: HeldClock())
        let scan = try await finishedScan(client)
        let books = try #require(scan.results?.books)
        let sure = ResultModel(client: client, scan: scan, book: books[0])
        #expect(sure.canAdd && !sure.canSearch && sure.title == "Emma" && sure.author == "Jane Austen")
        let unsure = ResultModel(client: client, scan: scan, book: books[1])
        #expect(unsure.canSearch && !unsure.canAdd)
        await unsure.report(.wrongTitle)
        #expect(!unsure.isReported && unsure.error != nil)
        try server.answer("POST /api/v1/feedback", with: "")
        await unsure.report(.wrongTitle)
        #expect(unsure.isReported && unsure.error == nil)
        await unsure.search()
        #expect(server.requests.contains("GET /api/v1/detections/d2") && unsure.item == nil && unsure.error != nil)
        unsure.title = "Northanger Abbey"
        await unsure.save()
        #expect(server.requests.contains("PATCH /api/v1/scans/1/books/book-2"))
    }
}
