import Bounds
import Foundation
import HTTPTypes
import Hummingbird
import Library
import Lookup
import Scans
import ShelflistAPI

/// The routes for creating, following and ending scan jobs.
struct ScanRoutes: Sendable {
    let jobs: ScanJobs
    let accounts: AccountBook
    let library: LibraryStore
    let online: OnlineServices

    func add(to table: inout RouteTable) {
        table.add(.post, "api/v1/scans", needs: .scanner, costs: .work, create)
        table.add(.get, "api/v1/scans", needs: .viewer, list)
        table.add(.get, "api/v1/scans/:job", needs: .job) { _, context in
            try message(try await job(context)).tagged()
        }
        table.add(.delete, "api/v1/scans/:job", needs: .job, cancel)
        table.add(.post, "api/v1/scans/:job/finish", needs: .job) { _, context in
            message(try await jobs.close(try await job(context).id))
        }
        table.add(.get, "api/v1/scans/:job/results", needs: .job) { _, context in
            let job = try await job(context)
            return try await message(try await jobs.log.results(of: job.id), of: job, context.caller).tagged()
        }
        table.add(.put, "api/v1/scans/:job/photos/:n", needs: .job, costs: .work, addPhoto)
        table.add(.post, "api/v1/scans/:job/photos/:n/retry", needs: .job, costs: .work) { _, context in
            let job = try await job(context)
            let number = try Self.photoNumber(context, limit: jobs.limits.photosPerJob)
            let photo = try await jobs.retry(photo: number, of: job.id)
            return JobURLs(job.id).message(photo).with(.accepted)
        }
    }

    // MARK: Creation

    private func create(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let client = try Self.client(of: request, context)
        let key = try Self.header(.idempotencyKey, of: request)
        let upload = try await PhotoUpload.receive(request, files: jobs.files, limits: jobs.limits)
        var options: JobOptions
        let expected: Int?
        do {
            (options, expected) = try Self.options(upload.fields, limits: jobs.limits)
            let services = online.choice
            if let model = options.reader.flatMap({ services.model(for: $0) }),
                let problem = services.problem(of: model)
            {
                throw Problem.invalidField("reader", problem.description)
            }
            if upload.fields["import"] == nil, options.purpose == nil {
                let asks = try await library.asksBeforeAdding()
                (options.importsResults, options.asksBeforeAdding) = (!asks, asks ? true : nil)
            }
        } catch {
            upload.discard(jobs.files)
            throw error
        }
        let (job, isNew) = try await jobs.intake.accept(
            upload.photos, client: client, key: key, options: options, expected: expected)
        let accepted = accepted(job)
        return EditedResponse(
            status: isNew ? .accepted : .ok, headers: [.location: accepted.statusUrl.text], response: accepted)
    }

    func accepted(_ job: ScanJob) -> ScanAccepted {
        let expires = job.createdAt.addingTimeInterval(jobs.limits.kept / .seconds(1) + 3600)
        return ScanAccepted(
            job: message(job), token: accounts.jobTokens.token(for: job.id, expires: expires), expiresAt: expires)
    }

    func message(_ job: ScanJob) -> ScanStatus { ScanStatus(job, kept: jobs.limits.kept) }

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
        let fields = Query(fields: fields)
        let shelf: RowID<Shelf>? = try fields.row("shelf")
        var options = JobOptions(
            threshold: try fields.number("threshold", in: 0...1), importsResults: try fields.flag("import") ?? false,
            shelf: shelf.map { "\($0)" }, reader: try fields.choice("reader"),
            preprocessing: try fields.choice("preprocess"))
        options.purpose = try fields.choice("purpose")
        if options.purpose != nil {
            // The server may be set to import, or to ask a model.
            guard !options.importsResults else {
                throw Problem.invalidField("import", "A scan with 'purpose=check' imports nothing. Leave out 'import'.")
            }
            options.reader = .local
        }
        return (options, try fields.integer("expected", in: ClosedRange(ordered: 1, limits.photosPerJob)))
    }

    private func addPhoto(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let number = try Self.photoNumber(context, limit: jobs.limits.photosPerJob)
        let id = try await job(context).id
        var received = try await PhotoUpload.receivePicture(request, files: jobs.files, limits: jobs.limits)
        received.name = request.headers[.fileName]?.removingPercentEncoding.flatMap(FileNames.shown)
        let (photo, isNew) = try await jobs.intake.add(received, as: number, to: id)
        return JobURLs(id).message(photo).with(isNew ? .accepted : .ok)
    }

    static func photoNumber(_ context: AppContext, limit: Int) throws -> Int {
        guard let number = context.parameters.get("n").flatMap({ Int($0) }), number >= 1, number <= limit else {
            throw Problem.notFound
        }
        return number
    }

    // MARK: Status and results

    /// Returns the job in the path if the caller may see it: members see their own jobs, the owner sees all.
    func job(_ context: AppContext) async throws -> ScanJob {
        guard let id = context.parameters.get("job"), let job = try await jobs.log.job(id),
            accounts.allows(context.caller, toSee: job)
        else { throw Problem.notFound }
        return job
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Page<ScanStatus> {
        let query = Query(request)
        let limit = try query.limit()
        let before = try query.text("cursor").map { text in
            guard let number = Int(text) else {
                throw Problem.invalidField("cursor", "The cursor is not valid. Start with the first page.", status: 400)
            }
            return number
        }
        let app = try query.text("app", maxLength: 100)
        let everything = context.caller.role == .owner && app == nil
        let page = try await jobs.log.jobs(
            client: everything ? nil : context.caller.client + (app.map { " app:\($0)" } ?? ""),
            active: try query.flag("active") ?? false,
            before: before, limit: limit)
        return Page(
            items: page.jobs.map { message($0.job) },
            nextCursor: page.jobs.count == limit ? page.jobs.last.map { "\($0.number)" } : nil, total: page.total)
    }

    /// Returns results with what became of each book.
    func message(_ results: JobResults, of job: ScanJob, _ caller: Caller) async throws -> ScanResultsMessage {
        var message = ScanResultsMessage(
            results, of: job, states: try await jobs.outcomes(of: results.books, in: job.id),
            undoToken: try await library.shown(UndoToken(rawValue: job.id)))
        guard job.options.purpose == nil else {
            try await message.addAnswers(from: library, whole: caller.mayReadLibrary)
            return message
        }
        message.results.labelQuestions = try await library.labelQuestions(ofScan: job.id)
        return message
    }

    // MARK: End

    private func cancel(_ request: Request, _ context: AppContext) async throws -> Response {
        let keeps = try Query(request).text("keep")
        guard keeps == nil || keeps == "results" else {
            throw Problem.invalidField("keep", "'keep' must be 'results'.", status: 400)
        }
        let id = try context.parameters.require("job")
        // Deleting is idempotent. The jobs of others are reported as not found.
        guard let job = try await jobs.log.job(id) else { return Response(status: .noContent) }
        guard accounts.allows(context.caller, toSee: job) else { throw Problem.notFound }
        guard let kept = try await jobs.cancel(id, keepsResults: keeps != nil) else {
            return Response(status: .noContent)
        }
        return try await message(kept, of: try await jobs.log.job(id) ?? job, context.caller).response(
            from: request, context: context)
    }
}
