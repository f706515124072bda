import Foundation

/// Counts the events of each kind, member and subject within a minute, so that many of them make one entry.
///
/// Without a member, the network counts. Changes of one member are not hidden among those of others. Only members and
/// networks of the last minute are remembered; failed sign-ins, which strangers cause, are as few as passwords that the
/// server checks in that time.
struct AuditBursts {
    /// The events of a minute that have an entry; the last entry also counts all that follow.
    static let limit = 20
    /// Seconds.
    static let span: TimeInterval = 60

    private struct Key: Hashable {
        let event: AuditEvent
        let client: String?
        let subject: String?

        init(_ entry: AuditEntry) {
            (event, subject) = (entry.event, entry.subject)
            client = entry.member.map { "member \($0)" } ?? Self.network(entry.address)
        }

        private static func network(_ address: String?) -> String? {
            address.map { IPAddress($0)?.network.description ?? $0 }
        }
    }

    private struct Burst {
        let start: Date
        var count = 0
        /// The entry that counts the events after it; `nil` below the limit.
        var last: AuditEntry?
    }

    private var bursts: [Key: Burst] = [:]

    /// The entries that still count events.
    var waiting: [AuditEntry] { bursts.values.compactMap(\.last) }

    /// Counts an event.
    ///
    /// - Returns: whether it has an entry now; otherwise `waiting` and later `end` have one for it.
    mutating func admits(_ entry: AuditEntry) -> Bool {
        let key = Key(entry)
        var burst = bursts[key] ?? Burst(start: entry.time)
        burst.count += 1
        defer { bursts[key] = burst }
        if burst.count < Self.limit { return true }
        if burst.last == nil { burst.last = entry } else { burst.last?.more = burst.count - Self.limit }
        return false
    }

    /// Forgets what began more than a minute before `time`.
    ///
    /// - Returns: the entries that counted events, oldest first.
    mutating func end(at time: Date) -> [AuditEntry] {
        // The machine's clock may be set back.
        let over = bursts.filter { abs(time.timeIntervalSince($0.value.start)) >= Self.span }
        for key in over.keys { bursts[key] = nil }
        return over.values.compactMap(\.last).sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    }
}
