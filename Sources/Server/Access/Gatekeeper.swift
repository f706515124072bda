import Foundation
import HTTPTypes
import Hummingbird
import Scanning
import ShelflistAPI

/// Authenticates requests.
struct Gatekeeper: Sendable {
    let accounts: AccountBook
    /// Addresses whose `X-Forwarded-*` headers are believed.
    let trustedProxies: Set<String>
    /// Whether the server itself speaks TLS.
    let isSecure: Bool
    /// Shown in the server's terminal while there is no owner; proves access to that terminal.
    let setupCode: String
    /// Independent of the machine's clock, whose jumps must not end sessions.
    let clock: JobClock

    /// - Parameters:
    ///   - job: the job that the path names, whose token counts.
    ///   - requirement: of the route.
    /// - Throws: `Problem` for a request that no route accepts from this caller.
    func caller(of head: RequestHead, job: String?, for requirement: Requirement) throws -> Caller {
        let time = clock.now
        let isFromLoopback = isFromLoopback(head)
        var jobTokenSubject: String?
        if let token = head.bearer {
            if token.hasPrefix(Secret.jobPrefix) {
                // Browsers that are signed in send the session's cookie as well.
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
        if case .device = requirement.kind { return try admit(caller, head) }
        return caller
    }

    /// Admits devices without an account that the owner has allowed; registers new ones, which wait for a decision.
    ///
    /// - Throws: `Problem` for a device that is not allowed.
    private func admit(_ caller: Caller, _ head: RequestHead) throws -> Caller {
        guard case .anonymous = caller.kind else { return caller }
        guard let name = head.fields[.deviceID], (1...200).contains(name.utf8.count) else {
            throw Problem(
                "device_waiting", status: 403, title: "Unknown device",
                detail: "This device does not say which it is (X-Device-ID), so it cannot be let in.")
        }
        let (time, address) = (clock.now, clientAddress(of: head))
        let state = try accounts.registerDevice(name, address: address, at: time)
        switch state {
        case .allowed:
            var admitted = caller
            admitted.isAdmittedDevice = true
            admitted.client = "device:\(name)"
            return admitted
        case .waiting:
            throw Problem(
                "device_waiting", status: 403, title: "Waiting to be let in",
                detail: "This device is new here. The owner of this Shelflist can let it in: Settings, Devices.",
                retryable: true, retryAfterMs: 10_000)
        case .refused:
            throw Problem(
                "not_allowed", status: 403, title: "Device refused",
                detail:
                    "The owner of this Shelflist has refused this device. It can be let in again: Settings, Devices.")
        }
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
        return Caller(
            kind: .token(Set(token.scopes)), member: member.id, name: member.name, role: member.role,
            client: "member:\(member.id)")
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
        return Caller(
            kind: .session, member: member.id, name: member.name, role: member.role, client: "member:\(member.id)",
            expiringSession: isExpiring ? hash : nil)
    }

    /// Replaces the cookie of a session when it is time to; the old one stays valid for `Accounts.rotationGrace`.
    ///
    /// The caller has to send the result with the response.
    ///
    /// - Returns: `nil` for a cookie that is not due, a session that has ended, or one that another request has renewed.
    /// - Throws: `AccountError` where the change could not be stored; the old cookie then stays valid.
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

    /// The cookie of a session; an empty value removes it from the browser.
    func sessionCookie(_ value: String, for head: RequestHead) -> Cookie {
        Cookie(
            name: RequestHead.sessionCookieName, value: value, maxAge: value.isEmpty ? 0 : Int(Accounts.sessionLife),
            path: "/", secure: isSecure(head), httpOnly: true, sameSite: .strict)
    }

    /// Refuses changes that a page of another site makes a browser send with our cookie.
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

    /// `https://host:port` as the client sees it.
    func origin(of head: RequestHead) -> String {
        "\(isSecure(head) ? "https" : "http")://\(host(of: head) ?? "localhost")"
    }

    private func isTrustedProxy(_ head: RequestHead) -> Bool {
        head.peer.map { trustedProxies.contains($0) } ?? false
    }

    func clientAddress(of head: RequestHead) -> String {
        guard isTrustedProxy(head), let forwarded = head.fields[.forwardedFor] else { return head.peer ?? "unknown" }
        // The proxy appends the last address; those before it are the client's own claims.
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

    /// Whether a request comes from this machine without a proxy between.
    ///
    /// A proxy on this machine forwards requests of strangers, and a host name that resolves to this machine may be a
    /// stranger's.
    private func isFromLoopback(_ head: RequestHead) -> Bool {
        guard let peer = head.peer, ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(peer) else { return false }
        guard head.fields[.forwardedFor] == nil, head.fields[.forwarded] == nil, head.fields[.forwardedHost] == nil
        else { return false }
        guard let authority = head.authority?.lowercased() else { return false }
        let name =
            authority.hasPrefix("[")
            ? String(authority.prefix { $0 != "]" }) + "]" : String(authority.prefix { $0 != ":" })
        return ["localhost", "127.0.0.1", "[::1]"].contains(name)
    }
}
