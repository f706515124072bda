import Synchronization

/// The events of a scan in memory, for any number of readers.
final class EventLog: Sendable {
    enum Step: Sendable {
        case event(ScanEvent)
        case ended(ShelflistError?)
    }

    private struct State {
        var events: [ScanEvent] = []
        /// Not nil at the end.
        var end: Step?
        var waiting: [CheckedContinuation<Void, Never>] = []

        func step(_ index: Int) -> Step? { index < events.count ? .event(events[index]) : end }

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Mutex(State())

    func append(_ event: ScanEvent) {
        let waiting = state.withLock { state in
            guard state.end == nil else { return [CheckedContinuation<Void, Never>]() }
            state.events.append(event)
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Ends the log; later events and ends are dropped.
    func end(_ error: ShelflistError?) {
        let waiting = state.withLock { state in
            if state.end == nil { state.end = .ended(error) }
            return state.takeWaiting()
        }
        for continuation in waiting { continuation.resume() }
    }

    var hasEnded: Bool { state.withLock { $0.end != nil } }

    /// Returns an event, or waits for it.
    func step(_ index: Int) async -> Step {
        while true {
            if let step = state.withLock({ $0.step(index) }) { return step }
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.step(index) != nil { return true }
                    state.waiting.append(continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        }
    }
}
