import Foundation

/// A member's permissions.
///
/// Each role includes those of the roles before it.
package enum Role: String, Codable, CaseIterable, Comparable, Sendable {
    /// Reads everything except settings and members.
    case viewer
    /// Scans, reviews and edits.
    case editor
    /// Changes settings and members.
    case owner

    package static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }

    private var rank: Int { Role.allCases.firstIndex(of: self) ?? 0 }
}

/// The scope of a personal access token.
package enum TokenScope: String, Codable, CaseIterable, Sendable {
    case scan
    case read
    case write
    case admin
}

/// Members, sessions and tokens.
///
/// A plain value that `AccountBook` stores.
struct Accounts: Codable, Equatable, Sendable {
    var members: [Member] = []
    var sessions: [Session] = []
    /// `nil` if none has ended.
    var endedSessions: EndedSessions?
    var tokens: [Token] = []

    struct Member: Codable, Equatable, Sendable {
        var id: String
        var name: String
        var role: Role
        /// `nil` for a member who signs in with the OpenID provider only.
        var password: PasswordHash?
        var createdAt: Date
        /// The second factor of the password; `nil` if the member has none.
        var secondFactor: SecondFactor?
        /// The person at the OpenID provider; `nil` if the member is not connected to one.
        var openID: OpenIDLink?
        /// Grows when all browsers of the member are forgotten; `nil` for 0.
        var deviceGeneration: Int?
    }

    struct Token: Codable, Equatable, Sendable {
        var id: String
        var hash: Data
        var member: String
        var name: String
        var scopes: [TokenScope]
        var createdAt: Date
        var expiresAt: Date?
        var lastUsedAt: Date?
    }

    static let maxTokensPerMember = 100
    /// Sessions of a member; the one that was used least recently ends when there are more.
    static let maxSessionsPerMember = 100

    var firstOwner: Member? { members.first { $0.role == .owner } }
    var hasOwner: Bool { firstOwner != nil }

    func member(named name: String) -> Member? {
        members.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }
    }

    func member(_ id: String) -> Member? { members.first { $0.id == id } }

    /// Signs a member out, and forgets the browsers in which the member was signed in before.
    ///
    /// - Parameter session: the session that stays.
    /// - Returns: how many sessions were ended.
    @discardableResult
    mutating func endSessions(of member: String, except session: String? = nil) -> Int {
        let ended = endSessions { $0.member == member && $0.id != session }
        if let index = members.firstIndex(where: { $0.id == member }) {
            members[index].deviceGeneration = (members[index].deviceGeneration ?? 0) + 1
        }
        return ended
    }

    mutating func remove(member id: String) {
        members.removeAll { $0.id == id }
        endSessions { $0.member == id }
        tokens.removeAll { $0.member == id }
    }

    /// - Parameters:
    ///   - time: by the server's own clock.
    ///   - tokenTime: the earlier of that and the machine's clock, so that none is deleted while one of them is wrong.
    mutating func removeExpired(at time: Date, tokensAt tokenTime: Date) {
        sessions.removeAll { !$0.isValid(at: time) }
        endedSessions?.removeExpired(at: time)
        tokens.removeAll { $0.expiresAt.map { $0 < tokenTime } ?? false }
    }

    /// Adds a session, and ends the oldest one if its member has too many.
    mutating func add(_ session: Session) {
        sessions.append(session)
        let own = sessions.filter { $0.member == session.member }
        guard own.count > Self.maxSessionsPerMember, let oldest = own.min(by: { $0.lastUsed < $1.lastUsed }) else {
            return
        }
        endSessions { $0.id == oldest.id }
    }
}
