import Concurrency
import DelimitedText
import Foundation
import Library
import Logging
import Lookup
import Synchronization
import ShelflistAPI

/// Previews and runs imports of lists.
///
/// Imports are kept in memory. After a restart of the server, uploading and starting the same file again resumes an
/// interrupted import.
final class ListImports: Sendable {
    /// The maximum number of imports.
    ///
    /// The oldest ones are removed.
    private static let kept = 20
    /// The maximum number of files that wait to be imported.
    private static let filesKept = 3
    /// The maximum number of imports that run at a time; each holds its file and its rows in memory.
    private static let running = 2

    struct Options: Sendable {
        var duplicates = DuplicateDecision.skip
        var mapping: [String: BookListField?] = [:]
        var shelf: RowID<Shelf>?
    }

    struct Job: Sendable {
        fileprivate(set) var message: ListImport
        let preview: BookListPreview
        /// The encoding that the client named.
        fileprivate let encoding: TextEncoding?
        /// `nil` once the file has been imported or discarded.
        fileprivate var file: [UInt8]?
        fileprivate var task: Task<Void, Never>?
    }

    private let library: LibraryStore
    private let lookup: BookLookup
    private let covers: CoverQueue
    private let logger: Logger
    private let jobs = Mutex<[Job]>([])

    init(library: LibraryStore, lookup: BookLookup, covers: CoverQueue, logger: Logger) {
        (self.library, self.lookup, self.covers, self.logger) = (library, lookup, covers, logger)
    }

    /// - Parameter encoding: the one that the client named.
    func add(_ file: [UInt8], name: String, preview: BookListPreview, encoding: TextEncoding?) -> ListImport {
        let message = ListImport(id: UUID().uuidString.lowercased(), name: name, preview)
        jobs.withLock { jobs in
            jobs.append(Job(message: message, preview: preview, encoding: encoding, file: file))
            Self.forgetOldest(&jobs)
        }
        return message
    }

    private static func forgetOldest(_ jobs: inout [Job]) {
        let waiting = jobs.indices.filter { jobs[$0].task == nil && jobs[$0].file != nil }
        for index in waiting.dropLast(filesKept) { jobs[index].file = nil }
        while jobs.count > kept, let oldest = jobs.firstIndex(where: { $0.task == nil }) { jobs.remove(at: oldest) }
    }

    func job(_ id: String) -> Job? { jobs.withLock { $0.first { $0.message.id == id } } }

    /// Starts an import, unless it is running or completed.
    ///
    /// A completed one is started again by a decision that adds the rows that it left out.
    ///
    /// - Throws: `Problem` if the import is unknown or its file was discarded.
    func start(_ id: String, _ options: Options, on executor: BlockingExecutor) throws -> ListImport {
        try jobs.withLock { jobs in
            guard let index = jobs.firstIndex(where: { $0.message.id == id }) else { throw Problem.notFound }
            let job = jobs[index]
            let isDone = job.message.status == .completed
            let addsMore = options.duplicates != .skip && !job.message.skippedRows.isEmpty
            if job.task != nil || isDone && !addsMore { return job.message }
            guard let file = job.file else {
                throw Problem(
                    "not_ready", status: 409, title: "File no longer available",
                    detail: "The uploaded file is no longer available. Upload it again.")
            }
            guard jobs.count(where: { $0.task != nil }) < Self.running else {
                throw Problem.rateLimited(
                    .seconds(5), code: "too_many_imports",
                    detail: "\(Self.running) lists are being imported. Start this one when one of them is done.")
            }
            jobs[index].message.status = .running
            jobs[index].message.problem = nil
            jobs[index].task = Task(executorPreference: executor) {
                await self.run(id, file, job.message.name, job.encoding, options)
            }
            return jobs[index].message
        }
    }

    private func run(
        _ id: String, _ file: [UInt8], _ name: String, _ encoding: TextEncoding?, _ options: Options
    ) async {
        // The same for an import that continues an interrupted one, so that both are undone together.
        let token = LibraryStore.undoToken(ofList: file, mapping: options.mapping, encoding: encoding)
        do {
            let report = try await library.actions(as: token).importBooks(
                file, name: name, duplicates: options.duplicates, mapping: options.mapping, encoding: encoding,
                shelf: options.shelf, enrich: lookup.enricher,
                onCover: { entry, url in await covers.fetch(url, for: entry) }
            ) { done, rows, report in
                change(id) { job in
                    job.message.show(report)
                    (job.message.done, job.message.rows, job.message.hasMoreRows) = (done, rows, false)
                }
            }
            await end(id, undoneBy: token) { job in
                job.message.show(report)
                (job.message.status, job.message.done) = (.completed, job.message.rows)
                if report.duplicates.isEmpty { job.file = nil }
            }
        } catch is CancellationError {
            // The rows that were imported stay until the user undoes them.
            await end(id, undoneBy: token) { ($0.message.status, $0.file) = (.canceled, nil) }
        } catch {
            // Keep the file, so that the import can be started again and resume.
            logger.error("Could not import a list", metadata: ["error": "\(error)"])
            let problem = Problem(error)?.detail ?? "An internal error occurred. Start the import again."
            await end(id, undoneBy: token) { job in
                (job.message.status, job.message.problem) = (.failed, problem)
            }
        }
    }

    private func end(_ id: String, undoneBy token: UndoToken, _ body: (inout Job) -> Void) async {
        // In a task of its own, because the database cannot be read in a canceled one.
        let shown = await Task { try? await library.shown(token) }.value
        change(id) { job in
            body(&job)
            (job.message.undoToken, job.task) = (shown, nil)
        }
    }

    /// Cancels an import and discards its file.
    ///
    /// Rows already imported stay in the library. A running import ends after its current rows.
    func cancel(_ id: String) {
        change(id) { job in
            guard job.message.status != .completed else { return }
            if let task = job.task { task.cancel() } else { (job.message.status, job.file) = (.canceled, nil) }
        }
    }

    private func change(_ id: String, _ body: (inout Job) -> Void) {
        jobs.withLock { jobs in
            if let index = jobs.firstIndex(where: { $0.message.id == id }) { body(&jobs[index]) }
        }
    }
}

extension ListImport {
    fileprivate init(id: String, name: String, _ preview: BookListPreview) {
        self.init(id: id, name: name, status: .preview, rows: preview.rows)
        hasMoreRows = preview.hasMoreRows
        format = preview.format == .other ? "csv" : preview.format.rawValue.lowercased()
        encoding = preview.encoding.rawValue
        otherEncoding = preview.otherEncoding?.rawValue
        encodings = TextEncoding.allCases.map(\.rawValue)
        delimiter = String(preview.delimiter)
        columns = preview.columns
        mapping = Dictionary(
            zip(preview.columns, preview.fields.map { $0?.rawValue }), uniquingKeysWith: { first, _ in first })
        sample = preview.sample
        failedRows = Array(preview.problems.prefix(Self.shownRows))
    }

    fileprivate mutating func show(_ report: ListImportReport) {
        (added, changed) = (report.added, report.changed)
        skipped = report.duplicates.count + report.alreadyImported
        skippedRows = Array(report.duplicates.prefix(Self.shownRows))
        notFound = report.notFound
        incompleteRows = Array(report.incomplete.prefix(Self.shownRows))
        failedRows = Array(report.problems.prefix(Self.shownRows))
    }

    private static let shownRows = 1000
}
