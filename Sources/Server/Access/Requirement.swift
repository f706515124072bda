import ShelflistAPI

/// The role and scope that a route requires of its caller.
struct Requirement: Sendable {
    /// The lowest role of a member and the scope of a token that the route accepts; `nil` if it accepts every caller.
    var needed: (role: Role, scope: TokenScope)?
    /// Whether the route may be called before an owner exists.
    var allowedBeforeSetup = false
    /// Whether the route also accepts any program on this machine.
    var takesLoopback = false
    /// Whether the token of the job in the path is sufficient.
    var takesJobToken = false
    /// Whether the route exists below the keys of apps.
    var takesApps = false
    /// Whether the route accepts personal access tokens.
    var takesTokens = true
    /// Whether a session must have been confirmed by the password a short time ago.
    var needsConfirmation = false

    static let anyone = Requirement()
    /// Health checks and what clients need to connect, which are answered even before an owner exists.
    static let probe = Requirement(allowedBeforeSetup: true)
    /// Creating the owner, from this machine or with the setup code that the server prints.
    static let setup = Requirement(allowedBeforeSetup: true)
    static let monitor = Requirement(needed: (.viewer, .read), takesLoopback: true)
    /// Scanning with an app.
    static let app = Requirement(needed: (.editor, .scan), takesApps: true)
    /// Following a scan job of an app.
    static let appJob = Requirement(needed: (.editor, .scan), takesJobToken: true, takesApps: true)
    /// The fallback of sockets, for which `SocketService` checks the caller.
    static let socket = Requirement(takesApps: true)
    /// Pictures that answers to apps name.
    static let picture = Requirement(needed: (.viewer, .read), takesApps: true)
    static let viewer = Requirement(needed: (.viewer, .read))
    static let editor = Requirement(needed: (.editor, .write))
    /// Managing one's own tokens.
    ///
    /// Requires the scope `admin`, because a token could otherwise create tokens that outlive it.
    static let member = Requirement(needed: (.viewer, .admin))
    /// Managing one's own password, sessions and second factor, in a browser.
    static let ownSession = Requirement(needed: (.viewer, .admin), takesTokens: false)
    /// Managing the keys of one's own apps.
    static let keyHolder = Requirement(needed: (.editor, .admin))
    static let owner = Requirement(needed: (.owner, .admin))
    /// Starting a scan.
    static let scanner = Requirement(needed: (.editor, .scan))
    /// Reading and changing a scan job, as a member who may scan or with the job's token.
    static let job = Requirement(needed: (.editor, .scan), takesJobToken: true)

    /// The same for what would let an intruder stay, or take everything.
    ///
    /// Tokens with the scope are accepted: creating one was confirmed.
    var confirmed: Requirement {
        var stricter = self
        stricter.needsConfirmation = true
        return stricter
    }

    /// Checks a caller's role and scope.
    ///
    /// - Throws: `Problem` if the caller lacks one of them.
    func check(_ caller: Caller) throws {
        guard let (role, scope) = needed else { return }
        if takesLoopback, caller.isFromLoopback { return }
        if takesJobToken, caller.jobTokenSubject != nil { return }
        if case .anonymous = caller.kind {
            guard !caller.hasEndedSession else { throw Problem.sessionEnded }
            throw takesApps && scope == .scan ? Problem.appKeyNeeded : Problem.signInNeeded
        }
        guard let has = caller.role, has >= role else { throw Problem.notAllowed(role) }
        // `write` includes `read`.
        if case .token(let scopes) = caller.kind, !scopes.contains(scope), scope != .read || !scopes.contains(.write) {
            throw Problem.missingScope(scope)
        }
        if case .token = caller.kind, !takesTokens { throw Problem.sessionNeeded }
        if case .session = caller.kind, needsConfirmation, !caller.isConfirmed { throw Problem.confirmationNeeded }
    }
}
