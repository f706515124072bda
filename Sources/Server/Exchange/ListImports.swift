import Concurrency
import Foundation
import Library
import Lookup
import Scanning
import Synchronization
import ShelflistAPI

/// Imports of lists: one file each, shown first, run when the person says so.
///
/// They live in memory. An import that a stop of the server cuts short goes on where it stopped when the same file is
/// sent and started again.
final class ListImports: Sendable {
    /// Imports that are remembered, and files among them that wait to be started; older ones are forgotten.
    private static let kept = 20
    private static let filesKept = 3

    struct State: Sendable {
        var id: String
        var name: String
        var preview: BookListPreview
        var status = Status.preview
        var rows: Int
        var done = 0
        var report: ListImportReport?
        var problem: String?

        enum Status: String, Sendable { case preview, running, completed, failed, canceled }
    }

    struct Options: Sendable {
        var duplicates = DuplicateDecision.skip
        var mapping: [String: BookListField?] = [:]
        var shelf: RowID<Shelf>?
    }

    private struct Job {
        var state: State
        /// Until it is taken in.
        var file: [UInt8]?
        var task: Task<Void, Never>?
    }

    private let library: LibraryStore
    private let lookup: BookLookup
    private let covers: CoverQueue
    private let jobs = Mutex<[Job]>([])

    /// - Parameters:
    ///   - lookup: asked anew at each import, because providers are turned on and off while the server runs.
    ///   - covers: fetches the covers of what was found.
    init(library: LibraryStore, lookup: BookLookup, covers: CoverQueue) {
        self.library = library
        self.lookup = lookup
        self.covers = covers
    }

    func add(_ file: [UInt8], name: String, preview: BookListPreview) -> State {
        let state = State(id: UUID().uuidString.lowercased(), name: name, preview: preview, rows: preview.rows)
        let job = Job(state: state, file: file, task: nil)
        jobs.withLock { jobs in
            jobs.append(job)
            Self.forgetOldest(&jobs)
        }
        return state
    }

    private static func forgetOldest(_ jobs: inout [Job]) {
        let waiting = jobs.indices.filter { jobs[$0].task == nil && jobs[$0].file != nil }
        for index in waiting.dropLast(filesKept) { jobs[index].file = nil }
        while jobs.count > kept, let oldest = jobs.firstIndex(where: { $0.task == nil }) { jobs.remove(at: oldest) }
    }

    func state(_ id: String) -> State? { jobs.withLock { $0.first { $0.state.id == id }?.state } }

    /// - Returns: the state; an import that was started already goes on.
    /// - Throws: `Problem` where it cannot be started any more.
    func start(_ id: String, _ options: Options, on executor: BlockingExecutor) throws -> State {
        try jobs.withLock { jobs in
            guard let index = jobs.firstIndex(where: { $0.state.id == id }) else { throw Problem.notFound }
            if jobs[index].task != nil || jobs[index].state.status == .completed { return jobs[index].state }
            guard let file = jobs[index].file else {
                throw Problem(
                    "not_ready", status: 409, title: "File not here any more",
                    detail: "The file was let go, because it was cancelled or others came after it. Choose it again.")
            }
            jobs[index].state.status = .running
            jobs[index].state.problem = nil
            let name = jobs[index].state.name
            jobs[index].task = Task(executorPreference: executor) { await self.run(id, file, name, options) }
            return jobs[index].state
        }
    }

    private func run(_ id: String, _ file: [UInt8], _ name: String, _ options: Options) async {
        do {
            let report = try await library.importBooks(
                file, name: name, duplicates: options.duplicates, mapping: options.mapping, shelf: options.shelf,
                enrich: lookup.enricher, onCover: { entry, url in await covers.fetch(url, for: entry) }
            ) { done, rows, report in
                change(id) { job in (job.state.done, job.state.rows, job.state.report) = (done, rows, report) }
            }
            change(id) { job in
                (job.state.status, job.state.report, job.state.done) = (.completed, report, job.state.rows)
                job.file = nil
            }
        } catch is CancellationError {
            change(id) { $0.file = nil }
        } catch {
            // Its file stays: once the cause is gone, a second start goes on where this one stopped.
            change(id) { ($0.state.status, $0.state.problem) = (.failed, "\(error)") }
        }
        change(id) { $0.task = nil }
    }

    /// Stops an import, or lets its file go; rows that are in the library stay.
    func cancel(_ id: String) {
        change(id) { job in
            job.task?.cancel()
            guard job.state.status != .completed else { return }
            job.state.status = .canceled
            if job.task == nil { job.file = nil }
        }
    }

    private func change(_ id: String, _ body: (inout Job) -> Void) {
        jobs.withLock { jobs in
            if let index = jobs.firstIndex(where: { $0.state.id == id }) { body(&jobs[index]) }
        }
    }
}
