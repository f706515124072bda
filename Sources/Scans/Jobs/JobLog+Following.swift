import Concurrency
import Synchronization

/// Notifying clients of new events.
extension JobLog {
    /// Returns a signal whenever there may be new events, and when there was none for `pause`.
    ///
    /// The stream ends when it is no longer read and when the server stops.
    ///
    /// Signals do not queue up: a slow client reads more events at once.
    package func follow(_ id: String, quietAfter pause: Duration) -> AsyncStream<JobSignal> {
        let (stream, continuation) = JobSignal.makeStream()
        let follower = following.withLock { $0.add(continuation, to: id, at: clock.uptime) }
        continuation.yield(.news)
        let timing = Task {
            while let next = following.withLock({ $0.pause(follower, of: pause, at: clock.uptime) }) {
                next.quiet?.signalQuiet()
                try await clock.sleep(until: next.end)
            }
        }
        continuation.onTermination = { _ in
            timing.cancel()
            self.following.withLock { $0.remove(follower, at: self.clock.now) }
        }
        // Also where the end came before `onTermination` was set.
        if following.withLock({ $0.hasEnded }) { continuation.finish() }
        return stream
    }

    /// Ends every follower's signals, also of those that follow later.
    func endFollowing() {
        for signals in following.withLock({ $0.end() }) { signals.finish() }
    }

    /// Notifies the followers of a job that there may be new events.
    package func announce(_ id: String) {
        for signals in following.withLock({ $0.announce(id, at: clock.uptime) }) { signals.yield(.news) }
    }

    /// How many clients follow a job.
    package var followers: Int { following.withLock { $0.count } }
}

extension JobSignal {
    /// Returns a stream that holds one signal of each kind for a slow follower.
    package static func makeStream() -> (stream: AsyncStream<JobSignal>, continuation: JobFollowers.Signals) {
        AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(2))
    }
}

extension JobFollowers.Signals {
    /// Signals `.quiet`, and again the news that a follower that reads nothing would not learn of.
    package func signalQuiet() {
        if case .dropped(.news) = yield(.quiet) { yield(.news) }
    }
}
