import Fixtures
import Foundation
import Imaging
import Lookup
import Providers
import Server
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct ProviderRouteTests {
    /// Configures Open Library and its covers at `stub`, and Google Books at `broken`.
    private static func online(_ stub: StubServer, broken: StubServer? = nil) -> StubbedProviders {
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

    private static func stub() throws -> StubServer {
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
        return try StubServer { _, request in
            if request.target == "/b/id/7-L.jpg" { return .answer(200, body: picture) }
            guard request.target.contains("Emma") else { return .json(#"{"numFound": 0, "docs": []}"#) }
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
