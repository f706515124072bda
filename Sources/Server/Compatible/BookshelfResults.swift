import Bibliography
import Bounds
import Foundation
import Hummingbird
import Scans
import ShelflistAPI

/// A successful response in the envelope that BooksTracker requires.
struct Envelope<Data: Encodable>: ResponseEncodable {
    struct Metadata: Encodable {
        var timestamp = Date()
    }

    var success = true
    var data: Data
    var metadata = Metadata()
}

/// The results of a scan, as BooksTracker decodes them from its socket and over HTTP.
///
/// All counts come from the books' review status, which follows the threshold of the job.
struct BookshelfResults: Encodable {
    struct Metadata: Encodable {
        /// Milliseconds.
        var processingTime: Int
        var enrichedCount: Int
        var timestamp: Date
        var modelUsed = "shelflist"
    }

    var totalDetected: Int
    var approved: Int
    var needsReview: Int
    var books: [BookshelfBook]
    var suggestions: [BookshelfSuggestion]
    var metadata: Metadata
    var expiresAt: Date?

    /// - Parameter kept: how long results are kept after the job has finished.
    init(_ results: JobResults, of job: ScanJob, kept: Duration) {
        books = results.books.map { BookshelfBook($0, of: job.id) }
        totalDetected = books.count
        needsReview = results.books.count { $0.book.reviewStatus == .needsReview }
        approved = totalDetected - needsReview
        let summary = results.summary(of: job)
        suggestions = summary.suggestions.map(BookshelfSuggestion.init)
        metadata = Metadata(
            processingTime: Int(saturating: summary.seconds * 1000),
            enrichedCount: books.count { $0.enrichmentStatus == "success" }, timestamp: job.updatedAt)
        expiresAt = job.finishedAt.map { $0.addingTimeInterval(kept / .seconds(1)) }
    }
}

/// A suggestion for a better photo in the app's words.
///
/// The app shows its own text for each type.
struct BookshelfSuggestion: Encodable {
    var type: String
    var severity = "medium"
    var message: String
    var affectedCount: Int?

    init(_ suggestion: Suggestion) {
        type =
            switch suggestion.code {
            case .blur: "blurry_image"
            case .dark: "lighting_issues"
            case .glare: "glare_detected"
            case .tilt: "angle_issues"
            case .cutAtEdge: "edge_cutoff"
            // `other` is only of another server.
            case .unknownLetters, .other: "other"
            }
        message = suggestion.message
    }
}

/// The state of a job for clients that poll.
struct BookshelfStatus: ResponseEncodable {
    var success = true
    var jobId: String
    /// `processing`, `complete`, `error` or `canceled`.
    var status: String
    /// `uploading`, `analyzing`, `enriching`, `complete` or `error`.
    var stage: String
    var progress: Double
    /// Seconds since the upload, until the job has finished.
    var elapsedTime: Int
    var booksDetected: Int
    var totalPhotos: Int
    var message: String
    /// Set once the job is complete, and never before.
    var result: BookshelfStatusResult?
    /// Set if the job has failed or was cancelled; the app stops polling then.
    var error: String?

    /// - Parameters:
    ///   - result: what was found, for a completed job.
    ///   - now: the time of the request.
    init(_ job: ScanJob, message: String, result: BookshelfResults?, now: Date) {
        jobId = job.id
        status =
            switch job.status {
            case .queued, .running: "processing"
            case .completed: "complete"
            case .failed: "error"
            case .canceled: "canceled"
            }
        stage =
            switch job.status {
            case .queued, .running: job.stage.rawValue
            case .completed: "complete"
            case .failed, .canceled: "error"
            }
        progress = job.progress
        elapsedTime = max(0, Int(saturating: (job.finishedAt ?? now).timeIntervalSince(job.createdAt)))
        booksDetected = job.books
        totalPhotos = job.photosExpected
        self.message = message
        self.result = result.map(BookshelfStatusResult.init)
        error = job.status == .failed || job.status == .canceled ? message : nil
    }
}

/// The results within a polled status, where `enrichmentStatus` is the decision on a book.
struct BookshelfStatusResult: Encodable {
    var totalDetected: Int
    var approved: Int
    var needsReview: Int
    var books: [BookshelfBook]
    var suggestions: [BookshelfSuggestion]

    init(_ results: BookshelfResults) {
        (totalDetected, approved, needsReview) = (results.totalDetected, results.approved, results.needsReview)
        suggestions = results.suggestions
        books = results.books.map { book in
            var book = book
            book.enrichmentStatus = book.reviewStatus == ReviewStatus.needsReview.rawValue ? "NEEDS_REVIEW" : "FOUND"
            return book
        }
    }
}
