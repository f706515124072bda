import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Tests the access rules of every route in the table, including routes added later.
@Suite(.serialized, .endsHangs) struct RefusalTests {
    /// Runs `body` with a server that has an owner and a rate limit too high to interfere.
    private static func withOwnedServer(
        _ body: @Sendable (TestServer, _ owner: [String: String]) async throws -> Void
    ) async throws {
        try await withServer { server in
            try await body(server, server.makeOwner())
        }
    }

    private static func path(_ route: Route, job: String = "1") -> String {
        let path = "/" + route.path.replacing(":job", with: job).replacing(/:\w+/, with: "1")
        return route.path == "scan/status" ? path + "?jobId=\(job)" : path
    }

    private static func expectRefusal(
        _ server: TestServer, _ route: Route, _ path: String, _ headers: [String: String], of caller: String
    ) throws {
        // Forwarded, because programs on this machine may read the metrics.
        let answer = try server.send(
            route.method, path, headers: headers.merging(["X-Forwarded-For": "192.0.2.1"]) { $1 })
        #expect([401, 403].contains(answer.status), "\(route.method) \(path) by \(caller): \(answer.status)")
    }

    @Test("Only these routes accept an unknown caller")
    func openRoutes() async throws {
        try await Self.withOwnedServer { server, _ in
            let open = server.server.routeList.filter { $0.needed == nil }.map { "\($0.method) /\($0.path)" }
            #expect(
                open.sorted() == [
                    "DELETE /api/v1/session", "GET /api/v1/about", "GET /api/v1/openapi.json", "GET /api/v1/session",
                    "GET /api/v1/session/openid", "GET /api/v1/session/openid/callback", "GET /ca.pem", "GET /health",
                    "GET /ready", "GET /ws/progress",
                    "POST /api/v1/session", "POST /api/v1/setup",
                ])
        }
    }

    /// The tests below check the stated requirements; this test checks that the right requirements are stated.
    @Test("Only an owner manages the server, and a viewer cannot edit")
    func routeRoles() async throws {
        try await Self.withOwnedServer { server, _ in
            let needed = server.server.routeList.filter { $0.needed != nil }
            let owners = needed.filter { $0.needed?.role == .owner }.map { "\($0.method) /\($0.path)" }
            #expect(
                owners.sorted() == [
                    "DELETE /api/v1/catalog/download", "DELETE /api/v1/members/:member", "GET /api/v1/audit",
                    "GET /api/v1/backup",
                    "GET /api/v1/catalog/download/estimate",
                    "GET /api/v1/members", "PATCH /api/v1/members/:member", "PATCH /api/v1/settings",
                    "POST /api/v1/catalog/download",
                    "POST /api/v1/catalog/update", "POST /api/v1/members", "PUT /api/v1/network",
                ])
            let viewers = needed.filter { $0.needed?.role == .viewer && $0.method != "GET" }
            #expect(
                viewers.map { "\($0.method) /\($0.path)" }.sorted() == [
                    "DELETE /api/v1/session/openid", "DELETE /api/v1/session/second-factor",
                    "DELETE /api/v1/sessions",
                    "DELETE /api/v1/sessions/:session", "DELETE /api/v1/tokens/:token",
                    "POST /api/v1/session/confirm", "POST /api/v1/session/second-factor", "POST /api/v1/tokens",
                    "PUT /api/v1/session/password", "PUT /api/v1/session/second-factor",
                ], "except the viewer's own access")
        }
    }

    @Test("Every other route refuses unknown callers and tokens of other jobs")
    func refusesUnknownCallers() async throws {
        try await Self.withOwnedServer { server, owner in
            let own = try server.scan(["books:Dune"], headers: owner).decode(ScanAccepted.self)
            let other = try server.scan(["books:Emma"], headers: owner).decode(ScanAccepted.self)
            let id = own.jobId
            let wrong = ["Authorization": "Bearer \(other.token)"]
            let right = ["Authorization": "Bearer \(own.token)"]
            for route in server.server.routeList where route.needed != nil {
                let path = Self.path(route, job: id)
                try Self.expectRefusal(server, route, path, [:], of: "an unknown caller")
                try Self.expectRefusal(server, route, path, wrong, of: "another job's token")
                if route.takesJobToken, route.method == "GET" {
                    let holder = try server.send(route.method, path, headers: right)
                    #expect(![401, 403].contains(holder.status), "\(route.method) \(path): \(holder.status)")
                }
            }
        }
    }

    @Test("Every route refuses lower roles")
    func refusesLowerRoles() async throws {
        try await Self.withOwnedServer { server, owner in
            var sessions: [Role: [String: String]] = [:]
            for role in [Role.viewer, .editor] {
                sessions[role] = try server.addMember(role.rawValue, role: role.rawValue, by: owner).session
            }
            for route in server.server.routeList {
                guard let needed = route.needed else { continue }
                for (role, session) in sessions where role < needed.role {
                    try Self.expectRefusal(server, route, Self.path(route), session, of: role.rawValue)
                }
            }
        }
    }

    @Test("Every route refuses tokens without its scope")
    func refusesMissingScope() async throws {
        try await Self.withOwnedServer { server, owner in
            var tokens: [TokenScope: [String: String]] = [:]
            for missing in TokenScope.allCases {
                // `write` includes `read`.
                let scopes = TokenScope.allCases.filter { $0 != missing && (missing != .read || $0 != .write) }
                tokens[missing] = try server.addToken(scopes.map(\.rawValue), by: owner)
            }
            for route in server.server.routeList {
                guard let needed = route.needed else { continue }
                let token = try #require(tokens[needed.scope])
                try Self.expectRefusal(
                    server, route, Self.path(route), token, of: "a token without \(needed.scope.rawValue)")
            }
        }
    }

    @Test("An editor cannot change another editor's job")
    func refusesOtherEditors() async throws {
        try await Self.withOwnedServer { server, owner in
            let bea = try server.addMember("Bea", by: owner).session
            let cai = try server.addMember("Cai", by: owner).session
            let id = try server.scan([], fields: ["expected": "2"], headers: bea).decode(ScanAccepted.self).jobId
            for route in server.server.routeList where route.path.contains(":job") {
                let answer = try server.send(
                    route.method, Self.path(route, job: id), headers: cai, body: [0xFF, 0xD8, 0xFF, 0xE0])
                #expect([403, 404].contains(answer.status), "\(route.method) \(route.path): \(answer.status)")
            }
            let job = try server.status(of: id, headers: bea)
            #expect(job.status == .queued)
            #expect(job.photos.first?.photo.status == .missing)
        }
    }
}
