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
        /// The person is connected to another member.
        case taken
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
        guard
            let attempt = attempts.begin(
                purpose, next: Self.screen(try query.text("next")), redirect: redirect, at: gatekeeper.clock.now)
        else { throw OpenIDError.unusable("Too many sign-ins have begun and not ended") }
        let page = try await provider.signInPage(attempt)
        var response = Response(
            status: .seeOther, headers: [.location: page.absoluteString, .cacheControl: "no-store"])
        response.setCookie(stateCookie(attempt.state, for: head))
        return response
    }

    private func purpose(_ query: Query, _ caller: Caller) throws -> OpenIDAttempts.Purpose {
        guard accounts.read(\.hasOwner) else {
            let isLocal = if case .local = caller.kind { true } else { false }
            let hasCode =
                try query.text("code").map { Data($0.utf8).isSame(as: Data(gatekeeper.setupCode.utf8)) } ?? false
            guard isLocal || hasCode else { throw Problem.setupNeeded }
            return .setup
        }
        switch try query.text("for") {
        case nil: return .signIn
        case "link":
            guard let member = caller.member, case .session = caller.kind else { throw Problem.signInNeeded }
            guard caller.isConfirmed else { throw Problem.confirmationNeeded }
            return .link(member: member)
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
    private func stateCookie(_ value: String, for head: RequestHead) -> Cookie {
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
        let time = gatekeeper.clock.now
        guard let state = try query.text("state"),
            let attempt = attempts.end(state, cookie: head.cookie(gatekeeper.cookieName("openid", for: head)), at: time)
        else { throw Failure.expired }
        guard let code = try query.text("code", maxLength: 4096), try query.text("error") == nil else {
            throw Failure.denied
        }
        let token = try await provider.token(for: code, attempt, at: gatekeeper.date())
        var response = Self.page(attempt.next)
        response.setCookie(stateCookie("", for: head))
        let address = gatekeeper.clientAddress(of: head)
        switch attempt.purpose {
        case .signIn, .setup:
            let member = try member(
                for: token, mayCreateOwner: attempt.purpose == OpenIDAttempts.Purpose.setup, address)
            audit.record(.signedIn, by: member.name, at: address)
            response.setCookie(try gatekeeper.beginSession(of: member, head))
        case .link(let id):
            let member = try accounts.change { accounts -> Accounts.Member in
                guard !accounts.members.contains(where: { $0.openID == token.identity && $0.id != id }) else {
                    throw Failure.taken
                }
                guard let index = accounts.members.firstIndex(where: { $0.id == id }) else { throw Failure.expired }
                accounts.members[index].openID = token.identity
                return accounts.members[index]
            }
            audit.record(.openIDLinked, by: member.name, at: address)
        case .confirm(let id):
            try accounts.change { accounts in
                guard let index = accounts.sessions.firstIndex(where: { $0.id == id }),
                    accounts.member(accounts.sessions[index].member)?.openID == token.identity
                else { throw Failure.taken }
                accounts.sessions[index].confirmedAt = time
            }
        }
        return response
    }

    /// Returns the member who is the person, or adds one.
    private func member(
        for token: IDToken, mayCreateOwner: Bool, _ address: String
    ) throws -> Accounts.Member {
        if let known = accounts.read({ $0.members.first { $0.openID == token.identity } }) { return known }
        let added = try accounts.change { accounts -> Accounts.Member in
            let role: Role
            if !accounts.hasOwner, mayCreateOwner {
                role = .owner
            } else if accounts.hasOwner, let newMembers = provider?.settings.newMembers {
                role = newMembers
            } else {
                throw Failure.unknown
            }
            let member = Accounts.Member(
                id: UUID().uuidString.lowercased(), name: accounts.freeName(like: token.suggestedName), role: role,
                password: nil, createdAt: gatekeeper.date(), openID: token.identity)
            accounts.members.append(member)
            return member
        }
        audit.record(added.role == .owner ? .ownerCreated : .memberAdded, by: added.name, at: address)
        return added
    }
}

extension Accounts {
    /// Returns a name that no member has: as the provider says, with a number if it is taken.
    func freeName(like text: String?) -> String {
        let clean = (text ?? "").shortened(to: 50).trimmingCharacters(in: .whitespaces)
        let name = clean.isEmpty ? "Member" : clean
        var (free, number) = (name, 1)
        while member(named: free) != nil {
            number += 1
            free = "\(name) \(number)"
        }
        return free
    }
}
