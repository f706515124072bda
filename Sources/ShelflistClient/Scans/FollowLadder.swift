import ShelflistAPI

/// Decides by which of three ways to follow events, and when to try again.
///
/// A stream that brings nothing leads one step down, where events arrive later but more proxies permit it. After
/// something was received, and after some time of polling, the best way is tried again.
package struct FollowLadder: Sendable {
    package enum Rung: Int, Comparable, Sendable {
        case polling, eventStream, webSocket

        package static func < (a: Rung, b: Rung) -> Bool { a.rawValue < b.rawValue }
    }

    package private(set) var rung = Rung.webSocket
    /// The attempts since the server was heard.
    package private(set) var failures = 0
    /// The time since the server was heard.
    package private(set) var silence = Duration.zero
    private var polled = Duration.zero
    private var climbs = 0
    private let climbAfter: Duration

    package init(climbAfter: Duration) { self.climbAfter = climbAfter }

    /// Something was received.
    package mutating func heard() {
        (failures, silence) = (0, .zero)
        if rung > .polling { climbs = 0 }
    }

    /// The way ended.
    ///
    /// - Parameters:
    ///   - hadNews: whether something was received.
    ///   - reachesServer: false if no connection could be made, so that no other way would do better.
    package mutating func ended(hadNews: Bool, reachesServer: Bool) {
        failures += 1
        if hadNews {
            if rung < .webSocket, rung != .polling { rung = .webSocket }
        } else if reachesServer, let lower = Rung(rawValue: rung.rawValue - 1) {
            rung = lower
            polled = .zero
        }
    }

    /// A time passed between two polls.
    package mutating func polled(for time: Duration) {
        polled += time
        // Twice as long after each stream that brought nothing, so that events are rarely delayed by the attempt.
        guard polled >= climbAfter * (1 << min(climbs, 4)) else { return }
        climbs += 1
        polled = .zero
        rung = .webSocket
    }

    /// A time passed before the next attempt.
    package mutating func waited(_ time: Duration) {
        silence += time
        // Polls that fail must not prevent another way.
        if rung == .polling { polled(for: time) }
    }
}
