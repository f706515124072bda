import Bibliography
import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct LibraryRouteTests {
    /// Runs `body` with a server whose library has a scanned book with high and one with low confidence.
    private static func withScannedLibrary(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        try await withServer { server in
            _ = try server.finish(server.scan(["books:Dune|Emma"], fields: ["import": "true"]))
            try await body(server)
        }
    }

    private static func verifyAll(_ json: String, on server: TestServer) throws -> ActionOutcome {
        try server.send("POST", "/api/v1/review/verify-all", json: json).decode()
    }

    @Test("A book with low confidence is reviewed and the review undone")
    func reviewsAndUndoes() async throws {
        try await Self.withScannedLibrary { server in
            let queue = try server.reviewQueue()
            #expect(queue.total == 1)
            let item = try #require(queue.items.first)
            #expect(item.title == "Emma")
            #expect(item.tier == .needsReview)
            let listed = try server.books().items
            #expect(listed.first { $0.title == "Emma" }?.confidence != nil)
            #expect(try #require(listed.first { $0.title == "Dune" }).confidence == nil)
            let path = "/api/v1/detections/\(item.id)/correct"
            let json = #"{"title":"Emma","authors":["Jane Austen"]}"#
            #expect(try server.send("POST", path, json: json).status == 428)
            #expect(try server.send("POST", path, headers: ["If-Match": "\"r99\""], json: json).status == 409)
            let outcome = try server.send("POST", path, headers: ["If-Match": item.etag], json: json)
                .decode(ActionOutcome.self, status: 200)
            #expect(outcome.remaining == 0)
            #expect(try server.send("POST", path, headers: ["If-Match": item.etag], json: json).status == 409)
            #expect(try server.undo(outcome.undoToken).decode(ActionOutcome.self).remaining == 1)
            #expect(try server.undo(outcome.undoToken).status == 409)
            #expect(try Self.verifyAll(#"{"tier":"needsReview"}"#, on: server).changed == 1)
            let counts = try server.reviewCounts()
            #expect(counts.total == 0)
            #expect(counts.notChecked == 0)
        }
    }

    @Test("The version changes with every change of the library, and only then")
    func version() async throws {
        try await withServer { server in
            func version() throws -> String { try server.get("/api/v1/changes", as: LibraryVersion.self).version }
            let empty = try version()
            #expect(try version() == empty)
            let id = try server.addBook(#"{"title":"Emma","authors":["Jane Austen"]}"#).id
            let added = try version()
            let path = "/api/v1/library/\(id)"
            let tag = try #require(try server.send("GET", path).headers["etag"])
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
            let id = try server.addBook(#"{"title":"Emma"}"#).id
            let place = try server.send("GET", "/api/v1/library/\(id)/position")
            #expect(place.text == #"{"position":null,"shelf":null}"#)
        }
    }

    @Test("A copy can be of another edition of its work, and only of that")
    func changeEdition() async throws {
        try await withServer { server in
            func add(_ title: String, _ isbn: String) throws -> String {
                try server.addBook(
                    #"{"title":"\#(title)","authors":["Jane Austen"],"isbn":"\#(isbn)","duplicates":"addCopy"}"#
                ).id
            }
            let first = try add("Emma", "9780141439587"), second = try add("Emma", "9780199535521")
            let other = try add("Persuasion", "9780141439686")
            _ = try server.decide(try #require(try server.duplicates().items.first), .addCopy)
            func edition(_ id: String) throws -> String { try #require(try server.book(id).editionId) }
            func change(_ id: String, to edition: String) throws -> Answer {
                let path = "/api/v1/library/\(id)"
                return try server.send(
                    "PATCH", path, headers: ["If-Match": "*"], json: #"{"editionId":"\#(edition)"}"#)
            }
            let before = try edition(first), wanted = try edition(second)
            let changed = try change(first, to: wanted).decode(LibraryBook.self)
            #expect(changed.editionId == wanted)
            #expect(changed.isbn == "9780199535521")
            #expect(try server.undo(changed.undoToken).status == 200)
            #expect(try edition(first) == before)
            #expect(try change(first, to: try edition(other)).problem?.code == "invalid_field")
            #expect(try change(first, to: "999999").status == 404)
        }
    }

    @Test("A book that is added as lent has a borrower, or none is known")
    func addLent() async throws {
        try await withServer { server in
            let refused = try server.send("POST", "/api/v1/library", json: #"{"title":"Emma","loan":{"to":" "}}"#)
            #expect(refused.problem?.field == "to")
            let lent = try server.addBook(#"{"title":"Emma","ownership":"lent"}"#)
            #expect(lent.ownership == .lent)
            #expect(lent.loan == nil)
        }
    }

    @Test("An edit requires the latest version of the entry")
    func requiresLatestVersion() async throws {
        try await Self.withScannedLibrary { server in
            let list = try server.books("?q=dune")
            #expect(list.total == 1)
            let path = "/api/v1/library/\(try #require(list.items.first).id)"
            let tag = try #require(try server.send("GET", path).headers["etag"])
            #expect(try server.send("PATCH", path, json: "{}").status == 428)
            let changed = try server.send(
                "PATCH", path, headers: ["If-Match": tag],
                json: #"{"readingStatus":"toRead","rating":4.5,"tags":["desert"],"notes":"Worm."}"#)
            let book = try changed.decode(LibraryBook.self, status: 200)
            #expect(book.readingStatus == .toRead)
            #expect(book.rating == 4.5)
            let late = try server.send("PATCH", path, headers: ["If-Match": tag], json: #"{"notes":"Mine."}"#)
            #expect(late.status == 409)
            #expect(late.problem?.code == "edit_conflict")
            let cleared = try server.send(
                "PATCH", path, headers: ["If-Match": try #require(changed.headers["etag"])], json: #"{"rating":null}"#)
            #expect(cleared["rating"] is NSNull)
            #expect(try cleared.decode(LibraryBook.self).notes == "Worm.")
            let lent = try server.send("PUT", path + "/loan", json: #"{"to":"Bea"}"#).decode(LibraryBook.self)
            #expect(lent.loan?.to == "Bea")
            #expect(try server.send("DELETE", path + "/loan").decode(LibraryBook.self).ownership == .owned)
            let gone = try server.send("DELETE", path).decode(ActionOutcome.self)
            #expect(try server.send("GET", path).status == 404)
            _ = try server.undo(gone.undoToken)
            #expect(try server.books("?q=dune").total == 1)
        }
    }

    @Test("Adding an existing book asks for a decision")
    func asksAboutDuplicates() async throws {
        try await withServer { server in
            let json = #"{"title":"Babel","authors":["R. F. Kuang"],"isbn":"9780063021426"}"#
            #expect(try server.addBook(json).isbn == "9780063021426")
            // The same edition, and another one.
            for other in [json, #"{"title":"Babel","authors":["Kuang, R. F."],"isbn":"9780008501822"}"#] {
                let asked = try server.send("POST", "/api/v1/library", json: other)
                    .decode(ExistingBooks.self, status: 200)
                #expect(asked.existing.first?.title == "Babel")
            }
            #expect(try server.books().total == 1)
            _ = try server.addBook(json.replacing("{", with: #"{"duplicates":"addCopy","#, maxReplacements: 1))
            let wrong = try server.send("POST", "/api/v1/library", json: #"{"title":"X","isbn":"123"}"#)
            #expect(wrong.status == 422)
            #expect(wrong.problem?.field == "isbn")
            #expect(try server.send("POST", "/api/v1/library", json: "{").status == 400)
        }
    }

    @Test("Selected books are imported once, and duplicates need a decision")
    func importsOnce() async throws {
        try await withServer { server in
            _ = try server.addBook(#"{"title":"Dune","authors":["Writer"]}"#)
            let path = "/api/v1/scans/\(try server.finish(server.scan(["books:Dune|Emma"])))/import"
            func importBooks(_ json: String) throws -> ScanImportOutcome {
                try server.send("POST", path, json: json).decode()
            }
            let first = try importBooks("{}")
            #expect(first.imported.count == 1)
            #expect(first.duplicates.map(\.bookId) == ["1-book-1"])
            #expect(try importBooks("{}").imported.count == 1)
            let activity = try server.send("GET", "/api/v1/activity").text
            #expect(activity.components(separatedBy: "bookshelf_scan_completed").count == 2, "recorded once")
            #expect(try server.books().total == 2)
            #expect(try importBooks(#"{"books":["1-book-1"],"duplicates":"addCopy"}"#).duplicates.isEmpty)
            #expect(try server.books().total == 3)
            #expect(try server.send("POST", path, json: #"{"books":["9-x"]}"#).status == 422)
            #expect(try server.send("POST", path, json: #"{"shelf":"99"}"#).problem?.field == "shelf")
        }
    }

    @Test("Statistics say how books were added, and how many scans began and were completed")
    func statistics() async throws {
        try await withServer { server in
            _ = try server.addBook(#"{"title":"Wool","source":"barcode"}"#)
            _ = try server.addBook(#"{"title":"Shift","source":"hand"}"#)
            _ = try server.addBook(#"{"title":"Dust"}"#)
            let wrong = try server.send("POST", "/api/v1/library", json: #"{"title":"X","source":"photo"}"#)
            #expect(wrong.status == 422)
            #expect(wrong.problem?.field == "source")
            let photo = try ScriptedReader.picture("books:Dune|Emma")
            _ = try server.finish(server.scan(photos: [photo], fields: ["import": "true"]))
            _ = try server.finish(server.scan(["fail"]))
            let stats: LibraryStats = try server.get("/api/v1/stats")
            #expect(stats.bySource.map { "\($0.key) \($0.count)" } == ["hand 2", "photo 2", "barcode 1"])
            #expect(stats.scansByMonth.map(\.started) == [2])
            #expect(stats.scansByMonth.map(\.completed) == [1])
            let events = try server.send("GET", "/api/v1/activity").text
            #expect(events.contains(#""action":"scan_started""#))
        }
    }

    @Test("A spine whose box was moved is read again")
    func rereads() async throws {
        try await withServer { server in
            let photo = try ScriptedReader.picture("books:Dune|Emma")
            _ = try server.finish(server.scan(photos: [photo], fields: ["import": "true"]))
            let item = try #require(try server.reviewQueue().items.first).id
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
            let id = try shelf.decode(LibraryShelf.self).id
            let renamed = try server.send(
                "PATCH", "/api/v1/shelves/\(id)", headers: ["If-Match": try #require(shelf.headers["etag"])],
                json: #"{"name":"Study"}"#)
            #expect(try renamed.decode(LibraryShelf.self).name == "Study")
            func change(_ json: String) throws -> Answer { try server.send("POST", "/api/v1/library/bulk", json: json) }
            let ids = try server.books().items.map(\.id)
            try #require(ids.count == 2)
            let moved = try change(#"{"ids":["\#(ids[0])","\#(ids[1])"],"shelf":"\#(id)","addTags":["new"]}"#)
            #expect(try moved.decode(ActionOutcome.self).changed == 2)
            let tagged = try server.books("?shelf=\(id)&tag=new")
            #expect(tagged.total == 2)
            #expect(tagged.items.first?.tags == ["new"])
            let next = try #require(try server.books("?limit=1").nextCursor)
            #expect(try server.send("GET", "/api/v1/library?limit=1&cursor=\(next)")["nextCursor"] is NSNull)
            #expect(try server.send("GET", "/api/v1/library?cursor=x").status == 400)

            // Deleted entries are skipped.
            let gone = try change(#"{"ids":["\#(ids[0])","999999","\#(ids[1])"],"addTags":["late"]}"#)
            #expect(try gone.decode(ActionOutcome.self).changed == 2)
            #expect(try change(#"{"ids":["999999"],"delete":true}"#).status == 404)

            #expect(try server.send("GET", "/api/v1/settings")["threshold"] as? Double == 0.6)
            let set = try server.changeSettings(#"{"threshold":0.7}"#)
            #expect(set["threshold"] as? Double == 0.7)
            let wrong = try server.send(
                "PATCH", "/api/v1/settings", headers: ["If-Match": try #require(set.headers["etag"])],
                json: #"{"threshold":0.2}"#)
            #expect(wrong.status == 422)
            #expect(try server.send("GET", "/api/v1/stats")["entries"] as? Int == 2)
            #expect(try server.send("GET", "/api/v1/stats/review").status == 200)
            #expect(try server.send("GET", "/api/v1/activity").status == 200)
            let health = try server.send("GET", "/health")
            #expect(health.string("status") == "ok")
            #expect(health["checks", "0", "name"] as? String == "jobs")
            #expect(health["checks", "1", "name"] as? String == "library")
            #expect(try server.send("GET", "/ready").status == 200)
            let metrics = try server.send("GET", "/metrics").text
            #expect(metrics.contains("shelflist_photos_total{outcome=\"read\"} 1.0"))
        }
    }
}
