package import Foundation

/// What a follower of a job receives.
package enum JobSignal: Sendable {
    /// There may be new events.
    case news
    /// There was no signal for a while: time to show that the connection is alive.
    case quiet
}

/// The followers of all jobs, and when each job was last followed.
///
/// Nothing is signalled here, but by the caller, and not inside a lock: to signal waits for a task that is being cancelled,
/// and to cancel it removes its follower.
package struct JobFollowers {
    package typealias Signals = AsyncStream<JobSignal>.Continuation

    package struct ID: Hashable, Sendable {
        package let job: String
        fileprivate let number: Int
    }

    private struct Follower {
        let signals: Signals
        /// By the uptime of the jobs' clock.
        var lastSignal: Duration
    }

    private var followers: [String: [Int: Follower]] = [:]
    private var added = 0
    /// When a job without followers was last followed or asked about.
    private var lastFollowed: [String: Date] = [:]
    package private(set) var hasEnded = false

    package init() {}

    package var count: Int { followers.values.reduce(0) { $0 + $1.count } }

    package func follows(_ job: String) -> Bool { followers[job] != nil }

    /// Adds a follower, to which the caller signals `.news`.
    ///
    /// - Parameter now: the uptime of the jobs' clock.
    package mutating func add(_ signals: Signals, to job: String, at now: Duration) -> ID {
        added += 1
        followers[job, default: [:]][added] = Follower(signals: signals, lastSignal: now)
        return ID(job: job, number: added)
    }

    package mutating func remove(_ id: ID, at time: Date) {
        guard followers[id.job]?.removeValue(forKey: id.number) != nil, followers[id.job]?.isEmpty ?? false else {
            return
        }
        followers[id.job] = nil
        lastFollowed[id.job] = time
    }

    /// Returns the followers of a job, to which the caller signals `.news`.
    package mutating func announce(_ job: String, at now: Duration) -> [Signals] {
        let numbers = (followers[job] ?? [:]).keys
        for number in numbers { followers[job]?[number]?.lastSignal = now }
        return numbers.compactMap { followers[job]?[$0]?.signals }
    }

    /// What to do for a follower that received nothing for a while.
    package struct Pause {
        /// The follower, to which the caller signals `.quiet`; nil where it received something.
        package var quiet: Signals?
        /// When to ask again.
        package var end: Duration
    }

    /// Returns nil for a follower that was removed.
    package mutating func pause(_ id: ID, of pause: Duration, at now: Duration) -> Pause? {
        guard let follower = followers[id.job]?[id.number] else { return nil }
        let due = follower.lastSignal + pause
        guard due <= now else { return Pause(end: due) }
        followers[id.job]?[id.number]?.lastSignal = now
        return Pause(quiet: follower.signals, end: now + pause)
    }

    /// Returns the signals of all followers, which the caller finishes.
    ///
    /// From then on `hasEnded` is true, and the signals of a new follower are finished at once.
    package mutating func end() -> [Signals] {
        hasEnded = true
        return followers.values.flatMap { $0.values.map(\.signals) }
    }

    // MARK: Jobs without followers

    /// Starts or renews the time that a job may be without followers.
    package mutating func renew(_ job: String, at time: Date) { lastFollowed[job] = time }

    /// Renews a job that a client asked about.
    package mutating func renewIfKnown(_ job: String, at time: Date) {
        if lastFollowed[job] != nil, !follows(job) { lastFollowed[job] = time }
    }

    package mutating func forget(_ job: String) { lastFollowed[job] = nil }

    /// Removes and returns the jobs without followers since before `time`.
    package mutating func takeAbandoned(before time: Date) -> [String] {
        let abandoned = lastFollowed.filter { !follows($0.key) && $0.value < time }.map(\.key)
        abandoned.forEach { lastFollowed[$0] = nil }
        return abandoned
    }
}
