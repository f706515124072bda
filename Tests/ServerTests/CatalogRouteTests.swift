import Bibliography
import Fixtures
import Foundation
import Lookup
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.endsHangs) struct CatalogRouteTests {
    /// Retries without pauses.
    private static let impatient = StubbedProviders {
        try OnlineServices(data: $0, version: "test", clock: ManualClock(skipsSleeps: true))
    }

    private static func state(_ server: TestServer) throws -> String? {
        try server.send("GET", "/api/v1/catalog")["download", "state"] as? String
    }

    private static func start(_ server: TestServer, _ json: String = "{}") throws -> Answer {
        try server.send("POST", "/api/v1/catalog/download", json: json)
    }

    /// Makes the next download of works wait after 3,000 bytes.
    private static func holdWorks(_ stub: DumpStub) -> Gate {
        let gate = Gate()
        stub.change {
            $0.cuts = ["works": [3000]]
            $0.onCut = { gate.hold() }
        }
        return gate
    }

    @Test("A catalog is estimated and downloaded over cut connections")
    func downloads() async throws {
        let stub = try DumpStub(SmallDump(count: 1200))
        try await withServer(online: Self.impatient, dumps: stub.url) { server in
            let none = try server.send("GET", "/api/v1/catalog")
            #expect(none["exists"] as? Bool == false)
            #expect(none["works"] as? Int == 0)
            #expect(none["freeBytes"] as? Int ?? 0 > 0)
            #expect(none["download"] == nil && none["downloaded"] == nil)
            #expect(stub.requests.isEmpty, "looking sends nothing")

            let size = stub.change { $0.files.values.reduce(0) { $0 + $1.count } }
            let estimate = try server.send("GET", "/api/v1/catalog/download/estimate?languages=en,deu&isbn=true")
            #expect(estimate["bytes"] as? Int == size)
            #expect(estimate["diskBytes"] as? Int == size)
            #expect(estimate["atMost"] as? Bool == true && estimate["fits"] as? Bool == true)
            #expect(estimate["current"] as? Bool == false && estimate["resumed"] as? Bool == false)
            #expect(stub.requests.allSatisfy { $0.method == "HEAD" })

            stub.change { $0.cuts = ["editions": [2000, 0], "works": [500]] }
            let started = try Self.start(server, #"{"languages": ["en", "deu"], "isbn": true}"#)
            #expect(started.status == 202)
            #expect(started["download", "state"] as? String == "running")
            #expect(started["download", "languages", "0"] as? String == "eng")
            #expect(started["download", "languages", "1"] as? String == "ger")
            try await eventually { try Self.state(server) == nil }
            let done = try server.send("GET", "/api/v1/catalog")
            #expect(done["exists"] as? Bool == true && done["searchable"] as? Bool == true)
            #expect(done["editions"] as? Int == 600)
            #expect(done["downloaded", "isbn"] as? Bool == true)
            #expect(done["downloaded", "languages", "1"] as? String == "ger")
            #expect(done["checkedAt"] as? String != nil)

            let updated = try server.send("POST", "/api/v1/catalog/update")
            #expect(updated.status == 202)
            try await eventually { try Self.state(server) == nil }
            #expect(stub.downloads(of: "works").count == 2, "the dumps are the same")
        }
    }

    @Test("Photos are read during a download, and a second start is refused")
    func oneAtATime() async throws {
        let stub = try DumpStub(SmallDump(count: 1200))
        let gate = Self.holdWorks(stub)
        try await withServer(online: Self.impatient, dumps: stub.url) { server in
            #expect(try Self.start(server).status == 202)
            await gate.waitForConnection()
            let second = try Self.start(server)
            #expect(second.status == 409 && second.problem?.code == "download_running")
            let running = try server.send("GET", "/api/v1/catalog")
            #expect(running["download", "progress", "stage"] as? String == "downloading")
            #expect(running["download", "progress", "fraction"] as? Double ?? 0 > 0)
            #expect(running["exists"] as? Bool == false, "the catalog appears when it is complete")
            let scan = try server.scan(["books:Dune"]).decode(ScanAccepted.self)
            #expect(try server.events(of: scan.jobId, token: scan.token).last?.type == "completed")

            let canceled = try server.send("DELETE", "/api/v1/catalog/download")
            #expect(canceled.status == 202)
            try await eventually { try Self.state(server) == "stopped" }
            gate.open()
            let stopped = try server.send("GET", "/api/v1/catalog")
            #expect(stopped["download", "unfinishedBytes"] as? Int ?? 0 > 0)
            let deleted = try server.send("DELETE", "/api/v1/catalog/download?keep=false")
            #expect(deleted.status == 202 && deleted["download"] == nil)
        }
    }

    @Test("A download is resumed when the server starts again, and the running server searches the catalog")
    func resumesAfterRestart() async throws {
        let stub = try DumpStub(SmallDump(count: 1200))
        let folder = try TemporaryFolder()
        let gate = Self.holdWorks(stub)
        try await withServer(folder: folder.url, online: Self.impatient, dumps: stub.url) { server in
            _ = try Self.start(server)
            await gate.waitForConnection()
        }
        gate.open()
        try await withServer(folder: folder.url, dumps: stub.url) { server in
            try await eventually { try server.send("GET", "/api/v1/catalog")["editions"] as? Int == 1200 }
            #expect(stub.downloads(of: "editions").count == 1)
            let found: SearchResults = try server.get("/api/v1/search?q=book%20718&in=local")
            #expect(found.items.first?.record.title.hasPrefix("Book 718") == true)
        }
    }

    @Test("With monthly updates, a server replaces a catalog that is a month old")
    func updatesMonthly() async throws {
        let stub = try DumpStub(SmallDump(count: 20))
        let folder = try TemporaryFolder()
        let clock = ManualClock(skipsSleeps: true)
        let online = StubbedProviders { try OnlineServices(data: $0, version: "test", clock: clock) }
        try await withServer(folder: folder.url, online: online, dumps: stub.url) { server in
            _ = try Self.start(server)
            try await eventually { try server.send("GET", "/api/v1/catalog")["editions"] as? Int == 20 }
            #expect(try server.send("GET", "/api/v1/settings")["updateCatalog"] as? Bool == false)
            #expect(try server.changeSettings(#"{"updateCatalog": true}"#)["updateCatalog"] as? Bool == true)
        }
        let newer = try SmallDump(count: 30).compressed()
        stub.change {
            $0.etag = "\"second\""
            $0.files = newer
        }
        clock.advance(by: 31 * 86_400)
        try await withServer(folder: folder.url, online: online, dumps: stub.url) { server in
            try await eventually { try server.send("GET", "/api/v1/catalog")["editions"] as? Int == 30 }
        }
    }

    @Test("Unknown languages and an unreachable server are reported")
    func problems() async throws {
        try await withServer(online: Self.impatient) { server in
            let estimate = try server.send("GET", "/api/v1/catalog/download/estimate?languages=english")
            #expect(estimate.status == 400 && estimate.problem?.field == "languages")
            let language = try Self.start(server, #"{"languages": ["xx"]}"#)
            #expect(language.status == 422 && language.problem?.field == "languages")
            let update = try server.send("POST", "/api/v1/catalog/update")
            #expect(update.status == 409 && update.problem?.code == "not_downloaded")
            let unreachable = try server.send("GET", "/api/v1/catalog/download/estimate")
            #expect(unreachable.status == 503 && unreachable.problem?.code == "dumps_unavailable")
            #expect(unreachable.problem?.detail.contains("127.0.0.1 cannot be reached") == true)

            _ = try Self.start(server)
            try await eventually { try Self.state(server) == "waiting" }
            let failed = try server.send("GET", "/api/v1/catalog")
            #expect(failed["download", "failure", "reason"] as? String == "unreachable")
            #expect((failed["download", "failure", "detail"] as? String)?.contains("it resumes") == true)
            _ = try server.send("DELETE", "/api/v1/catalog/download")
            #expect(try Self.state(server) == "stopped", "it is not tried again")
        }
    }
}
