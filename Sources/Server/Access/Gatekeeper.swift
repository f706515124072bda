import Bounds
import Concurrency
import Foundation
import Hummingbird
import ShelflistAPI

/// Authenticates requests.
struct Gatekeeper: Sendable {
    let accounts: AccountBook
    let apps: AppKeyBook
    /// IP addresses whose `X-Forwarded-*` headers are trusted.
    let trustedProxies: Set<AddressRange>
    /// The addresses whose connections are answered; `nil` for all.
    let answeredAddresses: Set<AddressRange>?
    /// How often the callers of open connections are checked.
    let checkInterval: Duration
    let basePath: BasePath
    /// Whether the server itself speaks TLS.
    let isSecure: Bool
    /// The listener for phones, which speaks TLS; `nil` for a server without one.
    let network: NetworkAccess?
    /// Printed in the server's terminal until an owner exists; proves access to that terminal.
    let setupCode: String
    /// Not the system clock, because its jumps must not end sessions.
    let clock: SteadyClock
    /// Returns the time by the system clock, for what others date too.
    let date: @Sendable () -> Date

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
                guard var caller = caller(token: token) else { throw Problem.signInNeeded }
                caller.address = clientAddress(of: head)
                return caller
            }
        }
        var caller = Caller(client: jobTokenSubject.map { "job:\($0)" } ?? "ip:\(clientNetwork(of: head))")
        if !accounts.hasOwner {
            if isFromLoopback {
                try checkOrigin(of: head)
                caller = Caller(kind: .local, name: "this machine", role: .owner, client: "local")
            } else if jobTokenSubject == nil, !requirement.allowedBeforeSetup {
                throw Problem.setupNeeded
            }
        } else if let cookie = sessionCookie(of: head) {
            let hash = Secret.hash(cookie)
            if let member = self.caller(cookieHash: hash, head, at: time) {
                try checkOrigin(of: head)
                caller = member
            } else {
                caller.hasEndedSession = accounts.read { $0.endedSessions?.has(hash, at: time) ?? false }
            }
        }
        caller.address = clientAddress(of: head)
        caller.jobTokenSubject = jobTokenSubject
        caller.isFromLoopback = isFromLoopback
        return caller
    }

    /// Returns the member to whom an app's key belongs, with at most the permissions of an editor who scans.
    ///
    /// - Returns: `nil` if the key is wrong or revoked, or its member was removed.
    /// - Throws: `StorageError` if the keys cannot be read or written.
    func caller(appKey secret: String, _ head: RequestHead) throws -> Caller? {
        let device = head.fields[.deviceID].flatMap { (1...200).contains($0.utf8.count) ? $0 : nil }
        guard let key = try apps.use(secret, device: device, at: date()) else { return nil }
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
        caller.address = clientAddress(of: head)
        caller.client += " app:\(key.id)"
        caller.app = key
        return caller
    }

    private func caller(token: String) -> Caller? {
        let time = date()
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
        var caller = Caller(.token(Set(token.scopes)), member)
        caller.token = token.id
        return caller
    }

    private func caller(cookieHash hash: Data, _ head: RequestHead, at time: Date) -> Caller? {
        let found = accounts.read { accounts in
            accounts.sessions.first { $0.takes(hash, at: time) }
                .flatMap { session in accounts.member(session.member).map { (session, $0) } }
        }
        guard let (session, member) = found else { return nil }
        let address = clientAddress(of: head)
        accounts.updateTransient { accounts in
            if let index = accounts.sessions.firstIndex(where: { $0.id == session.id }) {
                accounts.sessions[index].lastUsed = time
                accounts.sessions[index].address = address
            }
        }
        let isExpiring =
            time.timeIntervalSince(session.rotatedAt) > Session.rotation && session.hash.isSame(as: hash)
        var caller = Caller(.session, member)
        caller.expiringSession = isExpiring ? hash : nil
        caller.session = session.id
        caller.isConfirmed = session.isConfirmed(at: time)
        return caller
    }

    /// Whether the credentials of a caller are still valid and its member has the role as before.
    ///
    /// The token of a job is valid until it expires.
    func isStillValid(_ caller: Caller) -> Bool {
        if let member = caller.member, let role = caller.role {
            guard let now = accounts.read({ $0.member(member)?.role }), now >= role else { return false }
        }
        if let app = caller.app {
            // If the file cannot be read now, the next check decides.
            guard let keys = try? apps.keys() else { return true }
            return keys.contains { $0.id == app.id }
        }
        let (own, real) = (clock.now, date())
        return accounts.read { accounts in
            if let session = caller.session {
                return accounts.sessions.contains { $0.id == session && $0.isValid(at: own) }
            }
            if let token = caller.token {
                return accounts.tokens.contains { $0.id == token && ($0.expiresAt.map { $0 > real } ?? true) }
            }
            return true
        }
    }

    /// Replaces the cookie of a session when it is due.
    ///
    /// The old one stays valid for `Session.rotationGrace` seconds.
    ///
    /// - Returns: the cookie to send with the response; `nil` if the cookie is not due, the session has ended, or
    ///   another request has renewed it.
    /// - Throws: `StorageError` if the change could not be stored. The old cookie stays valid then.
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
            name: cookieName("session", for: head), value: value,
            maxAge: value.isEmpty ? 0 : Int(saturating: Session.life),
            path: basePath.folder, secure: isSecure(head), httpOnly: true, sameSite: .strict)
    }

    /// Returns the session cookie that a browser sent.
    func sessionCookie(of head: RequestHead) -> String? {
        head.cookie(cookieName("session", for: head))
    }

    /// Returns the name of a cookie, with the strongest prefix that browsers accept (RFC 6265bis, 4.1.3).
    ///
    /// They accept prefixes only over HTTPS. `__Host-` keeps other hosts of the domain from setting the cookie, but
    /// requires the path `/`, with which other programs of this host would receive it.
    func cookieName(_ purpose: String, for head: RequestHead) -> String {
        let prefix = !isSecure(head) ? "" : basePath.isRoot ? "__Host-" : "__Secure-"
        return "\(prefix)shelflist_\(purpose)"
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
        // Browsers omit the scheme's own port in both headers. `null` has no scheme.
        guard let mark = origin.firstRange(of: "://"),
            origin[mark.upperBound...].lowercased() == host(of: head)?.lowercased()
        else { throw Problem.wrongOrigin }
    }

    // MARK: Addresses

    /// Returns `https://host:port` as the client sees it.
    func origin(of head: RequestHead) -> String {
        "\(isSecure(head) ? "https" : "http")://\(host(of: head) ?? "localhost")"
    }

    /// Returns where the target of a request is: inside of the base path, or outside.
    ///
    /// Trusted proxies may remove the base path if they name it in `X-Forwarded-Prefix`.
    func place(of target: String, _ head: RequestHead) -> BasePath.Place {
        let place = basePath.place(of: target)
        if place == .outside, isTrustedProxy(head), head.fields[.forwardedPrefix].flatMap(BasePath.init) == basePath {
            return .inside(target)
        }
        return place
    }

    private func isTrustedProxy(_ head: RequestHead) -> Bool { trustedProxies.contains(addressOf: head) }

    /// Whether the connection of a request may be used: not one that should have come through a proxy.
    func answers(_ head: RequestHead) -> Bool { answeredAddresses?.contains(addressOf: head) ?? true }

    /// Returns what trusted proxies say of a request; nil for a request that comes from none.
    private func forwarded(_ head: RequestHead) -> ForwardedRequest? {
        guard isTrustedProxy(head) else { return nil }
        return ForwardedRequest(head.fields) { address in trustedProxies.contains { $0.contains(address) } }
    }

    /// Returns the address of the client: of the connection, or the one that the trusted proxies forward.
    ///
    /// Without one that can be read, the proxy is the client, so that no text makes a client of its own.
    func clientAddress(of head: RequestHead) -> String {
        forwarded(head)?.client?.description ?? head.peer ?? "unknown"
    }

    /// Returns the key of the client's rate limits: its address, or the network of an IPv6 address.
    func clientNetwork(of head: RequestHead) -> String {
        let address = clientAddress(of: head)
        return IPAddress(address)?.network.description ?? address
    }

    /// Returns the host that the client named, without the scheme's own port.
    func host(of head: RequestHead) -> String? {
        let host = forwarded(head)?.host ?? head.authority
        let port = isSecure(head) ? ":443" : ":80"
        return host.map { $0.hasSuffix(port) ? String($0.dropLast(port.count)) : $0 }
    }

    func isSecure(_ head: RequestHead) -> Bool {
        forwarded(head)?.isSecure ?? (isSecure || network?.serves(port: head.port) == true)
    }

    /// Whether a request comes from this machine and not through a proxy.
    ///
    /// The host name is checked too, against DNS rebinding: a foreign name may resolve to this machine.
    private func isFromLoopback(_ head: RequestHead) -> Bool {
        guard let peer = head.peer.flatMap({ IPAddress($0) }), peer.isLoopback, !isTrustedProxy(head) else {
            return false
        }
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

extension Set<AddressRange> {
    fileprivate func contains(addressOf head: RequestHead) -> Bool {
        guard let address = head.peer.flatMap({ IPAddress($0) }) else { return false }
        return contains { $0.contains(address) }
    }
}
