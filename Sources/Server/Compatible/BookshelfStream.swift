import Foundation
import Scans
import ShelflistAPI

/// The server-sent events of BooksTracker, which versions since the end of November 2025 can use instead of the socket.
actor BookshelfStream {
    private let job: String
    private let jobs: ScanJobs
    private var progress: BookshelfProgress

    init(_ job: ScanJob, jobs: ScanJobs) {
        self.job = job.id
        self.jobs = jobs
        progress = BookshelfProgress(photos: job.photosExpected)
    }

    private struct Progress: Encodable {
        var jobId: String
        var status: String
        var progress: Double
        var processedPhotos: Int
        var totalPhotos: Int
        var recognizedBooks: Int
        var message: String
    }

    private struct Completed: Encodable {
        struct Summary: Encodable {
            var totalDetected: Int
            var approved: Int
            var needsReview: Int
            var enrichedCount: Int
            /// Milliseconds.
            var duration: Int
        }

        var jobId: String
        var status = "completed"
        /// Without the path of a key, because the app adds it.
        var resultsUrl: String
        var summary: Summary
    }

    private struct Failed: Encodable {
        var jobId: String
        var status: String
        var error: String
        var retryable = false
    }

    /// Returns the server-sent events for an event.
    func texts(_ event: JobEvent) async throws -> [Data] {
        func text(_ type: String, _ data: some Encodable) throws -> [Data] {
            [ServerSentEvents.event(id: "\(event.id)", type: "photoscan.\(type)", data: try WireJSON.encode(data))]
        }
        switch event.content {
        case .completed:
            guard let ended = try await jobs.log.job(job) else { return [] }
            let results = BookshelfResults(try await jobs.log.results(of: job), of: ended, kept: jobs.limits.kept)
            return try text(
                "completed",
                Completed(
                    jobId: job, resultsUrl: "/v1/jobs/\(job)/results",
                    summary: .init(
                        totalDetected: results.totalDetected, approved: results.approved,
                        needsReview: results.needsReview, enrichedCount: results.metadata.enrichedCount,
                        duration: results.metadata.processingTime)))
        case .error(let problem) where event.endsBookshelfJob:
            return try text("failed", Failed(jobId: job, status: "failed", error: problem.message))
        case .canceled:
            return try text("failed", Failed(jobId: job, status: "canceled", error: "The scan was cancelled."))
        default:
            guard progress.add(event) else { return [] }
            return try text(
                "progress",
                Progress(
                    jobId: job, status: progress.status, progress: progress.fraction,
                    processedPhotos: progress.photosDone, totalPhotos: progress.photos.count,
                    recognizedBooks: progress.booksFound, message: progress.status))
        }
    }
}
