import Foundation
import ShelflistAPI

/// A member's connection to a person at the OpenID provider.
struct OpenIDLink: Codable, Equatable, Sendable {
    var issuer: String
    var subject: String
    /// What the provider called the person at the last sign-in, for display only; `nil` if it said nothing.
    var name: String?
    /// When the member connected the person; `nil` if the account was created by signing in with the provider.
    var linkedAt: Date?

    init(_ token: IDToken, linkedAt: Date? = nil) {
        (issuer, subject) = (token.identity.issuer, token.identity.subject)
        (name, self.linkedAt) = (token.accountName, linkedAt)
    }

    var identity: OpenIDIdentity { OpenIDIdentity(issuer: issuer, subject: subject) }
}

extension Member.OpenIDAccount {
    init(_ link: OpenIDLink) {
        self.init(issuer: link.issuer, name: link.name ?? link.identity.shownSubject, linkedAt: link.linkedAt)
    }
}

extension Accounts {
    /// The member who is a person at the OpenID provider.
    func member(_ identity: OpenIDIdentity) -> Member? { members.first { $0.openID?.identity == identity } }

    /// Removes a member's connection to the OpenID provider, but no session.
    ///
    /// - Returns: the connection; `nil` if there was none.
    mutating func disconnectOpenID(of id: String) -> OpenIDLink? {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return nil }
        defer { members[index].openID = nil }
        return members[index].openID
    }
}
