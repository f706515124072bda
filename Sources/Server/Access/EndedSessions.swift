import Foundation

/// The cookies of sessions that were ended before their time: by signing out, from another browser, by another password,
/// or with their member.
///
/// A browser that sends one removes its copy of the library. Only their hashes are stored, so they give no access, and a
/// cookie that the server never issued is not among them.
package struct EndedSessions: Codable, Equatable, Sendable {
    private struct Entry: Codable, Equatable, Sendable {
        let member: String
        /// SHA-256 of the cookie, and of the one before it.
        let hashes: [Data]
        /// When the browser has dropped the cookie.
        let until: Date
    }

    /// The oldest first.
    private var entries: [Entry] = []

    /// The number kept of a member, so that one who signs in and out again and again displaces no other member's.
    package static let maxPerMember = Accounts.maxSessionsPerMember
    static let maxCount = 1000

    mutating func add(_ session: Session) {
        let entry = Entry(
            member: session.member, hashes: [session.hash] + (session.previous.map { [$0] } ?? []),
            until: session.lastUsed.addingTimeInterval(Session.life))
        entries.append(entry)
        if entries.count(where: { $0.member == session.member }) > Self.maxPerMember,
            let oldest = entries.firstIndex(where: { $0.member == session.member })
        {
            entries.remove(at: oldest)
        }
        if entries.count > Self.maxCount { entries.removeFirst() }
    }

    mutating func removeExpired(at time: Date) { entries.removeAll { $0.until <= time } }

    /// Whether a cookie is of one of them, given its hash.
    func has(_ hash: Data, at time: Date) -> Bool {
        entries.contains { entry in entry.until > time && entry.hashes.contains { $0.isSame(as: hash) } }
    }
}

extension Accounts {
    /// Ends the sessions that meet a condition, and remembers their cookies.
    ///
    /// - Returns: how many sessions were ended.
    @discardableResult
    mutating func endSessions(where isMeant: (Session) -> Bool) -> Int {
        let meant = sessions.filter(isMeant)
        guard !meant.isEmpty else { return 0 }
        let ids = Set(meant.map(\.id))
        sessions.removeAll { ids.contains($0.id) }
        var ended = endedSessions ?? EndedSessions()
        for session in meant { ended.add(session) }
        endedSessions = ended
        return meant.count
    }
}
