import Concurrency
import Foundation
import HTTPTypes
import Hummingbird
import Scanning
import ShelflistAPI

/// The routes for creating the owner, signing in and signing out.
struct SessionRoutes: Sendable {
    let accounts: AccountBook
    let gatekeeper: Gatekeeper
    let passwords: PasswordWorker

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/session", needs: .anyone) { _, context in
            state(context.caller)
        }
        table.add(.post, "api/v1/session", needs: .anyone, costs: .login, signIn)
        table.add(.delete, "api/v1/session", needs: .anyone, signOut)
        table.add(.put, "api/v1/session/password", needs: .viewer, costs: .login, changePassword)
        table.add(.post, "api/v1/setup", needs: .setup, costs: .login, createOwner)
    }

    private func state(_ caller: Caller) -> SessionMessage {
        let via =
            switch caller.kind {
            case .local: "local"
            case .session: "session"
            case .token: "token"
            case .anonymous: caller.jobTokenSubject == nil ? "none" : "job"
            }
        let member = caller.member.flatMap { id in accounts.read { $0.member(id) } }
        let signedIn = via == "session" || via == "token" || via == "local"
        return SessionMessage(
            setupNeeded: !accounts.read(\.hasOwner), signedIn: signedIn, member: member.map(MemberMessage.init),
            via: via)
    }

    // MARK: Setup

    private func createOwner(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        guard !accounts.read(\.hasOwner) else { throw Self.alreadySetUp }
        let credentials: NewMemberMessage = try await request.json()
        let isLocal = if case .local = context.caller.kind { true } else { false }
        let hasCode = credentials.code.map { Data($0.utf8).isSame(as: Data(gatekeeper.setupCode.utf8)) } ?? false
        guard isLocal || hasCode else { throw Problem.setupNeeded }
        try credentials.check()
        let password = try await passwords.hash(credentials.password)
        let member = Accounts.Member(
            id: UUID().uuidString.lowercased(), name: credentials.name, role: .owner, password: password,
            createdAt: Date())
        try accounts.change { accounts in
            guard !accounts.hasOwner else { throw Self.alreadySetUp }
            accounts.members.append(member)
        }
        return try signedIn(member, request, context, status: .created)
    }

    private static let alreadySetUp = Problem(
        "already_set_up", status: 409, title: "Already set up",
        detail: "The server already has an owner. Sign in instead.")

    // MARK: Sign-in and sign-out

    private func signIn(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        try gatekeeper.checkOrigin(of: RequestHead(request.head, peer: context.peer))
        let credentials: CredentialsMessage = try await request.json()
        try credentials.check()
        let member = accounts.read { $0.member(named: credentials.name) }
        // Takes the same time for an unknown name, so that response times do not reveal names.
        guard try await passwords.check(credentials.password, against: member?.password), let member else {
            throw Problem.wrongCredentials
        }
        return try signedIn(member, request, context, status: .ok)
    }

    private func signedIn(
        _ member: Accounts.Member, _ request: Request, _ context: AppContext, status: HTTPResponse.Status
    ) throws -> EditedResponse<SessionMessage> {
        let cookie = Secret.make(prefix: Secret.sessionPrefix)
        let time = gatekeeper.clock.now
        try accounts.change { accounts in
            accounts.removeExpired(at: time)
            accounts.sessions.append(
                .init(hash: Secret.hash(cookie), previous: nil, member: member.id, rotatedAt: time, lastUsed: time))
        }
        var response = state(Caller(.session, member)).with(status)
        response.setCookie(gatekeeper.sessionCookie(cookie, for: RequestHead(request.head, peer: context.peer)))
        return response
    }

    private func signOut(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let head = RequestHead(request.head, peer: context.peer)
        if let cookie = head.sessionCookie {
            try gatekeeper.checkOrigin(of: head)
            let hash = Secret.hash(cookie)
            if accounts.read({ $0.sessions.contains { $0.hash == hash || $0.previous == hash } }) {
                try accounts.change { $0.sessions.removeAll { $0.hash == hash || $0.previous == hash } }
            }
        }
        var response = EditedResponse(response: HTTPResponse.Status.noContent)
        response.setCookie(gatekeeper.sessionCookie("", for: head))
        return response
    }

    private func changePassword(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        guard let id = context.caller.member, let member = accounts.read({ $0.member(id) }) else {
            throw Problem.signInNeeded
        }
        let change: PasswordChangeMessage = try await request.json()
        try NewMemberMessage.check(password: change.new, field: "new")
        guard try await passwords.check(change.current, against: member.password) else {
            throw Problem.wrongCredentials
        }
        let hash = try await passwords.hash(change.new)
        let cookie = RequestHead(request.head, peer: context.peer).sessionCookie.map(Secret.hash)
        try accounts.change { accounts in
            guard let index = accounts.members.firstIndex(where: { $0.id == id }) else { return }
            accounts.members[index].password = hash
            accounts.sessions.removeAll { $0.member == id && $0.hash != cookie && $0.previous != cookie }
        }
        return .noContent
    }
}

/// Creates and checks password hashes. Each takes 128 MB for about 0.3 s.
actor PasswordWorker {
    private let rounds: Int

    init(rounds: Int = PasswordHash.standardRounds) { self.rounds = rounds }

    func hash(_ password: String) async throws -> PasswordHash {
        let rounds = rounds
        return try await withTaskExecutorPreference(BlockingExecutor.interactive) {
            try PasswordHash(password: password, rounds: rounds)
        }
    }

    /// Checks a password.
    ///
    /// Takes the same time if `known` is `nil`, and returns `false` then.
    func check(_ password: String, against known: PasswordHash?) async throws -> Bool {
        guard let known else {
            _ = try await hash(password)
            return false
        }
        return try await withTaskExecutorPreference(BlockingExecutor.interactive) { try known.matches(password) }
    }
}
