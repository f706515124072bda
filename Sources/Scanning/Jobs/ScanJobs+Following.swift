/// Telling clients that a job has news.
extension ScanJobs {
    /// A signal whenever there may be new events, and when there was none for `pause`; ends when nobody takes it any
    /// more, and when the server stops.
    ///
    /// Signals are not queued up: who is slow reads more events at once.
    package func follow(_ id: String, quietAfter pause: Duration) -> AsyncStream<JobSignal> {
        watcherNumber += 1
        let number = watcherNumber
        let (stream, continuation) = AsyncStream<JobSignal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let timing = Task {
            while let spoke = self.watchers[id]?[number]?.spoke {
                let deadline = spoke.advanced(by: pause)
                if deadline > .now {
                    try await Task.sleep(until: deadline, clock: .continuous)
                } else {
                    self.watchers[id]?[number]?.send(.quiet)
                }
            }
        }
        continuation.onTermination = { _ in
            timing.cancel()
            Task { await self.unfollow(id, number) }
        }
        var watcher = JobWatcher(signals: continuation)
        watcher.send(.news)
        watchers[id, default: [:]][number] = watcher
        if isStopping { continuation.finish() }
        return stream
    }

    private func unfollow(_ id: String, _ number: Int) {
        watchers[id]?[number] = nil
        if watchers[id]?.isEmpty ?? false {
            watchers[id] = nil
            lastWatched[id] = clock.now
        }
    }

    /// How many clients follow a job now.
    package var followers: Int { watchers.values.reduce(0) { $0 + $1.count } }

    func announce(_ id: String) {
        for number in (watchers[id] ?? [:]).keys { watchers[id]?[number]?.send(.news) }
    }
}

/// What a follower of a job is told.
package enum JobSignal: Sendable {
    /// There may be new events.
    case news
    /// There was nothing to tell for a while: time to show that the connection lives.
    case quiet
}

struct JobWatcher {
    let signals: AsyncStream<JobSignal>.Continuation
    private(set) var spoke = ContinuousClock.now

    init(signals: AsyncStream<JobSignal>.Continuation) { self.signals = signals }

    mutating func send(_ signal: JobSignal) {
        signals.yield(signal)
        spoke = .now
    }
}
