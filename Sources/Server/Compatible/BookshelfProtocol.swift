import Foundation
import Hummingbird
import Scanning
import ShelflistAPI

/// The WebSocket messages of the app that posts to `/api/scan-bookshelf`.
struct BookshelfProtocol: Sendable {
    let job: String
    let photos: Int
    let base: BaseAddress

    init(_ job: ScanJob, base: BaseAddress) {
        self.base = base
        self.job = job.id
        photos = job.photosExpected
    }

    private struct Message<Payload: Encodable>: Encodable {
        var type: String
        var jobId: String
        var pipeline = "ai_scan"
        /// Milliseconds since 1970.
        var timestamp: Int
        var version = "1.0.0"
        var payload: Payload
        /// A copy of `payload` for an older version of the app.
        var data: Payload

        init(_ type: String, job: String, time: Date, _ payload: Payload) {
            self.type = type
            jobId = job
            timestamp = Int(time.timeIntervalSince1970 * 1000)
            self.payload = payload
            data = payload
        }
    }

    private struct Progress: Encodable {
        var progress: Double
        var status: String
        var currentStatus: String
        var stage: String
        var keepAlive: Bool?
    }

    private struct PhotoProgress: Encodable {
        var currentPhoto: Int
        var photoStatus: PhotoStatus
        var booksFound: Int?
    }

    private struct Complete: Encodable {
        var totalDetected: Int
        var approved: Int
        var needsReview: Int
        var resultsUrl: String
        var suggestions: [Suggestion]
    }

    private struct Empty: Encodable {}

    /// Returns the messages for an event, as JSON.
    func texts(_ event: JobEvent) throws -> [Data] {
        func text(_ type: String, _ payload: some Encodable) throws -> [Data] {
            [try WireJSON.encode(Message(type, job: job, time: event.time, payload))]
        }
        switch event.content {
        case .progress(let now):
            let progress = Progress(
                progress: now.progress, status: now.message, currentStatus: now.message, stage: now.stage.rawValue)
            // The first event of every job reports that its photos have arrived.
            let started = event.id == 1 ? try text("job_started", ["totalItems": photos, "totalPhotos": photos]) : []
            return started + (try text("job_progress", progress))
        case .photo(let photo):
            return try text(
                "batch-progress",
                PhotoProgress(currentPhoto: photo.index - 1, photoStatus: photo.status, booksFound: photo.books))
        case .completed(let summary):
            return try text(
                "job_complete",
                Complete(
                    totalDetected: summary.books, approved: summary.verify + summary.ready,
                    needsReview: summary.needsReview, resultsUrl: base.address(of: "/scan/results/\(job)"),
                    suggestions: summary.suggestions))
        case .error(let problem) where problem.photo != nil:
            // This app treats every error as the end of the job. `batch-progress` has already reported the photo.
            return []
        case .error(let problem): return try text("error", problem)
        case .canceled: return try text("batch-canceling", Empty())
        case .segmented, .bookProgress, .result, .enriched, .enrichmentDegraded, .imported, .updated,
            .unknown:
            return []
        }
    }

    func keepAlive(at time: Date) throws -> Data {
        let progress = Progress(progress: 0, status: "", currentStatus: "", stage: "", keepAlive: true)
        return try WireJSON.encode(Message("job_progress", job: job, time: time, progress))
    }

    func readyAnswer(at time: Date) throws -> Data {
        try WireJSON.encode(Message("ready_ack", job: job, time: time, Empty()))
    }

    struct Status: ResponseEncodable {
        var success = true
        var jobId: String
        var status: String
        var stage: JobStage
        var progress: Double
        var message: String
        var totalPhotos: Int
        var booksFound: Int
        var error: String?
    }

    static func status(_ job: JobMessage) -> Status {
        Status(
            jobId: job.id, status: job.status == .running ? "processing" : job.status.rawValue, stage: job.stage,
            progress: job.progress, message: job.message, totalPhotos: job.photosExpected, booksFound: job.books,
            error: job.status == .failed ? job.message : nil)
    }
}
