import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct LibraryRouteTests {
    /// Runs `body` with a server whose library has a scanned book with high and one with low confidence.
    private static func withScannedLibrary(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            let id = try #require(
                try server.scan(["books:Dune|Emma"], fields: ["import": "true"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            try await body(server)
        }
    }

    @Test("A book with low confidence is reviewed and the review undone")
    func reviewsAndUndoes() async throws {
        try await Self.withScannedLibrary { server in
            let queue = try server.send("GET", "/api/v1/review")
            #expect(queue["total"] as? Int == 1)
            #expect(queue["items", "0", "title"] as? String == "Emma")
            #expect(queue["items", "0", "tier"] as? String == "needsReview")
            let listed = try server.send("GET", "/api/v1/library")["items"] as? [[String: Any]] ?? []
            #expect(listed.first { $0["title"] as? String == "Emma" }?["confidence"] as? Double != nil)
            #expect(listed.first { $0["title"] as? String == "Dune" }?["confidence"] == nil)
            let id = try #require(queue["items", "0", "id"] as? String)
            let tag = try #require(queue["items", "0", "etag"] as? String)
            let path = "/api/v1/detections/\(id)/correct"
            let json = #"{"title":"Emma","authors":["Jane Austen"]}"#
            #expect(try server.send("POST", path, json: json).status == 428)
            #expect(try server.send("POST", path, headers: ["If-Match": "\"r99\""], json: json).status == 409)
            let corrected = try server.send("POST", path, headers: ["If-Match": tag], json: json)
            #expect(corrected.status == 200)
            #expect(corrected["remaining"] as? Int == 0)
            #expect(try server.send("POST", path, headers: ["If-Match": tag], json: json).status == 409)
            let undo = try #require(corrected.string("undoToken"))
            let undone = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(undo)"}"#)
            #expect(undone["remaining"] as? Int == 1)
            #expect(try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(undo)"}"#).status == 409)
            let all = try server.send("POST", "/api/v1/review/verify-all", json: #"{"tier":"needsReview"}"#)
            #expect(all["changed"] as? Int == 1)
            let counts = try server.send("GET", "/api/v1/review/counts")
            #expect(counts["total"] as? Int == 0)
            #expect(counts["notChecked"] as? Int == 0)
        }
    }

    @Test("The version changes with every change of the library, and only then")
    func version() async throws {
        try await withServer { server in
            func version() throws -> String {
                try #require(try server.send("GET", "/api/v1/changes").string("version"))
            }
            let empty = try version()
            #expect(try version() == empty)
            let book = #"{"title":"Emma","authors":["Jane Austen"]}"#
            let id = try #require(try server.send("POST", "/api/v1/library", json: book).string("id"))
            let added = try version()
            let tag = try #require(try server.send("GET", "/api/v1/library/\(id)").headers["etag"])
            let path = "/api/v1/library/\(id)"
            #expect(try server.send("PATCH", path, headers: ["If-Match": tag], json: #"{"rating":4}"#).status == 200)
            let rated = try version()
            #expect(try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall"}"#).status == 201)
            let shelved = try version()
            #expect(try server.send("DELETE", path).status == 200)
            #expect(Set([empty, added, rated, shelved, try version()]).count == 5)
        }
    }

    @Test("A copy that no photo shows has neither shelf nor position")
    func noPosition() async throws {
        try await withServer { server in
            let id = try #require(try server.send("POST", "/api/v1/library", json: #"{"title":"Emma"}"#).string("id"))
            let place = try server.send("GET", "/api/v1/library/\(id)/position")
            #expect(place.text == #"{"position":null,"shelf":null}"#)
        }
    }

    @Test("Adding a book asks about a copy in another edition")
    func otherEdition() async throws {
        try await withServer { server in
            let path = "/api/v1/library"
            let book = #"{"title":"Emma","authors":["Jane Austen"],"isbn":"9780141439587"}"#
            #expect(try server.send("POST", path, json: book).status == 201)
            let other = #"{"title":"Emma","authors":["Austen, Jane"],"isbn":"9780199535521"}"#
            let asked = try server.send("POST", path, json: other)
            #expect(asked["existing", "0", "title"] as? String == "Emma")
            #expect(try server.send("GET", path)["total"] as? Int == 1)
        }
    }

    @Test("A copy can be of another edition of its work, and only of that")
    func changeEdition() async throws {
        try await withServer { server in
            func add(_ title: String, _ isbn: String) throws -> String {
                let json = #"{"title":"\#(title)","authors":["Jane Austen"],"isbn":"\#(isbn)","duplicates":"addCopy"}"#
                return try #require(try server.send("POST", "/api/v1/library", json: json).string("id"))
            }
            let first = try add("Emma", "9780141439587"), second = try add("Emma", "9780199535521")
            let other = try add("Persuasion", "9780141439686")
            let questions = try server.send("GET", "/api/v1/duplicates")
            let question = try #require(questions["items", "0", "id"] as? String)
            let decision = #"{"ids":["\#(question)"],"decision":"addCopy"}"#
            #expect(try server.send("POST", "/api/v1/duplicates/decide", json: decision).status == 200)
            func edition(_ id: String) throws -> String {
                try #require(try server.send("GET", "/api/v1/library/\(id)").string("editionId"))
            }
            func change(_ id: String, to edition: String) throws -> Answer {
                let path = "/api/v1/library/\(id)"
                return try server.send(
                    "PATCH", path, headers: ["If-Match": "*"], json: #"{"editionId":"\#(edition)"}"#)
            }
            let before = try edition(first), wanted = try edition(second)
            let changed = try change(first, to: wanted)
            #expect(changed.string("editionId") == wanted)
            #expect(changed.string("isbn") == "9780199535521")
            let undo = try #require(changed.string("undoToken"))
            #expect(try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(undo)"}"#).status == 200)
            #expect(try edition(first) == before)
            #expect(try change(first, to: try edition(other)).string("code") == "invalid_field")
            #expect(try change(first, to: "999999").status == 404)
        }
    }

    @Test("A book that is added as lent has a borrower, or none is known")
    func addLent() async throws {
        try await withServer { server in
            let refused = try server.send("POST", "/api/v1/library", json: #"{"title":"Emma","loan":{"to":" "}}"#)
            #expect(refused.string("field") == "to")
            let lent = try server.send("POST", "/api/v1/library", json: #"{"title":"Emma","ownership":"lent"}"#)
            #expect(lent.string("ownership") == "lent")
            #expect(lent["loan"] is NSNull?)
        }
    }

    @Test("Books that were not checked are approved together and undone together")
    func notChecked() async throws {
        try await withServer { server in
            let id = try #require(
                try server.scan(["books:Dune?|Emma?|Babel?"], fields: ["import": "true"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            let results = try server.send("GET", "/api/v1/scans/\(id)/results")
            #expect(results["summary", "notChecked"] as? Int == 3)
            #expect(results["summary", "ready"] as? Int == 0)
            #expect(results["books", "0", "checked"] as? Bool == false)
            let queue = try server.send("GET", "/api/v1/review?tier=notChecked")
            #expect(queue["total"] as? Int == 3)
            #expect(queue["counts", "notChecked"] as? Int == 3)
            #expect(queue["items", "0", "tier"] as? String == "notChecked")
            let entry = try #require(queue["items", "0", "entryId"] as? String)
            #expect(try server.send("GET", "/api/v1/library/\(entry)")["checked"] as? Bool == false)
            let ids = try (0..<2).map { try #require(queue["items", "\($0)", "id"] as? String) }
            let json = #"{"ids":["\#(ids[0])","\#(ids[1])"]}"#
            let done = try server.send("POST", "/api/v1/review/verify-all", json: json)
            #expect(done["changed"] as? Int == 2)
            #expect(done["remaining"] as? Int == 1)
            let undo = try #require(done.string("undoToken"))
            let undone = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(undo)"}"#)
            #expect(undone["changed"] as? Int == 2)
            #expect(undone["remaining"] as? Int == 3)
            let all = try server.send("POST", "/api/v1/review/verify-all", json: #"{"tier":"notChecked"}"#)
            #expect(all["changed"] as? Int == 3)
        }
    }

    @Test("Photos whose books are all reviewed are deleted at the next start")
    func deletesReviewedPhotos() async throws {
        try await Self.withScannedLibrary { first in
            let all = try first.send("POST", "/api/v1/review/verify-all", json: #"{"tier":"needsReview"}"#)
            #expect(all["changed"] as? Int == 1)
            await first.stop()
            let photos = first.folder.appending(path: "photos").path
            #expect(try FileManager.default.contentsOfDirectory(atPath: photos).count == 1)
            try await withServer(folder: first.folder) { second in
                try await eventually { try FileManager.default.contentsOfDirectory(atPath: photos).isEmpty }
                let list = try second.send("GET", "/api/v1/library")
                #expect(list["total"] as? Int == 2, "the books are kept")
            }
        }
    }

    @Test("An edit requires the latest version of the entry")
    func requiresLatestVersion() async throws {
        try await Self.withScannedLibrary { server in
            let list = try server.send("GET", "/api/v1/library?q=dune")
            #expect(list["total"] as? Int == 1)
            let id = try #require(list["items", "0", "id"] as? String)
            let entry = try server.send("GET", "/api/v1/library/\(id)")
            let tag = try #require(entry.headers["etag"])
            let path = "/api/v1/library/\(id)"
            #expect(try server.send("PATCH", path, json: "{}").status == 428)
            let changed = try server.send(
                "PATCH", path, headers: ["If-Match": tag],
                json: #"{"readingStatus":"toRead","rating":4.5,"tags":["desert"],"notes":"Worm."}"#)
            #expect(changed.status == 200)
            #expect(changed.string("readingStatus") == "toRead")
            #expect(changed["rating"] as? Double == 4.5)
            let late = try server.send("PATCH", path, headers: ["If-Match": tag], json: #"{"notes":"Mine."}"#)
            #expect(late.status == 409)
            #expect(late.string("code") == "edit_conflict")
            let cleared = try server.send(
                "PATCH", path, headers: ["If-Match": try #require(changed.headers["etag"])], json: #"{"rating":null}"#)
            #expect(cleared["rating"] is NSNull)
            #expect(cleared.string("notes") == "Worm.")
            let lent = try server.send("PUT", path + "/loan", json: #"{"to":"Bea"}"#)
            #expect(lent["loan", "to"] as? String == "Bea")
            #expect(try server.send("DELETE", path + "/loan").string("ownership") == "owned")
            let gone = try server.send("DELETE", path)
            #expect(try server.send("GET", path).status == 404)
            let undo = try #require(gone.string("undoToken"))
            _ = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(undo)"}"#)
            #expect(try server.send("GET", "/api/v1/library?q=dune")["total"] as? Int == 1)
        }
    }

    @Test("Adding an existing book asks for a decision")
    func asksAboutDuplicates() async throws {
        try await withServer { server in
            let json = #"{"title":"Babel","authors":["R. F. Kuang"],"isbn":"9780063021426"}"#
            let added = try server.send("POST", "/api/v1/library", json: json)
            #expect(added.status == 201)
            #expect(added.string("isbn") == "9780063021426")
            let asked = try server.send("POST", "/api/v1/library", json: json)
            #expect(asked.status == 200)
            #expect(asked["existing", "0", "title"] as? String == "Babel")
            let copy = try server.send(
                "POST", "/api/v1/library",
                json: json.replacing("{", with: #"{"duplicates":"addCopy","#, maxReplacements: 1))
            #expect(copy.status == 201)
            let wrong = try server.send("POST", "/api/v1/library", json: #"{"title":"X","isbn":"123"}"#)
            #expect(wrong.status == 422)
            #expect(wrong.string("field") == "isbn")
            #expect(try server.send("POST", "/api/v1/library", json: "{").status == 400)
        }
    }

    @Test("Selected books are imported once, and duplicates need a decision")
    func importsOnce() async throws {
        try await withServer { server in
            _ = try server.send("POST", "/api/v1/library", json: #"{"title":"Dune","authors":["Writer"]}"#)
            let id = try #require(try server.scan(["books:Dune|Emma"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            let path = "/api/v1/scans/\(id)/import"
            let first = try server.send("POST", path, json: "{}")
            #expect((first["imported"] as? [Any])?.count == 1)
            #expect((first["duplicates"] as? [Any])?.count == 1)
            #expect(first["duplicates", "0", "bookId"] as? String == "1-book-1")
            let again = try server.send("POST", path, json: "{}")
            #expect((again["imported"] as? [Any])?.count == 1)
            let activity = try server.send("GET", "/api/v1/activity").text
            #expect(activity.components(separatedBy: "bookshelf_scan_completed").count == 2, "recorded once")
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 2)
            let decided = try server.send("POST", path, json: #"{"books":["1-book-1"],"duplicates":"addCopy"}"#)
            #expect((decided["duplicates"] as? [Any])?.count == 0)
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 3)
            #expect(try server.send("POST", path, json: #"{"books":["9-x"]}"#).status == 422)
            #expect(try server.send("POST", path, json: #"{"shelf":"99"}"#).string("field") == "shelf")
        }
    }

    @Test("A spine whose box was moved is read again")
    func rereads() async throws {
        try await withServer { server in
            let photo = try ScriptedReader.picture("books:Dune|Emma")
            let scan = try server.send(
                "POST", "/api/v1/scans", headers: ["Content-Type": Form.contentType],
                body: Form.body(photos: [photo], fields: ["import": "true"]))
            _ = try server.events(of: try #require(scan.string("jobId")), token: "")
            let item = try #require(try server.send("GET", "/api/v1/review")["items", "0", "id"] as? String)
            let shown = try server.send("GET", "/api/v1/detections/\(item)")
            let moved = try server.send(
                "PUT", "/api/v1/detections/\(item)/box", headers: ["If-Match": try #require(shown.headers["etag"])],
                json: #"{"boundingBox":{"x":0.3,"y":0.1,"width":0.2,"height":0.8}}"#)
            #expect(moved.status == 200)
            #expect(shown.text.contains("Emma") && moved.text.contains("Reread"))
        }
    }

    @Test("Shelves, settings and statistics are served")
    func shelvesAndSettings() async throws {
        try await Self.withScannedLibrary { server in
            let shelf = try server.send("POST", "/api/v1/shelves", json: #"{"name":"Hall"}"#)
            let id = try #require(shelf.string("id"))
            let renamed = try server.send(
                "PATCH", "/api/v1/shelves/\(id)", headers: ["If-Match": try #require(shelf.headers["etag"])],
                json: #"{"name":"Study"}"#)
            #expect(renamed.string("name") == "Study")
            let ids = try #require(
                try server.send("GET", "/api/v1/library")["items"] as? [[String: Any]]
            ).compactMap { $0["id"] as? String }
            let moved = try server.send(
                "POST", "/api/v1/library/bulk",
                json: #"{"ids":["\#(ids.joined(separator: #"",""#))"],"shelf":"\#(id)","addTags":["new"]}"#)
            #expect(moved["changed"] as? Int == 2)
            let tagged = try server.send("GET", "/api/v1/library?shelf=\(id)&tag=new")
            #expect(tagged["total"] as? Int == 2)
            #expect(tagged["items", "0", "tags"] as? [String] == ["new"])
            let page = try server.send("GET", "/api/v1/library?limit=1")
            let next = try #require(page.string("nextCursor"))
            #expect(try server.send("GET", "/api/v1/library?limit=1&cursor=\(next)")["nextCursor"] is NSNull)
            #expect(try server.send("GET", "/api/v1/library?cursor=x").status == 400)

            // Deleted entries are skipped.
            let gone = #"{"ids":["\#(ids[0])","999999","\#(ids[1])"],"addTags":["late"]}"#
            #expect(try server.send("POST", "/api/v1/library/bulk", json: gone)["changed"] as? Int == 2)
            let missing = #"{"ids":["999999"],"delete":true}"#
            #expect(try server.send("POST", "/api/v1/library/bulk", json: missing).status == 404)

            let settings = try server.send("GET", "/api/v1/settings")
            #expect(settings["threshold"] as? Double == 0.6)
            let tag = try #require(settings.headers["etag"])
            let set = try server.send(
                "PATCH", "/api/v1/settings", headers: ["If-Match": tag], json: #"{"threshold":0.7}"#)
            #expect(set["threshold"] as? Double == 0.7)
            let wrong = try server.send(
                "PATCH", "/api/v1/settings", headers: ["If-Match": try #require(set.headers["etag"])],
                json: #"{"threshold":0.2}"#)
            #expect(wrong.status == 422)
            #expect(try server.send("GET", "/api/v1/stats")["entries"] as? Int == 2)
            #expect(try server.send("GET", "/api/v1/stats/review").status == 200)
            #expect(try server.send("GET", "/api/v1/activity").status == 200)
            #expect(try server.send("GET", "/health").string("status") == "ok")
            #expect(try server.send("GET", "/ready").status == 200)
            let metrics = try server.send("GET", "/metrics").text
            #expect(metrics.contains("shelflist_photos_total{outcome=\"read\"} 1.0"))
        }
    }
}
