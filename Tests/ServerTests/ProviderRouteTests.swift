import Bibliography
import Catalog
import Fixtures
import Foundation
import Imaging
import Lookup
import Providers
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ProviderRouteTests {
    /// Configures Open Library and its covers at `stub`, and Google Books at `broken`.
    static func online(_ stub: StubServer, broken: StubServer? = nil) -> StubbedProviders {
        StubbedProviders { folder in
            let addresses = [ProviderName.openLibrary: stub.url, .googleBooks: broken?.url]
            return try OnlineCatalogs(
                data: folder,
                configuration: ProviderConfiguration(
                    isOn: broken == nil ? [.openLibrary] : [.openLibrary, .googleBooks]), version: "test",
                coverHosts: .only(origin: "http://127.0.0.1:\(stub.port)"), covers: stub.url, clock: ManualClock(),
                make: { name, settings, transport, cache in
                    var policy = ProviderPolicy()
                    policy.interval = 0
                    policy.attempts = 1
                    return name.provider(
                        ProviderSettings(
                            userAgent: settings.userAgent, base: addresses[name] ?? nil, coverBase: stub.url,
                            policy: policy, clock: settings.clock), transport: transport, cache: cache)
                })
        }
    }

    static func stub() throws -> StubServer {
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
        return try StubServer { _, request in
            if request.target == "/b/id/7-L.jpg" { return .answer(200, body: picture) }
            guard request.target.lowercased().contains("emma") else { return .json(#"{"numFound": 0, "docs": []}"#) }
            return .json(
                """
                {"docs": [{"key": "/works/OL1W", "title": "Emma", "author_name": ["Writer"],
                  "first_publish_year": 1815, "cover_i": 7, "publisher": ["Penguin"], "number_of_pages_median": 512}]}
                """)
        }
    }

    @Test("Nothing is sent to a provider before the owner chose a source, and the choice is stored")
    func sourceChoice() async throws {
        let stub = try Self.stub()
        let undecided = StubbedProviders { folder in
            try OnlineCatalogs(
                data: folder, configuration: ProviderConfiguration(addresses: [.openLibrary: stub.url]),
                version: "test", clock: ManualClock())
        }
        try await withServer(online: undecided) { server in
            func change(_ json: String) throws -> Answer {
                let tag = try #require(try server.send("GET", "/api/v1/settings").headers["etag"])
                return try server.send("PATCH", "/api/v1/settings", headers: ["If-Match": tag], json: json)
            }
            #expect(try server.send("GET", "/api/v1/settings")["sourceChosen"] as? Bool == false)
            #expect(try server.send("GET", "/api/v1/search?q=Emma").status == 200)
            #expect(stub.requests.isEmpty)
            let refused = try change(#"{"sourceChosen":false}"#)
            #expect(refused.status == 422 && refused.string("field") == "sourceChosen")
            #expect(try change(#"{"threshold":0.7}"#)["sourceChosen"] as? Bool == false)
            #expect(try change(#"{"sourceChosen":true}"#)["sourceChosen"] as? Bool == true)
            #expect(try OnlineCatalogs.choice(data: server.folder, configuration: .init()).isSourceChosen)
            #expect(try server.send("GET", "/api/v1/search?q=Emma").status == 200)
            #expect(stub.requests.isEmpty, "staying offline is a choice")
            let online = try change(#"{"sourceChosen":true,"providers":[{"id":"openlibrary","enabled":true}]}"#)
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
        try await withServer(online: Self.online(stub, broken: broken)) { server in
            let found = try server.send("GET", "/api/v1/search?q=Emma")
            #expect(found["items", "0", "title"] as? String == "Emma")
            #expect(found["items", "0", "sources", "0"] as? String == "openlibrary")
            let cover = try #require(found["items", "0", "coverUrl"] as? String)
            #expect(cover == "/api/v1/covers/openlibrary-7")
            #expect(found["sources", "0", "state"] as? String == "ok")
            #expect(found["sources", "1", "source"] as? String == "googlebooks")
            #expect(found["sources", "1", "state"] as? String == "degraded")
            #expect((found["sources", "1", "message"] as? String)?.contains("Google Books is out of order") == true)
            #expect(found["sources", "1", "retryAfterMs"] as? Int != nil)
            #expect(found["sources", "2", "state"] as? String == "off")
            let local = try server.send("GET", "/api/v1/search?q=Emma&in=local")
            #expect(local["sources", "0", "source"] as? String == nil)

            let picture = try server.send("GET", cover)
            #expect(picture.status == 200)
            #expect(picture.headers["content-type"] == "image/jpeg")
            #expect(picture.headers["cache-control"]?.contains("max-age") == true)
            #expect(try server.send("GET", "/api/v1/covers/openlibrary-8").status == 404)
            #expect(try server.send("GET", "/api/v1/covers/archive-1").status == 404)

            let id = try #require(try server.scan(["books:Dune|Ema"], fields: ["import": "true"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            let item = try #require(try server.send("GET", "/api/v1/review")["items", "0", "id"] as? String)
            let record = """
                {"record": {"id": "OL1W", "source": "openlibrary", "title": "Emma", "authors": ["Jane Austen"],
                  "subtitle": null, "isbn": null, "publisher": "Penguin", "year": 1815, "pages": null, "language": null,
                  "series": null, "coverUrl": "\(cover)"}, "confirm": true}
                """
            let matched = try server.send("POST", "/api/v1/detections/\(item)/match", json: record)
            #expect(matched["applied"] as? Bool == true)
            let work = try #require(matched.string("workId"))
            var shown: String?
            // The cover is fetched in the background.
            try await eventually {
                shown = try server.send("GET", "/api/v1/works/\(work)")["coverUrl"] as? String
                return shown != nil
            }
            let kept = try server.send("GET", shown ?? "")
            #expect(kept.status == 200)
            let activity = try server.send("GET", "/api/v1/activity").text
            #expect(activity.components(separatedBy: "manual_match_applied").count == 2, "counted once")
            #expect(activity.contains("bookshelf_scan_completed"))
        }
    }

    @Test("A scan is enriched with covers from this server")
    func enrichesScan() async throws {
        let stub = try Self.stub()
        try await withServer(online: Self.online(stub)) { server in
            let accepted = try server.scan(["books:Emma|Dune"], fields: ["import": "true"])
            let id = try #require(accepted.string("jobId"))
            let events = try server.events(of: id, token: "")
            let enriched = events.filter { $0.type == "enriched" }
            #expect(enriched.count == 2)
            #expect(events.map(\.type).last == "completed")
            #expect(enriched.contains { $0.data.contains("\"/api/v1/covers/openlibrary-7\"") })
            let results = try server.send("GET", "/api/v1/scans/\(id)/results")
            #expect(results["books", "0", "metadata", "publisher"] as? String == "Penguin")
            let entry = try server.send("GET", "/api/v1/library?q=emma")
            #expect(entry["items", "0", "year"] as? Int == 1815)
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
            return photo
        }
    }

    @Test("Books become surer after the result, in the stream, the results and the library")
    func identifiesOnline() async throws {
        let stub = try Self.stub()
        let broken = try StubServer { _, _ in .answer(500) }
        let folder = try TemporaryFolder()
        let received = ReceivedRecords(folder: folder.url.appending(path: "records"))
        try await withServer(
            folder: folder.url, reader: Self.reader(received), online: Self.online(stub, broken: broken),
            received: received
        ) { server in
            let accepted = try server.scan(["books:Dune|Emma?|Sanditon?"], fields: ["import": "true"])
            let id = try #require(accepted.string("jobId"))
            // The stream stays open until the providers have answered.
            let events = try server.events(of: id, token: "")
            let types = events.map(\.type)
            let completed = try #require(types.firstIndex(of: "completed"))
            let updated = try #require(types.lastIndex(of: "updated"))
            #expect(completed < updated)
            #expect(types.count { $0 == "enrichment_degraded" } == 1, "the broken provider, once")
            // The latest of each book counts.
            let books = events.reversed().filter { $0.type == "updated" }.flatMap { event in
                let update = Answer(status: 200, headers: [:], body: Array(event.data.utf8))
                return update["data", "books"] as? [[String: Any]] ?? []
            }
            let emma = try #require(books.first { $0["id"] as? String == "1-book-2" })
            #expect(emma["title"] as? String == "Emma")
            #expect(emma["tier"] as? String == "ready")
            #expect(emma["source"] as? String == "openlibrary")
            #expect(emma["cropUrl"] as? String == "/api/v1/scans/\(id)/books/1-book-2/crop")
            // A provider answered about the other one and has no record of it.
            let other = try #require(books.first { $0["id"] as? String == "1-book-3" })
            #expect(other["checked"] as? Bool == true)
            #expect(other["tier"] as? String == "needsReview")
            #expect(other["source"] is NSNull)

            let job = try server.send("GET", "/api/v1/scans/\(id)")
            #expect(job["asking"] as? Bool == false)
            #expect(job["needsReview"] as? Int == 1)
            let page = try server.send("GET", "/api/v1/scans/\(id)/events?after=\(events.count)")
            #expect(page["done"] as? Bool == true)
            let queue = try server.send("GET", "/api/v1/review")
            #expect(queue["total"] as? Int == 1)
            #expect(queue["items", "0", "title"] as? String == "Sanditon?")
            #expect(queue["items", "0", "tier"] as? String == "needsReview")
            let entry = try server.send("GET", "/api/v1/library?q=emma")
            #expect(entry["items", "0", "reviewStatus"] as? String == "verified")
            let work = try #require(entry["items", "0", "workId"] as? String)
            let history = try server.send("GET", "/api/v1/works/\(work)/history")
            #expect(history["items", "0", "action"] as? String == "identified")

            let changes = try server.send("GET", "/api/v1/review/automatic")
            #expect(changes["items", "0", "action"] as? String == "identified")
            #expect(changes["total"] as? Int == 1)
            #expect(changes["items", "0", "before", "title"] as? String == "Emma?")
            #expect(changes["items", "0", "after", "title"] as? String == "Emma")
            #expect(changes["items", "0", "source"] as? String == "openlibrary")
            #expect(changes["items", "0", "reviewStatus"] as? String == "verified")
            #expect(changes["items", "0", "entryId"] as? String == entry["items", "0", "id"] as? String)
            #expect(changes["items", "0", "undoable"] as? Bool == true)
            #expect(changes["items", "0", "seen"] as? Bool == false)
            let crop = try #require(changes["items", "0", "cropUrl"] as? String)
            #expect(crop.hasPrefix("/api/v1/detections/"))
            #expect(try server.send("GET", "/api/v1/review/counts")["automaticChanges"] as? Int == 1)
            let change = try #require(changes["items", "0", "id"] as? String)
            for (through, status) in [("none", 422), ("999999", 404), (change, 204)] {
                let seen = try server.send(
                    "POST", "/api/v1/review/automatic/seen", json: #"{"through": "\#(through)"}"#)
                #expect(seen.status == status)
            }
            #expect(try server.send("GET", "/api/v1/review/counts")["automaticChanges"] as? Int == 0)
            #expect(try server.send("GET", "/api/v1/review/automatic")["items", "0", "seen"] as? Bool == true)
            let undone = try server.send("POST", "/api/v1/review/automatic/\(change)/undo")
            #expect(undone["remaining"] as? Int == 2)
            #expect(try server.send("POST", "/api/v1/review/automatic/\(change)/undo").status == 404)

            // What was answered is on disk: another scan of the shelf asks nothing.
            let requests = stub.requests.count
            let again = try #require(try server.scan(["books:Dune|Emma?|Sanditon?"]).string("jobId"))
            #expect(try server.events(of: again, token: "").contains { $0.type == "completed" })
            #expect(stub.requests.count == requests)
        }
    }

    @Test("A possible duplicate is looked up after its decision")
    func looksUpAfterDecision() async throws {
        let stub = try Self.stub()
        try await withServer(online: Self.online(stub)) { server in
            _ = try server.send("POST", "/api/v1/library", json: #"{"title":"Emma","authors":["Writer"]}"#)
            let id = try #require(try server.scan(["books:Emma"], fields: ["import": "true"]).string("jobId"))
            _ = try server.events(of: id, token: "")
            let question = try #require(try server.send("GET", "/api/v1/duplicates")["items", "0", "id"] as? String)
            #expect(try server.send("GET", "/api/v1/library")["total"] as? Int == 1)
            let decided = try server.send(
                "POST", "/api/v1/duplicates/decide", json: #"{"ids":["\#(question)"],"decision":"addCopy"}"#)
            #expect(decided["changed"] as? Int == 1)
            // The lookup runs in the background.
            try await eventually {
                let items = try server.send("GET", "/api/v1/library")["items"] as? [[String: Any]] ?? []
                try #require(items.count == 2)
                return items.contains { $0["year"] as? Int == 1815 }
            }
        }
    }

    @Test("The owner enables providers, and keys are not returned")
    func enablesProviders() async throws {
        try await withServer(
            online: StubbedProviders { try OnlineCatalogs(data: $0, version: "test") }
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
}
