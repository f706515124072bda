import Bounds
import Concurrency
import Foundation
import HTTPTypes
import Hummingbird
import ShelflistAPI

/// The routes for creating the owner, signing in and signing out.
struct SessionRoutes: Sendable {
    let accounts: AccountBook
    let apps: AppKeyBook
    let gatekeeper: Gatekeeper
    let passwords: PasswordWorker
    let audit: AccessRecord
    let openID: OpenIDSettings?
    private let throttle = SignInThrottle()

    func add(to table: inout RouteTable) {
        // The app asks before it shows the form that takes the setup code.
        table.add(.get, "api/v1/session", needs: .setup) { _, context in
            state(context.caller)
        }
        table.add(.post, "api/v1/session", needs: .anyone, costs: .login, signIn)
        table.add(.delete, "api/v1/session", needs: .anyone, signOut)
        table.add(.post, "api/v1/session/confirm", needs: .ownSession, costs: .login, confirm)
        table.add(.put, "api/v1/session/password", needs: .ownSession, costs: .login, changePassword)
        table.add(.post, "api/v1/setup", needs: .setup, costs: .login, createOwner)
    }

    private func state(_ caller: Caller) -> SessionState {
        let via =
            switch caller.kind {
            case .local: "local"
            case .session: "session"
            case .token: "token"
            case .anonymous: caller.jobTokenSubject == nil ? "none" : "job"
            }
        let member = caller.member.flatMap { id in accounts.read { $0.member(id) } }
        let signedIn = via == "session" || via == "token" || via == "local"
        return SessionState(
            setupNeeded: !accounts.read(\.hasOwner), signedIn: signedIn, member: member.map(Member.init),
            confirmed: caller.isConfirmed, via: via,
            openId: openID.map { SessionState.OpenID(name: $0.name, onlyWay: $0.isOnlyWay) })
    }

    // MARK: Setup

    private func createOwner(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        guard !accounts.read(\.hasOwner) else { throw Self.alreadySetUp }
        try Problem.checkPasswords(openID)
        let credentials: NewMemberMessage = try await request.json()
        guard gatekeeper.maySetUp(context.caller, code: credentials.code) else {
            throw credentials.code == nil ? Problem.setupNeeded : Problem.wrongSetupCode
        }
        try credentials.check()
        let password = try await passwords.hash(credentials.password)
        let member = Accounts.Member(
            id: UUID().uuidString.lowercased(), name: credentials.name, role: .owner, password: password,
            createdAt: gatekeeper.date())
        try accounts.change { accounts in
            guard !accounts.hasOwner else { throw Self.alreadySetUp }
            accounts.members.append(member)
        }
        audit.record(.ownerCreated, by: member.name, at: address(of: request, context))
        return try signedIn(member, request, context, status: .created)
    }

    private static let alreadySetUp = Problem(
        "already_set_up", status: 409, title: "Already set up",
        detail: "The server already has an owner. Sign in instead.")

    // MARK: Sign-in and sign-out

    private func signIn(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let head = RequestHead(request.head, peer: context.peer)
        try gatekeeper.checkOrigin(of: head)
        try Problem.checkPasswords(openID)
        let credentials: CredentialsMessage = try await request.json()
        try credentials.check()
        let member = accounts.read { $0.member(named: credentials.name) }
        try await check(credentials.password, of: member, named: credentials.name, head)
        guard let member else { throw Problem.wrongCredentials }
        if member.secondFactor != nil { try check(credentials.code, of: member, head) }
        throttle.succeed(credentials.name)
        if let browser = knownBrowser(of: head, member) { throttle.succeed(browser) }
        audit.record(.signedIn, by: member.name, at: gatekeeper.clientAddress(of: head))
        return try signedIn(member, request, context, status: .ok)
    }

    /// Checks a password, and throttles attempts for one name.
    ///
    /// Takes the same time for an unknown name, so that response times do not reveal names.
    ///
    /// - Throws: `Problem` if the password is wrong, or the attempt is too early.
    private func check(
        _ password: String, of member: Accounts.Member?, named name: String, _ head: RequestHead
    ) async throws {
        // Members are not locked out by others: a network in which they are signed in does not have to wait, and a browser
        // in which they were signed in waits for itself only.
        let network = gatekeeper.clientNetwork(of: head)
        let isKnownNetwork = isKnown(network, to: member)
        let browser = knownBrowser(of: head, member)
        if !isKnownNetwork, let wait = throttle.begin(browser ?? name, at: gatekeeper.clock.now) {
            throw Problem.signInThrottled(wait)
        }
        // A known browser has its place also where a stranger of the same network has one.
        let applicant = PasswordPlaces.Applicant(
            network: browser == nil ? network : nil, isKnown: isKnownNetwork || browser != nil)
        let isRight: Bool
        do {
            isRight = try await passwords.check(password, against: member?.password, for: applicant)
        } catch {
            // There was no place for it.
            if !isKnownNetwork { throttle.withdraw(browser ?? name) }
            throw error
        }
        guard isRight, member != nil else {
            // A name that is not a member's may be a password.
            audit.record(.signInFailed, by: member?.name, at: gatekeeper.clientAddress(of: head))
            throw Problem.wrongCredentials
        }
    }

    private func isKnown(_ network: String, to member: Accounts.Member?) -> Bool {
        guard let member else { return false }
        return accounts.read { accounts in
            accounts.sessions.contains { session in
                session.member == member.id
                    && session.address.flatMap { IPAddress($0) }?.network.description == network
            }
        }
    }

    /// Returns a key for attempts from this browser if the member was signed in in it before; `nil` otherwise.
    private func knownBrowser(of head: RequestHead, _ member: Accounts.Member?) -> String? {
        // No name has a control character.
        member.flatMap { gatekeeper.knownBrowser(of: $0, head) }.map { "\u{1}\($0)" }
    }

    /// Checks the code of a second factor, and marks it as used.
    ///
    /// - Throws: `Problem` if the code is missing, wrong or used.
    func check(_ code: String?, of member: Accounts.Member, _ head: RequestHead) throws {
        guard let code, !code.isEmpty else { throw Problem.codeNeeded }
        let time = gatekeeper.date()
        let proof = try accounts.changeAtOnce { accounts -> SecondFactor.Proof? in
            guard let index = accounts.members.firstIndex(where: { $0.id == member.id }) else { return nil }
            return accounts.members[index].secondFactor?.use(code, at: time)
        }
        let address = gatekeeper.clientAddress(of: head)
        switch proof {
        case .code: break
        case .recoveryCode: audit.record(.recoveryCodeUsed, by: member.name, at: address)
        case nil:
            audit.record(.signInFailed, by: member.name, at: address)
            throw Problem.wrongCode
        }
    }

    private func address(of request: Request, _ context: AppContext) -> String {
        gatekeeper.clientAddress(of: RequestHead(request.head, peer: context.peer))
    }

    private func signedIn(
        _ member: Accounts.Member, _ request: Request, _ context: AppContext, status: HTTPResponse.Status
    ) throws -> EditedResponse<SessionState> {
        let head = RequestHead(request.head, peer: context.peer)
        let cookie = try gatekeeper.beginSession(of: member, head)
        var caller = Caller(.session, member)
        caller.isConfirmed = true
        var response = state(caller).with(status)
        response.setCookie(cookie)
        // Browsers send their origin with each POST. Other clients are not known again, and some keep one cookie only.
        guard request.headers[.origin] != nil else { return response }
        response.setCookie(gatekeeper.browserCookie(for: member, head))
        return response
    }

    /// Confirms the password and the second factor, for sensitive changes.
    private func confirm(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let wanted: ConfirmationMessage = try await request.json()
        let head = RequestHead(request.head, peer: context.peer)
        let member = try await checkPassword(wanted.password, of: context.caller, head)
        if member.secondFactor != nil { try check(wanted.code, of: member, head) }
        throttle.succeed(member.name)
        let (session, time) = (context.caller.session, gatekeeper.clock.now)
        try accounts.changeAtOnce { accounts in
            guard let index = accounts.sessions.firstIndex(where: { $0.id == session }) else { return }
            accounts.sessions[index].confirmedAt = time
        }
        return .noContent
    }

    /// Checks the password of a member who is signed in.
    ///
    /// - Throws: `Problem` if it is wrong, the attempt is too early, or passwords are off.
    func checkPassword(_ password: String, of caller: Caller, _ head: RequestHead) async throws -> Accounts.Member {
        try Problem.checkPasswords(openID)
        guard let member = caller.member.flatMap({ id in accounts.read { $0.member(id) } }) else {
            throw Problem.signInNeeded
        }
        try await check(password, of: member, named: member.name, head)
        return member
    }

    private func signOut(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let head = RequestHead(request.head, peer: context.peer)
        let keepsPhotos = try Query(request).flag("keepPhotos") ?? false
        if let cookie = gatekeeper.sessionCookie(of: head) {
            try gatekeeper.checkOrigin(of: head)
            let hash = Secret.hash(cookie)
            _ = try accounts.changeAtOnce { $0.endSessions { $0.hash == hash || $0.previous == hash } }
            if case .session = context.caller.kind { audit.record(.signedOut, by: context.caller) }
        }
        var response = EditedResponse(response: HTTPResponse.Status.noContent)
        response.setCookie(gatekeeper.sessionCookie("", for: head))
        // Nothing stays for the next person at this browser. "cookies" would also clear those of other programs on the
        // same domain, and "storage" those on the same host, and photos that are kept: there, the app clears its own.
        let clearsStorage = gatekeeper.basePath.isRoot && !keepsPhotos
        response.headers[.clearSiteData] = clearsStorage ? "\"cache\", \"storage\"" : "\"cache\""
        return response
    }

    private func changePassword(_ request: Request, _ context: AppContext) async throws -> some ResponseGenerator {
        let caller = context.caller
        try Problem.checkPasswords(openID)
        let change: PasswordChangeMessage = try await request.json()
        try NewMemberMessage.check(password: change.new, field: "new")
        let head = RequestHead(request.head, peer: context.peer)
        let member = try await checkPassword(change.current, of: caller, head)
        throttle.succeed(member.name)
        let hash = try await passwords.hash(change.new)
        let keepsTokens = change.keepTokens ?? false
        let id = member.id
        let revokeApps = { @Sendable in
            if !keepsTokens { try apps.changeAtOnce { keys in keys.removeAll { $0.member == id } } }
        }
        // Before the change, so that it can be repeated if the server is killed in between.
        try revokeApps()
        let removed = try accounts.changeAtOnce { accounts -> OpenIDLink? in
            guard let index = accounts.members.firstIndex(where: { $0.id == id }) else { return nil }
            accounts.members[index].password = hash
            accounts.endSessions(of: id, except: caller.session)
            if !keepsTokens { accounts.tokens.removeAll { $0.member == id } }
            return change.keepOpenId == true ? nil : accounts.disconnectOpenID(of: id)
        }
        // And after it, because sessions that it ended could connect an app until then.
        try revokeApps()
        audit.record(.passwordChanged, by: caller)
        if let removed { audit.record(.openIDUnlinked, by: caller, subject: removed.identity.text) }
        return gatekeeper.keepingKnown(EditedResponse(response: HTTPResponse.Status.noContent), member, head)
    }
}
