import Foundation
import Server
import ServerFixtures
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
                    "POST /api/v1/catalog/update", "POST /api/v1/members",
                ])
            let viewers = needed.filter { $0.needed?.role == .viewer && $0.method != "GET" }
            #expect(
                viewers.map { "\($0.method) /\($0.path)" }.sorted() == [
                    "DELETE /api/v1/session/second-factor", "DELETE /api/v1/sessions",
                    "DELETE /api/v1/sessions/:session", "DELETE /api/v1/tokens/:token",
                    "POST /api/v1/session/confirm", "POST /api/v1/session/second-factor", "POST /api/v1/tokens",
                    "PUT /api/v1/session/password", "PUT /api/v1/session/second-factor",
                ], "except the viewer's own access")
        }
    }

    @Test("Every other route refuses unknown callers and tokens of other jobs")
    func refusesUnknownCallers() async throws {
        try await Self.withOwnedServer { server, owner in
            let own = try server.scan(["books:Dune"], headers: owner)
            let other = try server.scan(["books:Emma"], headers: owner)
            let id = try #require(own.string("jobId"))
            let wrong = ["Authorization": "Bearer \(try #require(other.string("token")))"]
            let right = ["Authorization": "Bearer \(try #require(own.string("token")))"]
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
                let account = #"{"name":"\#(role.rawValue)","password":"a long password","role":"\#(role.rawValue)"}"#
                #expect(try server.send("POST", "/api/v1/members", headers: owner, json: account).status == 201)
                sessions[role] = try server.cookie(server.send("POST", "/api/v1/session", json: account))
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
                let list = scopes.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
                let made = try server.send(
                    "POST", "/api/v1/tokens", headers: owner,
                    json: #"{"name":"without \#(missing.rawValue)","scopes":[\#(list)]}"#)
                tokens[missing] = ["Authorization": "Bearer \(try #require(made.string("secret")))"]
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
            var sessions: [[String: String]] = []
            for name in ["Bea", "Cai"] {
                let account = #"{"name":"\#(name)","password":"a long password","role":"editor"}"#
                #expect(try server.send("POST", "/api/v1/members", headers: owner, json: account).status == 201)
                sessions.append(try server.cookie(server.send("POST", "/api/v1/session", json: account)))
            }
            let accepted = try server.scan([], fields: ["expected": "2"], headers: sessions[0])
            let id = try #require(accepted.string("jobId"))
            for route in server.server.routeList where route.path.contains(":job") {
                let answer = try server.send(
                    route.method, Self.path(route, job: id), headers: sessions[1], body: [0xFF, 0xD8, 0xFF, 0xE0])
                #expect([403, 404].contains(answer.status), "\(route.method) \(route.path): \(answer.status)")
            }
            let job = try server.send("GET", "/api/v1/scans/\(id)", headers: sessions[0])
            #expect(job.string("status") == "queued")
            #expect(job["photos", "0", "status"] as? String == "missing")
        }
    }
}
