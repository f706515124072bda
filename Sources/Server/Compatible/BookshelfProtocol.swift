import Bounds
import Foundation
import Hummingbird
import Scans
import ShelflistAPI

/// The WebSocket messages of BooksTracker, in one form that every version of the app decodes.
///
/// docs/api/compatibility.md says which version reads which fields.
struct BookshelfProtocol: Sendable {
    let job: String
    let jobs: ScanJobs
    let base: BaseAddress
    private var progress: BookshelfProgress

    init(_ job: ScanJob, jobs: ScanJobs, base: BaseAddress) {
        self.job = job.id
        self.jobs = jobs
        self.base = base
        progress = BookshelfProgress(photos: job.photosExpected)
    }

    private var hasSeveralPhotos: Bool { progress.photos.count > 1 }

    /// Takes an event into account without sending it, for a client that reconnects.
    mutating func skip(_ event: JobEvent) { _ = progress.add(event) }

    /// Returns the messages for an event, as JSON.
    mutating func texts(_ event: JobEvent) async throws -> [Data] {
        let time = event.time
        switch event.content {
        case .completed:
            guard let ended = try await jobs.log.job(job) else { return [] }
            let results = BookshelfResults(try await jobs.log.results(of: job), of: ended, kept: jobs.limits.kept)
            return try completion(results, of: ended, at: time)
        case .error(let problem) where event.endsBookshelfJob:
            return [
                try batchEnd(books: [], at: time), try failure(code: problem.code, message: problem.message, at: time),
            ]
        case .canceled:
            let reason = "The scan was cancelled."
            return [
                try message("batch-canceling", at: time, Canceling(reason: reason)), try batchEnd(books: [], at: time),
                try failure(code: "CANCELED", message: reason, at: time),
            ]
        default:
            guard progress.add(event) else { return [] }
            var texts: [Data] = []
            // The first event of every job reports that it was accepted.
            if event.id == 1 {
                let count = progress.photos.count
                texts = [
                    try message("job_started", at: time, Started(totalCount: count, totalPhotos: count)),
                    try message("batch-init", at: time, BatchInit(totalPhotos: count), isFlat: true),
                ]
            }
            return texts + (try now(at: time))
        }
    }

    /// Returns the current state, for a client that reconnects.
    func reconnected(at time: Date) throws -> [Data] {
        let state = Reconnected(
            progress: progress.fraction, status: progress.status, processedCount: progress.photosDone,
            totalCount: progress.photos.count, lastUpdate: time.milliseconds, message: progress.status)
        return [try message("reconnected", at: time, state)] + (hasSeveralPhotos ? [try photos(at: time)] : [])
    }

    func keepAlive(at time: Date) throws -> [Data] { try now(at: time, keepAlive: true) }

    // MARK: Messages

    /// The photos come last, because versions of the app forget them at every other progress message.
    private func now(at time: Date, keepAlive: Bool? = nil) throws -> [Data] {
        let reading = progress.photos.first { $0.status == "processing" }
        let payload = Progress(
            progress: progress.fraction, status: progress.status, processedCount: progress.photosDone,
            currentItem: reading.map { "\($0.index)" }, keepAlive: keepAlive)
        let data = OldProgress(progress.fraction, progress.status, keepAlive: keepAlive)
        return [try message("job_progress", at: time, payload, data)] + (hasSeveralPhotos ? [try photos(at: time)] : [])
    }

    private func photos(at time: Date) throws -> Data {
        let photo = progress.photos[progress.current]
        return try message(
            "batch-progress", at: time,
            BatchProgress(
                currentPhoto: photo.index, totalPhotos: progress.photos.count, photoStatus: photo.status,
                booksFound: photo.booksFound ?? 0, totalBooksFound: progress.booksFound, photos: progress.photos),
            isFlat: true)
    }

    private func completion(_ results: BookshelfResults, of job: ScanJob, at time: Date) throws -> [Data] {
        let failed = job.photos.count { $0.status == .failed }
        let payload = Complete(
            summary: .init(
                totalProcessed: job.photosExpected, successCount: job.photosExpected - failed, failureCount: failed,
                duration: Int(saturating: (job.finishedAt ?? time).timeIntervalSince(job.createdAt) * 1000),
                resourceId: "job-results:\(job.id)", totalDetected: results.totalDetected, approved: results.approved,
                needsReview: results.needsReview),
            expiresAt: results.expiresAt ?? time, totalDetected: results.totalDetected, approved: results.approved,
            needsReview: results.needsReview, resultsUrl: base.address(of: "/v1/jobs/\(job.id)/results"),
            suggestions: results.suggestions)
        // The app reads the books of several photos from `batch-complete`.
        var data = OldProgress(1, "Scan complete")
        data.result = hasSeveralPhotos ? nil : results
        return [
            try batchEnd(books: results.books, at: time),
            try message("job_complete", at: time, payload, data),
        ]
    }

    /// The app ends a batch at no other message, also one without books.
    private func batchEnd(books: [BookshelfBook], at time: Date) throws -> Data {
        try message(
            "batch-complete", at: time,
            BatchComplete(totalBooks: books.count, photoResults: progress.photos, books: books), isFlat: true)
    }

    private func failure(code: String, message text: String, at time: Date) throws -> Data {
        // A text with "complete" would also count as a success.
        let isMisread = text.localizedCaseInsensitiveContains("complete")
        var data = OldProgress(
            progress.fraction, "Error: \(isMisread ? "The photo could not be read." : text)")
        data.error = text
        return try message("error", at: time, Failure(code: code, message: text), data)
    }

    private func message(_ type: String, at time: Date, _ payload: some Encodable, isFlat: Bool) throws -> Data {
        try WireJSON.encode(
            BookshelfMessage<_, OldProgress>(type, job: job, time: time, payload, nil, isFlat: isFlat))
    }

    private func message(
        _ type: String, at time: Date, _ payload: some Encodable, _ data: OldProgress? = nil
    ) throws -> Data {
        try WireJSON.encode(BookshelfMessage(type, job: job, time: time, payload, data))
    }

    static func readyAnswer(of job: String, at time: Date) throws -> Data {
        try WireJSON.encode(
            BookshelfMessage<_, OldProgress>(
                "ready_ack", job: job, time: time, ["timestamp": time.milliseconds], nil))
    }

    /// Returns the message for a client whose job does not exist yet.
    static func waiting(for job: String, at time: Date) throws -> Data {
        let status = "Waiting for photos"
        return try WireJSON.encode(
            BookshelfMessage(
                "job_progress", job: job, time: time,
                Progress(progress: 0, status: status, processedCount: 0, keepAlive: true),
                OldProgress(0, status, keepAlive: true)))
    }
}
