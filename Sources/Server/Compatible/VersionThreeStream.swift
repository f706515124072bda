import Concurrency
import Foundation
import Scans
import ShelflistAPI

/// The server-sent events of the app that posts to `/v3/jobs/scans`, for one connection.
///
/// Each book is sent once, when its lookup has ended or five seconds after it was found, because the app adds every
/// book that it receives. All versions of the app treat an event that they do not know as the end of the scan.
actor VersionThreeStream {
    /// The longest time that a book waits for its details, in seconds.
    private static let longestWait = 5.0
    /// The time after which the books that wait are looked at again.
    static let tick = Duration.seconds(1)

    private let job: String
    private let jobs: ScanJobs
    private let pictures: JobPictures
    /// Whether the app knows the event `enrichment_degraded`.
    private let knowsOutages: Bool
    private let keepAlive: Duration
    private let base: BaseAddress

    private var position: VersionThreePosition
    private var hasEnded = false
    private var hasReportedOutage = false
    /// By the uptime of the server's clock.
    private var lastText: Duration
    /// Whether the books that wait are due because they were looked up before the client connected.
    private var isResuming: Bool

    init(
        job: String, from position: VersionThreePosition, jobs: ScanJobs, pictures: JobPictures, knowsOutages: Bool,
        keepAlive: Duration, base: BaseAddress
    ) {
        self.job = job
        self.jobs = jobs
        self.pictures = pictures
        self.knowsOutages = knowsOutages
        self.keepAlive = keepAlive
        self.base = base
        self.position = position
        isResuming = !position.waiting.isEmpty
        lastText = jobs.log.clock.uptime
    }

    /// Returns the texts to send for an item of the job's log.
    func texts(_ item: JobFeed.Item) async throws -> [Data] {
        var texts: [Data] = []
        if isResuming {
            isResuming = false
            let answered = try await jobs.log.books(of: job).filter { ![.none, .pending].contains($0.enrichment) }
            texts += try await books(answered.map(\.id))
        }
        if case .event(let event) = item { texts += try await self.texts(event) }
        texts += try await dueBooks()
        let now = jobs.log.clock.uptime
        if !texts.isEmpty {
            lastText = now
        } else if case .keepAlive = item, now - lastText >= keepAlive {
            lastText = now
            // A comment: the event `ping` would end the scan in older versions.
            texts.append(Data(": ping\n\n".utf8))
        }
        return texts
    }

    private func texts(_ event: JobEvent) async throws -> [Data] {
        if case .completed = event.content {
            let rest = try await books(jobs.log.books(of: job).map(\.id))
            position.pass(event)
            hasEnded = true
            let results = base.address(of: "/v3/jobs/scans/\(job)/results?after=\(position.id)", as: .http)
            return rest + (try text("completed", Completed(resultsUrl: results)))
        }
        position.pass(event)
        switch event.content {
        case .progress(let progress): return try message(progress.message)
        case .segmented(let found):
            // Empty if that fails, because the event is useful without it.
            let jpeg = (try? await pictures.segmented(found.photo, of: job)) ?? []
            return try text(
                "segmented", Segmented(image: Data(jpeg).base64EncodedString(), totalBooks: found.spines.count))
        case .bookProgress(let progress):
            // The books are named all at once, after they were read one by one.
            guard progress.stage == "reading" || progress.current == progress.total else { return [] }
            return try text(
                "book_progress",
                BookProgress(current: progress.current, total: progress.total, stage: progress.stage))
        case .result: return jobs.looksUpBooks ? [] : try await books(position.waiting.map(\.id))
        case .enriched(let answer): return try await books([answer.bookID])
        case .enrichmentDegraded(let source):
            // The app stops reading for five seconds to show one.
            guard knowsOutages, !hasReportedOutage else { return try message(source.message) }
            hasReportedOutage = true
            return try text("enrichment_degraded", Outage(source, job: job, time: event.time))
        // The app treats every error as the end of the job, but the job continues with its other photos.
        case .error(let problem) where problem.photo != nil: return try message(problem.message)
        case .error(let problem): return try failure(problem.message, code: problem.code)
        case .canceled:
            hasEnded = true
            return try text("canceled", ["message": "The scan was cancelled."])
        default: return []
        }
    }

    /// Returns what to send when the log ends.
    ///
    /// The app waits without end for a scan whose stream ends without a last event, and forgets a photo whose
    /// connection is cut.
    func end() async throws -> [Data] {
        guard !hasEnded else { return [] }
        if await jobs.runner.isStopping {
            return try failure("The server is restarting. Try again in a moment.", code: "stopping")
        }
        guard try await jobs.log.job(job) == nil else { return [] }
        return try text("canceled", ["message": "The scan was deleted."])
    }

    private func message(_ text: String) throws -> [Data] { try self.text("progress", ["message": text]) }

    private func failure(_ message: String, code: String) throws -> [Data] {
        hasEnded = true
        return try text("error", Failure(message: message, code: code, jobId: job))
    }

    private func text(_ type: String, _ data: some Encodable) throws -> [Data] {
        [ServerSentEvents.event(id: position.id, type: type, data: try WireJSON.encode(data))]
    }

    // MARK: Books

    private func dueBooks() async throws -> [Data] {
        let now = jobs.log.clock.now
        return try await books(
            position.waiting.filter { now.timeIntervalSince($0.event.time) >= Self.longestWait }.map(\.id))
    }

    /// Returns the events for those of some books that were not sent yet, as they are now.
    private func books(_ ids: [String]) async throws -> [Data] {
        let ids = ids.filter { !position.hasSent($0) }
        guard !ids.isEmpty else { return [] }
        let found = try await jobs.log.books(of: job)
        let isFinished = try await jobs.log.job(job)?.isFinished ?? true
        var texts: [Data] = []
        for id in ids {
            position.send(id)
            // Sources may have found that it is a part of another book.
            guard let book = found.first(where: { $0.id == id }) else { continue }
            texts += try text("result", VersionThreeBook(book, isFinal: isFinished || !jobs.looksUpBooks, base))
        }
        return texts
    }
}

// MARK: - Events

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

private struct Outage: Encodable {
    var jobId: String
    var reason: String
    var message: String
    var severity = "warning"
    var timestamp: String

    init(_ source: UnavailableSource, job: String, time: Date) {
        jobId = job
        (reason, message) = (source.message, source.message)
        timestamp = time.formatted(.iso8601)
    }
}

private struct Completed: Encodable {
    /// The address of the books that the stream has not sent: normally none.
    var resultsUrl: String
}

private struct Failure: Encodable {
    var success = false
    var message: String
    var code: String
    /// The app repeats a retryable scan without end and without showing `message`.
    var retryable = false
    var jobId: String
}
