import Bibliography
import Foundation
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ScanRouteTests {
    @Test("Photos with one name, as iPhones call all of them, are different photos")
    func sameName() async throws {
        try await withServer { server in
            let photos = ["books:Emma", "books:Dune"].map { ScriptedReader.bytes($0) }
            let id = try server.finish(server.scan(photos: photos, name: "image.jpg"))
            let books = try server.results(of: id).books
            #expect(Set(books.map(\.title)) == ["Emma", "Dune"])
            #expect(Set(books.map(\.photo)) == [1, 2])
        }
    }

    @Test("A photo is accepted and its events are streamed to the end")
    func streamsEvents() async throws {
        try await withServer { server in
            let answer = try server.scan(["books:Dune|Emma"], fields: ["threshold": "0.3"])
            let accepted = try answer.decode(ScanAccepted.self, status: 202)
            let (id, token) = (accepted.jobId, accepted.token)
            #expect(answer.headers["location"] == "/api/v1/scans/\(id)")
            #expect(accepted.job.status == .queued)

            let events = try server.events(of: id, token: token)
            #expect(events.compactMap(\.id) == Array(1...events.count))
            #expect(events.first?.type == "progress")
            #expect(events.last?.type == "completed")
            #expect(events.filter { $0.type == "result" }.count == 2)
            // A resumed stream neither misses nor repeats events.
            let rest = try server.events(of: id, token: token, lastEventID: 5)
            #expect(rest == Array(events.dropFirst(5)))
            let page: EventPage<JobEvent> = try server.get("/api/v1/scans/\(id)/events?after=5&token=\(token)")
            #expect(page.events.map(\.id) == rest.compactMap(\.id))
            #expect(page.done)

            let results = try server.send("GET", "/api/v1/scans/\(id)/results")
            let found = try results.decode(ScanResults.self)
            #expect(found.summary.books == 2)
            #expect(found.books.map(\.title) == ["Dune", "Emma"])
            #expect(found.books.last?.reviewStatus == .verified)
            #expect(results["photos", "0", "path"] as? String == "shelf0.jpg")
        }
    }

    @Test("A batch is uploaded photo by photo")
    func uploadsBatch() async throws {
        try await withServer { server in
            func begin(status: Int) throws -> ScanAccepted {
                try server.scan([], fields: ["expected": "2"], headers: ["Idempotency-Key": "press-1"])
                    .decode(status: status)
            }
            let accepted = try begin(status: 202)
            #expect(try begin(status: 200).jobId == accepted.jobId, "a repeated request returns the same job")
            let (id, token) = (accepted.jobId, accepted.token)
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
            #expect(try put(1, "books:Emma").decode(ScanPhoto.self).photo.name == "ab.jpg")
            let events = try server.events(of: id, token: token)
            #expect(events.last?.type == "completed")
            #expect(events.filter { $0.type == "result" }.count == 2)
        }
    }

    @Test("Canceling twice returns the same response")
    func cancelsTwice() async throws {
        try await withServer { server in
            let id = try server.scan(["books:Dune", "wait:Emma"]).decode(ScanAccepted.self).jobId
            try await Self.waitUntilReading(photo: 2, of: id, server)
            let kept = try server.send("DELETE", "/api/v1/scans/\(id)?keep=results")
                .decode(ScanResults.self, status: 200)
            #expect(kept.books.first?.title == "Dune")
            #expect(try server.status(of: id).status == .canceled)
            #expect(try server.send("DELETE", "/api/v1/scans/\(id)").status == 204)
            #expect(try server.send("DELETE", "/api/v1/scans/\(id)").status == 204)
            server.reader.release()
        }
    }

    /// - Parameter number: from 1.
    static func waitUntilReading(photo number: Int, of id: String, _ server: TestServer) async throws {
        try await eventually {
            try server.status(of: id).photos.contains { $0.photo.index == number && $0.photo.status == .reading }
        }
    }

    @Test("Books scanned to a deleted shelf are imported without a shelf")
    func deletedShelf() async throws {
        try await withServer { server in
            let wrong = try server.scan(["books:Dune"], fields: ["import": "true", "shelf": "Hall"])
            #expect(wrong.status == 422)
            #expect(wrong.problem?.field == "shelf")
            let shelf = try server.addShelf().id
            #expect(try server.send("DELETE", "/api/v1/shelves/\(shelf)").status == 200)
            let accepted = try server.scan(["books:Dune"], fields: ["import": "true", "shelf": shelf])
                .decode(ScanAccepted.self)
            let events = try server.events(of: accepted.jobId, token: accepted.token)
            #expect(events.contains { $0.type == "imported" })
            let list = try server.send("GET", "/api/v1/library")
            #expect(list["items", "0", "title"] as? String == "Dune")
            #expect(list["items", "0", "shelf"] is NSNull)
        }
    }

    @Test("The original photo is served at once, and the annotated one after reading")
    func showsOriginalPhoto() async throws {
        try await withServer { server in
            let id = try server.finish(server.scan(["fail"]))
            let photo = try server.send("GET", "/api/v1/scans/\(id)/photos/1")
            #expect(photo.body == ScriptedReader.bytes("fail"))
            #expect(photo.headers["content-security-policy"]?.contains("sandbox") == true)
            let tag = try #require(photo.headers["etag"])
            let again = try server.send("GET", "/api/v1/scans/\(id)/photos/1", headers: ["If-None-Match": tag])
            #expect(again.status == 304)
            let annotated = try server.send("GET", "/api/v1/scans/\(id)/photos/1/annotated")
            #expect(annotated.status == 409)
            #expect(annotated.problem?.code == "not_ready")
            let job = try server.status(of: id)
            #expect(job.status == .failed)
            #expect(job.photos.first?.photo.problem?.code == "image_damaged")
        }
    }
}
