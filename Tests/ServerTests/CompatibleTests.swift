import Foundation
import ScanningFixtures
import Server
import Testing

/// Plays the two apps whose protocols are served.
@Suite(.serialized, .timeLimit(.minutes(3))) struct CompatibleTests {
    @Test func theAppOfScanBookshelfUploadsAndFollowsItsSocket() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let wanted = UUID().uuidString
            let accepted = try server.send(
                "POST", "/api/scan-bookshelf?jobId=\(wanted)", headers: ["Content-Type": "image/jpeg"],
                body: ScriptedReader.bytes("wait:Emma"))
            #expect(accepted.status == 202)
            let id = try #require(accepted.string("jobId"))
            #expect(id == wanted.lowercased())
            let token = try #require(accepted.string("token"))
            let socket = try Connection(port: server.port)
            #expect(try socket.upgrade("/ws/progress?jobId=\(id)&token=\(token)").status == 101)
            try socket.sendFrame(1, Array(#"{"type":"ready"}"#.utf8))
            server.reader.release()
            var messages: [[String: Any]] = []
            while true {
                let (opcode, payload) = try socket.frame()
                if opcode == 8 { break }
                messages.append(
                    try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]))
            }
            let types = messages.compactMap { $0["type"] as? String }
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
        await server.stop()
    }

    @Test func theAppOfScanBookshelfSendsABatchAsJSON() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
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
        await server.stop()
    }

    @Test func theAppOfVersionThreeUploadsStreamsFetchesAndCleansUp() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let accepted = try server.scan(
                ["books:Dune|Emma"], headers: ["X-Device-ID": "phone"], path: "/v3/jobs/scans", part: "photos[]")
            #expect(accepted.status == 202)
            #expect(accepted["success"] as? Bool == true)
            let url = try #require(accepted["data", "sseUrl"] as? String)
            #expect(url.hasPrefix("http://localhost/v3/jobs/scans/"))
            let path = String(url.dropFirst("http://localhost".count))
            let bearer = ["Authorization": "Bearer \(try #require(accepted["data", "authToken"] as? String))"]
            let connection = try Connection(port: server.port)
            try connection.send(TestServer.request("GET", path, headers: bearer))
            let events = TestServer.Event.list(try connection.answer().text)
            #expect(events.allSatisfy { $0.id != nil })
            let kinds = Set(events.map(\.type))
            #expect(kinds.isSuperset(of: ["progress", "segmented", "book_progress", "result", "completed"]))
            let result = try #require(events.first { $0.type == "result" })
            let book = try JSONSerialization.jsonObject(with: Data(result.data.utf8)) as? [String: Any]
            #expect(book?["title"] as? String == "Dune")
            #expect(book?["enrichmentStatus"] as? String == "pending")
            let last = try #require(events.last)
            #expect(last.type == "completed")
            let done = try JSONSerialization.jsonObject(with: Data(last.data.utf8)) as? [String: Any]
            let resultsURL = try #require(done?["resultsUrl"] as? String)
            let results = try server.send(
                "GET", String(resultsURL.dropFirst("http://localhost".count)) + "?format=lite", headers: bearer)
            #expect(results["success"] as? Bool == true)
            #expect((results["data", "results"] as? [Any])?.count == 2)
            let base = path.replacing("/stream", with: "")
            #expect(try server.send("DELETE", base + "/cleanup", headers: bearer)["success"] as? Bool == true)
            #expect(try server.send("DELETE", base + "/cleanup", headers: bearer).status == 200)
            let gone = try server.send("GET", base + "/results", headers: bearer)
            #expect(gone.status == 404)
            #expect(gone["success"] as? Bool == false)
        }
        await server.stop()
    }

    /// To both apps an error is the end.
    @Test func oneBadPhotoIsNoErrorOfTheJob() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let accepted = try server.scan(
                ["fail", "books:Emma"], headers: ["X-Device-ID": "phone"], path: "/v3/jobs/scans", part: "photos[]")
            let url = try #require(accepted["data", "sseUrl"] as? String)
            let token = try #require(accepted["data", "authToken"] as? String)
            let connection = try Connection(port: server.port)
            try connection.send(
                TestServer.request(
                    "GET", String(url.dropFirst("http://localhost".count)),
                    headers: ["Authorization": "Bearer \(token)"]))
            let events = TestServer.Event.list(try connection.answer().text)
            #expect(!events.contains { $0.type == "error" })
            #expect(events.contains { $0.type == "progress" && $0.data.contains("damaged") })
            #expect(events.last?.type == "completed")

            let id = try #require(accepted["data", "jobId"] as? String)
            let socket = try Connection(port: server.port)
            _ = try socket.upgrade("/ws/progress?jobId=\(id)&token=\(token)")
            var types: [String] = []
            while true {
                let (opcode, payload) = try socket.frame()
                if opcode == 8 { break }
                let message = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any]
                types.append(message?["type"] as? String ?? "")
            }
            #expect(!types.contains("error"))
            #expect(types.contains("batch-progress"))
            #expect(types.last == "job_complete")
        }
        await server.stop()
    }

    @Test func aNewDeviceWaitsForTheOwner() async throws {
        let server = try await TestServer()
        try await onOwnThreads {
            let owner = try server.makeOwner()
            func upload() throws -> Answer {
                try server.scan(
                    ["books:Dune"], headers: ["X-Device-ID": "phone"], path: "/v3/jobs/scans", part: "photos[]")
            }
            let waiting = try upload()
            #expect(waiting.status == 403)
            #expect(waiting.string("code") == "device_waiting")
            #expect(waiting["success"] as? Bool == false)
            let devices = try server.send("GET", "/api/v1/devices", headers: owner)
            let id = try #require(devices["0", "id"] as? String)
            #expect(devices["0", "deviceId"] as? String == "phone")
            _ = try server.send("PATCH", "/api/v1/devices/\(id)", headers: owner, json: #"{"state":"allowed"}"#)
            #expect(try upload().status == 202)
            _ = try server.send("PATCH", "/api/v1/devices/\(id)", headers: owner, json: #"{"state":"refused"}"#)
            #expect(try upload().string("code") == "not_allowed")
            #expect(
                try server.scan(["books:Dune"], path: "/v3/jobs/scans", part: "photos[]").string("code")
                    == "device_waiting")
        }
        await server.stop()
    }
}
