import Bibliography
import Catalog
import Fixtures
import Foundation
import Imaging
import Lookup
import Providers
import Reading
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ProviderRouteTests {
    /// Open Library, which knows “Emma” with a cover.
    ///
    /// - Parameter broken: a word in searches that fail.
    static func stub(by author: String = "Writer", failingFor broken: String? = nil) throws -> StubServer {
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
        return try StubServer { _, request in
            if request.target == "/b/id/7-L.jpg" { return .answer(200, body: picture) }
            let target = request.target.lowercased()
            if let broken, target.contains(broken) { return .answer(500) }
            guard target.contains("emma") else { return .json(#"{"numFound": 0, "docs": []}"#) }
            return .json(
                """
                {"docs": [{"key": "/works/OL1W", "title": "Emma", "author_name": ["\(author)"],
                  "first_publish_year": 1815, "cover_i": 7, "publisher": ["Penguin"], "number_of_pages_median": 512}]}
                """)
        }
    }

    @Test("Nothing is sent to a provider before the owner chose a source, and the choice is stored")
    func sourceChoice() async throws {
        let stub = try Self.stub()
        let undecided = StubbedProviders { folder in
            var configuration = ServiceConfiguration()
            configuration[ProviderName.openLibrary].address = stub.url
            return try OnlineServices(
                data: folder, configuration: configuration, version: "test", clock: ManualClock())
        }
        try await withServer(online: undecided) { server in
            #expect(try server.send("GET", "/api/v1/settings")["sourceChosen"] as? Bool == false)
            #expect(try server.send("GET", "/api/v1/search?q=Emma").status == 200)
            #expect(stub.requests.isEmpty)
            let refused = try server.changeSettings(#"{"sourceChosen":false}"#)
            #expect(refused.status == 422 && refused.problem?.field == "sourceChosen")
            #expect(try server.changeSettings(#"{"threshold":0.7}"#)["sourceChosen"] as? Bool == false)
            #expect(try server.changeSettings(#"{"sourceChosen":true}"#)["sourceChosen"] as? Bool == true)
            #expect(try ServiceChoice(data: server.folder, configuration: .init()).isSourceChosen)
            #expect(try server.send("GET", "/api/v1/search?q=Emma").status == 200)
            #expect(stub.requests.isEmpty, "staying offline is a choice")
            let online = try server.changeSettings(
                #"{"sourceChosen":true,"providers":[{"id":"openlibrary","enabled":true}]}"#)
            #expect(online["providers", "0", "enabled"] as? Bool == true)
            #expect(try server.send("GET", "/api/v1/search?q=Emma").status == 200)
            #expect(!stub.requests.isEmpty)
        }
    }

    @Test("A server with a catalog does not ask for a source")
    func catalogIsASource() async throws {
        try await withServer { server in
            #expect(try server.send("GET", "/api/v1/settings")["sourceChosen"] as? Bool == false)
            try Data().write(to: server.folder.appending(path: "catalog.sqlite"))
            #expect(try server.send("GET", "/api/v1/settings")["sourceChosen"] as? Bool == true)
        }
    }

    @Test("A search returns records, covers and outages, and a match fetches its cover")
    func recordsFromAllSources()
        async throws
    {
        let stub = try Self.stub()
        let broken = try StubServer { _, _ in .answer(500) }
        try await withServer(online: .at([.openLibrary: stub, .googleBooks: broken])) { server in
            let found: SearchResults = try server.get("/api/v1/search?q=Emma")
            let emma = try #require(found.items.first)
            #expect(emma.record.title == "Emma")
            #expect(emma.sources.first == "openlibrary")
            let cover = try #require(emma.record.coverURL).absoluteString
            #expect(cover == "/api/v1/covers/openlibrary-7")
            try #require(found.sources.count > 2)
            #expect(found.sources[0].state == "ok")
            let outage = found.sources[1]
            #expect(outage.source == "googlebooks")
            #expect(outage.state == "degraded")
            #expect(outage.message?.contains("Google Books failed (status 500)") == true)
            #expect(outage.retryAfterMs != nil)
            #expect(found.sources[2].state == "off")
            #expect(try server.get("/api/v1/search?q=Emma&in=local", as: SearchResults.self).sources.isEmpty)

            let picture = try server.send("GET", cover)
            #expect(picture.status == 200)
            #expect(picture.headers["content-type"] == "image/jpeg")
            #expect(picture.headers["cache-control"]?.contains("max-age") == true)
            #expect(try server.send("GET", "/api/v1/covers/openlibrary-8").status == 404)
            #expect(try server.send("GET", "/api/v1/covers/archive-1").status == 404)

            _ = try server.finish(server.scan(["books:Dune|Ema"], fields: ["import": "true"]))
            let item = try #require(try server.reviewQueue().items.first).id
            let record = """
                {"record": {"id": "OL1W", "source": "openlibrary", "title": "Emma", "authors": ["Jane Austen"],
                  "subtitle": null, "isbn": null, "publisher": "Penguin", "year": 1815, "pages": null, "language": null,
                  "series": null, "coverUrl": "\(cover)"}, "confirm": true}
                """
            let matched = try server.send("POST", "/api/v1/detections/\(item)/match", json: record)
                .decode(MatchChanges.self)
            #expect(matched.applied)
            let work = try #require(matched.workId)
            var shown: ServerPath?
            // The cover is fetched in the background.
            try await eventually {
                shown = try server.get("/api/v1/works/\(work)", as: LibraryWork.self).coverUrl
                return shown != nil
            }
            #expect(try server.send("GET", try #require(shown).text).status == 200)
            let activity = try server.send("GET", "/api/v1/activity").text
            #expect(activity.components(separatedBy: "manual_match_applied").count == 2, "counted once")
            #expect(activity.contains("bookshelf_scan_completed"))
        }
    }

    /// A reader that is sure of a spine once a provider has returned a record of its title.
    private static func reader(_ received: ReceivedRecords) -> ScriptedReader {
        ScriptedReader { photo in
            let searches = try received.catalogs().compactMap { try $0.snapshot()?.search }
            var photo = photo
            for index in photo.books.indices where photo.books[index].confidence < 0.8 {
                let words = TextNormalisation.words(photo.books[index].text[0].text)
                let found = try searches.flatMap { try $0.candidates(forWords: words, limit: 5) }
                    .first { TextNormalisation.words($0.title) == words }
                guard let found else { continue }
                photo.books[index].title = found.title
                (photo.books[index].confidence, photo.books[index].checked) = (0.95, true)
                photo.books[index].reviewStatus = .verified
                photo.books[index].matches = [
                    BookMatch(title: found.title, author: "Writer", confidence: 0.95, source: found.source)
                ]
            }
            // The text of this spine belongs to the book that was found.
            if photo.books.contains(where: { $0.confidence == 0.95 }) { photo.books.removeAll { $0.title == "Jane?" } }
            return photo
        }
    }

    /// What an update says, which `UpdatedBook` derives from its record and does not decode.
    private struct UpdateEvent: Decodable {
        struct Book: Decodable {
            var id: String
            var title: String
            var tier: String
            var source: String?
            var cropUrl: String
            var checked: Bool
        }
        struct Books: Decodable { var books: [Book] }

        var data: Books
    }

    @Test("Books become surer after the result, in the stream, the results and the library")
    func identifiesOnline() async throws {
        let stub = try Self.stub()
        let broken = try StubServer { _, _ in .answer(500) }
        let folder = try TemporaryFolder()
        let received = ReceivedRecords(folder: folder.url.appending(path: "records"))
        try await withServer(
            folder: folder.url, reader: Self.reader(received), online: .at([.openLibrary: stub, .googleBooks: broken]),
            received: received
        ) { server in
            let accepted = try server.scan(["books:Dune|Emma?|Sanditon?|Jane?"], fields: ["import": "true"])
                .decode(ScanAccepted.self)
            let id = accepted.jobId
            // The stream stays open until the providers have answered.
            let events = try server.events(of: id, token: accepted.token)
            let types = events.map(\.type)
            let completed = try #require(types.firstIndex(of: "completed"))
            let updated = try #require(types.lastIndex(of: "updated"))
            #expect(completed < updated)
            #expect(types.count { $0 == "enrichment_degraded" } == 1, "the broken provider, once")
            // The latest of each book counts.
            let books = try events.reversed().filter { $0.type == "updated" }.flatMap { event in
                try JSONDecoder().decode(UpdateEvent.self, from: Data(event.data.utf8)).data.books
            }
            let emma = try #require(books.first { $0.id == "1-book-2" })
            #expect(emma.title == "Emma" && emma.tier == "ready" && emma.source == "openlibrary")
            #expect(emma.cropUrl == "/api/v1/scans/\(id)/books/1-book-2/crop")
            // A provider answered about the other one and has no record of it.
            let other = try #require(books.first { $0.id == "1-book-3" })
            #expect(other.checked && other.tier == "needsReview" && other.source == nil)

            let job = try server.status(of: id)
            #expect(!job.asking)
            #expect(job.needsReview == 1)
            #expect(try server.get("\(job.eventsUrl)?after=\(events.count)", as: EventPage<JobEvent>.self).done)
            let queue = try server.reviewQueue()
            #expect(queue.total == 1)
            #expect(queue.items.first?.title == "Sanditon?")
            #expect(queue.items.first?.tier == .needsReview)
            let entry = try #require(try server.books("?q=emma").items.first)
            #expect(entry.reviewStatus == .verified)
            let history: Page<WorkEvent> = try server.get("/api/v1/works/\(entry.workId)/history")
            #expect(history.items.first?.action == .identified)

            func changes() throws -> Page<AutomaticEdit> { try server.get("/api/v1/review/automatic") }
            #expect(try changes().total == 1)
            let change = try #require(try changes().items.first)
            // The first look-up of a book that waits for review is only in its history.
            #expect(change.action == .withdrawn)
            #expect(change.before["title"] == "Jane?")
            #expect(change.after == nil && change.source == nil && change.entryId == nil)
            #expect(change.undoable)
            #expect(!change.seen)
            #expect(change.cropUrl?.text.hasPrefix("/api/v1/detections/") == true)
            #expect(try server.reviewCounts().automaticChanges == 1)
            for (through, status) in [("none", 422), ("999999", 404), (change.id, 204)] {
                let seen = try server.send(
                    "POST", "/api/v1/review/automatic/seen", json: #"{"through": "\#(through)"}"#)
                #expect(seen.status == status)
            }
            #expect(try server.reviewCounts().automaticChanges == 0)
            #expect(try changes().items.first?.seen == true)
            let undone = try server.send("POST", "/api/v1/review/automatic/\(change.id)/undo")
            #expect(try undone.decode(ActionOutcome.self).remaining == 2)
            #expect(try server.send("POST", "/api/v1/review/automatic/\(change.id)/undo").status == 404)

            // What was answered is on disk: another scan of the shelf asks nothing.
            let requests = stub.requests.count
            let again = try server.scan(["books:Dune|Emma?|Sanditon?"]).decode(ScanAccepted.self)
            #expect(try server.events(of: again.jobId, token: again.token).contains { $0.type == "completed" })
            #expect(stub.requests.count == requests)
        }
    }

    @Test("A possible duplicate is looked up after its decision")
    func looksUpAfterDecision() async throws {
        let stub = try Self.stub()
        try await withServer(online: .at([.openLibrary: stub])) { server in
            _ = try server.addBook(#"{"title":"Emma","authors":["Writer"]}"#)
            _ = try server.finish(server.scan(["books:Emma"], fields: ["import": "true"]))
            let question = try #require(try server.duplicates().items.first)
            #expect(try server.books().total == 1)
            #expect(try server.decide(question, .addCopy).changed == 1)
            // The lookup runs in the background.
            try await eventually {
                let items = try server.books().items
                try #require(items.count == 2)
                return items.contains { $0.year == 1815 }
            }
        }
    }

    @Test("The owner enables providers, and keys are not returned")
    func enablesProviders() async throws {
        try await withServer(
            online: StubbedProviders { try OnlineServices(data: $0, version: "test") }
        ) { server in
            let settings = try server.send("GET", "/api/v1/settings")
            #expect(settings["providers", "0", "id"] as? String == "openlibrary")
            #expect(settings["providers", "0", "enabled"] as? Bool == false)
            #expect(settings["providers", "0", "state"] as? String == "off")
            let tag = try #require(settings.string("etag"))
            let changed = try server.send(
                "PATCH", "/api/v1/settings", headers: ["If-Match": "\"\(tag)\""],
                json: #"{"providers": [{"id": "openlibrary", "enabled": true}, {"id": "isbndb", "key": "s3cret"}]}"#)
            #expect(changed.status == 200)
            #expect(changed["providers", "0", "state"] as? String == "ok")
            #expect(changed["providers", "2", "hasKey"] as? Bool == true)
            #expect(changed["providers", "2", "enabled"] as? Bool == false)
            #expect(!changed.text.contains("s3cret"))
            #expect(changed.string("etag") != tag)
            let next = try #require(changed.string("etag"))
            let wrong = try server.send(
                "PATCH", "/api/v1/settings", headers: ["If-Match": "\"\(next)\""],
                json: #"{"providers": [{"id": "amazon", "enabled": true}]}"#)
            #expect(wrong.status == 422)
            let metrics = try server.send("GET", "/metrics").text
            #expect(metrics.contains(#"shelflist_provider_state{provider="openlibrary",state="ok"} 1.0"#))
            #expect(metrics.contains(#"shelflist_provider_state{provider="googlebooks",state="off"} 1.0"#))
            #expect(
                metrics.contains(#"shelflist_provider_refused_total{provider="openlibrary",kind="answer"} 0.0"#))
            #expect(!metrics.contains("s3cret"))
        }
    }

    @Test("Settings whose file was damaged are not changed, and the answer says where to look")
    func damagedFile() async throws {
        try await withServer { server in
            let file = server.folder.appending(path: "services.json")
            try Data("{".utf8).write(to: file)
            let refused = try server.changeSettings(#"{"sourceChosen":true}"#)
            #expect(refused.status == 503)
            #expect(refused.problem?.code == "unavailable")
            #expect(refused.text.contains("A file of the server is damaged."))
            #expect(!refused.text.contains(server.folder.path))
            #expect(try Data(contentsOf: file) == Data("{".utf8))
        }
    }
}
