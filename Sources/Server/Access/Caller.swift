/// Who sends a request, as far as it is known.
struct Caller: Sendable {
    enum Kind: Sendable {
        /// Nobody has said who they are.
        case anonymous
        /// A request from this machine while no owner exists.
        case local
        case session
        case token(Set<TokenScope>)
    }

    var kind: Kind
    var member: String?
    var name: String?
    var role: Role?
    /// Limits count by this: the member, or the address.
    var client: String
    var isAdmittedDevice = false
    /// Whether the request comes from this machine, by no detour.
    var isHere = false
    /// The job whose own token was sent.
    var openedJob: String?
    /// What this caller's session cookie is to be replaced by.
    var renewedCookie: String?
}
