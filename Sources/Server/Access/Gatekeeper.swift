import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Scanning
import ShelflistAPI

/// Finds out who sends a request.
struct Gatekeeper: Sendable {
    let accounts: AccountBook
    /// Addresses whose `X-Forwarded-*` headers are believed.
    let trustedProxies: Set<String>
    /// Whether the server itself speaks TLS.
    let isSecure: Bool
    /// Shown where the server was started, while there is no owner: proves that its holder sits there.
    let setupCode: String
    /// Runs on evenly, so that a jump of the machine's clock signs nobody out.
    let clock: JobClock

    static let cookieName = "shelflist_session"

    /// - Parameters:
    ///   - job: the job that the path names, whose token counts.
    ///   - precedesOwner: whether a stranger is let through while there is no owner.
    /// - Throws: `Problem` for a request that is refused whoever sends it.
    func caller(of head: RequestHead, job: String?, precedesOwner: Bool = false) throws -> Caller {
        let time = clock.now
        let address = clientAddress(of: head)
        let hasOwner = accounts.read(\.hasOwner)
        let isHere = isLocal(head)
        var openedJob: String?
        if let token = head.bearer {
            if token.hasPrefix(Secret.jobPrefix) {
                // Sent along by a browser that is signed in as well, or alone.
                if let job, accounts.jobTokens.opens(token, job: job, at: time) { openedJob = job }
            } else {
                guard let caller = caller(token: token, at: time) else { throw Problem.signInNeeded }
                return caller
            }
        }
        var caller = Caller(kind: .anonymous, client: openedJob.map { "job:\($0)" } ?? "ip:\(address)")
        if !hasOwner {
            if isHere {
                try checkOrigin(of: head)
                caller = Caller(kind: .local, name: "this machine", role: .owner, client: "local")
            } else if openedJob == nil, !precedesOwner {
                throw Problem.setupNeeded
            }
        } else if let cookie = head.cookie(Self.cookieName), let member = try self.caller(cookie: cookie, at: time) {
            try checkOrigin(of: head)
            caller = member
        }
        caller.openedJob = openedJob
        caller.isHere = isHere
        return caller
    }

    /// Lets a device in that knows no accounts, if the owner has; a new one waits for a yes.
    ///
    /// - Throws: `Problem` that says so.
    func admit(_ caller: Caller, _ head: RequestHead) throws -> Caller {
        guard case .anonymous = caller.kind else { return caller }
        guard let name = head.fields[.deviceID], (1...200).contains(name.utf8.count) else {
            throw Problem(
                "device_waiting", status: 403, title: "Unknown device",
                detail: "This device does not say which it is (X-Device-ID), so it cannot be let in.")
        }
        let (time, address) = (clock.now, clientAddress(of: head))
        let state = try accounts.see(device: name, address: address, at: time)
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
        accounts.note { accounts in
            if let index = accounts.tokens.firstIndex(where: { $0.id == token.id }) {
                accounts.tokens[index].lastUsedAt = time
            }
        }
        return Caller(
            kind: .token(Set(token.scopes)), member: member.id, name: member.name, role: member.role,
            client: "member:\(member.id)")
    }

    private func caller(cookie: String, at time: Date) throws -> Caller? {
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
        var caller = Caller(
            kind: .session, member: member.id, name: member.name, role: member.role, client: "member:\(member.id)")
        if time.timeIntervalSince(session.rotatedAt) > Accounts.sessionRotation, session.hash.isSame(as: hash) {
            let renewed = Secret.make(prefix: Secret.sessionPrefix)
            try accounts.change { accounts in
                guard let index = accounts.sessions.firstIndex(where: { $0.hash == session.hash }) else { return }
                accounts.sessions[index].previous = session.hash
                accounts.sessions[index].hash = Secret.hash(renewed)
                accounts.sessions[index].rotatedAt = time
                accounts.sessions[index].lastUsed = time
            }
            caller.renewedCookie = renewed
        } else {
            accounts.note { accounts in
                if let index = accounts.sessions.firstIndex(where: { $0.hash == session.hash }) {
                    accounts.sessions[index].lastUsed = time
                }
            }
        }
        return caller
    }

    /// Another site's page may make a browser send our cookie; it cannot make it lie about where it comes from.
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
        // The last is what the trusted proxy saw; those before it are the client's own claims.
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

    /// Whether a request comes from this machine, by no detour.
    ///
    /// A proxy on this machine forwards strangers, and a page of a stranger's name that resolves to this machine
    /// is a stranger's page.
    func isLocal(_ head: RequestHead) -> Bool {
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

/// What the gatekeeper looks at, of a request or of a WebSocket's handshake.
struct RequestHead: Sendable {
    var method: String
    var fields: HTTPFields
    var authority: String?
    var peer: String?
    var isUpgrade = false
    /// A token in the query: for `EventSource` and WebSocket, which cannot send headers.
    var queryToken: String?
    /// A token in the WebSocket's subprotocol.
    var subprotocolToken: String?

    init(_ request: Request, peer: SocketAddress?, query: Query? = nil) {
        method = request.method.rawValue
        fields = request.headers
        authority = request.head.authority
        self.peer = peer?.ipAddress
    }

    init(method: String, fields: HTTPFields, authority: String?, peer: String?) {
        self.method = method
        self.fields = fields
        self.authority = authority
        self.peer = peer
    }

    var changesSomething: Bool { !["GET", "HEAD", "OPTIONS"].contains(method) }

    var bearer: String? {
        if let value = fields[.authorization] {
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
            return parts[1].trimmingCharacters(in: .whitespaces)
        }
        return subprotocolToken ?? queryToken
    }

    func cookie(_ name: String) -> String? {
        for header in fields[values: .cookie] {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == name {
                    return parts[1].trimmingCharacters(in: .whitespaces)
                }
            }
        }
        return nil
    }
}
