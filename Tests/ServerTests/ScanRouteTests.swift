import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ScanRouteTests {
    @Test("Photos with one name, as iPhones call all of them, are different photos")
    func sameName() async throws {
        try await withServer { server in
            let photos = ["books:Emma", "books:Dune"].map { ScriptedReader.bytes($0) }
            let answer = try server.send(
                "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: photos, fields: ["import": "false"], name: "image.jpg"))
            let id = try #require(answer.string("jobId"))
            try await eventually { try server.send("GET", "/api/v1/scans/\(id)").string("status") == "completed" }
            let results = try server.send("GET", "/api/v1/scans/\(id)/results")
            let books = try #require(results["books"] as? [[String: Any]])
            #expect(Set(books.compactMap { $0["title"] as? String }) == ["Emma", "Dune"])
            #expect(Set(books.compactMap { $0["photo"] as? Int }) == [1, 2])
        }
    }

    @Test("A photo is accepted and its events are streamed to the end")
    func streamsEvents() async throws {
        try await withServer { server in
            let accepted = try server.scan(["books:Dune|Emma"], fields: ["threshold": "0.3"])
            #expect(accepted.status == 202)
            let id = try #require(accepted.string("jobId"))
            let token = try #require(accepted.string("token"))
            #expect(accepted.headers["location"] == "/api/v1/scans/\(id)")
            #expect(accepted["job", "status"] as? String == "queued")

            let events = try server.events(of: id, token: token)
            #expect(events.compactMap(\.id) == Array(1...events.count))
            #expect(events.first?.type == "progress")
            #expect(events.last?.type == "completed")
            #expect(events.filter { $0.type == "result" }.count == 2)
            // A resumed stream neither misses nor repeats events.
            let rest = try server.events(of: id, token: token, lastEventID: 5)
            #expect(rest == Array(events.dropFirst(5)))
            let page = try server.send("GET", "/api/v1/scans/\(id)/events?after=5&token=\(token)")
            #expect((page["events"] as? [Any])?.count == rest.count)
            #expect(page["done"] as? Bool == true)

            let results = try server.send("GET", "/api/v1/scans/\(id)/results")
            #expect(results["summary", "books"] as? Int == 2)
            #expect(results["books", "0", "title"] as? String == "Dune")
            #expect(results["books", "1", "reviewStatus"] as? String == "verified")
            #expect(results["photos", "0", "path"] as? String == "shelf0.jpg")
        }
    }

    @Test("A repeated request returns the same job")
    func repeatedRequest() async throws {
        try await withServer { server in
            let first = try server.scan(["books:Dune"], headers: ["Idempotency-Key": "press-1"])
            let again = try server.scan(["books:Dune"], headers: ["Idempotency-Key": "press-1"])
            #expect(first.status == 202)
            #expect(again.status == 200)
            #expect(first.string("jobId") == again.string("jobId"))
        }
    }

    @Test("A batch is uploaded photo by photo")
    func uploadsBatch() async throws {
        try await withServer { server in
            let accepted = try server.scan([], fields: ["expected": "2"])
            let id = try #require(accepted.string("jobId"))
            let token = try #require(accepted.string("token"))
            func put(_ number: Int, _ script: String) throws -> Answer {
                try server.send(
                    "PUT", "/api/v1/scans/\(id)/photos/\(number)",
                    headers: ["X-File-Name": "..%2Fa%00b.jpg", "Authorization": "Bearer \(token)"],
                    body: ScriptedReader.bytes(script))
            }
            #expect(try put(2, "books:Dune").status == 202)
            #expect(try put(2, "books:Dune").status == 200)
            #expect(try put(2, "books:Emma").status == 409)
            #expect(try put(3, "books:Emma").status == 409)
            #expect(try put(6, "books:Emma").status == 404)
            let photo = try put(1, "books:Emma")
            #expect(photo.string("name") == "ab.jpg")
            let events = try server.events(of: id, token: token)
            #expect(events.last?.type == "completed")
            #expect(events.filter { $0.type == "result" }.count == 2)
        }
    }

    @Test("Canceling twice returns the same response")
    func cancelsTwice() async throws {
        try await withServer { server in
            let accepted = try server.scan(["books:Dune", "wait:Emma"])
            let id = try #require(accepted.string("jobId"))
            try await Self.waitForStatus("reading", photo: 1, of: id, server)
            let kept = try server.send("DELETE", "/api/v1/scans/\(id)?keep=results")
            #expect(kept.status == 200)
            #expect(kept["books", "0", "title"] as? String == "Dune")
            #expect(try server.send("GET", "/api/v1/scans/\(id)").string("status") == "canceled")
            #expect(try server.send("DELETE", "/api/v1/scans/\(id)").status == 204)
            #expect(try server.send("DELETE", "/api/v1/scans/\(id)").status == 204)
            server.reader.release()
        }
    }

    static func waitForStatus(_ status: String, photo: Int, of id: String, _ server: TestServer) async throws {
        try await eventually {
            try server.send("GET", "/api/v1/scans/\(id)")["photos", "\(photo)", "status"] as? String == status
        }
    }

    @Test("Books scanned to a deleted shelf are imported without a shelf")
    func deletedShelf() async throws {
        try await withServer { server in
            let wrong = try server.scan(["books:Dune"], fields: ["import": "true", "shelf": "Hall"])
            #expect(wrong.status == 422)
            #expect(wrong.string("field") == "shelf")
            let shelf = try #require(try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall"}"#).string("id"))
            #expect(try server.send("DELETE", "/api/v1/shelves/\(shelf)").status == 200)
            let id = try #require(
                try server.scan(["books:Dune"], fields: ["import": "true", "shelf": shelf]).string("jobId"))
            let events = try server.events(of: id, token: "")
            #expect(events.contains { $0.type == "imported" })
            let list = try server.send("GET", "/api/v1/library")
            #expect(list["items", "0", "title"] as? String == "Dune")
            #expect(list["items", "0", "shelf"] is NSNull)
        }
    }

    @Test("A job resumes on a new server with the same folder")
    func resumesAfterRestart() async throws {
        try await withServer { first in
            let id = try #require(try first.scan(["wait:Emma"], fields: ["import": "true"]).string("jobId"))
            try await Self.waitForStatus("reading", photo: 0, of: id, first)
            first.reader.release()
            await first.stop()
            try await withServer(folder: first.folder) { second in
                second.reader.release()
                let events = try second.events(of: id, token: "")
                #expect(events.last?.type == "completed")
                let entries = try second.send("GET", "/api/v1/library")
                #expect(entries["total"] as? Int == 1)
                #expect(entries["items", "0", "title"] as? String == "Emma")
            }
        }
    }

    @Test("The original photo is served at once, and the annotated one after reading")
    func showsOriginalPhoto() async throws {
        try await withServer { server in
            let id = try #require(try server.scan(["fail"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            let photo = try server.send("GET", "/api/v1/scans/\(id)/photos/1")
            #expect(photo.body == ScriptedReader.bytes("fail"))
            #expect(photo.headers["content-security-policy"]?.contains("sandbox") == true)
            let tag = try #require(photo.headers["etag"])
            let again = try server.send("GET", "/api/v1/scans/\(id)/photos/1", headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            let annotated = try server.send("GET", "/api/v1/scans/\(id)/photos/1/annotated")
            #expect(annotated.status == 409)
            #expect(annotated.string("code") == "not_ready")
            let job = try server.send("GET", "/api/v1/scans/\(id)")
            #expect(job.string("status") == "failed")
            #expect(job["photos", "0", "problem", "code"] as? String == "image_damaged")
        }
    }
}
