import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Tests the conventions of all lists and edits.
@Suite(.serialized, .endsHangs) struct ListTests {
    /// Runs `body` with a server that has several items in every list.
    private static func withFilledServer(
        _ body: @Sendable (TestServer, _ owner: [String: String], _ lists: [String]) async throws -> Void
    ) async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            func post(_ path: String, _ json: String) throws -> Answer {
                try server.send("POST", "/api/v1\(path)", headers: owner, json: json)
            }
            var shelf = ""
            for name in ["Ada", "Bea", "Cai"] {
                shelf = try post("/shelves", #"{"name":"\#(name)"}"#).decode(LibraryShelf.self).id
                if name != "Ada" {
                    _ = try post("/members", #"{"name":"\#(name)","password":"a long password","role":"viewer"}"#)
                }
                _ = try post("/tokens", #"{"name":"\#(name)","scopes":["read"]}"#)
                _ = try post("/apps", #"{"name":"\#(name)"}"#)
            }
            for title in ["Dune", "Emma"] {
                _ = try post("/library", #"{"title":"\#(title)","authors":["Writer"],"tags":["\#(title)"]}"#)
            }
            for script in ["books:Dune|Babel|Circe", "books:Emma|Ulysses|Persuasion"] {
                let fields = ["import": "true", "shelf": shelf]
                _ = try server.finish(server.scan([script], fields: fields, headers: owner))
            }
            let item = try #require(try server.reviewQueue(headers: owner).items.first)
            let work = try #require(item.workId)
            for title in ["Once", "Twice"] {
                let corrected = try server.send(
                    "POST", "/api/v1/detections/\(item.id)/correct",
                    headers: owner.merging(["If-Match": "*"]) { $1 }, json: #"{"title":"\#(title)"}"#)
                #expect(corrected.status == 200)
            }
            let lists = [
                "/library", "/scans", "/review", "/activity", "/shelves", "/shelves/\(shelf)/photos", "/members",
                "/tokens", "/apps", "/tags", "/duplicates", "/works/\(work)/history",
            ]
            try await body(server, owner, lists)
        }
    }

    @Test("Every list is paged")
    func pagesOfLists() async throws {
        try await Self.withFilledServer { server, owner, lists in
            for list in lists {
                func page(_ query: String) throws -> Answer {
                    try server.send("GET", "/api/v1\(list)?\(query)", headers: owner)
                }
                func items(_ answer: Answer) throws -> [JSONValue] { try answer.decode(Page<JSONValue>.self).items }
                let whole = try page("")
                let all = try items(whole)
                #expect(all.count > 1, "\(list)")
                #expect(whole["total"] as? Int == all.count, "\(list)")
                #expect(whole["nextCursor"] is NSNull, "\(list)")
                var found: [JSONValue] = []
                var cursor = ""
                repeat {
                    let next = try page("limit=1" + cursor)
                    let item = try items(next)
                    #expect(item.count <= 1)
                    found += item
                    cursor = next.string("nextCursor").map { "&cursor=\($0)" } ?? ""
                } while !cursor.isEmpty && found.count <= all.count
                #expect(found == all, "\(list)")
                for wrong in ["limit=0", "limit=501", "cursor=x"] {
                    #expect(try page(wrong).status == 400, "\(list)?\(wrong)")
                }
            }
        }
    }

    /// All edits are based on the same version.
    @Test("One of several concurrent edits succeeds and the others are refused")
    func concurrentEdits() async throws {
        try await Self.withFilledServer { server, owner, _ in
            for edit in try Self.edits(server, owner) {
                let values = (71...76).map { "\($0)" }
                let statuses: [Int] = try await withThrowingTaskGroup(of: Int.self) { group in
                    for value in values {
                        group.addTask {
                            try await onOwnThread {
                                try server.send(
                                    "PATCH", "/api/v1\(edit.path)",
                                    headers: owner.merging(["If-Match": edit.tag]) { $1 },
                                    json: edit.json.replacing("%", with: value)
                                ).status
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses.filter { $0 == 200 }.count == 1, "\(edit.path): \(statuses)")
                #expect(statuses.filter { $0 == 409 }.count == values.count - 1, "\(edit.path): \(statuses)")
            }
        }
    }

    /// One change of each kind of thing, based on its current version.
    private static func edits(_ server: TestServer, _ owner: [String: String]) throws -> [Edit] {
        let settings = try server.send("GET", "/api/v1/settings", headers: owner)
        return try [
            lastItem("/shelves", #"{"name":"Attic %"}"#, server, owner),
            lastItem("/library", #"{"notes":"%"}"#, server, owner),
            lastItem("/members", #"{"password":"a new password %"}"#, server, owner),
            lastItem("/apps", #"{"name":"%"}"#, server, owner),
            Edit(path: "/settings", tag: #require(settings.string("etag")), json: #"{"threshold":0.%}"#),
        ]
    }

    private struct Item: Decodable {
        var id: String
        var etag: String
    }

    /// A change of the last item of a list, based on its current version.
    private static func lastItem(
        _ list: String, _ json: String, _ server: TestServer, _ owner: [String: String]
    ) throws -> Edit {
        let page: Page<Item> = try server.send("GET", "/api/v1\(list)", headers: owner).decode()
        let item = try #require(page.items.last)
        return Edit(path: "\(list)/\(item.id)", tag: item.etag, json: json)
    }

    private struct Edit: Sendable {
        let path: String
        let tag: String
        let json: String
    }

    @Test("An edit without a version is refused")
    func requiresPrecondition() async throws {
        try await Self.withFilledServer { server, owner, _ in
            for list in ["/shelves", "/library", "/members", "/apps"] {
                let item = try server.send("GET", "/api/v1\(list)", headers: owner)
                let id = try #require(item["items", "0", "id"] as? String)
                let json = #"{"name":"x"}"#
                let refused = try server.send("PATCH", "/api/v1\(list)/\(id)", headers: owner, json: json)
                #expect(refused.problem?.code == "precondition_required", "\(list)")
            }
            let settings = try server.send("PATCH", "/api/v1/settings", headers: owner, json: "{}")
            #expect(settings.status == 428)
        }
    }

    @Test("Metrics are served to this machine and to tokens")
    func metricsAccess() async throws {
        try await Self.withFilledServer { server, owner, _ in
            #expect(try server.send("GET", "/metrics").status == 200)
            let elsewhere = ["X-Forwarded-For": "192.0.2.1"]
            #expect(try server.send("GET", "/metrics", headers: elsewhere).status == 401)
            let bearer = try server.addToken(["read"], by: owner)
            let metrics = try server.send("GET", "/metrics", headers: elsewhere.merging(bearer) { $1 })
            #expect(metrics.status == 200)
            #expect(metrics.text.contains("shelflist_photos_total{outcome=\"read\"} 2.0"))
        }
    }
}
