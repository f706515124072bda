import Bibliography
import Concurrency
import Foundation
import GRDB
import Identification
import Library
import Reading
import ReadingFixtures
import Scans
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

/// A library, files of jobs and a reader that does what a photo's bytes say, in a folder of its own.
final class JobBench: Sendable {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    let reader = ScriptedReader()
    let library: LibraryStore
    private let uptime = Mutex(Duration.zero)

    init() throws {
        temporary = try TemporaryFolder()
        library = try LibraryStore(folder: LibraryFolder(temporary.url))
    }

    /// Jobs over the same folder: called twice, the second is the server after a restart.
    ///
    /// - Parameters:
    ///   - reader: one of its own where the first still waits for the bench's.
    ///   - clock: nil for the bench's, whose sleeps have their full length.
    func jobs(
        starts: Bool = true, enricher: (any BookEnriching)? = nil, identifier: (any PhotoIdentifying)? = nil,
        reader: (any ShelfReading)? = nil, clock: SteadyClock? = nil, failures: FailureLog = FailureLog(),
        limits change: (inout JobLimits) -> Void = { _ in }
    ) async throws -> ScanJobs {
        var limits = JobLimits()
        change(&limits)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let jobs = ScanJobs(
            ScanImporter(library: library), files: try JobFiles(folder: folder.appending(path: "jobs")),
            reader: reader ?? self.reader, enricher: enricher, identifier: identifier, limits: limits,
            clock: clock ?? SteadyClock(start: start) { [self] in uptime.withLock { $0 } }
        ) { failures.add("\($0)") }
        if starts { try await jobs.start() }
        return jobs
    }

    func advance(by time: Duration) { uptime.withLock { $0 += time } }
}

extension JobBench {
    /// Lets the library fail to add and to change spines, as on a damaged disk.
    ///
    /// - Parameters:
    ///   - photo: only those of this photo of every job; nil for all.
    ///   - reports: whether the events that report it fail, too.
    func breakLibrary(photo: Int? = nil, reports: Bool = false) async throws {
        try await repair()
        let condition = photo.map { "NEW.job LIKE '%/\($0)'" } ?? "1"
        try await breakWrites("INSERT ON detection", when: condition)
        try await breakWrites("UPDATE ON detection", when: condition)
        try await breakWrites("INSERT ON edition", when: "NEW.publisher IS NOT NULL")
        if reports { try await breakWrites("INSERT ON jobEvent", when: "NEW.content LIKE '%import_failed%'") }
    }

    /// Lets writes fail until `repair()`.
    func breakWrites(_ event: String, when condition: String = "1") async throws {
        try await library.writeUnseen { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER "broken \(event)" BEFORE \(event) WHEN \(condition) BEGIN
                        SELECT RAISE(ABORT, 'the test broke it');
                    END
                    """)
        }
    }

    func repair() async throws {
        try await library.writeUnseen { db in
            let broken = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'broken %'")
            for name in broken { try db.execute(sql: "DROP TRIGGER \"\(name)\"") }
        }
    }

    /// How often the events say that each photo was imported, by `JOB/NUMBER`.
    func imported() async throws -> [String: Int] {
        try await library.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT job || '/' || json_extract(content, '$.data.photo') AS photo, count(*) AS times
                    FROM jobEvent WHERE json_extract(content, '$.type') = 'imported' GROUP BY 1
                    """)
            return Dictionary(uniqueKeysWithValues: rows.map { ($0["photo"], $0["times"]) })
        }
    }

    /// The titles in the library, sorted.
    func titles() async throws -> [String] { try await library.entries().entries.map(\.title).sorted() }
}

/// Knows something of every book.
struct FindsEverything: BookEnriching {
    let isOff = false

    func enrich(_ books: [ScanBook], report: @escaping @Sendable (EnrichmentReport) async -> Void) async {
        for book in books {
            let record = BookRecord(
                id: book.id, title: book.book.title ?? "", authors: book.book.author.map { [$0] } ?? [],
                publisher: "Anvil")
            await report(.book(id: book.id, state: .enriched, metadata: BookMetadata(record)))
        }
    }
}

/// Finds everything once it is released.
final class HeldEnricher: BookEnriching {
    let isOff = false
    private let begun = AsyncStream<Never>.makeStream()
    private let released = AsyncStream<Never>.makeStream()

    /// Returns once it was asked.
    func hasBegun() async { for await _ in begun.stream {} }

    func release() { released.continuation.finish() }

    func enrich(_ books: [ScanBook], report: @escaping @Sendable (EnrichmentReport) async -> Void) async {
        begun.continuation.finish()
        for await _ in released.stream {}
        await FindsEverything().enrich(books, report: report)
    }
}

extension ScanJobs {
    func photo(_ script: String) async throws -> ReceivedPhoto { try await photo(ScriptedReader.bytes(script)) }

    func photo(_ bytes: [UInt8]) async throws -> ReceivedPhoto {
        let incoming = try files.receive(limit: 10_000)
        try incoming.append(bytes)
        return try await incoming.close()
    }

    /// Accepts a job with photos of these scripts.
    ///
    /// - Returns: its identifier.
    func accept(
        _ scripts: String..., client: String = "a", imports: Bool = false, asks: Bool? = nil, expected: Int? = nil
    ) async throws -> String {
        var photos: [ReceivedPhoto] = []
        for script in scripts { photos.append(try await photo(script)) }
        return try await intake.accept(
            photos, client: client, options: JobOptions(importsResults: imports, asksBeforeAdding: asks),
            expected: expected
        ).job.id
    }

    /// The errors in a job's log.
    func problems(of id: String) async throws -> [JobProblem] {
        try await log.events(of: id, after: 0).compactMap { event in
            if case .error(let problem) = event.content { problem } else { nil }
        }
    }

    /// Accepts a job of one photo, and follows it to its end.
    ///
    /// - Returns: its identifier.
    func scan(_ script: String, imports: Bool = false, asks: Bool? = nil) async throws -> String {
        let id = try await accept(script, imports: imports, asks: asks)
        _ = try await finished(id)
        return id
    }

    func set(_ edit: ScanBookEdit, of book: String, in id: String) async throws {
        #expect(try await self.edit(book, of: id) { $0 = edit })
    }

    /// Follows a job to its end.
    func finished(_ id: String) async throws -> ScanJob? {
        for await _ in log.follow(id, quietAfter: longestWait) {
            let job = try await log.job(id)
            if job?.isFinished ?? true { return job }
        }
        return try await log.job(id)
    }

    /// Follows a job until no source is asked about it any more.
    func settled(_ id: String) async throws -> ScanJob? {
        for await _ in log.follow(id, quietAfter: longestWait) {
            let job = try await log.job(id)
            if job.map({ $0.isFinished && !$0.isAsking }) ?? true { return job }
        }
        return try await log.job(id)
    }

    /// Follows a job until a photo has a status.
    func reached(_ status: PhotoStatus, photo: Int, of id: String) async throws {
        for await _ in log.follow(id, quietAfter: longestWait) {
            if try await log.job(id)?.photos.first(where: { $0.index == photo })?.status == status { return }
        }
    }
}

extension JobEvent {
    /// Its kind, for comparing the order of a log.
    var kind: String {
        switch content {
        case .progress(let progress): progress.stage.rawValue
        case .photo(let photo): "photo \(photo.status.rawValue)"
        case .segmented: "segmented"
        case .bookProgress: "book_progress"
        case .result(let book): "result \(book.book.title ?? "")"
        case .enriched: "enriched"
        case .enrichmentDegraded: "enrichment_degraded"
        case .lookupProgress: "lookup_progress"
        case .imported: "imported"
        case .updated: "updated"
        case .completed: "completed"
        case .error: "error"
        case .canceled: "canceled"
        case .unknown(let type): type
        }
    }
}

/// Failures that jobs reported.
final class FailureLog: Sendable {
    private let failures = Mutex<[String]>([])

    var all: [String] { failures.withLock { $0 } }

    func add(_ failure: String) { failures.withLock { $0.append(failure) } }
}
