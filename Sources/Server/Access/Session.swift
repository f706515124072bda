import Bounds
import Foundation

/// A browser in which a member is signed in.
struct Session: Codable, Equatable, Sendable {
    let id: String
    let member: String
    /// SHA-256 of the cookie.
    var hash: Data
    /// SHA-256 of the cookie before the last rotation, valid for `rotationGrace` for requests already in flight.
    var previous: Data?
    let createdAt: Date
    /// When the member last entered the password or signed in.
    var confirmedAt: Date
    var rotatedAt: Date
    var lastUsed: Date
    /// The IP address that was last used.
    var address: String?
    /// The browser's name for itself (`User-Agent`) at sign-in.
    let agent: String?

    /// Seconds since the last use after which a session ends.
    static let life: TimeInterval = 30 * 24 * 3600
    /// Seconds after which a session ends although it is used.
    static let longestLife: TimeInterval = 180 * 24 * 3600
    /// Seconds after which a session's cookie is replaced.
    static let rotation: TimeInterval = 24 * 3600
    /// Seconds for which the replaced cookie stays valid.
    static let rotationGrace: TimeInterval = 60
    /// Seconds after a sign-in during which sensitive changes do not ask for the password again.
    static let confirmation: TimeInterval = 15 * 60
    /// The same for connecting an account of the OpenID provider, for which the app always asks.
    static let justConfirmed: TimeInterval = 60

    init(cookie: String, member: String, at time: Date, address: String?, agent: String?) {
        id = UUID().uuidString.lowercased()
        hash = Secret.hash(cookie)
        self.member = member
        self.address = address
        self.agent = agent.map { $0.shortened(to: 300) }
        (createdAt, confirmedAt, rotatedAt, lastUsed) = (time, time, time, time)
    }

    func isValid(at time: Date) -> Bool {
        time.timeIntervalSince(lastUsed) < Self.life && time.timeIntervalSince(createdAt) < Self.longestLife
    }

    /// Whether the session has this cookie, given its hash.
    func takes(_ hash: Data, at time: Date) -> Bool {
        guard isValid(at: time) else { return false }
        if self.hash.isSame(as: hash) { return true }
        guard let previous else { return false }
        return previous.isSame(as: hash) && time.timeIntervalSince(rotatedAt) < Self.rotationGrace
    }

    func isConfirmed(at time: Date) -> Bool { time.timeIntervalSince(confirmedAt) < Self.confirmation }

    func wasJustConfirmed(at time: Date) -> Bool { time.timeIntervalSince(confirmedAt) < Self.justConfirmed }
}
