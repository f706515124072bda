import Foundation
import Hummingbird
import Scans
import ShelflistAPI

/// The routes of the app that posts to `/v3/jobs/scans` and follows server-sent events.
struct VersionThreeRoutes: Sendable {
    let scans: ScanRoutes
    let feed: JobFeed
    let pictures: JobPictures

    func add(to table: inout RouteTable) {
        table.add(.post, "v3/jobs/scans", needs: .app, costs: .work, upload)
        table.add(.get, "v3/jobs/scans/:job", needs: .appJob) { _, context in
            Envelope(data: Status(try await scans.job(context), context.base))
        }
        table.add(.get, "v3/jobs/scans/:job/stream", needs: .appJob, stream)
        table.add(.get, "v3/jobs/scans/:job/results", needs: .appJob, results)
        table.add(.delete, "v3/jobs/scans/:job/cleanup", needs: .appJob, cleanUp)
    }

    // MARK: Upload

    private struct Upload: Encodable {
        var jobId: String
        var sseUrl: String
        var streamUrl: String
        var authToken: String
        var statusUrl: String
        var resultsUrl: String
        var status = StatusWord.initialized
    }

    private func upload(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let photos = try await CompatibleUpload.receive(request, jobs: scans.jobs).photos
        let (job, _) = try await scans.jobs.intake.accept(
            photos, client: try ScanRoutes.client(of: request, context),
            key: try ScanRoutes.header(.idempotencyKey, of: request),
            options: context.caller.scanOptions())
        let path = context.address(of: "/v3/jobs/scans/\(job.id)", as: .http)
        let upload = Upload(
            jobId: job.id, sseUrl: "\(path)/stream", streamUrl: "\(path)/stream",
            authToken: scans.accepted(job).token, statusUrl: path, resultsUrl: "\(path)/results")
        return Envelope(data: upload).with(.accepted)
    }

    // MARK: Stream and status

    private func stream(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await scans.job(context)
        let position = try await VersionThreePosition(request.headers[.lastEventID], in: job, of: scans.jobs)
        let stream = VersionThreeStream(
            job: job.id, from: position, jobs: scans.jobs, pictures: pictures,
            knowsOutages: try await knowsOutages(job, request, context.caller.app), keepAlive: feed.keepAlive,
            base: context.base)
        let ticking = JobFeed(jobs: scans.jobs, keepAlive: min(feed.keepAlive, VersionThreeStream.tick))
        return EventRoutes.stream(
            request, context, of: ticking.items(of: job.id, after: position.last, endsWhenFinished: true),
            texts: { try await stream.texts($0) }, end: { try await stream.end() })
    }

    /// Returns whether the version of the app knows `enrichment_degraded`.
    ///
    /// Those that do not send a new `X-Device-ID` with each scan.
    private func knowsOutages(_ job: ScanJob, _ request: Request, _ app: AppKey?) async throws -> Bool {
        switch app?.generation ?? .automatic {
        case .older: return false
        case .newer: return true
        case .automatic:
            guard try ScanRoutes.header(.deviceID, of: request) != nil else { return false }
            return try await scans.jobs.log.jobs(client: job.client, active: false, before: nil, limit: 1).total > 1
        }
    }

    /// The words that the app knows.
    private enum StatusWord: String, Encodable {
        case initialized, processing, completed, failed, canceled

        init(_ status: JobStatus) {
            self =
                switch status {
                case .queued: .initialized
                case .running: .processing
                case .completed: .completed
                case .failed: .failed
                case .canceled: .canceled
                }
        }
    }

    private enum StageWord: String, Encodable {
        case analyzingImage = "analyzing_image"
        case identifyingBooks = "identifying_books"
        case enrichingMetadata = "enriching_metadata"
        case complete

        init(_ stage: JobStage) {
            self =
                switch stage {
                case .uploading: .analyzingImage
                case .analyzing: .identifyingBooks
                case .enriching: .enrichingMetadata
                case .completed: .complete
                }
        }
    }

    private struct Status: Encodable {
        var jobId: String
        var status: StatusWord
        var stage: StageWord
        var progress: Double
        var totalPhotos: Int
        var totalBooks: Int
        var resultsUrl: String

        init(_ job: ScanJob, _ base: BaseAddress) {
            jobId = job.id
            status = StatusWord(job.status)
            stage = StageWord(job.stage)
            progress = job.progress
            totalPhotos = job.photosExpected
            totalBooks = job.books
            resultsUrl = base.address(of: "/v3/jobs/scans/\(job.id)/results", as: .http)
        }
    }

    // MARK: Results

    private struct Results: Encodable {
        var jobId: String
        var status: StatusWord
        var results: [VersionThreeBook]
        var totalBooks: Int
    }

    private enum Format: String, CaseIterable { case lite, full }

    private func results(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await scans.job(context)
        let query = Query(request)
        let format = try query.choice("format", Format.self) ?? .lite
        let results = try await scans.jobs.log.results(of: job.id)
        if format == .full {
            return try Envelope(data: try await scans.message(results, of: job, context.caller)).response(
                from: request, context: context)
        }
        let position = try await VersionThreePosition(query.text("after"), in: job, of: scans.jobs)
        let books = results.books.filter { !position.hasSent($0.id) }.map {
            VersionThreeBook($0, isFinal: job.isFinished, context.base)
        }
        let answer = Results(jobId: job.id, status: StatusWord(job.status), results: books, totalBooks: books.count)
        return try Envelope(data: answer).response(from: request, context: context)
    }

    /// Cancels a running job.
    ///
    /// The app sends this at the end of every scan. A finished job is kept like any other: sources may still be asked
    /// about its books, and its member sees it among the scans.
    private func cleanUp(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let id = try context.parameters.require("job")
        if let job = try await scans.jobs.log.job(id) {
            guard scans.accounts.allows(context.caller, toSee: job) else { throw Problem.notFound }
            if !job.isFinished { try await scans.jobs.cancel(id) }
        }
        return Envelope(data: ["jobId": id])
    }
}
