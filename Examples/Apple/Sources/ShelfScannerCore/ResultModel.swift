public import Observation
public import ShelflistModels

/// One book of a scan's results: its text, to be edited, a report, and the search for its record by hand.
@MainActor @Observable
public final class ResultModel {
    /// The book as the results had it when it was opened.
    public let book: ScanResultBook
    /// The title, to be edited.
    public var title: String
    /// The authors separated by commas, to be edited.
    public var author: String
    /// The book in the review queue, once `search` has loaded it.
    public var item: ReviewQueueItem?
    /// Whether a report was stored.
    public private(set) var isReported = false
    /// What is wrong with the search or the report; other errors are those of the scan.
    public private(set) var error: ShelflistError?

    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private let scan: ScanModel

    public init(client: ShelflistClient, scan: ScanModel, book: ScanResultBook) {
        (self.client, self.scan, self.book) = (client, scan, book)
        title = book.library.title ?? book.title ?? ""
        author = book.library.author ?? book.author ?? ""
    }

    /// Whether its record can be searched by hand: once it waits in the review queue.
    public var canSearch: Bool { book.library.state == .review && book.library.detectionId != nil }

    /// Whether it is not in the library yet.
    public var canAdd: Bool { book.library.state == .open }

    /// Saves the text.
    public func save() async {
        await scan.change(book.id, ScanBookChange(title: title, authors: PersonName.list(author).map(\.displayName)))
    }

    /// Adds the book to the library.
    public func add() async { await scan.addToLibrary(ScanImportRequest(books: [book.id])) }

    /// Marks the book as "Not a book".
    public func reject() async { await scan.change(book.id, .notABook) }

    /// Loads the book as the review queue has it into `item`.
    public func search() async {
        guard let id = book.library.detectionId else { return }
        await act { () throws(ShelflistError) in self.item = try await self.client.review.item(id) }
    }

    /// Reports to the server what is wrong with how the spine was read.
    public func report(_ problem: SpineProblem) async {
        await act { () throws(ShelflistError) in
            var report = SpineReport(correct: false, problem: problem)
            (report.jobId, report.bookId) = (self.scan.jobID, self.book.id)
            try await self.client.review.report(report)
            self.isReported = true
        }
    }

    private func act(_ request: () async throws(ShelflistError) -> Void) async {
        do {
            try await request()
            error = nil
        } catch {
            if error.category != .cancelled { self.error = error }
        }
    }
}
