package import Foundation
import ShelflistAPI

/// The OpenID Connect provider with which members sign in.
package struct OpenIDSettings: Hashable, Sendable {
    /// As the provider writes it; the address of its configuration is below it.
    package var issuer: URL
    package var clientID: String
    /// `nil` for a public client, which only PKCE protects.
    package var clientSecret: String?
    /// What the button says after *Sign in with*.
    package var name: String
    /// Whether passwords are refused, so that members sign in with the provider only.
    package var isOnlyWay: Bool
    /// The role of people whom the provider knows and the server does not; `nil` if they are refused.
    package var newMembers: Role?
    /// What the ID token of a new member has to say; `nil` if everyone whom the provider knows may become one.
    package var newMembersClaim: Claim?

    /// A claim of an ID token: a text, or a list that contains it.
    package struct Claim: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    package init(
        issuer: URL, clientID: String, clientSecret: String? = nil, name: String, isOnlyWay: Bool = false,
        newMembers: Role? = nil, newMembersClaim: Claim? = nil
    ) {
        (self.issuer, self.clientID, self.clientSecret) = (issuer, clientID, clientSecret)
        (self.name, self.isOnlyWay, self.newMembers) = (name, isOnlyWay, newMembers)
        self.newMembersClaim = newMembersClaim
    }
}

/// A person at an OpenID Connect provider.
struct OpenIDIdentity: Hashable, Sendable {
    var issuer: String
    /// The provider's identifier of the person, which never changes.
    var subject: String

    /// The subject without characters that change how other text is shown.
    var shownSubject: String { IDToken.shown(subject, limit: 255) ?? "" }
    /// The issuer and the subject, for the access log.
    var text: String { "\(issuer) \(shownSubject)" }
}

enum OpenIDError: ReportedError, Equatable {
    case unreachable(URL, reason: String)
    case unusable(String)
    case refused(String)
    case invalidToken(String)

    var problemCode: String { "openid_failed" }

    var description: String {
        switch self {
        case .unreachable(let url, let reason):
            "\(url.absoluteString) could not be reached: \(reason). Check --oidc-issuer and the network."
        case .unusable(let reason): "\(reason). Check --oidc-issuer and the provider's settings of this client."
        case .refused(let reason):
            "The provider refused to issue a token: \(reason). Check --oidc-client-id, its secret and redirect address."
        case .invalidToken(let reason):
            "The provider's token was refused: \(reason). Check the clocks of both machines."
        }
    }
}
