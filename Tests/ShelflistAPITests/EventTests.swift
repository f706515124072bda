import Bibliography
import Foundation
import ShelflistAPI
import Testing

@Suite struct EventTests {
    private static let book = ScanBook(
        book: DetectedBook(
            id: "1-book-1", title: "Dune", confidence: 0.9, checked: true, reviewStatus: .verified,
            outline: SpineOutline(
                quad: UnitQuad(
                    UnitPoint(x: 0, y: 0), UnitPoint(x: 0.5, y: 0), UnitPoint(x: 0.5, y: 1), UnitPoint(x: 0, y: 1)),
                boundingBox: UnitRect(x: 0, y: 0, width: 0.5, height: 1)),
            text: [ReadText(text: "DUNE", score: 0.9)], matches: []), photo: 1, positions: [])

    /// One event of each type.
    static let contents: [JobEvent.Content] = [
        .progress(.init(stage: .analyzing, progress: 0.3, message: "Reading.", photo: 1)),
        .photo(
            JobPhoto(
                index: 1, status: .failed,
                problem: Problem(JobProblem(code: "image_damaged", message: "Damaged.", retryable: false)))),
        .segmented(.init(photo: 1, spines: [book.book.outline])),
        .bookProgress(.init(photo: 1, current: 1, total: 2, stage: "identified")),
        .result(book),
        .enriched(
            .init(
                bookID: "1-book-1", state: .enriched, metadata: BookMetadata(BookRecord(id: "1", title: "Dune")),
                current: 1, total: 2)),
        .enrichmentDegraded(UnavailableSource(source: "openlibrary", message: "No answer.", retryAfterMs: 5)),
        .lookupProgress(
            .init(photos: [.init(photo: 1, current: 12, total: 30), .init(photo: 2, current: 0, total: 20)])),
        .imported(.init(photo: 1, entries: 2, needsReview: 1, duplicates: 0)),
        .updated(.init(photo: 1, books: [UpdatedBook(book)], removed: ["1-book-2"])),
        .completed(
            ScanSummary(
                photos: 1, photosFailed: 0, books: [book.book], duplicatesFolded: 0, seconds: 1,
                suggestions: [Suggestion(code: .blur, message: "Hold steady.")])),
        .error(JobProblem(code: "reading_failed", message: "Not read.", retryable: true, photo: 2)),
        .canceled,
    ]

    @Test("An event of each type survives encoding and decoding", arguments: contents)
    func readsBack(_ content: JobEvent.Content) throws {
        let event = JobEvent(
            id: 7, jobId: "j", time: Date(timeIntervalSince1970: 1_700_000_000.25), content: content)
        let data = try WireJSON.encode(event)
        let read: JobEvent = try WireJSON.decode(from: data)
        #expect(read.id == 7)
        #expect(read.time == event.time)
        #expect(read.type == content.type)
        #expect(try WireJSON.encode(read) == data)
    }

    @Test("A summary counts the books of each tier")
    func countsTiers() {
        let books = [(0.9, true), (0.7, true), (0.1, true), (0.9, false), (0.1, false)].map { confidence, checked in
            var book = Self.book.book
            (book.confidence, book.checked) = (confidence, checked)
            return book
        }
        let summary = ScanSummary(
            photos: 1, photosFailed: 0, books: books, duplicatesFolded: 0, seconds: 1, suggestions: [])
        let counts: [Int] = [summary.ready, summary.verify, summary.needsReview, summary.notChecked]
        #expect(counts == [1, 1, 1, 2])
    }

    @Test("An event of an unknown type is kept and does not end the log")
    func keepsUnknownTypes() throws {
        let json = #"{"id":1,"jobId":"j","type":"sparkle","time":"2026-11-21T07:00:00Z","data":{"x":1}}"#
        let read: JobEvent = try WireJSON.decode(from: Data(json.utf8))
        #expect(read.type == "sparkle")
    }

    @Test("A missing value is encoded as null and may be absent when decoded")
    func writesNull() throws {
        let match = BookMatch(title: "Dune", confidence: 1, source: "local")
        let text = String(decoding: try WireJSON.encode(match), as: UTF8.self)
        #expect(text.contains(#""author":null"#))
        let read: BookMatch = try WireJSON.decode(
            from: Data(#"{"title":"Dune","confidence":1,"source":"local"}"#.utf8))
        #expect(read == match)
    }

    @Test("A server-sent event has its number, type and data")
    func writesServerSentEvents() {
        let text = ServerSentEvents.event(id: "3", type: "result", data: Data("{}".utf8))
        #expect(String(decoding: text, as: UTF8.self) == "id: 3\nevent: result\ndata: {}\n\n")
    }
}
