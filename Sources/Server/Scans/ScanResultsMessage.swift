import Bibliography
import Hummingbird
import Library
import Scanning
import ShelflistAPI

/// The results of a job, which may still be running.
struct ScanResultsMessage: ResponseEncodable {
    var jobId: String
    var status: JobStatus
    var photos: [ScannedPhoto]
    var books: [ResultBookMessage]
    var summary: ScanSummary
    /// Undoes that the server added the books; nil if there is nothing to undo.
    @Null var undoToken: String?

    /// - Parameter states: what became of the books, by book.
    init(_ results: JobResults, of job: ScanJob, states: [String: BookStateMessage], undoToken: String?) {
        jobId = job.id
        status = job.status
        photos = results.photos.map { $0.result }
        books = results.books.sorted { $0.book.confidence > $1.book.confidence }.map { book in
            ResultBookMessage(
                book: JobURLs(job.id).message(book), library: states[book.id] ?? BookStateMessage(nil, edit: nil))
        }
        summary = results.summary(of: job)
        self.undoToken = undoToken
    }
}

/// A book of a scan with what became of it, encoded as one object.
struct ResultBookMessage: Encodable {
    var book: WithURLs<ScanBook>
    var library: BookStateMessage

    private enum CodingKeys: String, CodingKey { case library }

    func encode(to encoder: any Encoder) throws {
        try book.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(library, forKey: .library)
    }
}

/// What became of a book of a scan.
struct BookStateMessage: Encodable {
    enum State: String, Encodable {
        /// Not added yet.
        case open
        /// In the library, verified or edited.
        case added
        /// In the library and in the review queue.
        case review
        /// Waits for the answer to a duplicate question.
        case question
        /// Skipped as a duplicate.
        case skipped
        /// Not a book.
        case rejected
        /// Removed from the library.
        case removed
    }

    var state: State
    @Null var entryId: String? = nil
    @Null var detectionId: String? = nil
    @Null var reviewStatus: String? = nil
    /// The library's or the edited values; nil where the values are as read.
    @Null var title: String? = nil
    @Null var author: String? = nil
    @Null var isbn: String? = nil

    init(_ found: ScanBookState?, edit: ScanBookEdit?) {
        guard let found else {
            state = edit?.isRejected == true ? .rejected : .open
            title = edit?.title
            author = edit?.authors?.joined(separator: ", ")
            isbn = edit?.isbn
            return
        }
        state =
            switch found.outcome {
            case .entry: found.copy?.reviewStatus == .needsReview ? .review : .added
            case .pending: .question
            case .skipped: .skipped
            case .rejected: .rejected
            case .removed: .removed
            }
        detectionId = "\(found.detection)"
        entryId = found.copy.map { "\($0.entry)" }
        reviewStatus = found.copy?.reviewStatus.rawValue
        title = found.copy?.book.title
        author = found.copy.map { $0.book.authors.map(\.name).joined(separator: ", ") }
        isbn = found.copy?.book.isbn?.isbn13
    }
}
