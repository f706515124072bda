import Foundation
import ShelflistAPI

/// The authenticated sender of a request.
struct Caller: Sendable {
    enum Kind: Sendable {
        case anonymous
        /// A request from this machine before an owner exists.
        case local
        case session
        case token(Set<TokenScope>)
    }

    var kind = Kind.anonymous
    var member: String?
    var name: String?
    var role: Role?
    /// The key for rate limits: the member, the app, the job or the IP address.
    var client = "unknown"
    /// Whether the request comes from this machine and not through a proxy.
    var isFromLoopback = false
    /// The job whose token was sent.
    var jobTokenSubject: String?
    /// The key of an app, below whose path the request was sent.
    var app: AppKey?
    /// The hash of the session's cookie if the cookie is due to be replaced.
    var expiringSession: Data?
    /// The session; `nil` for other kinds of callers.
    var session: String?
    /// The personal access token; `nil` for other kinds of callers.
    var token: String?
    /// Whether an anonymous caller sent the cookie of a session that was ended.
    var hasEndedSession = false
    /// Whether the member signed in or entered the password a short time ago.
    var isConfirmed = false
    /// The IP address of the client.
    var address: String?
}

extension Caller {
    /// Whether the library may be read: not with the token of a job, or one that may only scan.
    var mayReadLibrary: Bool {
        do {
            try Requirement.viewer.check(self)
            return true
        } catch { return false }
    }

    /// The options of a scan of this app: its books are added at once, or wait until the member adds them.
    func scanOptions(for app: JobOptions.OlderApp? = nil) -> JobOptions {
        let importsAtOnce = self.app?.importsAtOnce ?? true
        return JobOptions(importsResults: importsAtOnce, asksBeforeAdding: importsAtOnce ? nil : true, app: app)
    }

    /// The beginning of `client` of a member, before the ID.
    static let memberPrefix = "member:"

    init(_ kind: Kind, _ member: Accounts.Member) {
        self.init(
            kind: kind, member: member.id, name: member.name, role: member.role, client: Self.memberPrefix + member.id)
    }
}
