import Foundation

/// The sender of a request, as far as it is known.
struct Caller: Sendable {
    enum Kind: Sendable {
        case anonymous
        /// A request from this machine while no owner exists.
        case local
        case session
        case token(Set<TokenScope>)
    }

    var kind = Kind.anonymous
    var member: String?
    var name: String?
    var role: Role?
    /// Limits count by this: the member, or the address.
    var client = "unknown"
    var isAdmittedDevice = false
    /// Whether the request comes from this machine without a proxy between.
    var isFromLoopback = false
    /// The job whose own token was sent.
    var jobTokenSubject: String?
    /// The hash of the session's cookie where it is time to replace the cookie.
    var expiringSession: Data?
}
