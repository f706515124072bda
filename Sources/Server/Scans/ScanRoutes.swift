import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Scanning
import ShelflistAPI

/// The routes for creating, following and ending scan jobs.
struct ScanRoutes: Sendable {
    let jobs: ScanJobs
    let tokens: JobTokens

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/scans", needs: .scanner, costs: .work, create)
        table.add(.get, "api/v1/scans", needs: .viewer, list)
        table.add(.get, "api/v1/scans/:job", needs: .job, show)
        table.add(.delete, "api/v1/scans/:job", needs: .job, cancel)
        table.add(.post, "api/v1/scans/:job/finish", needs: .job, finish)
        table.add(.get, "api/v1/scans/:job/results", needs: .job, results)
        table.add(.put, "api/v1/scans/:job/photos/:n", needs: .job, costs: .work, addPhoto)
        table.add(.post, "api/v1/scans/:job/photos/:n/retry", needs: .job, costs: .work, retry)
    }

    // MARK: Creation

    @Sendable private func create(_ request: Request, _ context: AppContext) async throws -> Response {
        let client = try Self.client(of: request, context)
        let key = try Self.header(.idempotencyKey, of: request)
        let upload = try await PhotoUpload.receive(request, files: jobs.files, limits: jobs.limits)
        let options: JobOptions
        let expected: Int?
        do {
            (options, expected) = try Self.options(upload.fields, limits: jobs.limits)
        } catch {
            upload.discard(jobs.files)
            throw error
        }
        let (job, isNew) = try await jobs.accept(
            upload.photos, client: client, key: key, options: options, expected: expected)
        let accepted = accepted(job)
        return try .json(
            accepted, status: isNew ? .accepted : .ok, headers: [.location: accepted.statusUrl])
    }

    func accepted(_ job: ScanJob) -> ScanAccepted {
        let urls = JobURLs(job.id)
        let expires = job.createdAt.addingTimeInterval(jobs.limits.kept / .seconds(1) + 3600)
        return ScanAccepted(
            jobId: job.id, token: tokens.token(for: job.id, expires: expires), statusUrl: urls.status,
            eventsUrl: urls.events, resultsUrl: urls.results, webSocketUrl: urls.webSocket,
            photoUrl: "\(urls.status)/photos/{n}", expiresAt: expires, job: message(job))
    }

    func message(_ job: ScanJob) -> JobMessage { JobMessage(job, kept: jobs.limits.kept) }

    /// Returns the key by which photos are queued fairly: the caller, and the device if the client sends one.
    static func client(of request: Request, _ context: AppContext) throws -> String {
        let caller = context.caller.client
        guard let device = try header(.deviceID, of: request) else { return caller }
        return "\(caller) device:\(device)"
    }

    static func header(_ name: HTTPField.Name, of request: Request) throws -> String? {
        guard let value = request.headers[name], !value.isEmpty else { return nil }
        guard value.utf8.count <= 200 else {
            throw Problem.invalidField(
                name.rawName, "\(name.rawName) has more than 200 bytes. Shorten it.", status: 400)
        }
        return value
    }

    static func options(_ fields: [String: String], limits: JobLimits) throws -> (JobOptions, expected: Int?) {
        var options = JobOptions()
        if let text = fields["threshold"], !text.isEmpty {
            guard let threshold = Double(text), (0...1).contains(threshold) else {
                throw Problem.invalidField("threshold", "'threshold' must be from 0 to 1, for example 0.6.")
            }
            options.threshold = threshold
        }
        if let text = fields["import"], !text.isEmpty {
            guard ["true", "false"].contains(text) else {
                throw Problem.invalidField("import", "'import' must be true or false.")
            }
            options.importsResults = text == "true"
        }
        if let shelf = fields["shelf"], !shelf.isEmpty {
            guard let number = Int64(shelf), number > 0 else {
                throw Problem.invalidField(
                    "shelf", "'shelf' must be the ID of a shelf. See GET /api/v1/shelves.")
            }
            options.shelf = shelf
        }
        if let reader = fields["reader"], !reader.isEmpty {
            guard reader == "local" else {
                throw Problem.invalidField("reader", "'reader' must be 'local', the only reader of this server.")
            }
            options.reader = reader
        }
        if let text = fields["preprocess"], !text.isEmpty {
            guard let mode = PreprocessingMode(rawValue: text) else {
                throw Problem.invalidField("preprocess", "'preprocess' must be auto, on or off.")
            }
            options.preprocessing = mode
        }
        guard let text = fields["expected"], !text.isEmpty else { return (options, nil) }
        guard let expected = Int(text), (1...limits.photosPerJob).contains(expected) else {
            throw Problem.invalidField("expected", "'expected' must be from 1 to \(limits.photosPerJob) photos.")
        }
        return (options, expected)
    }

    @Sendable private func addPhoto(_ request: Request, _ context: AppContext) async throws -> Response {
        let number = try Self.photoNumber(context, limit: jobs.limits.photosPerJob)
        let id = try await job(context).id
        var received = try await PhotoUpload.receivePicture(request, files: jobs.files, limits: jobs.limits)
        received.name = request.headers[.fileName]?.removingPercentEncoding.flatMap(FileNames.shown)
        let (photo, isNew) = try await jobs.add(received, as: number, to: id)
        return try .json(JobURLs(id).message(photo), status: isNew ? .accepted : .ok)
    }

    static func photoNumber(_ context: AppContext, limit: Int) throws -> Int {
        guard let number = context.parameters.get("n").flatMap({ Int($0) }), (1...limit).contains(number) else {
            throw Problem.notFound
        }
        return number
    }

    // MARK: Status and results

    /// Returns the job in the path if the caller may see it: members see their own jobs, the owner sees all.
    func job(_ context: AppContext) async throws -> ScanJob {
        guard let id = context.parameters.get("job"), let job = try await jobs.job(id),
            Self.may(context.caller, see: job)
        else { throw Problem.notFound }
        return job
    }

    static func may(_ caller: Caller, see job: ScanJob) -> Bool {
        if caller.jobTokenSubject == job.id { return true }
        return caller.role == .owner || job.client == caller.client || job.client.hasPrefix(caller.client + " ")
    }

    @Sendable private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let query = Query(request)
        let limit = try query.limit()
        let before = try query.text("cursor").map { text in
            guard let number = Int(text) else {
                throw Problem.invalidField("cursor", "The cursor is not valid. Start with the first page.", status: 400)
            }
            return number
        }
        let everything = context.caller.role == .owner
        let page = try await jobs.jobs(
            client: everything ? nil : context.caller.client, active: try query.flag("active") ?? false,
            before: before, limit: limit)
        return try .json(
            PageMessage(
                items: page.jobs.map { message($0.job) },
                nextCursor: page.jobs.count == limit ? page.jobs.last.map { "\($0.number)" } : nil, total: page.total))
    }

    @Sendable private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let message = self.message(try await job(context))
        return try .json(message, headers: [.eTag: "\"\(try EntityTag.of(message))\""])
    }

    @Sendable private func results(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await job(context)
        let message = ScanResultsMessage(try await jobs.results(of: job.id), of: job)
        return try .json(message, headers: [.eTag: "\"\(try EntityTag.of(message))\""])
    }

    // MARK: End

    @Sendable private func cancel(_ request: Request, _ context: AppContext) async throws -> Response {
        let keeps = try Query(request).text("keep")
        guard keeps == nil || keeps == "results" else {
            throw Problem.invalidField("keep", "'keep' must be 'results'.", status: 400)
        }
        let id = try context.parameters.require("job")
        // Deleting is idempotent. The jobs of others are reported as not found.
        guard let job = try await jobs.job(id) else { return .noContent }
        guard Self.may(context.caller, see: job) else { throw Problem.notFound }
        guard let kept = try await jobs.cancel(id, keepsResults: keeps != nil) else { return .noContent }
        return try .json(ScanResultsMessage(kept, of: try await jobs.job(id) ?? job))
    }

    @Sendable private func finish(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await job(context)
        return try .json(message(try await jobs.close(job.id)))
    }

    @Sendable private func retry(_ request: Request, _ context: AppContext) async throws -> Response {
        let job = try await job(context)
        let number = try Self.photoNumber(context, limit: jobs.limits.photosPerJob)
        let photo = try await jobs.retry(photo: number, of: job.id)
        return try .json(JobURLs(job.id).message(photo), status: .accepted)
    }
}
