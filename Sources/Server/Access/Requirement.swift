import WireProtocol

/// What a route asks of its caller.
struct Requirement: Sendable {
    enum Kind: Sendable {
        case anyone
        case member(Role, TokenScope)
    }

    let kind: Kind
    /// Whether the token of the job in the path is enough.
    let takesJobToken: Bool

    static let anyone = Requirement(kind: .anyone, takesJobToken: false)
    static let viewer = Requirement(kind: .member(.viewer, .read), takesJobToken: false)
    static let editor = Requirement(kind: .member(.editor, .write), takesJobToken: false)
    static let owner = Requirement(kind: .member(.owner, .admin), takesJobToken: false)
    /// Starting a scan.
    static let scanner = Requirement(kind: .member(.editor, .scan), takesJobToken: false)
    /// Looking after a scan: by whoever started it, or with its token.
    static let job = Requirement(kind: .member(.editor, .scan), takesJobToken: true)

    /// - Parameter job: the job that the path names.
    /// - Throws: `Problem`.
    func check(_ caller: Caller, job: String?) throws {
        guard case .member(let role, let scope) = kind else { return }
        switch caller.kind {
        case .anonymous: throw Problem.signInNeeded
        case .job(let opened):
            guard takesJobToken else { throw Problem.signInNeeded }
            guard opened == job else { throw Problem.notFound }
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
