import WireProtocol

/// What a route asks of its caller.
struct Requirement: Sendable {
    enum Kind: Sendable {
        case anyone
        /// Creating the owner: from this machine, or with the code that the server shows where it was started.
        case setup
        case member(Role, TokenScope)
        /// A member who may scan, or a device that the owner has let in.
        case device
    }

    let kind: Kind
    /// Whether the token of the job in the path is enough.
    let takesJobToken: Bool

    static let anyone = Requirement(kind: .anyone, takesJobToken: false)
    static let setup = Requirement(kind: .setup, takesJobToken: false)
    static let device = Requirement(kind: .device, takesJobToken: false)
    static let viewer = Requirement(kind: .member(.viewer, .read), takesJobToken: false)
    static let editor = Requirement(kind: .member(.editor, .write), takesJobToken: false)
    /// Looking after one's own access: not for tokens, which could make others that live longer.
    static let member = Requirement(kind: .member(.viewer, .admin), takesJobToken: false)
    static let owner = Requirement(kind: .member(.owner, .admin), takesJobToken: false)
    /// Starting a scan.
    static let scanner = Requirement(kind: .member(.editor, .scan), takesJobToken: false)
    /// Looking after a scan: by whoever started it, or with its token.
    static let job = Requirement(kind: .member(.editor, .scan), takesJobToken: true)

    /// - Parameter job: the job that the path names.
    /// - Throws: `Problem`.
    func check(_ caller: Caller, job: String?) throws {
        let (role, scope): (Role, TokenScope)
        switch kind {
        case .anyone, .setup: return
        case .member(let least, let needed): (role, scope) = (least, needed)
        case .device:
            if caller.isAdmittedDevice { return }
            (role, scope) = (.editor, .scan)
        }
        if takesJobToken, let job, caller.openedJob == job { return }
        switch caller.kind {
        case .anonymous: throw Problem.signInNeeded
        case .local, .session:
            guard let has = caller.role, has >= role else { throw Problem.notAllowed(role) }
        case .token(let scopes):
            guard let has = caller.role, has >= role else { throw Problem.notAllowed(role) }
            // A token that may write may also read.
            guard scopes.contains(scope) || (scope == .read && scopes.contains(.write)) else {
                throw Problem.missingScope(scope)
            }
        }
    }
}
