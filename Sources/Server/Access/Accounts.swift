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
struct Accounts: Codable, Sendable {
    var members: [Member] = []
    var sessions: [Session] = []
    var tokens: [Token] = []

    struct Member: Codable, Sendable {
        var id: String
        var name: String
        var role: Role
        var password: PasswordHash
        var createdAt: Date
    }

    struct Session: Codable, Sendable {
        /// SHA-256 of the cookie.
        var hash: Data
        /// SHA-256 of the cookie before the last rotation, valid for `rotationGrace` for requests already in flight.
        var previous: Data?
        var member: String
        var rotatedAt: Date
        var lastUsed: Date
    }

    struct Token: Codable, Sendable {
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
    /// Seconds since the last use after which a session ends.
    static let sessionLife: TimeInterval = 30 * 24 * 3600
    /// Seconds after which a session's cookie is replaced.
    static let sessionRotation: TimeInterval = 24 * 3600
    /// Seconds for which the replaced cookie stays valid.
    static let rotationGrace: TimeInterval = 60

    var firstOwner: Member? { members.first { $0.role == .owner } }
    var hasOwner: Bool { firstOwner != nil }

    func member(named name: String) -> Member? {
        members.first { $0.name.caseInsensitiveCompare(name) == .orderedSame }
    }

    func member(_ id: String) -> Member? { members.first { $0.id == id } }

    mutating func remove(member id: String) {
        members.removeAll { $0.id == id }
        sessions.removeAll { $0.member == id }
        tokens.removeAll { $0.member == id }
    }

    mutating func removeExpired(at time: Date) {
        sessions.removeAll { time.timeIntervalSince($0.lastUsed) > Self.sessionLife }
        tokens.removeAll { $0.expiresAt.map { $0 < time } ?? false }
    }
}
