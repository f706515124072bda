import Bounds
import Concurrency
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import ShelflistAPI

/// The routes for signing in with an OpenID Connect provider.
///
/// Browsers open both as pages, so problems are reported by a screen of the app: `#/welcome?openid=REASON`.
struct OpenIDRoutes: Sendable {
    /// Why a sign-in failed.
    ///
    /// The app has a sentence for each.
    private enum Failure: String, Error {
        /// The person canceled, or the provider refused.
        case denied
        /// The sign-in took too long, or was begun in another browser.
        case expired
        /// The provider could not be used. The log says why.
        case failed
        /// The person has no account here.
        case unknown
        /// The person is connected to another member, or the member to another person.
        case taken
        /// The set-up code is wrong.
        case setupCode
    }

    /// `nil` if none is configured.
    let provider: OpenIDProvider?
    let accounts: AccountBook
    let gatekeeper: Gatekeeper
    let audit: AccessRecord
    let logger: Logger
    private let attempts = OpenIDAttempts()

    func add(to table: inout RouteTable) {
        table.add(.get, "api/v1/session/openid", needs: .setup, costs: .login) { request, context in
            try await reportingFailures { try await begin($0, request, context) }
        }
        table.add(.get, "api/v1/session/openid/callback", needs: .setup, costs: .login) { request, context in
            try await reportingFailures { try await finish($0, request, context) }
        }
    }

    private func reportingFailures(_ work: (OpenIDProvider) async throws -> Response) async throws -> Response {
        guard let provider else { throw Problem.notFound }
        do { return try await work(provider) } catch let failure as Failure {
            return Self.page("/welcome?openid=\(failure.rawValue)")
        } catch let error as OpenIDError {
            logger.warning("Could not sign in with the OpenID provider", metadata: ["reason": "\(error)"])
            return Self.page("/welcome?openid=\(Failure.failed.rawValue)")
        }
    }

    /// Returns a redirection to a screen of the app.
    private static func page(_ screen: String) -> Response {
        Response(status: .seeOther, headers: [.location: "/#\(screen)", .cacheControl: "no-store"])
    }

    // MARK: There

    private func begin(
        _ provider: OpenIDProvider, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let head = RequestHead(request.head, peer: context.peer)
        let query = Query(request)
        let purpose = try purpose(query, context.caller)
        let redirect = context.base.address(of: "/api/v1/session/openid/callback", as: .http)
        let attempt = OpenIDAttempts.Attempt(
            purpose, next: Self.screen(try query.text("next")), redirect: redirect, at: gatekeeper.clock.now)
        let page = try await provider.signInPage(attempt)
        var response = Response(
            status: .seeOther, headers: [.location: page.absoluteString, .cacheControl: "no-store"])
        response.setCookie(attemptCookie(try attempts.seal(attempt), for: head))
        return response
    }

    private func purpose(_ query: Query, _ caller: Caller) throws -> OpenIDAttempts.Purpose {
        guard accounts.read(\.hasOwner) else {
            let code = try query.text("code")
            if gatekeeper.maySetUp(caller, code: code) { return .setup }
            guard code == nil else { throw Failure.setupCode }
            throw Problem.setupNeeded
        }
        switch try query.text("for") {
        case nil: return .signIn
        case "link":
            guard let session = caller.session else { throw Problem.signInNeeded }
            // The connection lets the person in from then on, so an unattended browser is not enough.
            let isFresh = accounts.read { accounts in
                accounts.sessions.contains {
                    $0.id == session && $0.wasJustConfirmed(at: gatekeeper.clock.now)
                }
            }
            guard isFresh else { throw Problem.confirmationNeeded }
            return .link(session: session)
        case "confirm":
            guard let session = caller.session else { throw Problem.signInNeeded }
            return .confirm(session: session)
        default: throw Problem.badRequest("'for' must be 'link' or 'confirm', or be left out.", field: "for")
        }
    }

    /// Returns an address within the app; the library for anything else.
    private static func screen(_ text: String?) -> String {
        guard let text, text.hasPrefix("/"), text.utf8.count <= 500,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return "/library" }
        return text
    }

    /// Lax, because the browser returns from the provider's site.
    private func attemptCookie(_ value: String, for head: RequestHead) -> Cookie {
        Cookie(
            name: gatekeeper.cookieName("openid", for: head), value: value,
            maxAge: value.isEmpty ? 0 : Int(saturating: OpenIDAttempts.life), path: gatekeeper.basePath.folder,
            secure: gatekeeper.isSecure(head), httpOnly: true, sameSite: .lax)
    }

    // MARK: And back

    private func finish(
        _ provider: OpenIDProvider, _ request: Request, _ context: AppContext
    ) async throws -> Response {
        let head = RequestHead(request.head, peer: context.peer)
        let query = Query(request)
        guard let state = try query.text("state"),
            let attempt = attempts.open(
                head.cookie(gatekeeper.cookieName("openid", for: head)), state: state, at: gatekeeper.clock.now)
        else { throw Failure.expired }
        guard let code = try query.text("code", maxLength: 4096), try query.text("error") == nil else {
            throw Failure.denied
        }
        let token = try await provider.token(for: code, attempt, at: gatekeeper.date())
        guard attempts.complete(attempt, at: gatekeeper.clock.now) else { throw Failure.expired }
        var response = Self.page(attempt.next)
        response.setCookie(attemptCookie("", for: head))
        switch attempt.purpose {
        case .signIn, .setup:
            let member = try member(for: token, provider.settings, attempt, gatekeeper.clientAddress(of: head))
            audit.record(.signedIn, by: member.name, at: gatekeeper.clientAddress(of: head))
            response.setCookie(try gatekeeper.beginSession(of: member, head))
        case .link(let session):
            let member = try link(token, to: session)
            audit.record(
                .openIDLinked, by: member.name, subject: token.identity.text, at: gatekeeper.clientAddress(of: head))
        case .confirm(let session):
            try confirm(session, token)
        }
        return response
    }

    /// Returns the member who is the person, or adds one.
    private func member(
        for token: IDToken, _ settings: OpenIDSettings, _ attempt: OpenIDAttempts.Attempt, _ address: String
    ) throws -> Accounts.Member {
        // Whom the server knows can sign in on a full disk, too; the name at the provider is stored with the next change.
        if let known = accounts.read({ $0.member(token.identity) }) {
            accounts.updateTransient { accounts in
                guard let index = accounts.members.firstIndex(where: { $0.id == known.id }) else { return }
                accounts.members[index].openID?.name = token.accountName
            }
            return known
        }
        let (member, isNew) = try accounts.change { accounts -> (Accounts.Member, Bool) in
            // Another sign-in of the person was faster.
            if let member = accounts.member(token.identity) { return (member, false) }
            let role: Role
            if !accounts.hasOwner, attempt.purpose == .setup {
                role = .owner
            } else if accounts.hasOwner, let newMembers = settings.newMembers,
                settings.newMembersClaim.map(token.has) ?? true
            {
                role = newMembers
            } else {
                throw Failure.unknown
            }
            let member = Accounts.Member(
                id: UUID().uuidString.lowercased(), name: accounts.freeName(like: token.suggestedName), role: role,
                password: nil, createdAt: gatekeeper.date(), openID: OpenIDLink(token))
            accounts.members.append(member)
            return (member, true)
        }
        guard isNew else { return member }
        audit.record(
            member.role == .owner ? .ownerCreated : .memberAdded, by: member.name, subject: token.identity.text,
            at: address)
        return member
    }

    /// Connects the person to the member of a session.
    ///
    /// - Throws: `Failure.taken` if the person or the member is connected already.
    private func link(_ token: IDToken, to session: String) throws -> Accounts.Member {
        try accounts.change { accounts in
            let index = try index(ofMemberOf: session, in: accounts)
            let current = accounts.members[index].openID?.identity
            guard current == nil || current == token.identity,
                accounts.member(token.identity).map({ $0.id == accounts.members[index].id }) ?? true
            else { throw Failure.taken }
            accounts.members[index].openID = OpenIDLink(token, linkedAt: gatekeeper.date())
            return accounts.members[index]
        }
    }

    private func confirm(_ session: String, _ token: IDToken) throws {
        let time = gatekeeper.clock.now
        try accounts.changeAtOnce { accounts in
            let member = accounts.members[try index(ofMemberOf: session, in: accounts)]
            guard member.openID?.identity == token.identity,
                let index = accounts.sessions.firstIndex(where: { $0.id == session })
            else { throw Failure.taken }
            accounts.sessions[index].confirmedAt = time
        }
    }

    /// - Throws: `Failure.expired` if the session has ended since the attempt began.
    private func index(ofMemberOf session: String, in accounts: Accounts) throws -> Int {
        let time = gatekeeper.clock.now
        guard let session = accounts.sessions.first(where: { $0.id == session && $0.isValid(at: time) }),
            let index = accounts.members.firstIndex(where: { $0.id == session.member })
        else { throw Failure.expired }
        return index
    }
}

extension Accounts {
    /// Returns a name that no member has: as the provider says, with a number if it is taken.
    func freeName(like text: String?) -> String {
        let name = text ?? "Member"
        var (free, number) = (name, 1)
        while member(named: free) != nil {
            number += 1
            free = "\(name) \(number)"
        }
        return free
    }
}
