import Foundation
import Imaging
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ShelfRouteTests {
    /// Reads a picture with a script, a minute before what follows, and returns the job.
    private static func read(
        _ script: String, _ server: TestServer, fields: [String: String] = [:]
    ) throws -> String {
        let job = try server.finish(server.scan(photos: [try ScriptedReader.picture(script)], fields: fields))
        server.clock.advance(by: .seconds(60))
        return job
    }

    /// Returns the titles and states of the boards.
    private static func boards(_ view: LibraryShelfView) -> [[String]] {
        view.boards.map { $0.map { "\($0.entry.title) \($0.state?.rawValue ?? "")" } }
    }

    @Test("A shelf is shown in its order, with gaps that can be closed")
    func boards() async throws {
        try await withServer { server in
            let shelf = try server.addShelf().id
            _ = try Self.read("books:Dune|Emma|Babel", server, fields: ["import": "true", "shelf": shelf])
            let path = "/api/v1/shelves/\(shelf)/spines"
            func view() throws -> LibraryShelfView { try server.get(path) }
            let first = try view()
            #expect(Self.boards(first) == [["Dune present", "Emma present", "Babel present"]])
            let crop = try server.send("GET", try #require(first.boards.first?.dropFirst().first?.cropUrl).text)
            #expect(ImageFormat.sniff(crop.body) == .jpeg)
            #expect(crop.headers["cache-control"]?.contains("max-age=604800") == true)
            _ = try Self.read("books:Dune||Babel", server, fields: ["import": "true", "shelf": shelf])
            let second = try view()
            #expect(Self.boards(second).first?.contains("Emma missing") == true, "\(second)")
            let emma = try #require(second.boards.first?.first { $0.entry.title == "Emma" }).entry.id
            func find(_ json: String) throws -> Answer {
                try server.send("POST", "/api/v1/shelves/\(shelf)/found", json: json)
            }
            #expect(try find(#"{"ids":["\#(emma)"]}"#).decode(ActionOutcome.self).changed == 1)
            #expect(Self.boards(try view()).first?.contains("Emma found") == true)
            #expect(try server.send("GET", "/api/v1/shelves/999/spines").status == 404)
            #expect(try find(#"{"ids":[]}"#).status == 422)
            #expect(try find(#"{"ids":["999"]}"#).status == 404)
        }
    }

    @Test("A scan that was not added is compared with its shelf and changes nothing")
    func inventory() async throws {
        try await withServer { server in
            let shelf = try server.addShelf().id
            let first = try Self.read("books:Dune|Emma", server, fields: ["import": "true", "shelf": shelf])
            let path = "/api/v1/shelves/\(shelf)/inventory"
            func compare(_ job: String) throws -> Answer {
                try server.send("POST", path, json: #"{"jobId":"\#(job)"}"#)
            }
            let known = try compare(first).decode(ShelfInventory.self)
            #expect(known.isFirst)
            #expect(known.present.map(\.title) == ["Dune", "Emma"])
            #expect(known.new == [])
            let compared = try compare(Self.read("books:Dune|Ulysses", server)).decode(ShelfInventory.self)
            #expect(compared.present.map(\.title) == ["Dune"])
            #expect(compared.missing.map(\.title) == ["Emma"])
            #expect(compared.notAdded.map(\.title) == ["Ulysses"])
            #expect(compared.notAdded.first?.bookId == "1-book-2")
            let crop = try #require(compared.notAdded.first?.cropUrl)
            #expect(ImageFormat.sniff(try server.send("GET", crop.text).body) == .jpeg)
            #expect(try server.books().total == 2)
            #expect(try compare("nothing").problem?.field == "jobId")
        }
    }

    @Test("All photos since a time are compared, whether they were added or not")
    func since() async throws {
        try await withServer { server in
            let shelf = try server.addShelf().id
            let path = "/api/v1/shelves/\(shelf)/inventory"
            func compare(_ since: String) throws -> Answer {
                try server.send("POST", path, json: #"{"since":"\#(since)"}"#)
            }
            #expect(try compare("2020-01-01T00:00:00Z").problem?.code == "not_possible")
            _ = try Self.read("books:Dune|Emma|Faust", server, fields: ["import": "true", "shelf": shelf])
            let other = try Self.read("books:Walden|Ulysses|Persuasion", server, fields: ["shelf": shelf])
            let both = try compare("2020-01-01T00:00:00Z").decode(ShelfInventory.self)
            #expect(both.missing == [] && both.present.map(\.title) == ["Dune", "Emma", "Faust"])
            #expect(Set(both.notAdded.map(\.title)) == ["Walden", "Ulysses", "Persuasion"])
            #expect(both.notAdded.first?.jobId == other)
            // One board of the bookcase makes nothing of the other one missing.
            let board = try server.send("POST", path, json: #"{"jobId":"\#(other)"}"#).decode(ShelfInventory.self)
            #expect(board.missing == [] && board.notShown.map(\.title) == ["Dune", "Emma", "Faust"])
            _ = try Self.read("books:Dune|Faust", server, fields: ["shelf": shelf])
            let later = try compare("2020-01-01T00:00:00Z").decode(ShelfInventory.self)
            #expect(later.missing.map(\.title) == ["Emma"])
            #expect(try compare("2999-01-01T00:00:00Z").problem?.code == "not_possible")
            #expect(try compare("yesterday").status == 400)
        }
    }

    @Test("A book that was found is not missing in the scan before, whether it was added or not")
    func foundSince() async throws {
        try await withServer { server in
            let shelf = try server.addShelf().id
            let path = "/api/v1/shelves/\(shelf)/inventory"
            #expect(try server.send("POST", path, json: "{}").problem?.code == "not_possible")
            _ = try Self.read("books:Dune|Emma", server, fields: ["import": "true", "shelf": shelf])
            let unadded = try Self.read("books:Dune|Ulysses", server)
            let added = try Self.read("books:Dune", server, fields: ["import": "true", "shelf": shelf])
            let bodies = [
                #"{"jobId":"\#(unadded)"}"#, #"{"jobId":"\#(added)"}"#, #"{"scans":["\#(added)"]}"#, "{}",
            ]
            func compare(_ body: String) throws -> ShelfInventory {
                try server.send("POST", path, json: body).decode()
            }
            for body in bodies { #expect(try compare(body).missing.map(\.title) == ["Emma"], "\(body)") }
            let emma = try #require(try server.books("?q=emma").items.first).id
            let found = try server.send(
                "POST", "/api/v1/shelves/\(shelf)/found", json: #"{"ids":["\#(emma)"]}"#)
            for body in bodies {
                let compared = try compare(body)
                #expect(compared.missing == [], "\(body)")
                #expect(Set(compared.present.map(\.title)) == ["Dune", "Emma"], "\(body)")
            }
            _ = try server.undo(found.decode(ActionOutcome.self).undoToken)
            for body in bodies { #expect(try compare(body).missing.map(\.title) == ["Emma"], "\(body)") }
            let unknown = try server.send("POST", path, json: #"{"scans":["\#(added)","none"]}"#)
            #expect(unknown.status == 422 && unknown.problem?.field == "scans")
            let many = try server.send(
                "POST", path, json: #"{"scans":[\#(Array(repeating: #""a""#, count: 101).joined(separator: ","))]}"#)
            #expect(many.status == 422 && many.problem?.field == "scans")
        }
    }

    @Test("After review spines are shown from a shelf picture, and without one no URL is given")
    func shelfPicture() async throws {
        try await withServer { first in
            let shelf = try first.addShelf().id
            _ = try Self.read("books:Dune", first, fields: ["import": "true", "shelf": shelf])
            let photos = first.folder.appending(path: "photos").path
            await first.stop()
            try await withServer(folder: first.folder) { second in
                try await eventually {
                    try FileManager.default.contentsOfDirectory(atPath: photos).map { $0.hasPrefix("shelf_picture_") }
                        == [true]
                }
                let id = try #require(try second.books().items.first).id
                let position = try second.send("GET", "/api/v1/library/\(id)/position")
                let photo = try #require(position["position", "photoUrl"] as? String)
                #expect(ImageFormat.sniff(try second.send("GET", photo).body) == .jpeg)
                let crop = try #require(try second.book(id).cropUrl)
                #expect(ImageFormat.sniff(try second.send("GET", crop.text).body) == .jpeg)
                let settings = try second.send("GET", "/api/v1/settings")
                #expect(settings["keepShelfPictures"] as? Bool == true)
                #expect(settings["shelfPictures", "pictures"] as? Int == 1)
                let set = try second.changeSettings(#"{"keepShelfPictures":false}"#)
                #expect(set["keepShelfPictures"] as? Bool == false)
                await second.stop()
            }
            try await withServer(folder: first.folder) { third in
                try await eventually { try FileManager.default.contentsOfDirectory(atPath: photos).isEmpty }
                let id = try #require(try third.books().items.first).id
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

    @Test("Shelves are created by path, found by code, moved, listed with what is inside, and removed from inside out")
    func tree() async throws {
        try await withServer { server in
            func shelves(_ query: String = "") throws -> [LibraryShelf] {
                try server.get("/api/v1/shelves\(query)", as: Page<LibraryShelf>.self).items
            }
            let board = try server.addShelf("Home / Study / Board 1")
            #expect(board.path == "Home / Study / Board 1" && board.name == "Board 1")
            let home = try #require(try shelves().first)
            #expect(home.name == "Home" && home.parent == nil)
            #expect(try shelves("?code=\(board.code.lowercased())").map(\.id) == [board.id])
            #expect(try shelves("?code=SL-AAAAA") == [])
            #expect(try server.send("GET", "/api/v1/shelves?code=SL-AAAAC").problem?.field == "code")
            let book = try server.send("POST", "/api/v1/library", json: #"{"title":"Dune","shelf":"\#(board.id)"}"#)
            #expect(try book.decode(LibraryBook.self, status: 201).shelf?.path == "Home / Study / Board 1")
            #expect(try server.books("?shelf=\(home.id)").items.map(\.title) == ["Dune"])
            #expect(try shelves().map { [$0.entries, $0.entriesInside] } == [[0, 1], [0, 1], [1, 1]])
            func change(_ shelf: LibraryShelf, _ json: String) throws -> Answer {
                try server.send(
                    "PATCH", "/api/v1/shelves/\(shelf.id)", headers: ["If-Match": "\"\(shelf.etag)\""], json: json)
            }
            let moved = try change(board, #"{"parent":"\#(home.id)","note":"left"}"#).decode(LibraryShelf.self)
            #expect(moved.path == "Home / Board 1" && moved.note == "left")
            #expect(try change(board, #"{"name":"Other"}"#).problem?.code == "edit_conflict")
            #expect(try change(home, #"{"parent":"\#(board.id)"}"#).problem?.field == "parent")
            #expect(try change(moved, #"{"code":"SL-AAAAC"}"#).problem?.field == "code")
            #expect(try server.send("DELETE", "/api/v1/shelves/\(home.id)").problem?.code == "not_possible")
            _ = try server.undo(moved.undoToken)
            #expect(try shelves().map(\.path) == ["Home", "Home / Study", "Home / Study / Board 1"])
            #expect(try server.send("POST", "/api/v1/shelves", json: #"{"name":"X","parent":"999"}"#).status == 404)
        }
    }

    @Test("An audit lists copies by state, and decisions on them are undone as one")
    func audit() async throws {
        try await withServer { server in
            let shelf = try server.addShelf()
            _ = try Self.read("books:Babel|Emma|Dune|Ulysses", server, fields: ["import": "true", "shelf": shelf.id])
            let path = "/api/v1/shelves/\(shelf.id)/audit"
            func audit() throws -> ShelfAudit { try server.get(path) }
            #expect(try audit().counts == ["present": 4])
            let sorted = try server.send(
                "PATCH", "/api/v1/shelves/\(shelf.id)", headers: ["If-Match": "*"], json: #"{"sort":"title"}"#)
            #expect(try sorted.decode(LibraryShelf.self).sort == .title)
            let stray = try #require(try audit().copies.first { $0.state == .outOfOrder })
            #expect(stray.entry.title == "Emma" && stray.entry.position?.photoUrl != nil)
            func decide(_ json: String) throws -> Answer { try server.send("POST", path, json: json) }
            let entry = stray.entry.id
            let done = try decide(#"{"decisions":[{"entry":"\#(entry)","action":"putInOrder"}]}"#)
            #expect(try audit().counts == ["present": 4])
            _ = try server.undo(done.decode(ActionOutcome.self).undoToken)
            #expect(try audit().counts["outOfOrder"] == 1)
            #expect(try decide(#"{"decisions":[]}"#).status == 422)
            #expect(try decide(#"{"decisions":[{"entry":"\#(entry)","action":"burn"}]}"#).status == 422)
            #expect(try decide(#"{"decisions":[{"entry":"999","action":"found"}]}"#).status == 404)
            #expect(try server.send("GET", "/api/v1/shelves/999/audit").status == 404)
        }
    }

    @Test("A list of shelves is imported and undone")
    func importing() async throws {
        try await withServer { server in
            func send(_ csv: String) throws -> Answer {
                try server.send(
                    "POST", "/api/v1/shelves/import", headers: ["Content-Type": "text/csv"], body: Array(csv.utf8))
            }
            let imported = try send("path,code,note\nHome / Study,SL-AAAAA,left\nAttic,,\n").decode(
                ImportedShelves.self)
            #expect((imported.added, imported.changed) == (3, 0))
            let study = try server.get("/api/v1/shelves?code=SL-AAAAA", as: Page<LibraryShelf>.self).items
            #expect(study.map(\.path) == ["Home / Study"])
            let wrong = try send("path,code\nCellar,SL-AAAAC\n")
            #expect(wrong.status == 422 && wrong.problem?.field == "line 2, code")
            _ = try server.undo(imported.undoToken)
            #expect(try server.get("/api/v1/shelves", as: Page<LibraryShelf>.self).items == [])
        }
    }

    @Test("A moved outline changes the URL of the spine everywhere")
    func movedOutline() async throws {
        try await withServer { server in
            let job = try Self.read("books:Dune|Emma", server, fields: ["import": "true"])
            let result = "/api/v1/scans/\(job)/books/1-book-2/crop"
            let crop = try server.send("GET", result)
            let item = try #require(try server.reviewQueue().items.first)
            let entry = try #require(item.entryId)
            let before = try #require(item.cropUrl)
            #expect(try server.book(entry).cropUrl == before)
            let moved = try server.send(
                "PUT", "/api/v1/detections/\(item.id)/box", headers: ["If-Match": item.etag],
                json: #"{"quad":[[0.3,0.1],[0.5,0.1],[0.4,0.9],[0.2,0.9]]}"#
            ).decode(ReviewQueueItem.self)
            #expect(moved.quad?.corners.map { [$0.x, $0.y] } == [[0.3, 0.1], [0.5, 0.1], [0.4, 0.9], [0.2, 0.9]])
            let after = try #require(moved.cropUrl)
            #expect(after != before)
            #expect(try server.book(entry).cropUrl == after)
            #expect(try server.reviewQueue().items.first?.cropUrl == after)
            let tag = try #require(crop.headers["etag"])
            #expect(crop.headers["cache-control"]?.contains("max-age=0") == true)
            #expect(try server.send("GET", result, headers: ["If-None-Match": tag]).status == 200, "another picture")
        }
    }
}
