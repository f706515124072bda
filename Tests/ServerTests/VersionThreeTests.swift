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
    /// A scan from the app's point of view.
    private struct Scan {
        let id: String
        /// The path of the event stream.
        let stream: String
        /// The path of the job.
        let base: String
        let bearer: [String: String]
    }

    private static let origin = "http://localhost"

    private static func upload(_ server: TestServer, _ photos: [[UInt8]]) throws -> Scan {
        let answer = try server.send(
            "POST", "/v3/jobs/scans", headers: ["X-Device-ID": "phone", "Content-Type": Form.contentType],
            body: Form.body(photos: photos, part: "photos[]"))
        #expect(answer.status == 202)
        #expect(answer["success"] as? Bool == true)
        let id = try #require(answer["data", "jobId"] as? String)
        let base = "\(origin)/v3/jobs/scans/\(id)"
        #expect(answer["data", "sseUrl"] as? String == base + "/stream")
        #expect(answer["data", "statusUrl"] as? String == base)
        let token = try #require(answer["data", "authToken"] as? String)
        return Scan(
            id: id, stream: "/v3/jobs/scans/\(id)/stream", base: "/v3/jobs/scans/\(id)",
            bearer: ["Authorization": "Bearer \(token)"])
    }

    private static func upload(_ server: TestServer, _ scripts: String...) throws -> Scan {
        try upload(server, scripts.map { ScriptedReader.bytes($0) })
    }

    /// Opens the event stream without reading it.
    private static func open(_ server: TestServer, _ scan: Scan, after last: Int? = nil) throws -> Connection {
        let connection = try Connection(port: server.port)
        let resume = last.map { ["Last-Event-ID": "\($0)"] } ?? [:]
        try connection.send(TestServer.request("GET", scan.stream, headers: scan.bearer.merging(resume) { $1 }))
        return connection
    }

    private static func events(_ connection: Connection) throws -> [TestServer.Event] {
        TestServer.Event.list(try connection.answer().text)
    }

    private static func fields(_ event: TestServer.Event?) throws -> [String: Any] {
        let data = Data(try #require(event).data.utf8)
        return try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test("The app uploads, streams, fetches results and cleans up")
    func wholeScan() async throws {
        try await withServer { server in
            let scan = try Self.upload(server, [ScriptedReader.picture("books:Dune|Emma")])
            let events = try Self.events(Self.open(server, scan))
            #expect(events.compactMap(\.id) == events.compactMap(\.id).sorted())
            #expect(events.allSatisfy { $0.id != nil })
            func first(_ type: String) -> TestServer.Event? { events.first { $0.type == type } }
            #expect(try Self.fields(first("progress"))["message"] is String)
            let segmented = try Self.fields(first("segmented"))
            #expect(segmented["totalBooks"] as? Int == 2)
            let picture = Data(base64Encoded: segmented["image"] as? String ?? "")
            #expect(picture?.prefix(2) == Data([0xFF, 0xD8]), "a JPEG")
            let progress = try Self.fields(first("book_progress"))
            #expect(progress["current"] as? Int == 2)
            #expect(progress["total"] as? Int == 2)
            #expect(progress["stage"] is String)
            let result = try Self.fields(first("result"))
            #expect(result["title"] as? String == "Dune")
            #expect(result["author"] as? String == "Writer")
            #expect(result["confidence"] as? Double == 0.9)
            #expect(result["enrichmentStatus"] == nil, "no source is asked")
            #expect(events.filter { $0.type == "result" }.count == 2)

            #expect(events.last?.type == "completed")
            let completed = try Self.fields(events.last)
            let address = try #require(completed["resultsUrl"] as? String)
            #expect(address.hasPrefix(Self.origin + scan.base + "/results?after="))
            #expect(completed["books"] == nil, "the app would add them again")
            let rest = try server.send(
                "GET", String(address.dropFirst(Self.origin.count)) + "&format=lite", headers: scan.bearer)
            #expect((rest["data", "results"] as? [Any])?.isEmpty == true)

            let path = scan.base + "/results"
            let results = try server.send("GET", path + "?format=lite", headers: scan.bearer)
            #expect(results["success"] as? Bool == true)
            #expect(results["data", "results", "0", "title"] as? String == "Dune")
            #expect((results["data", "results"] as? [Any])?.count == 2)
            let status = try server.send("GET", scan.base, headers: scan.bearer)
            #expect(status["data", "status"] as? String == "completed")

            for _ in 1...2 {
                let cleanedUp = try server.send("DELETE", scan.base + "/cleanup", headers: scan.bearer)
                #expect(cleanedUp.status == 200)
                #expect(cleanedUp["success"] as? Bool == true)
            }
            let kept = try server.send("GET", path, headers: scan.bearer)
            #expect((kept["data", "results"] as? [Any])?.count == 2, "the member sees the scan")
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 2, "the books are kept")
        }
    }

    @Test("The app resumes an interrupted stream after its last event")
    func resumesStream() async throws {
        try await withServer { server in
            let scan = try Self.upload(server, "wait:Emma")
            let cut = try Self.open(server, scan)
            let start = try cut.read(through: "event: segmented\n")
            let last = try #require(
                start.split(whereSeparator: \.isNewline).last { $0.hasPrefix("id: ") }.flatMap { Int($0.dropFirst(4)) })
            cut.cut()
            server.reader.release()
            let ids = try Self.events(Self.open(server, scan, after: last)).compactMap(\.id)
            #expect(ids.first == last + 1)
            let all = try Self.events(Self.open(server, scan)).compactMap(\.id)
            #expect(all.filter { $0 > last } == ids)
        }
    }

    @Test("The app receives pings and the cancellation of its scan")
    func pingsAndCancellation() async throws {
        try await withServer { server in
            let scan = try Self.upload(server, "wait:Emma")
            let stream = try Self.open(server, scan)
            // The stream looks every second whether a ping is due.
            _ = try await server.clock.passing(.seconds(1)) { try stream.read(through: ": ping\n\n") }
            #expect(try server.send("DELETE", scan.base + "/cleanup", headers: scan.bearer).status == 200)
            _ = try stream.read(through: "event: canceled\n")
            server.reader.release()
        }
    }

    @Test("The app receives the reason of a failure")
    func failureReason() async throws {
        try await withServer { server in
            let scan = try Self.upload(server, "fail")
            let events = try Self.events(Self.open(server, scan))
            #expect(events.last?.type == "error")
            let error = try Self.fields(events.last)
            #expect(error["message"] as? String == "The JPEG file is damaged.")
            #expect(error["code"] as? String == "image_damaged")
            #expect(error["retryable"] as? Bool == false)
            #expect(error["jobId"] as? String == scan.id)
        }
    }

    /// The app treats every error as the end of the job.
    @Test("One bad photo is not an error of the job")
    func oneBadPhoto() async throws {
        try await withServer { server in
            let events = try Self.events(Self.open(server, Self.upload(server, "fail", "books:Emma")))
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
            #expect(refused.string("detail")?.contains("Settings, Connect an app") ?? false)
            #expect(refused["success"] as? Bool == false)
        }
    }

    @Test("Everything but uploading needs the job's own token")
    func needsJobToken() async throws {
        try await withServer { server in
            let (scan, other) = (try Self.upload(server, "wait:Dune"), try Self.upload(server, "wait:Emma"))
            _ = try server.makeOwner()
            for (method, path) in [
                ("GET", ""), ("GET", "/stream"), ("GET", "/results?format=lite"), ("DELETE", "/cleanup"),
            ] {
                for headers in [[:], other.bearer, ["X-Device-ID": "phone"]] {
                    let refused = try server.send(method, scan.base + path, headers: headers)
                    #expect(refused.status == 401, "\(method) \(path)")
                    #expect(refused["success"] as? Bool == false)
                    #expect(refused["retryable"] as? Bool == false)
                }
            }
            #expect(try server.send("GET", scan.base, headers: scan.bearer).status == 200)
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
                #expect(answer.status == status)
                #expect(answer.headers["content-type"] == "application/problem+json")
                #expect(answer["success"] as? Bool == false, "\(code)")
                #expect(answer.string("code") == code)
                #expect(answer["retryable"] as? Bool == retryable)
                #expect((answer["retryAfterMs"] as? Int ?? 0 > 0) == retryable)
            }
        }
    }
}
