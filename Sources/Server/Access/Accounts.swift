import Foundation

/// What a member may do, each role all that the ones before may.
package enum Role: String, Codable, CaseIterable, Comparable, Sendable {
    /// Sees everything but settings and members.
    case viewer
    /// Scans, reviews and edits.
    case editor
    /// Changes settings, members, devices.
    case owner

    package static func < (a: Role, b: Role) -> Bool { a.rank < b.rank }

    private var rank: Int { Role.allCases.firstIndex(of: self) ?? 0 }
}

/// What a personal access token may be used for.
package enum TokenScope: String, Codable, CaseIterable, Sendable {
    case scan
    case read
    case write
    case admin
}

/// Members, sessions, tokens and devices.
///
/// A plain value: changes are made here, kept by `AccountBook`.
struct Accounts: Codable, Sendable {
    var members: [Member] = []
    var sessions: [Session] = []
    var tokens: [Token] = []
    var devices: [Device] = []

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
        /// The cookie before, good for a moment longer: requests that were under way when it was rotated.
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

    struct Device: Codable, Sendable {
        var id: String
        var deviceID: String
        var state: State
        var firstSeen: Date
        var lastSeen: Date
        var address: String

        enum State: String, Codable, Sendable {
            case waiting
            case allowed
            case refused
        }
    }

    /// Devices nobody has decided about are forgotten beyond this number, so that a stranger cannot fill the file.
    static let maxWaitingDevices = 50
    static let maxTokensPerMember = 100
    static let sessionLife: TimeInterval = 30 * 24 * 3600
    static let sessionRotation: TimeInterval = 24 * 3600
    static let rotationGrace: TimeInterval = 60

    var hasOwner: Bool { members.contains { $0.role == .owner } }

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
