import Scans
import ShelflistAPI

/// Streams a job's events to WebSockets and server-sent events.
struct JobFeed: Sendable {
    let jobs: ScanJobs
    var keepAlive: Duration = .seconds(30)

    enum Item: Sendable {
        case event(JobEvent)
        case keepAlive
    }

    /// Returns the events after a given one, and new ones as they happen.
    ///
    /// Ends after the last event of a finished job about which no source is being asked any more, or when the server
    /// stops. Events are read from the log on demand, so slow clients use no memory.
    ///
    /// - Parameter endsWhenFinished: whether to end although sources are still being asked.
    func items(of job: String, after: Int, endsWhenFinished: Bool = false) -> AsyncStream<Item> {
        let cursor = Cursor(
            jobs: jobs, job: job, last: after, keepAlive: keepAlive, endsWhenFinished: endsWhenFinished)
        // If the log cannot be read, the stream ends. The client reconnects and requests the missing events.
        return AsyncStream { try? await cursor.next() }
    }

    /// The position of one client in the log.
    private actor Cursor {
        private let jobs: ScanJobs
        private let job: String
        private let keepAlive: Duration
        private let endsWhenFinished: Bool
        private var last: Int
        private var waiting: [JobEvent] = []
        private var signals: AsyncStream<JobSignal>.Iterator?

        init(jobs: ScanJobs, job: String, last: Int, keepAlive: Duration, endsWhenFinished: Bool) {
            self.jobs = jobs
            self.job = job
            self.last = last
            self.keepAlive = keepAlive
            self.endsWhenFinished = endsWhenFinished
        }

        func next() async throws -> Item? {
            var isQuiet = false
            while !Task.isCancelled {
                if waiting.isEmpty {
                    // Read the state first: events written after it are read in the next iteration.
                    let state = try await jobs.log.job(job)
                    waiting = try await jobs.log.events(of: job, after: last, limit: 100)
                    guard let state else { return nil }
                    let isOver = state.isFinished && (endsWhenFinished || !state.isAsking)
                    if waiting.isEmpty, isOver, last >= state.lastEvent { return nil }
                }
                if !waiting.isEmpty {
                    let event = waiting.removeFirst()
                    last = event.id
                    return .event(event)
                }
                if isQuiet { return .keepAlive }
                // The iterator refers to shared storage, so the copy continues where the property stopped.
                var signals: AsyncStream<JobSignal>.Iterator
                if let known = self.signals {
                    signals = known
                } else {
                    signals = jobs.log.follow(job, quietAfter: keepAlive).makeAsyncIterator()
                }
                self.signals = signals
                guard let signal = await signals.next(isolation: self) else { return nil }
                isQuiet = signal == .quiet
            }
            return nil
        }
    }
}
