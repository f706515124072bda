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

/// A job store, files and a reader that does what a photo's bytes say, in a folder of its own.
final class JobBench: Sendable {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }
    let reader = ScriptedReader()
    let importer = CountingImporter()
    private let uptime = Mutex(Duration.zero)

    init() throws { temporary = try TemporaryFolder() }

    /// Jobs over the same folder: called twice, the second is the server after a restart.
    ///
    /// - Parameter reader: one of its own where the first still waits for the bench's.
    func jobs(
        limits: JobLimits = JobLimits(), enricher: (any BookEnriching)? = nil,
        identifier: (any PhotoIdentifying)? = nil, imports: Bool = true, importer: (any JobImporting)? = nil,
        reader: ScriptedReader? = nil,
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws -> ScanJobs {
        ScanJobs(
            store: JobStore(try LibraryStore(folder: LibraryFolder(folder))),
            files: try JobFiles(folder: folder.appending(path: "jobs")), reader: reader ?? self.reader,
            importer: imports ? importer ?? self.importer : nil,
            enricher: enricher, identifier: identifier, limits: limits,
            clock: SteadyClock(start: Date(timeIntervalSince1970: 1_800_000_000)) { [self] in uptime.withLock { $0 } },
            onFailure: onFailure)
    }

    func advance(by time: Duration) { uptime.withLock { $0 += time } }

    func photo(_ script: String, in jobs: ScanJobs) throws -> ReceivedPhoto {
        let incoming = try jobs.files.receive(limit: 1000)
        try incoming.append(ScriptedReader.bytes(script))
        var photo = try incoming.close()
        photo.name = "\(script).jpg"
        return photo
    }
}

/// Counts what is imported, as a library would that takes each photo once.
final class CountingImporter: JobImporting {
    private let state = Mutex<[String: Int]>([:])
    private let updates = Mutex<[String: [DetectedBook]]>([:])
    private let refusal = Mutex(false)
    private let refusedNumber = Mutex<Int?>(nil)

    /// Whether it takes in nothing.
    var refuses: Bool {
        get { refusal.withLock { $0 } }
        set { refusal.withLock { $0 = newValue } }
    }

    /// The one photo of every job that it never imports.
    var refusedPhoto: Int? {
        get { refusedNumber.withLock { $0 } }
        set { refusedNumber.withLock { $0 = newValue } }
    }

    /// The books that each photo was brought up to date with, the last ones by `JOB/NUMBER`.
    var updated: [String: [DetectedBook]] { updates.withLock { $0 } }

    func store(_ file: URL, sha256: String) async throws -> StoredPhoto { StoredPhoto(file: "", sha256: sha256) }

    func discard(_ photo: StoredPhoto) async {}

    func update(_ number: Int, to result: ScannedPhoto, importing wanted: Set<String>, _ change: JobChange) throws {
        if refuses { throw POSIXError(.EIO) }
        updates.withLock { $0["\(change.job.id)/\(number)"] = result.books }
    }

    func enrich(_ book: ScanBook, of job: ScanJob) async throws {
        if refuses { throw POSIXError(.EIO) }
    }

    /// The jobs whose photos the library has.
    let withPhotos = Mutex<Set<String>>([])
    /// The names of the books that were added, by job.
    let added = Mutex<[String: Set<String>]>([:])

    func states(of books: [ScanBook], job: String, in db: Database) throws -> [String: ScanBookOutcome] {
        let names = added.withLock { $0[job] ?? [] }
        let here = books.filter { names.contains($0.id) }
        return Dictionary(
            uniqueKeysWithValues: here.map { ($0.id, ScanBookOutcome(.skipped)) })
    }

    func jobsWithPhotos() async throws -> Set<String> { withPhotos.withLock { $0 } }

    /// The library's picture of every photo.
    let picture = Mutex<URL?>(nil)

    func photoFile(_ number: Int, of job: String) async throws -> URL? { picture.withLock { $0 } }

    /// How often each photo was brought, by `JOB/NUMBER`.
    var brought: [String: Int] { state.withLock { $0 } }

    func importPhoto(
        _ number: Int, _ stored: StoredPhoto, _ result: ScannedPhoto, repeated: [RepeatedSpine], _ change: JobChange
    ) throws -> ScanImportReport {
        if refuses || number == refusedPhoto { throw POSIXError(.EIO) }
        state.withLock { $0["\(change.job.id)/\(number)", default: 0] += 1 }
        return ScanImportReport(books: result.books.map { ImportedBook(id: $0.id, outcome: .verified) })
    }
}

/// Knows something of every book.
struct FindsEverything: BookEnriching {
    let isOff = false

    func enrich(_ books: [ScanBook], report: @escaping @Sendable (EnrichmentReport) async -> Void) async {
        for book in books {
            let record = BookRecord(id: book.id, title: book.book.title ?? "")
            await report(.book(id: book.id, state: .enriched, metadata: BookMetadata(record)))
        }
    }
}

extension ScanJobs {
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
