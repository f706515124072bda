import Foundation
import ShelflistAPI
import Synchronization

/// Sends the photos of a scan and follows its events.
final class ScanRun: Sendable {
    enum Work: Sendable {
        case photos([PhotoSource], ScanOptions)
        case job(String, after: Int)
    }

    private struct State {
        var job: String?
        /// Whether the server has finished the job, so that nothing is left to cancel.
        var isOver = false
        var creation: Task<ScanStatus, any Error>?
        var following: Task<Void, Never>?
        var cancellation: Task<Void, Never>?
    }

    let connection: ServerConnection
    let log = EventLog()
    private let uploader: PhotoUploader
    private let work: Work
    private let state = Mutex(State())

    init(connection: ServerConnection, work: Work) {
        (self.connection, self.work) = (connection, work)
        uploader = PhotoUploader(connection: connection, sink: log.append)
        if case .job(let id, _) = work { state.withLock { $0.job = id } }
    }

    var job: String? { state.withLock(\.job) }

    func start() {
        let following = Task {
            do {
                try await self.work(log: log)
                self.log.end(nil)
            } catch {
                self.log.end(ShelflistError(error, host: self.connection.host))
            }
        }
        state.withLock { $0.following = following }
    }

    private func work(log: EventLog) async throws {
        switch work {
        case .job(let id, let last):
            try await EventFollower(connection: connection, job: id, last: last, sink: receive).follow()
        case .photos(let photos, let options):
            let job = try await create(photos.count, options)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await self.uploader.upload(photos, to: job) }
                group.addTask {
                    try await EventFollower(connection: self.connection, job: job.id, last: 0, sink: self.receive)
                        .follow()
                }
                defer { group.cancelAll() }
                // Following ends last: the upload before the end, unless another client cancelled the job.
                while try await group.next() != nil, !self.state.withLock(\.isOver) {}
                while try await group.next() != nil {}
            }
        }
    }

    @Sendable private func receive(_ event: ScanEvent) {
        if case .job(let event) = event, event.content.endsJob { state.withLock { $0.isOver = true } }
        log.append(event)
    }

    // MARK: Upload

    /// Creates the job, in a task of its own: a job whose creation is cancelled halfway could not be deleted.
    private func create(_ photos: Int, _ options: ScanOptions) async throws -> ScanStatus {
        let creation = state.withLock { [uploader] state -> Task<ScanStatus, any Error>? in
            guard state.cancellation == nil else { return nil }
            let creation = Task { try await uploader.create(photos, options) }
            state.creation = creation
            return creation
        }
        guard let creation else { throw CancellationError() }
        let job = try await creation.value
        state.withLock { $0.job = job.id }
        return job
    }

    // MARK: End

    /// Stops following without cancelling the job.
    func stopFollowing() { state.withLock(\.following)?.cancel() }

    func cancel() async {
        beginCancellation()
        await waitForCancellation()
    }

    func waitForCancellation() async { await state.withLock(\.cancellation)?.value }

    /// Ends the session, and deletes the job in a task of its own, which no cancellation reaches.
    func beginCancellation() {
        guard !log.hasEnded else { return }
        let following = state.withLock { state -> Task<Void, Never>? in
            guard state.cancellation == nil else { return nil }
            let (isOver, creation) = (state.isOver, state.creation)
            state.cancellation = Task { if !isOver { await self.delete(creation) } }
            return state.following
        }
        log.end(.cancelled)
        following?.cancel()
    }

    private func delete(_ creation: Task<ScanStatus, any Error>?) async {
        let known = job
        let connection = connection
        let limit = connection.limits.cancellation
        // A job that cannot be deleted in time has no follower, so that the server deletes it later.
        try? await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                guard let id = try await known.asyncOr({ try await creation?.value.id }) else { return }
                try await connection.send(.init("DELETE", "api/v1/scans/\(id)"))
            }
            group.addTask { try await connection.clock.sleep(for: limit) }
            _ = try await group.next()
            group.cancelAll()
            creation?.cancel()
        }
    }
}

extension Optional {
    fileprivate func asyncOr(_ other: () async throws -> Wrapped?) async rethrows -> Wrapped? {
        if let self { return self }
        return try await other()
    }
}

extension JobEvent.Content {
    var endsJob: Bool {
        switch self {
        case .completed, .canceled: true
        case .error(let problem): problem.photo == nil
        default: false
        }
    }
}
