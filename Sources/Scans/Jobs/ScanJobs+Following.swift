import Concurrency

/// Notifying clients of new events.
extension ScanJobs {
    /// Returns a signal whenever there may be new events, and when there was none for `pause`.
    ///
    /// The stream ends when it is no longer read and when the server stops.
    ///
    /// Signals do not queue up: a slow client reads more events at once.
    package func follow(_ id: String, quietAfter pause: Duration) -> AsyncStream<JobSignal> {
        let (stream, continuation) = AsyncStream<JobSignal>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let follower = following.add(continuation, to: id, at: clock.uptime)
        let timing = Task {
            while let due = self.following.signalIfQuiet(follower, for: pause, at: self.clock.uptime) {
                try await self.clock.sleep(until: due)
            }
        }
        continuation.onTermination = { _ in
            timing.cancel()
            Task { await self.unfollow(follower) }
        }
        if isStopping { continuation.finish() }
        return stream
    }

    private func unfollow(_ follower: JobFollowers.ID) { following.remove(follower, at: clock.now) }

    /// How many clients follow a job.
    package var followers: Int { following.count }
}
