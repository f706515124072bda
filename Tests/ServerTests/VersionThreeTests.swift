import Foundation
import Imaging
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import TestSupport
import Testing

/// Acts as the app that posts to `/v3/jobs/scans` and follows server-sent events.
@Suite(.serialized, .endsHangs) struct VersionThreeTests {
    private static func app(_ server: TestServer) -> SwiftWingApp {
        SwiftWingApp(version: .third, device: "phone", server: server)
    }

    /// The fields of the events that the app decodes.
    private struct Fields: Decodable {
        var message: String?
        var image: Data?
        var totalBooks: Int?
        var current: Int?
        var total: Int?
        var stage: String?
        var title: String?
        var author: String?
        var confidence: Double?
        var resultsUrl: String?
    }

    private static func fields(_ event: TestServer.Event?) throws -> Fields {
        try JSONDecoder().decode(Fields.self, from: Data(try #require(event).data.utf8))
    }

    @Test("The app uploads, streams, fetches results and cleans up")
    func wholeScan() async throws {
        try await withServer { server in
            let app = Self.app(server)
            let scan = try app.upload([ScriptedReader.picture("books:Dune|Emma")])
            let events = try app.events(scan)
            #expect(events.compactMap(\.id) == events.compactMap(\.id).sorted())
            #expect(events.allSatisfy { $0.id != nil })
            func first(_ type: String) -> TestServer.Event? { events.first { $0.type == type } }
            #expect(try Self.fields(first("progress")).message != nil)
            let segmented = try Self.fields(first("segmented"))
            #expect(segmented.totalBooks == 2)
            #expect(segmented.image?.prefix(2) == Data([0xFF, 0xD8]), "a JPEG")
            let progress = try Self.fields(first("book_progress"))
            #expect(progress.current == 2 && progress.total == 2 && progress.stage != nil)
            let result = try Self.fields(first("result"))
            #expect(result.title == "Dune" && result.author == "Writer" && result.confidence == 0.9)
            let shape = try JSONShape.of(try #require(first("result")).data)
            #expect(shape["enrichmentStatus"] == "absent", "no source is asked")
            #expect(events.filter { $0.type == "result" }.count == 2)

            #expect(events.last?.type == "completed")
            let completed = try Self.fields(events.last)
            let address = try #require(completed.resultsUrl)
            #expect(address.hasPrefix(SwiftWingApp.origin + scan.base + "/results?after="))
            let end = try JSONShape.of(try #require(events.last).data)
            #expect(end["books"] == "absent", "the app would add them again")
            let rest = try server.send(
                "GET", String(address.dropFirst(SwiftWingApp.origin.count)) + "&format=lite", headers: app.headers(scan)
            )
            #expect(try JSONShape.of(rest.text)["data", "results"] == "[]")

            let path = scan.base + "/results"
            let results = try server.send("GET", path + "?format=lite", headers: app.headers(scan))
            #expect(results["success"] as? Bool == true)
            #expect(results["data", "results", "0", "title"] as? String == "Dune")
            #expect(results["data", "results", "1"] != nil && results["data", "results", "2"] == nil)
            let status = try server.send("GET", scan.base, headers: app.headers(scan))
            #expect(status["data", "status"] as? String == "completed")

            for _ in 1...2 {
                let cleanedUp = try server.send("DELETE", scan.base + "/cleanup", headers: app.headers(scan))
                #expect(cleanedUp.status == 200)
                #expect(cleanedUp["success"] as? Bool == true)
            }
            let kept = try server.send("GET", path, headers: app.headers(scan))
            #expect(kept["data", "results", "1"] != nil && kept["data", "results", "2"] == nil, "the member sees it")
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 2, "the books are kept")
        }
    }

    @Test("The app resumes an interrupted stream after its last event")
    func resumesStream() async throws {
        try await withServer { server in
            let app = Self.app(server)
            let scan = try app.upload([ScriptedReader.bytes("wait:Emma")])
            let cut = try app.open(scan)
            let start = try cut.read(through: "event: segmented\n")
            let last = try #require(
                start.split(whereSeparator: \.isNewline).last { $0.hasPrefix("id: ") }.flatMap { Int($0.dropFirst(4)) })
            cut.cut()
            server.reader.release()
            let ids = try app.events(scan, after: "\(last)").compactMap(\.id)
            #expect(ids.first == last + 1)
            let all = try app.events(scan).compactMap(\.id)
            #expect(all.filter { $0 > last } == ids)
        }
    }

    @Test("The app receives pings and the cancellation of its scan")
    func pingsAndCancellation() async throws {
        try await withServer { server in
            let app = Self.app(server)
            let scan = try app.upload([ScriptedReader.bytes("wait:Emma")])
            let stream = try app.open(scan)
            // The stream looks every second whether a ping is due.
            _ = try await server.clock.passing(.seconds(1)) { try stream.read(through: ": ping\n\n") }
            #expect(try server.send("DELETE", scan.base + "/cleanup", headers: app.headers(scan)).status == 200)
            _ = try stream.read(through: "event: canceled\n")
            server.reader.release()
        }
    }

    /// The app treats every error as the end of the job.
    @Test("One bad photo is not an error of the job")
    func oneBadPhoto() async throws {
        try await withServer { server in
            let app = Self.app(server)
            let events = try app.events(app.upload(["fail", "books:Emma"].map { ScriptedReader.bytes($0) }))
            #expect(!events.contains { $0.type == "error" })
            #expect(events.contains { $0.type == "progress" && $0.data.contains("damaged") })
            #expect(events.last?.type == "completed")
        }
    }

    @Test("Without a key, uploads need a member")
    func needsMember() async throws {
        try await withServer { server in
            func upload(_ headers: [String: String]) throws -> Answer {
                let named = headers.merging(["X-Device-ID": "phone"]) { $1 }
                return try server.scan(["books:Dune"], headers: named, path: "/v3/jobs/scans", part: "photos[]")
            }
            // Only this machine is accepted before an owner exists.
            #expect(try upload([:]).status == 202)
            let elsewhere = try upload(["X-Forwarded-For": "192.0.2.1"])
            #expect(elsewhere.status == 403)
            #expect(elsewhere.string("code") == "setup_needed")
            #expect(elsewhere["success"] as? Bool == false)

            let owner = try server.makeOwner()
            #expect(try upload(owner).status == 202)
            let refused = try upload([:])
            #expect(refused.status == 401, "X-Device-ID is not a credential")
            #expect(refused.string("detail")?.contains("Settings, Sharing and server, Connect an app") ?? false)
            #expect(refused["success"] as? Bool == false)
        }
    }

    @Test("Everything but uploading needs the job's own token")
    func needsJobToken() async throws {
        try await withServer { server in
            let app = Self.app(server)
            let (scan, other) = (
                try app.upload([ScriptedReader.bytes("wait:Dune")]), try app.upload([ScriptedReader.bytes("wait:Emma")])
            )
            _ = try server.makeOwner()
            for (method, path) in [
                ("GET", ""), ("GET", "/stream"), ("GET", "/results?format=lite"), ("DELETE", "/cleanup"),
            ] {
                for headers in [[:], app.headers(other), ["X-Device-ID": "phone"]] {
                    let refused = try server.send(method, scan.base + path, headers: headers)
                    #expect(refused.status == 401, "\(method) \(path)")
                    #expect(refused["success"] as? Bool == false)
                    #expect(refused["retryable"] as? Bool == false)
                }
            }
            #expect(try server.send("GET", scan.base, headers: app.headers(scan)).status == 200)
            server.reader.release()
        }
    }

    @Test("Every error has the form that the app expects")
    func problemForm() async throws {
        try await withServer(configure: { settings, limits in
            settings.requestsPerMinute = 3
            limits.photo.maxBytes = 5000
        }) { server in
            let device = ["X-Device-ID": "phone"]
            func upload(_ photos: [[UInt8]]) throws -> Answer {
                try server.send(
                    "POST", "/v3/jobs/scans", headers: device.merging(["Content-Type": Form.contentType]) { $1 },
                    body: Form.body(photos: photos, part: "photos[]"))
            }
            let photo = ScriptedReader.bytes("books:Dune")
            for (answer, status, code, retryable) in [
                (try upload([Array("<html>".utf8)]), 415, "not_an_image", false),
                (try upload([photo + [UInt8](repeating: 0x20, count: 6000)]), 413, "photo_too_large", false),
                (try upload(Array(repeating: photo, count: 6)), 413, "too_many_photos", false),
                (try upload([photo]), 429, "rate_limited", true),
                (try server.send("GET", "/v3/jobs/scans"), 405, "method_not_allowed", false),
                (try server.send("GET", "/v3/jobs/nothing"), 404, "no_such_route", false),
                (try server.send("GET", "/v3/jobs/scans/nothing"), 404, "not_found", false),
            ] {
                #expect(answer.headers["content-type"] == "application/problem+json")
                let problem = try JSONDecoder().decode(SwiftWingMessage.Problem.self, from: Data(answer.body))
                #expect(!problem.success && problem.code == code && problem.retryable == retryable, "\(code)")
                #expect(answer.status == status && problem.status == status, "\(code)")
                #expect((problem.retryAfterMs ?? 0 > 0) == retryable, "\(code)")
                let wait = answer.headers["retry-after"].flatMap(Double.init)
                #expect((wait ?? 0 > 0) == retryable, "the other versions read the header")
            }
        }
    }
}
