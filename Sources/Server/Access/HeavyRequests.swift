package import Concurrency
import ShelflistAPI
import Synchronization

/// Lets heavy requests run a few at a time, because each holds one of the readers of the library for long.
///
/// Further ones wait in the order in which they came, and are refused with 429 after a while. What they compute runs on
/// threads of its own, so that it does not delay the answers to others.
package final class HeavyRequests: Sendable {
    /// Requests of one client that run at once.
    package static let perClient = 2
    /// Requests of all clients that run at once; the library has six readers, so that two are left for lists.
    package static let inAll = 4
    /// Requests of one client that wait.
    package static let waitingPerClient = 8
    /// How long a request waits.
    package static let patience = Duration.seconds(10)
    /// When a client is asked to send a refused request again.
    package static let pause = Duration.seconds(5)

    private struct Waiter {
        var id: Int
        var client: String
        /// Receives whether the request may run.
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var running: [String: Int] = [:]
        var waiting: [Waiter] = []
        var lastID = 0

        func hasRoom(for client: String) -> Bool {
            running[client, default: 0] < HeavyRequests.perClient
                && running.values.reduce(0, +) < HeavyRequests.inAll
        }

        mutating func leave(_ client: String) {
            let left = running[client, default: 1] - 1
            running[client] = left > 0 ? left : nil
        }
    }

    private let clock: SteadyClock
    private let state = Mutex(State())

    package init(clock: SteadyClock) { self.clock = clock }

    /// The number of requests that wait.
    package var waiting: Int { state.withLock(\.waiting.count) }

    /// Runs a request of a client when there is room for it.
    ///
    /// - Throws: `Problem` if there is none for too long, `CancellationError`, and the errors of `operation`.
    package func run<Value: Sendable>(
        for client: String, _ operation: () async throws -> Value
    ) async throws -> Value {
        try await enter(client)
        defer { leave(client) }
        return try await withTaskExecutorPreference(BlockingExecutor.reports) { try await operation() }
    }

    private func enter(_ client: String) async throws {
        let id: Int? = try state.withLock { state in
            if state.hasRoom(for: client) {
                state.running[client, default: 0] += 1
                return nil
            }
            guard state.waiting.count(where: { $0.client == client }) < Self.waitingPerClient else {
                throw Problem.rateLimited(Self.pause)
            }
            state.lastID += 1
            return state.lastID
        }
        guard let id else { return }
        let timer = Task {
            do { try await clock.sleep(for: Self.patience) } catch { return }
            giveUp(id)
        }
        defer { timer.cancel() }
        let mayRun = await withTaskCancellationHandler {
            await withCheckedContinuation { wait(Waiter(id: id, client: client, continuation: $0)) }
        } onCancel: {
            giveUp(id)
        }
        guard mayRun else {
            try Task.checkCancellation()
            throw Problem.rateLimited(Self.pause)
        }
    }

    private func wait(_ waiter: Waiter) {
        let mayRun: Bool? = state.withLock { state in
            // Another request may have ended since.
            if state.hasRoom(for: waiter.client) {
                state.running[waiter.client, default: 0] += 1
                return true
            }
            if Task.isCancelled { return false }
            state.waiting.append(waiter)
            return nil
        }
        if let mayRun { waiter.continuation.resume(returning: mayRun) }
    }

    private func leave(_ client: String) {
        let next = state.withLock { state -> Waiter? in
            state.leave(client)
            guard let index = state.waiting.firstIndex(where: { state.hasRoom(for: $0.client) }) else { return nil }
            let next = state.waiting.remove(at: index)
            state.running[next.client, default: 0] += 1
            return next
        }
        next?.continuation.resume(returning: true)
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        waiter?.continuation.resume(returning: false)
    }
}
