import ShelflistAPI

/// The role and scope that a route requires of its caller.
struct Requirement: Sendable {
    enum Kind: Sendable {
        case anyone
        /// Health checks, which are answered even before an owner exists.
        case probe
        /// Any program on this machine, or members from other machines.
        case monitor
        /// Creating the owner, from this machine or with the setup code that the server prints.
        case setup
        case member(Role, TokenScope)
        /// A member who may scan, or a device that the owner has allowed.
        case device
    }

    let kind: Kind
    /// Whether the token of the job in the path is sufficient.
    let takesJobToken: Bool

    static let anyone = Requirement(kind: .anyone, takesJobToken: false)
    static let probe = Requirement(kind: .probe, takesJobToken: false)
    static let monitor = Requirement(kind: .monitor, takesJobToken: false)
    static let setup = Requirement(kind: .setup, takesJobToken: false)
    static let device = Requirement(kind: .device, takesJobToken: false)
    static let viewer = Requirement(kind: .member(.viewer, .read), takesJobToken: false)
    static let editor = Requirement(kind: .member(.editor, .write), takesJobToken: false)
    /// Managing one's own tokens.
    ///
    /// Requires the scope `admin`, because a token could otherwise create tokens that outlive it.
    static let member = Requirement(kind: .member(.viewer, .admin), takesJobToken: false)
    static let owner = Requirement(kind: .member(.owner, .admin), takesJobToken: false)
    /// Starting a scan.
    static let scanner = Requirement(kind: .member(.editor, .scan), takesJobToken: false)
    /// Reading and changing a scan job, as a member who may scan or with the job's token.
    static let job = Requirement(kind: .member(.editor, .scan), takesJobToken: true)

    /// The lowest role of a member and the scope of a token that the route accepts; `nil` if it accepts every caller.
    var needed: (role: Role, scope: TokenScope)? {
        switch kind {
        case .anyone, .probe, .setup: nil
        case .member(let role, let scope): (role, scope)
        case .device: (.editor, .scan)
        case .monitor: (.viewer, .read)
        }
    }

    /// Whether the route may be called before an owner exists.
    var allowedBeforeSetup: Bool {
        switch kind {
        case .probe, .setup: true
        case .anyone, .monitor, .member, .device: false
        }
    }

    /// Checks a caller's role and scope.
    ///
    /// - Throws: `Problem` if the caller lacks one of them.
    func check(_ caller: Caller) throws {
        guard let (role, scope) = needed else { return }
        if case .device = kind, caller.isAdmittedDevice { return }
        if case .monitor = kind, caller.isFromLoopback { return }
        if takesJobToken, caller.jobTokenSubject != nil { return }
        if case .anonymous = caller.kind { throw Problem.signInNeeded }
        guard let has = caller.role, has >= role else { throw Problem.notAllowed(role) }
        // `write` includes `read`.
        if case .token(let scopes) = caller.kind, !scopes.contains(scope), scope != .read || !scopes.contains(.write) {
            throw Problem.missingScope(scope)
        }
    }
}
