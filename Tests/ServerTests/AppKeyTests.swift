import Foundation
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

/// Acts as an app that knows only the address `/app/KEY`.
@Suite(.serialized, .endsHangs) struct AppKeyTests {
    /// Connects an app to the first owner as the command line does, in another object over the same file.
    private static func connect(_ server: TestServer, _ name: String = "phone") throws -> (id: String, base: String) {
        let (key, secret) = try AppKeyBook(folder: server.folder).add(name, member: nil, at: server.now)
        return (key.id, "/app/\(secret)")
    }

    @Test("An app scans below its key without headers, and finds its addresses there")
    func scansBelowKey() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let base = try Self.connect(server).base
            let accepted = try server.upload("wait:Emma", to: base + "/api/scan-bookshelf")
            #expect(accepted.status == 202, "\(accepted.text)")
            let id = try #require(accepted.string("jobId"))
            let address = try #require(accepted.string("websocketUrl"))
            #expect(address.hasPrefix("ws://localhost\(base)/ws/progress?jobId="))
            #expect(accepted.string("statusUrl")?.hasPrefix("http://localhost\(base)/scan/status") ?? false)

            let socket = try BookshelfSocketClient(server, base: base, query: "jobId=\(id)")
            server.reader.release()
            let last = try #require(try socket.messages(to: "job_complete").last)
            let results = try #require(last.payload.resultsUrl)
            #expect(results.hasPrefix(base + "/"))
            #expect(try server.send("GET", results)["data", "books", "0", "title"] as? String == "Emma")
            #expect(try server.send("GET", "\(base)/scan/status?jobId=\(id)").string("status") == "complete")
            #expect(try server.books(headers: owner).total == 1)
            let scans: Page<ScanStatus> = try server.get("/api/v1/scans", headers: owner)
            #expect(scans.items.first?.id == id, "the member sees what the app sent")
        }
    }

    @Test("Below a key only the routes for apps exist")
    func onlyCompatibleRoutes() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            let base = try Self.connect(server).base
            let routes = server.server.routeList
            #expect(routes.contains { $0.isForApps })
            for route in routes
            where !route.isForApps && !routes.contains(where: { $0.isForApps && $0.path == route.path }) {
                let path = "/" + route.path.replacing(/:\w+/, with: "1")
                let answer = try server.send(route.method, base + path)
                #expect(answer.status == 404 && answer.string("code") == "no_such_route", "\(route.method) \(path)")
            }
            for path in ["", "/", "/index.html", "/app.js", "/api/v1/openapi.json", "\(base)/scan/status"] {
                #expect(try server.send("GET", base + path, headers: ["Accept": "text/html"]).status == 404, "\(path)")
            }
            #expect(try server.send("PUT", base + "/api/v1/session").status == 404, "not 405")
        }
    }

    @Test("An app sees its own scans and no others")
    func ownScansOnly() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let (first, second) = (try Self.connect(server).base, try Self.connect(server, "tablet").base)
            func upload(_ base: String, _ headers: [String: String] = [:]) throws -> String {
                let answer = try server.upload("books:Emma", to: base + "/api/scan-bookshelf", headers: headers)
                return try #require(answer.string("jobId"))
            }
            let jobs = [try upload(first, ["X-Device-ID": "A"]), try upload(second), try upload("", owner)]
            func statuses(_ base: String) throws -> [Int] {
                try jobs.map { try server.send("GET", "\(base)/scan/status?jobId=\($0)").status }
            }
            #expect(try statuses(first) == [200, 404, 404])
            #expect(try statuses(second) == [404, 200, 404])
        }
    }

    @Test("Wrong and revoked keys, and those of removed members, are refused")
    func refusesWrongKeys() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let apps = AppKeyBook(folder: server.folder)
            let member = try server.addMember("Bea", by: owner).member.id
            let (key, secret) = try apps.add("phone", member: member, at: server.now)
            let other = try Self.connect(server)
            func status(_ base: String) throws -> Answer { try server.send("GET", base + "/scan/status?jobId=x") }
            #expect(try status("/app/\(secret)").string("code") == "not_found", "the key is accepted")
            #expect(try status("/app/\(secret.uppercased())").string("code") == "not_found", "typed on a phone")

            _ = try server.send("DELETE", "/api/v1/members/\(member)", headers: owner)
            #expect(try apps.keys().map(\.id) == [other.id], "not \(key.id)")
            try apps.change { keys in keys.removeAll { $0.id == other.id } }
            for base in ["/app/\(secret)", other.base, "/app/", "/app/%00", "/app/\(secret.dropLast())"] {
                let answer = try status(base)
                #expect(answer.status == 403 && answer.string("code") == "wrong_app_key", "\(base)")
                #expect(answer["success"] as? Bool == false, "in the form of the apps")
            }
            let socket = try Connection(port: server.port)
            #expect(try socket.upgrade("\(other.base)/ws/progress?jobId=x").status == 403)
        }
    }

    @Test("Too many wrong keys are limited, right ones are not")
    func limitsWrongKeys() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            let base = try Self.connect(server).base
            let statuses = try (1...12).map { try server.send("GET", "/app/wrong\($0)/scan/status").status }
            #expect(statuses.prefix(10).allSatisfy { $0 == 403 })
            #expect(statuses.last == 429)
            #expect(try server.send("GET", base + "/scan/status?jobId=x").status == 404)
        }
    }

    @Test("A key has at most the permissions of its member")
    func permissions() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let member = try server.addMember("Vera", role: "viewer", by: owner).member.id
            let (_, secret) = try AppKeyBook(folder: server.folder).add("phone", member: member, at: server.now)
            let refused = try server.upload("books:Emma", to: "/app/\(secret)/v3/jobs/scans")
            #expect(refused.status == 403 && refused.string("code") == "not_allowed")
        }
    }

    @Test("A key from before there is an owner works, and later belongs to the first owner")
    func beforeSetup() async throws {
        try await withServer { server in
            let base = try Self.connect(server).base
            let proxied = ["X-Forwarded-For": "192.0.2.1"]
            func upload() throws -> Answer {
                try server.upload("books:Emma", to: base + "/v3/jobs/scans", headers: proxied)
            }
            #expect(try upload().status == 202)
            let owner = try server.makeOwner()
            let id = try #require(try upload()["data", "jobId"] as? String)
            #expect(try server.send("GET", "/api/v1/scans/\(id)", headers: owner).status == 200)
        }
    }

    @Test("Scans of an app wait for approval if it may not import at once")
    func importsAtOnce() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let (id, base) = try Self.connect(server)
            try AppKeyBook(folder: server.folder).change { keys in
                for index in keys.indices where keys[index].id == id { keys[index].importsAtOnce = false }
            }
            for path in ["/api/scan-bookshelf", "/v3/jobs/scans"] {
                let accepted = try server.upload("books:Emma", to: base + path)
                let job = try #require(accepted.string("jobId") ?? accepted["data", "jobId"] as? String)
                let token = accepted.string("token") ?? accepted["data", "authToken"] as? String
                _ = try server.events(of: job, token: try #require(token))
            }
            #expect(try server.books(headers: owner).total == 0)
        }
    }

    @Test("The devices of a key share its limit of running jobs")
    func sharedLimit() async throws {
        try await withServer(configure: { _, limits in limits.jobsInFlightPerClient = 2 }) { server in
            let base = try Self.connect(server).base
            let statuses = try ["A", "B", "C"].map { name in
                try server.upload("wait:Emma", to: base + "/v3/jobs/scans", headers: ["X-Device-ID": name]).status
            }
            #expect(statuses == [202, 202, 429])
            server.reader.release()
        }
    }

    @Test("New names of devices do not write to disk with each request")
    func writesDevicesRarely() async throws {
        try await withServer { server in
            let base = try Self.connect(server).base
            func use(_ device: String) throws {
                _ = try server.send("GET", base + "/scan/status?jobId=x", headers: ["X-Device-ID": device])
            }
            func stored() throws -> String {
                try String(contentsOf: server.folder.appending(path: "apps.json"), encoding: .utf8)
            }
            try use("first")
            let before = try stored()
            #expect(before.contains("first"))
            for number in 1...10 { try use("device \(number)") }
            #expect(try stored() == before)
            server.clock.advance(by: .seconds(61))
            try use("last")
            let after = try stored()
            #expect(after.contains("device 10") && after.contains("last"))
        }
    }

    /// `BasePathTests` has the addresses behind a trusted one.
    @Test("Addresses are not those of a proxy that is not trusted")
    func untrustedProxy() async throws {
        try await withServer { server in
            let base = try Self.connect(server).base
            let headers = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "books.example.org"]
            let accepted = try server.upload("books:Emma", to: base + "/api/scan-bookshelf", headers: headers)
            #expect(accepted.string("websocketUrl")?.hasPrefix("ws://localhost\(base)/ws/progress?") == true)
        }
    }
}
