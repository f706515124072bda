import Fixtures
import Foundation
import Imaging
import Library
import ReadingFixtures
import ServerFixtures
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ShelfRouteTests {
    /// Creates a shelf and returns its ID.
    private static func makeShelf(_ server: TestServer) throws -> String {
        try #require(try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall"}"#).string("id"))
    }

    /// Reads a picture with a script, a minute before what follows, and returns the job.
    private static func read(
        _ script: String, _ server: TestServer, fields: [String: String] = [:]
    ) throws -> String {
        let answer = try server.send(
            "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
            body: Form.body(
                photos: [try ScriptedReader.picture(script)], fields: ["import": "false"].merging(fields) { $1 }))
        let job = try #require(answer.string("jobId"))
        _ = try server.events(of: job, token: "")
        server.clock.advance(by: .seconds(60))
        return job
    }

    private static func titles(_ answer: Answer, _ list: String) -> [String] {
        (answer[list] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
    }

    /// Returns the titles and states of the boards.
    private static func boards(_ answer: Answer) -> [[String]] {
        (answer["boards"] as? [[[String: Any]]] ?? []).map { board in
            board.map { spine in
                let title = (spine["entry"] as? [String: Any])?["title"] as? String ?? "?"
                return "\(title) \(spine["state"] as? String ?? "?")"
            }
        }
    }

    @Test("A shelf is shown in its order, with gaps that can be closed")
    func boards() async throws {
        try await withServer { server in
            let shelf = try Self.makeShelf(server)
            _ = try Self.read("books:Dune|Emma|Babel", server, fields: ["import": "true", "shelf": shelf])
            let path = "/api/v1/shelves/\(shelf)/spines"
            let first = try server.send("GET", path)
            #expect(Self.boards(first) == [["Dune present", "Emma present", "Babel present"]])
            let crop = try #require(first["boards", "0", "1", "cropUrl"] as? String)
            #expect(ImageFormat.sniff(try server.send("GET", crop).body) == .jpeg)
            #expect(try server.send("GET", crop).headers["cache-control"]?.contains("max-age=604800") == true)
            _ = try Self.read("books:Dune||Babel", server, fields: ["import": "true", "shelf": shelf])
            let second = try server.send("GET", path)
            #expect(Self.boards(second).first?.contains("Emma missing") == true, "\(second.text)")
            let emma = try #require(
                (second["boards", "0"] as? [[String: Any]])?.compactMap { $0["entry"] as? [String: Any] }
                    .first { $0["title"] as? String == "Emma" }?["id"] as? String)
            let found = try server.send(
                "POST", "/api/v1/shelves/\(shelf)/found", json: #"{"ids":["\#(emma)"]}"#)
            #expect(found["changed"] as? Int == 1)
            #expect(Self.boards(try server.send("GET", path)).first?.contains("Emma found") == true)
            #expect(try server.send("GET", "/api/v1/shelves/999/spines").status == 404)
            #expect(try server.send("POST", "/api/v1/shelves/\(shelf)/found", json: #"{"ids":[]}"#).status == 422)
            #expect(
                try server.send("POST", "/api/v1/shelves/\(shelf)/found", json: #"{"ids":["999"]}"#).status == 404)
        }
    }

    @Test("A scan that was not added is compared with its shelf and changes nothing")
    func inventory() async throws {
        try await withServer { server in
            let shelf = try Self.makeShelf(server)
            let first = try Self.read("books:Dune|Emma", server, fields: ["import": "true", "shelf": shelf])
            let path = "/api/v1/shelves/\(shelf)/inventory"
            let known = try server.send("POST", path, json: #"{"jobId":"\#(first)"}"#)
            #expect(known["isFirst"] as? Bool == true)
            #expect(Self.titles(known, "present") == ["Dune", "Emma"])
            #expect(Self.titles(known, "new") == [])
            let again = try Self.read("books:Dune|Ulysses", server)
            let compared = try server.send("POST", path, json: #"{"jobId":"\#(again)"}"#)
            #expect(Self.titles(compared, "present") == ["Dune"])
            #expect(Self.titles(compared, "missing") == ["Emma"])
            #expect(Self.titles(compared, "notAdded") == ["Ulysses"])
            #expect(compared["notAdded", "0", "bookId"] as? String == "1-book-2")
            let crop = try #require(compared["notAdded", "0", "cropUrl"] as? String)
            #expect(ImageFormat.sniff(try server.send("GET", crop).body) == .jpeg)
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 2)
            #expect(try server.send("POST", path, json: #"{"jobId":"nothing"}"#).string("field") == "jobId")
        }
    }

    @Test("All photos since a time are compared, whether they were added or not")
    func since() async throws {
        try await withServer { server in
            let shelf = try Self.makeShelf(server)
            let path = "/api/v1/shelves/\(shelf)/inventory"
            func compare(_ since: String) throws -> Answer {
                try server.send("POST", path, json: #"{"since":"\#(since)"}"#)
            }
            #expect(try compare("2020-01-01T00:00:00Z").string("code") == "not_possible")
            _ = try Self.read("books:Dune|Emma|Faust", server, fields: ["import": "true", "shelf": shelf])
            let other = try Self.read("books:Walden|Ulysses|Persuasion", server, fields: ["shelf": shelf])
            let both = try compare("2020-01-01T00:00:00Z")
            #expect(Self.titles(both, "missing") == [] && Self.titles(both, "present") == ["Dune", "Emma", "Faust"])
            #expect(Set(Self.titles(both, "notAdded")) == ["Walden", "Ulysses", "Persuasion"])
            #expect(both["notAdded", "0", "jobId"] as? String == other)
            _ = try Self.read("books:Dune|Faust", server, fields: ["shelf": shelf])
            #expect(Self.titles(try compare("2020-01-01T00:00:00Z"), "missing") == ["Emma"])
            #expect(try compare("2999-01-01T00:00:00Z").string("code") == "not_possible")
            #expect(try compare("yesterday").status == 400)
        }
    }

    @Test("A book that was found is not missing in the scan before, whether it was added or not")
    func foundSince() async throws {
        try await withServer { server in
            let shelf = try Self.makeShelf(server)
            let path = "/api/v1/shelves/\(shelf)/inventory"
            #expect(try server.send("POST", path, json: "{}").string("code") == "not_possible")
            _ = try Self.read("books:Dune|Emma", server, fields: ["import": "true", "shelf": shelf])
            let unadded = try Self.read("books:Dune|Ulysses", server)
            let added = try Self.read("books:Dune", server, fields: ["import": "true", "shelf": shelf])
            let bodies = [
                #"{"jobId":"\#(unadded)"}"#, #"{"jobId":"\#(added)"}"#, #"{"scans":["\#(added)"]}"#, "{}",
            ]
            for body in bodies {
                #expect(Self.titles(try server.send("POST", path, json: body), "missing") == ["Emma"], "\(body)")
            }
            let emma = try #require(try server.send("GET", "/api/v1/library?q=emma")["items", "0", "id"] as? String)
            let found = try server.send(
                "POST", "/api/v1/shelves/\(shelf)/found", json: #"{"ids":["\#(emma)"]}"#)
            for body in bodies {
                let compared = try server.send("POST", path, json: body)
                #expect(Self.titles(compared, "missing") == [], "\(body)")
                #expect(Set(Self.titles(compared, "present")) == ["Dune", "Emma"], "\(body)")
            }
            let token = try #require(found.string("undoToken"))
            _ = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(token)"}"#)
            for body in bodies {
                #expect(Self.titles(try server.send("POST", path, json: body), "missing") == ["Emma"], "\(body)")
            }
            let unknown = try server.send("POST", path, json: #"{"scans":["\#(added)","none"]}"#)
            #expect(unknown.status == 422 && unknown.string("field") == "scans")
            let many = try server.send(
                "POST", path, json: #"{"scans":[\#(Array(repeating: #""a""#, count: 101).joined(separator: ","))]}"#)
            #expect(many.status == 422 && many.string("field") == "scans")
        }
    }

    @Test("After review spines are shown from a shelf picture, and without one no URL is given")
    func shelfPicture() async throws {
        try await withServer { first in
            let shelf = try Self.makeShelf(first)
            _ = try Self.read("books:Dune", first, fields: ["import": "true", "shelf": shelf])
            let photos = first.folder.appending(path: "photos").path
            await first.stop()
            try await withServer(folder: first.folder) { second in
                try await eventually {
                    try FileManager.default.contentsOfDirectory(atPath: photos).map { $0.hasPrefix("shelf_picture_") }
                        == [true]
                }
                let id = try #require(try second.send("GET", "/api/v1/library")["items", "0", "id"] as? String)
                let position = try second.send("GET", "/api/v1/library/\(id)/position")
                let photo = try #require(position["position", "photoUrl"] as? String)
                #expect(ImageFormat.sniff(try second.send("GET", photo).body) == .jpeg)
                let crop = try #require(try second.send("GET", "/api/v1/library/\(id)").string("cropUrl"))
                #expect(ImageFormat.sniff(try second.send("GET", crop).body) == .jpeg)
                let settings = try second.send("GET", "/api/v1/settings")
                #expect(settings["keepShelfPictures"] as? Bool == true)
                #expect(settings["shelfPictures", "pictures"] as? Int == 1)
                let set = try second.send(
                    "PATCH", "/api/v1/settings", headers: ["If-Match": try #require(settings.headers["etag"])],
                    json: #"{"keepShelfPictures":false}"#)
                #expect(set["keepShelfPictures"] as? Bool == false)
                await second.stop()
            }
            try await withServer(folder: first.folder) { third in
                try await eventually { try FileManager.default.contentsOfDirectory(atPath: photos).isEmpty }
                let id = try #require(try third.send("GET", "/api/v1/library")["items", "0", "id"] as? String)
                let entry = try third.send("GET", "/api/v1/library/\(id)")
                #expect(entry["cropUrl"] is NSNull)
                #expect(entry["position", "photoUrl"] is NSNull)
                #expect(entry["position", "boundingBox", "width"] is Double, "the place is still known")
                let view = try third.send("GET", "/api/v1/shelves/\(shelf)/spines")
                #expect(view["boards", "0", "0", "cropUrl"] is NSNull)
                #expect(try third.send("GET", "/api/v1/shelves/\(shelf)/photos")["items", "0", "url"] is NSNull)
            }
        }
    }

    @Test("A moved outline changes the URL of the spine everywhere")
    func movedOutline() async throws {
        try await withServer { server in
            let job = try Self.read("books:Dune|Emma", server, fields: ["import": "true"])
            let result = "/api/v1/scans/\(job)/books/1-book-2/crop"
            let crop = try server.send("GET", result)
            let queue = try server.send("GET", "/api/v1/review")
            let item = try #require(queue["items", "0", "id"] as? String)
            let entry = try #require(queue["items", "0", "entryId"] as? String)
            let before = try #require(queue["items", "0", "cropUrl"] as? String)
            #expect(try server.send("GET", "/api/v1/library/\(entry)").string("cropUrl") == before)
            let quad = "[[0.3,0.1],[0.5,0.1],[0.4,0.9],[0.2,0.9]]"
            let moved = try server.send(
                "PUT", "/api/v1/detections/\(item)/box",
                headers: ["If-Match": try #require(queue["items", "0", "etag"] as? String)], json: #"{"quad":\#(quad)}"#
            )
            #expect(moved["quad"] as? [[Double]] == [[0.3, 0.1], [0.5, 0.1], [0.4, 0.9], [0.2, 0.9]])
            let after = try #require(moved.string("cropUrl"))
            #expect(after != before)
            #expect(try server.send("GET", "/api/v1/library/\(entry)").string("cropUrl") == after)
            #expect(try server.send("GET", "/api/v1/review")["items", "0", "cropUrl"] as? String == after)
            let tag = try #require(crop.headers["etag"])
            #expect(crop.headers["cache-control"]?.contains("max-age=0") == true)
            #expect(try server.send("GET", result, headers: ["If-None-Match": tag]).status == 200, "another picture")
        }
    }
}
