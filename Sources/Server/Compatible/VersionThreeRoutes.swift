import Foundation
import Hummingbird
import Scanning
import ShelflistAPI

/// The routes of the app that posts to `/v3/jobs/scans` and follows server-sent events.
struct VersionThreeRoutes: Sendable {
    let scans: ScanRoutes
    let feed: JobFeed
    let pictures: JobPictures

    func add(to table: inout RouteTable) {
        table.add(.post, "v3/jobs/scans", needs: .app, costs: .work, upload)
        table.add(.get, "v3/jobs/scans/:job", needs: .appJob) { _, context in
            let message = scans.message(try await scans.job(context))
            return Envelope(data: BookshelfProtocol.status(message))
        }
        table.add(.get, "v3/jobs/scans/:job/stream", needs: .appJob) { request, context in
            let job = try await scans.job(context)
            let last = request.headers[.lastEventID].flatMap { Int($0) } ?? 0
            let events = VersionThreeEvents(
                job: job.id, base: context.base, jobs: scans.jobs, pictures: pictures)
            return EventRoutes.stream(request, feed: feed, job: job.id, after: last, endsWhenFinished: true) {
                try await events.texts($0)
            }
        }
        table.add(.get, "v3/jobs/scans/:job/results", needs: .appJob, results)
        table.add(.delete, "v3/jobs/scans/:job/cleanup", needs: .appJob, cleanUp)
    }

    private struct Upload: Encodable {
        var jobId: String
        var sseUrl: String
        var streamUrl: String
        var authToken: String
        var statusUrl: String
        var resultsUrl: String
        var status = "queued"
    }

    private func upload(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let photos = try await CompatibleUpload.receive(request, jobs: scans.jobs).photos
        let (job, _) = try await scans.jobs.accept(
            photos, client: try ScanRoutes.client(of: request, context),
            key: try ScanRoutes.header(.idempotencyKey, of: request),
            options: context.caller.scanOptions())
        let base = context.address(of: "/v3/jobs/scans/\(job.id)", as: .http)
        let upload = Upload(
            jobId: job.id, sseUrl: "\(base)/stream", streamUrl: "\(base)/stream",
            authToken: scans.accepted(job).token, statusUrl: base, resultsUrl: "\(base)/results")
        return Envelope(data: upload).with(.accepted)
    }

    // MARK: Results

    private struct Results: Encodable {
        var jobId: String
        var status: String
        var results: [CompatibleBook]
        var totalBooks: Int
    }

    private enum Format: String, CaseIterable { case lite, full }

    private func results(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await scans.job(context)
        let format = try Query(request).choice("format", Format.self) ?? .lite
        let results = try await scans.jobs.results(of: job.id)
        if format == .full {
            return try Envelope(data: try await scans.message(results, of: job)).response(
                from: request, context: context)
        }
        let books = results.books.map {
            CompatibleBook($0, base: context.base, isFinal: job.isFinished)
        }
        let answer = Results(jobId: job.id, status: job.status.rawValue, results: books, totalBooks: books.count)
        return try Envelope(data: answer).response(from: request, context: context)
    }

    private func cleanUp(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let id = try context.parameters.require("job")
        if let job = try await scans.jobs.job(id) {
            guard ScanRoutes.may(context.caller, see: job) else { throw Problem.notFound }
            try await scans.jobs.cancel(id)
        }
        return Envelope(data: ["jobId": id])
    }
}

/// The server-sent events of the app that posts to `/v3/jobs/scans`.
struct VersionThreeEvents: Sendable {
    let job: String
    let base: BaseAddress
    let jobs: ScanJobs
    let pictures: JobPictures

    private struct Segmented: Encodable {
        /// A JPEG, Base64-encoded.
        var image: String
        var totalBooks: Int
    }

    private struct BookProgress: Encodable {
        var current: Int
        var total: Int
        var stage: String
    }

    private struct Completed: Encodable {
        var resultsUrl: String
        var books: [CompatibleBook]
    }

    private struct Failure: Encodable {
        var success = false
        var message: String
        var code: String
        var retryable: Bool
        var jobId: String
    }

    /// Returns the server-sent events for an event.
    func texts(_ event: JobEvent) async throws -> [Data] {
        func text(_ type: String, _ data: some Encodable) throws -> [Data] {
            [ServerSentEvents.event(id: event.id, type: type, data: try WireJSON.encode(data))]
        }
        switch event.content {
        case .progress(let progress): return try text("progress", ["message": progress.message])
        case .segmented(let found):
            // Empty if that fails, because the event is useful without it.
            let jpeg = (try? await pictures.segmented(found.photo, of: job)) ?? []
            return try text(
                "segmented", Segmented(image: Data(jpeg).base64EncodedString(), totalBooks: found.spines.count))
        case .bookProgress(let progress):
            return try text(
                "book_progress",
                BookProgress(current: progress.current, total: progress.total, stage: progress.stage))
        case .result(let book): return try text("result", CompatibleBook(book, base: base, isFinal: false))
        case .enrichmentDegraded(let source): return try text("enrichment_degraded", source)
        case .completed:
            let books = try await jobs.results(of: job).books
            return try text(
                "completed",
                Completed(
                    resultsUrl: base.address(of: "/v3/jobs/scans/\(job)/results", as: .http),
                    books: books.map { CompatibleBook($0, base: base, isFinal: true) }))
        case .error(let problem) where problem.photo != nil:
            // This app treats every error as the end of the job, but the job continues with its other photos.
            return try text("progress", ["message": problem.message])
        case .error(let problem):
            return try text(
                "error",
                Failure(message: problem.message, code: problem.code, retryable: problem.retryable, jobId: job))
        case .canceled: return try text("canceled", ["message": "The scan was cancelled."])
        case .photo, .enriched, .imported, .updated, .unknown: return []
        }
    }
}
