import Foundation
import ScanningFixtures
import Server
import TestSupport
import Testing

/// Acts as the app that posts to `/api/scan-bookshelf` and follows `/ws/progress`.
@Suite(.serialized, .endsHangs) struct BookshelfTests {
    /// Reads all messages until the server closes the socket.
    private static func messages(_ socket: Connection) throws -> [[String: Any]] {
        var messages: [[String: Any]] = []
        while true {
            let (opcode, payload) = try socket.frame()
            if opcode == 8 { return messages }
            messages.append(try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]))
        }
    }

    private static func types(_ messages: [[String: Any]]) -> [String] { messages.compactMap { $0["type"] as? String } }

    @Test("The app uploads a photo and follows its socket")
    func uploadsPhoto() async throws {
        try await withServer { server in
            let wanted = UUID().uuidString
            let accepted = try server.send(
                "POST", "/api/scan-bookshelf?jobId=\(wanted)", headers: ["Content-Type": "image/jpeg"],
                body: ScriptedReader.bytes("wait:Emma"))
            #expect(accepted.status == 202)
            let id = try #require(accepted.string("jobId"))
            #expect(id == wanted.lowercased())
            let again = try server.send(
                "POST", "/api/scan-bookshelf?jobId=\(wanted)", headers: ["Content-Type": "image/jpeg"],
                body: ScriptedReader.bytes("wait:Emma"))
            #expect(again.string("jobId") == id, "the app repeats the request after losing the response")
            let token = try #require(accepted.string("token"))
            let socket = try Connection(port: server.port)
            #expect(try socket.upgrade("/ws/progress?jobId=\(id)&token=\(token)").status == 101)
            try socket.sendFrame(1, Array(#"{"type":"ready"}"#.utf8))
            server.reader.release()
            let messages = try Self.messages(socket)
            let types = Self.types(messages)
            #expect(types.contains("ready_ack"))
            #expect(types.contains("job_started") && types.contains("job_progress"))
            #expect(types.last == "job_complete")
            let complete = try #require(messages.last?["payload"] as? [String: Any])
            #expect(complete["totalDetected"] as? Int == 1)
            let results = try server.send(
                "GET", try #require(complete["resultsUrl"] as? String), headers: ["Authorization": "Bearer \(token)"])
            #expect(results["data", "books", "0", "title"] as? String == "Emma")
            let status = try server.send("GET", "/scan/status?jobId=\(id)&token=\(token)")
            #expect(status.string("status") == "completed")
            #expect(status["booksFound"] as? Int == 1)
        }
    }

    @Test("The app sends a batch as JSON")
    func sendsBatch() async throws {
        try await withServer { server in
            let images = ["books:Dune", "books:Emma"].enumerated().map { index, script in
                #"{"index":\#(index),"data":"\#(Data(ScriptedReader.bytes(script)).base64EncodedString())"}"#
            }
            let accepted = try server.send(
                "POST", "/api/scan-bookshelf/batch", json: #"{"images":[\#(images.joined(separator: ","))]}"#)
            #expect(accepted.status == 202)
            #expect(accepted["totalPhotos"] as? Int == 2)
            let id = try #require(accepted.string("jobId"))
            _ = try server.events(of: id, token: "")
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 2)
            let search = try server.send("GET", "/search/advanced?title=Dune&author=Herbert")
            #expect(search["success"] as? Bool == true)
            let feedback = try server.send("POST", "/feedback", json: #"{"detectionId":"1","correct":false}"#)
            #expect(feedback["success"] as? Bool == true, "\(feedback.text)")
        }
    }

    /// The app treats every error as the end of the job, so a bad photo must not be reported as one.
    @Test("The app follows a batch photo by photo once it is authorized")
    func followsBatch() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let device = ["X-Device-ID": "tablet"]
            func upload() throws -> Answer {
                try server.scan(["fail", "books:Emma"], headers: device, path: "/api/scan-bookshelf/batch")
            }
            #expect(try upload().string("code") == "device_waiting")
            let id = try #require(
                try server.send("GET", "/api/v1/devices", headers: owner)["items", "0", "id"] as? String)
            _ = try server.send(
                "PATCH", "/api/v1/devices/\(id)", headers: owner.merging(["If-Match": "*"]) { $1 },
                json: #"{"state":"allowed"}"#)
            let accepted = try upload()
            let job = try #require(accepted.string("jobId"))
            let token = try #require(accepted.string("token"))
            let socket = try Connection(port: server.port)
            #expect(
                try socket.upgrade("/ws/progress?jobId=\(job)", headers: "Authorization: Bearer \(token)\r\n").status
                    == 101)
            let messages = try Self.messages(socket)
            #expect(messages.allSatisfy { $0["jobId"] as? String == job && $0["pipeline"] as? String == "ai_scan" })
            let started = try #require(messages.first)
            #expect(started["type"] as? String == "job_started")
            #expect((started["payload"] as? [String: Any])?["totalPhotos"] as? Int == 2)
            let types = Self.types(messages)
            #expect(!types.contains("error"))
            #expect(types.last == "job_complete")
            let photos = messages.filter { $0["type"] as? String == "batch-progress" }
                .compactMap { $0["payload"] as? [String: Any] }
            #expect(Set(photos.compactMap { $0["currentPhoto"] as? Int }) == [0, 1])

            #expect(try server.send("GET", "/scan/status?jobId=\(job)").status == 401)
            let status = try server.send(
                "GET", "/scan/status?jobId=\(job)", headers: ["Authorization": "Bearer \(token)"])
            #expect(status["totalPhotos"] as? Int == 2)
            #expect(try server.send("GET", "/search/advanced?title=Emma", headers: device).status == 200)
            #expect(try server.send("GET", "/search/advanced?title=Emma").status == 403)
            let entry = try server.send("GET", "/api/v1/library?q=emma", headers: owner)
            let copy = try #require(entry["items", "0", "id"] as? String)
            let seen = try #require(
                try server.send("GET", "/api/v1/library/\(copy)", headers: owner)["position", "detectionId"] as? String)
            let report = #"{"detectionId":"\#(seen)","correct":true}"#
            #expect(try server.send("POST", "/feedback", headers: device, json: report)["success"] as? Bool == true)
            #expect(try server.send("POST", "/feedback", json: report).status == 403)
        }
    }

    /// A client that offers this API's subprotocol receives its events for every job.
    @Test("Only jobs created by the app send its messages")
    func ownJobsOnly() async throws {
        try await withServer { server in
            func types(path: String, protocols: String?) throws -> [String] {
                let accepted = try server.scan(["books:Emma"], path: path)
                let (id, token) = (accepted.string("jobId") ?? "", accepted.string("token") ?? "")
                let socket = try Connection(port: server.port)
                _ = try socket.upgrade("/ws/progress?jobId=\(id)&token=\(token)", protocols: protocols)
                return Self.types(try Self.messages(socket))
            }
            for (path, protocols, last) in [
                ("/api/v1/scans", nil, "completed"), ("/api/scan-bookshelf", nil, "job_complete"),
                ("/api/scan-bookshelf", "shelflist", "completed"),
            ] as [(String, String?, String)] {
                let spoken = try types(path: path, protocols: protocols)
                #expect(spoken.last == last)
            }
        }
    }
}
