import Foundation
import Logging
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport

/// Signs in at a scripted OpenID provider as a browser does.
enum OpenIDFlow {
    /// Runs `body` with a server that has no owner.
    static func withProvider(
        only: Bool = false, newMembers: Role? = nil, claim: OpenIDSettings.Claim? = nil, folder: URL? = nil,
        provider: StubIdentityProvider? = nil, proxies: String? = nil, logger: Logger? = nil,
        _ body: @escaping @Sendable (TestServer, StubIdentityProvider) throws -> Void
    ) async throws {
        let provider = try provider ?? StubIdentityProvider()
        try await withServer(
            folder: folder, date: provider.date,
            logger: logger ?? Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            configure: { settings, _ in
                settings.openID = OpenIDSettings(
                    issuer: provider.issuer, clientID: StubIdentityProvider.client,
                    clientSecret: StubIdentityProvider.secret, name: "Home", isOnlyWay: only, newMembers: newMembers,
                    newMembersClaim: claim)
                settings.trustedProxies = Set([proxies].compactMap { $0 }.compactMap { AddressRange($0) })
            }
        ) { server in try body(server, provider) }
    }

    /// Runs `body` with a server that takes new members, and the session of its owner.
    static func withOwner(
        claim: OpenIDSettings.Claim? = nil,
        _ body: @escaping @Sendable (TestServer, StubIdentityProvider, _ owner: [String: String]) throws -> Void
    ) async throws {
        try await withProvider(newMembers: .viewer, claim: claim) { server, provider in
            try body(server, provider, server.makeOwner())
        }
    }

    /// Where the browser is after a sign-in, and its cookies.
    struct Arrival {
        var answer: Answer
        var location: String { answer.headers["location"] ?? "" }
        var cookie: [String: String]
    }

    /// Signs in as a browser does: to the provider, and back.
    static func signIn(
        _ server: TestServer, _ provider: StubIdentityProvider, as subject: String, name: String? = "ada",
        query: String = "", headers: [String: String] = [:]
    ) throws -> Arrival {
        let began = try server.send("GET", "/api/v1/session/openid\(query)", headers: headers)
        guard began.status == 303, let page = began.headers["location"] else {
            return Arrival(answer: began, cookie: [:])
        }
        let back = try provider.signIn(.init(subject: subject, name: name), at: page)
        let answer = try server.send("GET", back, headers: try server.cookie(began))
        return Arrival(answer: answer, cookie: (try? server.cookie(answer)) ?? [:])
    }

    /// Connects a person to the member of a session.
    static func link(
        _ server: TestServer, _ provider: StubIdentityProvider, as subject: String = "u1",
        _ session: [String: String]
    ) throws -> Arrival {
        try signIn(server, provider, as: subject, query: "?for=link&next=/settings", headers: session)
    }

    static func member(_ server: TestServer, _ cookie: [String: String]) throws -> Member? {
        try server.get("/api/v1/session", headers: cookie, as: SessionState.self).member
    }

    /// The entries of the access log, newest first, as `EVENT SUBJECT`.
    static func audit(_ server: TestServer, _ owner: [String: String]) throws -> [String] {
        try server.send("GET", "/api/v1/audit", headers: owner).decode(Page<AuditEntry>.self).items.map {
            "\($0.event) \($0.subject ?? "")"
        }
    }
}
