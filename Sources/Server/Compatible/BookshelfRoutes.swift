import Concurrency
import Foundation
import Hummingbird
import Imaging
import Library
import Scans
import ShelflistAPI

/// The routes of BooksTracker, which posts to `/api/scan-bookshelf` and follows `/ws/progress`.
struct BookshelfRoutes: Sendable {
    let scans: ScanRoutes
    let feed: JobFeed
    let clock: SteadyClock

    func add(to table: inout RouteTable) {
        table.add(.post, "api/scan-bookshelf", needs: .app, costs: .work, upload)
        table.add(.post, "api/scan-bookshelf/batch", needs: .app, costs: .work, upload)
        table.add(.post, "api/scan-bookshelf/cancel", needs: .app, cancel)
        table.add(.get, "api/scan-bookshelf/:job/stream", needs: .appJob, stream)
        table.add(.get, "scan/status", needs: .appJob) { request, context in
            guard let id = try Query(request).text("jobId", maxLength: 100), let job = try await scans.jobs.log.job(id),
                scans.accounts.allows(context.caller, toSee: job)
            else { throw Problem.notFound }
            return try await status(job)
        }
        table.add(.get, "scan/status/:job", needs: .appJob) { _, context in
            try await status(try await scans.job(context))
        }
        for path in ["v1/jobs/:job/results", "scan/results/:job"] {
            table.add(.get, path, needs: .appJob) { _, context in
                Envelope(data: try await results(try await scans.job(context)))
            }
        }
    }

    // MARK: Upload

    private func upload(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let upload = try await CompatibleUpload.receive(request, jobs: scans.jobs)
        var photosAreTaken = false
        defer { if !photosAreTaken { upload.discard(scans.jobs.files) } }
        let wanted = try Self.wantedJob(request, upload)
        // A repeated upload with the same job identifier returns the same job.
        let key = try ScanRoutes.header(.idempotencyKey, of: request) ?? wanted
        let client = try ScanRoutes.client(of: request, context)
        var options = context.caller.scanOptions(for: .bookshelf)
        options.threshold = try await scans.library.reviewThreshold()
        photosAreTaken = true
        let (job, _) = try await scans.jobs.intake.accept(
            upload.photos, id: wanted, client: client, key: key, options: options)
        let accepted = scans.accepted(job)
        return BookshelfAccepted(
            jobId: job.id, token: accepted.token, totalPhotos: job.photosExpected,
            websocketUrl: context.address(of: accepted.webSocketUrl.text, as: .webSocket),
            sseUrl: context.address(of: "/api/scan-bookshelf/\(job.id)/stream", as: .http),
            statusUrl: context.address(of: "/scan/status?jobId=\(job.id)", as: .http)
        ).with(.accepted)
    }

    /// Returns the job's identifier as the app spells it: in the query, or in the body of a batch.
    private static func wantedJob(_ request: Request, _ upload: PhotoUpload) throws -> String? {
        let text = try Query(request).text("jobId", maxLength: 100) ?? upload.fields["jobId"]
        guard let text, !text.isEmpty else { return nil }
        guard UUID(uuidString: text) != nil else {
            throw Problem.invalidField("jobId", "'jobId' is not a UUID. Send one, or leave it out.", status: 400)
        }
        return text
    }

    // MARK: Progress and results

    private func stream(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await scans.job(context)
        let events = BookshelfStream(job, jobs: scans.jobs)
        // From the first event, because the state is accumulated from all of them.
        return EventRoutes.stream(request, context, of: feed.items(of: job.id, after: 0, endsWhenFinished: true)) {
            item in
            guard case .event(let event) = item else { return [ServerSentEvents.ping] }
            return try await events.texts(event)
        }
    }

    private func status(_ job: ScanJob) async throws -> BookshelfStatus {
        BookshelfStatus(
            job, message: scans.message(job).message, result: job.status == .completed ? try await results(job) : nil,
            now: clock.now)
    }

    private func results(_ job: ScanJob) async throws -> BookshelfResults {
        BookshelfResults(try await scans.jobs.log.results(of: job.id), of: job, kept: scans.jobs.limits.kept)
    }

    // MARK: Cancelling

    private struct Cancellation: Decodable {
        var jobId: String
    }

    /// Cancels a job; one that has finished keeps its results.
    private func cancel(_ request: Request, _ context: AppContext) async throws -> Envelope<BookshelfStatus> {
        let id = try await request.json(Cancellation.self).jobId
        guard let job = try await scans.jobs.log.job(id), scans.accounts.allows(context.caller, toSee: job) else {
            throw Problem.notFound
        }
        if !job.isFinished { try await scans.jobs.cancel(id) }
        return Envelope(data: try await status(try await scans.jobs.log.job(id) ?? job))
    }
}

/// The response to an upload.
private struct BookshelfAccepted: ResponseEncodable {
    struct Stage: Encodable {
        var name: String
        /// Seconds.
        var typicalDuration: Int
        /// The progress at the end of the stage, 0...1.
        var progress: Double
    }

    var success = true
    var jobId: String
    var token: String
    var authToken: String
    var status = "processing"
    var totalPhotos: Int
    var stages: [Stage]
    /// The shortest and the longest time that the app should announce, in seconds.
    var estimatedRange: [Int]
    var websocketUrl: String
    var sseUrl: String
    var statusUrl: String

    init(jobId: String, token: String, totalPhotos: Int, websocketUrl: String, sseUrl: String, statusUrl: String) {
        self.jobId = jobId
        (self.token, authToken) = (token, token)
        self.totalPhotos = totalPhotos
        stages = [
            Stage(name: "Upload", typicalDuration: 1, progress: 0.1),
            Stage(name: "Reading", typicalDuration: 2 * totalPhotos, progress: 0.5),
            Stage(name: "Lookup", typicalDuration: 5, progress: 1),
        ]
        let typical = stages.reduce(0) { $0 + $1.typicalDuration }
        estimatedRange = [typical / 2, typical * 3]
        self.websocketUrl = websocketUrl
        self.sseUrl = sseUrl
        self.statusUrl = statusUrl
    }
}

/// Receives photos in the forms that the older apps send: multipart, a single image, or JSON with Base64.
enum CompatibleUpload {
    /// JSON bodies are kept in memory as a whole.
    private static let maxJSONBytes = 30_000_000

    private struct Images: Decodable {
        struct Image: Decodable {
            /// Its place in the batch; by default, that in the list.
            var index: Int?
            var data: String
        }

        var jobId: String?
        var images: [Image]

        /// The images in the order of the batch.
        var sorted: [Image] {
            images.enumerated().sorted { ($0.element.index ?? $0.offset) < ($1.element.index ?? $1.offset) }
                .map(\.element)
        }
    }

    static func receive(_ request: Request, jobs: ScanJobs) async throws -> PhotoUpload {
        let type = request.mediaType ?? ""
        switch type {
        case "multipart/form-data":
            return try await PhotoUpload.receive(request, files: jobs.files, limits: jobs.limits)
        case "application/json":
            let body = try await request.json(Images.self, limit: maxJSONBytes)
            let images = body.sorted
            var upload = PhotoUpload()
            upload.fields["jobId"] = body.jobId
            do {
                guard images.count <= jobs.limits.photosPerJob else {
                    throw JobError.tooManyPhotos(limit: jobs.limits.photosPerJob)
                }
                for image in images {
                    // Some apps send `data:image/jpeg;base64,…`.
                    let text = image.data.split(separator: ",").last.map(String.init) ?? ""
                    guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
                        throw Problem.invalidField(
                            "images", "The 'data' of an image is not valid Base64. Encode the image again.")
                    }
                    let incoming = try jobs.files.receive(limit: jobs.limits.photo.maxBytes)
                    try incoming.append([UInt8](data))
                    upload.photos.append(try await incoming.close())
                }
            } catch {
                upload.discard(jobs.files)
                throw error
            }
            return upload
        default:
            guard type.hasPrefix("image/") || type == "application/octet-stream" else {
                throw Problem.unsupportedMediaType("multipart/form-data or an image")
            }
            let photo = try await PhotoUpload.receivePicture(request, files: jobs.files, limits: jobs.limits)
            return PhotoUpload(photos: [photo])
        }
    }
}
