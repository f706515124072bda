public import Foundation
public import Observation
public import ShelflistClient

/// Several scans at once: those that wait on this device, also without a network, and those that the server reads.
///
/// ```swift
/// let model = ScanListModel(client: client, queue: queue)
/// Task { await model.run() }
/// await model.add([.data(jpeg)])
/// show(model.unfinished, model.scans.count, model.error?.message)
/// ```
@MainActor @Observable
public final class ScanListModel {
    /// A scan of the list.
    ///
    /// ```swift
    /// for scan in model.scans { show(scan.id, scan.jobID, scan.addedAt, scan.state) }
    /// ```
    public struct Scan: Identifiable, Sendable {
        /// What happens to a scan.
        ///
        /// ```swift
        /// switch scan.state {
        /// case .waiting: show("Waiting")
        /// case .sending(let progress): show(progress.fraction)
        /// case .refused(let reason): show(reason)
        /// case .reading(let progress): show(progress?.message)
        /// case .done(let summary): show(summary.books)
        /// case .failed(let error): show(error.message)
        /// }
        /// ```
        public enum State: Sendable {
            /// Is on this device and waits for its turn or the network.
            case waiting
            /// Is sent.
            case sending(UploadProgress)
            /// The server refused it or some of its photos, for this reason.
            case refused(String)
            /// The server reads it; nil until its first progress.
            case reading(JobEvent.Progress?)
            /// Was read.
            case done(ScanSummary)
            /// Could not be read, or not be followed to its end.
            case failed(ShelflistError)
        }

        /// Identifies the scan in the list.
        public let id: String
        /// Its identifier on the server, for `ScanModel.follow`; nil until it is sent.
        public let jobID: String?
        /// When it was added.
        public let addedAt: Date
        /// What happens to it.
        public internal(set) var state: State
    }

    /// The scans of this device in the order in which they are sent, then those of the server, latest first.
    public var scans: [Scan] { queued.map(Scan.init) + sent }
    /// The number of scans that are not finished, for a badge.
    public var unfinished: Int { scans.count { $0.state.isUnfinished } }
    /// What is wrong with the last action.
    public private(set) var error: ShelflistError?

    private var queued: [QueuedScan]
    private var sent: [Scan] = []
    @ObservationIgnored private let client: ShelflistClient
    @ObservationIgnored private let queue: ScanQueue

    /// Creates a model of a queue, whose scans it sends while `run` runs.
    public init(client: ShelflistClient, queue: ScanQueue) {
        (self.client, self.queue, queued) = (client, queue, queue.scans)
    }

    /// Stores a scan on disk, so that it is sent even if the app ends before.
    ///
    /// - Parameter options: should add the books to the library, because the app may not be running when they are read.
    public func add(_ photos: [PhotoSource], options: ScanOptions = ScanOptions(addsToLibrary: true)) async {
        let queue = queue
        do {
            try await Self.store(photos, options, in: queue)
            (queued, error) = (queue.scans, nil)
        } catch {
            self.error = error
        }
    }

    /// Sends the scans and follows them, also those that an earlier run of the app has sent, until the task is cancelled.
    ///
    /// The server reads on when it is.
    public func run() async {
        await resume()
        let queue = self.queue
        let updates = queue.updates
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await queue.run { scan, job in await self.follow(job.id, addedAt: scan.addedAt) } }
            group.addTask { for await scans in updates { await self.show(scans) } }
        }
    }

    /// Removes a scan that waits, or one of the server from the list.
    ///
    /// ```swift
    /// model.remove(scan.id)
    /// ```
    public func remove(_ id: Scan.ID) {
        sent.removeAll { $0.id == id }
        change { queue throws(ShelflistError) in try queue.remove(id) }
    }

    /// Sends a scan again that the server refused.
    ///
    /// ```swift
    /// if case .refused = scan.state { model.retry(scan.id) }
    /// ```
    public func retry(_ id: Scan.ID) { change { queue throws(ShelflistError) in try queue.retry(id) } }

    nonisolated private static func store(
        _ photos: [PhotoSource], _ options: ScanOptions, in queue: ScanQueue
    ) async throws(ShelflistError) { try queue.add(photos, options: options) }

    private func change(_ body: (ScanQueue) throws(ShelflistError) -> Void) {
        do {
            try body(queue)
            (queued, error) = (queue.scans, nil)
        } catch {
            self.error = error
        }
    }

    private func show(_ scans: [QueuedScan]) { queued = scans }

    // MARK: The scans of the server

    /// Follows the scans that are not finished.
    private func resume() async {
        do {
            for try await job in client.scans.all(active: true) { follow(job.id, addedAt: job.createdAt) }
        } catch {
            // They are followed when the app is started the next time; the queue reports that the server is away.
            if error.category != .cancelled { self.error = error }
        }
    }

    private func follow(_ job: String, addedAt: Date) {
        guard !sent.contains(where: { $0.id == job }) else { return }
        sent.insert(Scan(id: job, jobID: job, addedAt: addedAt, state: .reading(nil)), at: 0)
        sent.sort { $0.addedAt > $1.addedAt }
        let session = client.follow(job)
        // Not a part of `run`: cancelling a reader of events would cancel the scan on the server.
        Task { [weak self] in
            do {
                for try await case .job(let event) in session.events {
                    guard let self, self.isListed(job) else { return }
                    self.receive(event.content, of: job)
                }
            } catch {
                guard let error = error as? ShelflistError else { return }
                self?.set(.failed(error), of: job)
            }
        }
    }

    private func isListed(_ job: String) -> Bool { sent.contains { $0.id == job } }

    private func receive(_ event: JobEvent.Content, of job: String) {
        switch event {
        case .progress(let progress): set(.reading(progress), of: job)
        case .completed(let summary): set(.done(summary), of: job)
        case .error(let problem) where problem.photo == nil:
            set(.failed(ShelflistError(.scanFailed, problem.message, "Take the photos again.")), of: job)
        case .canceled:
            set(.failed(ShelflistError(.cancelled, "The scan was cancelled.", "Start it again.")), of: job)
        default: break
        }
    }

    private func set(_ state: Scan.State, of job: String) {
        guard let index = sent.firstIndex(where: { $0.id == job }), sent[index].state.isUnfinished else { return }
        sent[index].state = state
    }
}

extension ScanListModel.Scan {
    fileprivate init(_ scan: QueuedScan) {
        (id, jobID, addedAt) = (scan.id, nil, scan.addedAt)
        switch scan.state {
        case .waiting: state = .waiting
        case .sending(let progress): state = .sending(progress)
        case .refused(let reason): state = .refused(reason)
        }
    }
}

extension ScanListModel.Scan.State {
    fileprivate var isUnfinished: Bool {
        switch self {
        case .waiting, .sending, .reading: true
        case .refused, .done, .failed: false
        }
    }
}
