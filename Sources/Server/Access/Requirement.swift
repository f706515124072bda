import ShelflistAPI

/// What a route asks of its caller.
struct Requirement: Sendable {
    enum Kind: Sendable {
        case anyone
        /// Machines that watch over this one, which ask before there is an owner as well.
        case probe
        /// Programs on this machine, and members' tokens from elsewhere.
        case monitor
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
    static let probe = Requirement(kind: .probe, takesJobToken: false)
    static let monitor = Requirement(kind: .monitor, takesJobToken: false)
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

    /// The least role of a member, and the scope of its tokens; `nil` where nobody is turned away.
    var needed: (role: Role, scope: TokenScope)? {
        switch kind {
        case .anyone, .probe, .setup: nil
        case .member(let role, let scope): (role, scope)
        case .device: (.editor, .scan)
        case .monitor: (.viewer, .read)
        }
    }

    /// Whether anyone may call the route while there is no owner.
    var allowedBeforeSetup: Bool {
        switch kind {
        case .probe, .setup: true
        case .anyone, .monitor, .member, .device: false
        }
    }

    /// - Throws: `Problem` for a caller without the role or scope.
    func check(_ caller: Caller) throws {
        guard let (role, scope) = needed else { return }
        if case .device = kind, caller.isAdmittedDevice { return }
        if case .monitor = kind, caller.isFromLoopback { return }
        if takesJobToken, caller.jobTokenSubject != nil { return }
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
