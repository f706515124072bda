import Reading
import Synchronization

/// Holds photos while they are read, until a test releases them.
package final class ReadingGate: Sendable {
    /// Where a photo is held.
    package enum Point: String, Codable, Sendable {
        /// Before the outlines of the spines are reported.
        case outlines
        /// After them, when a share of the text is read.
        case text
    }

    private struct State {
        var point: Point?
        /// The share of the text that is read when photos are held, 0...1.
        var share = 0.0
        var waiting: [(id: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
        var next = 0
    }

    private let state = Mutex(State())

    /// Holds every photo at this point from now on.
    package func hold(at point: Point, share: Double) {
        state.withLock { ($0.point, $0.share) = (point, share) }
    }

    /// Releases held photos.
    ///
    /// - Parameter count: how many; nil for all, and holds no more.
    package func release(_ count: Int?) {
        let released = state.withLock { state in
            if count == nil { state.point = nil }
            let released = state.waiting.prefix(count ?? state.waiting.count)
            state.waiting.removeFirst(released.count)
            return released.map(\.continuation)
        }
        for continuation in released { continuation.resume() }
    }

    package var held: Int { state.withLock { $0.waiting.count } }

    /// Returns once so many photos are held.
    package func waitUntilHeld(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isMet = state.withLock { state in
                if state.waiting.count >= count { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    /// Waits if photos are held at this point.
    ///
    /// - Throws: `CancellationError`.
    func pass(_ point: Point, _ report: @Sendable (ReadingProgress) -> Void = { _ in }) async throws {
        guard let share = state.withLock({ $0.point == point ? $0.share : nil }) else { return }
        if share > 0 { report(.text(share)) }
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumed = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                    guard state.point == point, !Task.isCancelled else { return [continuation] }
                    state.waiting.append((id, continuation))
                    let met = state.observers.filter { $0.count <= state.waiting.count }
                    state.observers.removeAll { $0.count <= state.waiting.count }
                    return met.map(\.continuation)
                }
                for continuation in resumed { continuation.resume() }
            }
        } onCancel: {
            let canceled = state.withLock { state in
                state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0).continuation }
            }
            canceled?.resume()
        }
        try Task.checkCancellation()
    }
}
