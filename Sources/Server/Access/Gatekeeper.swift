import Foundation
import Hummingbird
import Scanning
import ShelflistAPI

/// Authenticates requests.
struct Gatekeeper: Sendable {
    let accounts: AccountBook
    let apps: AppKeyBook
    /// IP addresses whose `X-Forwarded-*` headers are trusted.
    let trustedProxies: Set<String>
    /// Whether the server itself speaks TLS.
    let isSecure: Bool
    /// Printed in the server's terminal until an owner exists; proves access to that terminal.
    let setupCode: String
    /// Not the system clock, because its jumps must not end sessions.
    let clock: JobClock

    /// Returns the sender of a request.
    ///
    /// - Parameters:
    ///   - job: the job in the path, whose token is accepted.
    ///   - requirement: the requirement of the route.
    /// - Throws: `Problem` if the credentials are invalid, the origin is wrong, or no owner exists yet.
    func caller(of head: RequestHead, job: String?, for requirement: Requirement) throws -> Caller {
        let time = clock.now
        let isFromLoopback = isFromLoopback(head)
        var jobTokenSubject: String?
        if let token = head.bearer {
            if token.hasPrefix(Secret.jobPrefix) {
                // No error for an invalid token: browsers that are signed in send the session's cookie as well.
                if let job, accounts.jobTokens.opens(token, job: job, at: time) { jobTokenSubject = job }
            } else {
                guard let caller = caller(token: token, at: time) else { throw Problem.signInNeeded }
                return caller
            }
        }
        var caller = Caller(client: jobTokenSubject.map { "job:\($0)" } ?? "ip:\(clientAddress(of: head))")
        if !accounts.hasOwner {
            if isFromLoopback {
                try checkOrigin(of: head)
                caller = Caller(kind: .local, name: "this machine", role: .owner, client: "local")
            } else if jobTokenSubject == nil, !requirement.allowedBeforeSetup {
                throw Problem.setupNeeded
            }
        } else if let cookie = head.sessionCookie, let member = self.caller(cookie: cookie, at: time) {
            try checkOrigin(of: head)
            caller = member
        }
        caller.jobTokenSubject = jobTokenSubject
        caller.isFromLoopback = isFromLoopback
        return caller
    }

    /// Returns the member to whom an app's key belongs, with at most the permissions of an editor who scans.
    ///
    /// - Returns: `nil` if the key is wrong or revoked, or its member was removed.
    /// - Throws: `LibraryError` if the keys cannot be read or written.
    func caller(appKey secret: String, _ head: RequestHead) throws -> Caller? {
        let device = head.fields[.deviceID].flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
        guard let key = try apps.use(secret, device: device, at: clock.now) else { return nil }
        let owner = accounts.read { accounts -> Accounts.Member? in
            guard let id = key.member else { return accounts.firstOwner }
            return accounts.member(id)
        }
        var caller: Caller
        if let owner {
            caller = Caller(.token([.scan, .read]), owner)
            caller.role = min(owner.role, .editor)
        } else {
            guard key.member == nil else { return nil }
            caller = Caller(kind: .token([.scan, .read]), name: "this machine", role: .editor, client: "local")
        }
        caller.client += " app:\(key.id)"
        caller.app = key
        return caller
    }

    private func caller(token: String, at time: Date) -> Caller? {
        let hash = Secret.hash(token)
        let found = accounts.read { accounts in
            accounts.tokens.first { $0.hash.isSame(as: hash) && ($0.expiresAt.map { $0 > time } ?? true) }
                .flatMap { token in accounts.member(token.member).map { (token, $0) } }
        }
        guard let (token, member) = found else { return nil }
        accounts.updateTransient { accounts in
            if let index = accounts.tokens.firstIndex(where: { $0.id == token.id }) {
                accounts.tokens[index].lastUsedAt = time
            }
        }
        return Caller(.token(Set(token.scopes)), member)
    }

    private func caller(cookie: String, at time: Date) -> Caller? {
        let hash = Secret.hash(cookie)
        let found = accounts.read { accounts in
            accounts.sessions.first { session in
                guard time.timeIntervalSince(session.lastUsed) < Accounts.sessionLife else { return false }
                if session.hash.isSame(as: hash) { return true }
                guard let previous = session.previous else { return false }
                return previous.isSame(as: hash)
                    && time.timeIntervalSince(session.rotatedAt) < Accounts.rotationGrace
            }.flatMap { session in accounts.member(session.member).map { (session, $0) } }
        }
        guard let (session, member) = found else { return nil }
        accounts.updateTransient { accounts in
            if let index = accounts.sessions.firstIndex(where: { $0.hash == session.hash }) {
                accounts.sessions[index].lastUsed = time
            }
        }
        let isExpiring =
            time.timeIntervalSince(session.rotatedAt) > Accounts.sessionRotation && session.hash.isSame(as: hash)
        var caller = Caller(.session, member)
        caller.expiringSession = isExpiring ? hash : nil
        return caller
    }

    /// Replaces the cookie of a session when it is due.
    ///
    /// The old one stays valid for `Accounts.rotationGrace` seconds.
    ///
    /// - Returns: the cookie to send with the response; `nil` if the cookie is not due, the session has ended, or
    ///   another request has renewed it.
    /// - Throws: `LibraryError` if the change could not be stored. The old cookie stays valid then.
    func renewedCookie(of caller: Caller, _ head: RequestHead) throws -> Cookie? {
        guard let hash = caller.expiringSession else { return nil }
        let isKnown = accounts.read { $0.sessions.contains { $0.hash == hash } }
        guard isKnown else { return nil }
        let renewed = Secret.make(prefix: Secret.sessionPrefix)
        let wasRenewed = try accounts.change { accounts in
            guard let index = accounts.sessions.firstIndex(where: { $0.hash == hash }) else { return false }
            accounts.sessions[index].previous = hash
            accounts.sessions[index].hash = Secret.hash(renewed)
            accounts.sessions[index].rotatedAt = clock.now
            return true
        }
        return wasRenewed ? sessionCookie(renewed, for: head) : nil
    }

    /// Returns the session cookie.
    ///
    /// An empty value removes it from the browser.
    func sessionCookie(_ value: String, for head: RequestHead) -> Cookie {
        Cookie(
            name: RequestHead.sessionCookieName, value: value, maxAge: value.isEmpty ? 0 : Int(Accounts.sessionLife),
            path: "/", secure: isSecure(head), httpOnly: true, sameSite: .strict)
    }

    /// Rejects changes and WebSocket handshakes that a page of another site sends with the session cookie (CSRF).
    ///
    /// - Throws: `Problem.wrongOrigin`.
    func checkOrigin(of head: RequestHead) throws {
        guard head.changesSomething || head.isUpgrade else { return }
        if let site = head.fields[.secFetchSite] {
            guard site == "same-origin" || site == "none" else { throw Problem.wrongOrigin }
            return
        }
        guard let origin = head.fields[.origin] else { return }
        guard let host = URL(string: origin).flatMap({ url in url.host.map { host in (host, url.port) } }) else {
            throw Problem.wrongOrigin
        }
        let named = host.1.map { "\(host.0):\($0)" } ?? host.0
        guard named.lowercased() == self.host(of: head)?.lowercased() else { throw Problem.wrongOrigin }
    }

    // MARK: Addresses

    /// Returns `https://host:port` as the client sees it.
    func origin(of head: RequestHead) -> String {
        "\(isSecure(head) ? "https" : "http")://\(host(of: head) ?? "localhost")"
    }

    private func isTrustedProxy(_ head: RequestHead) -> Bool {
        head.peer.map { trustedProxies.contains($0) } ?? false
    }

    func clientAddress(of head: RequestHead) -> String {
        guard isTrustedProxy(head), let forwarded = head.fields[.forwardedFor] else { return head.peer ?? "unknown" }
        // The proxy appends the last address. The ones before it come from the client and are not trusted.
        return forwarded.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    }

    func host(of head: RequestHead) -> String? {
        if isTrustedProxy(head), let host = head.fields[.forwardedHost] { return host }
        return head.authority
    }

    func isSecure(_ head: RequestHead) -> Bool {
        if isTrustedProxy(head), let scheme = head.fields[.forwardedProto] { return scheme.lowercased() == "https" }
        return isSecure
    }

    /// Whether a request comes from this machine and not through a proxy.
    ///
    /// The host name is checked too, against DNS rebinding: a foreign name may resolve to this machine.
    private func isFromLoopback(_ head: RequestHead) -> Bool {
        guard let peer = head.peer, ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(peer) else { return false }
        guard head.fields[.forwardedFor] == nil, head.fields[.forwarded] == nil, head.fields[.forwardedHost] == nil
        else { return false }
        return Self.isLocal(head.authority)
    }

    /// Whether the client named this machine as only it can: `localhost`, `127.0.0.1` or `[::1]`.
    func hasLocalName(_ head: RequestHead) -> Bool { Self.isLocal(host(of: head)) }

    private static func isLocal(_ authority: String?) -> Bool {
        guard let authority = authority?.lowercased() else { return false }
        let name =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        return ["localhost", "127.0.0.1", "[::1]"].contains(name)
    }
}
