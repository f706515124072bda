import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// What the server answers to the cookie of a session that was ended before its time.
@Suite(.serialized, .endsHangs) struct EndedSessionTests {
    private static let ada = #"{"name":"Ada","password":"correct horse"}"#
    private static let day = 86_400

    private static func signIn(_ server: TestServer, _ account: String = ada) throws -> [String: String] {
        try server.cookie(server.send("POST", "/api/v1/session", json: account))
    }

    /// The code of the answer to a cookie; `nil` if it gives access.
    private static func code(_ server: TestServer, _ cookie: [String: String]) throws -> String? {
        try server.send("GET", "/api/v1/library", headers: cookie).problem?.code
    }

    @Test(
        "The cookie of a session that was ended gets a code of its own",
        arguments: ["one", "everywhere", "password", "reset", "removed", "signed out"])
    func answersEnded(way: String) async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let account = #"{"name":"Bea","password":"a long password"}"#
            let (member, here) = try server.addMember("Bea", by: owner)
            let phone = try Self.signIn(server, account)
            #expect(try Self.code(server, phone) == nil)
            let change = owner.merging(["If-Match": "*"]) { $1 }
            let answer =
                switch way {
                case "one":
                    try server.send(
                        "DELETE", "/api/v1/sessions/\(Self.other(server, here).id)", headers: here)
                case "everywhere": try server.send("DELETE", "/api/v1/sessions", headers: here)
                case "password":
                    try server.send(
                        "PUT", "/api/v1/session/password", headers: here,
                        json: #"{"current":"a long password","new":"another password"}"#)
                case "reset":
                    try server.send(
                        "PATCH", "/api/v1/members/\(member.id)", headers: change,
                        json: #"{"password":"another password"}"#)
                case "removed": try server.send("DELETE", "/api/v1/members/\(member.id)", headers: owner)
                default: try server.send("DELETE", "/api/v1/session", headers: phone)
                }
            #expect([200, 204].contains(answer.status), "\(answer.status)")
            #expect(try Self.code(server, phone) == "session_ended")
            // It asks and signs in without being refused.
            #expect(try server.get("/api/v1/session", headers: phone, as: SessionState.self).signedIn == false)
            #expect(try server.send("POST", "/api/v1/session", headers: phone, json: Self.ada).status == 200)
        }
    }

    private static func other(_ server: TestServer, _ session: [String: String]) throws -> ListedSession {
        let list: Page<ListedSession> = try server.get("/api/v1/sessions", headers: session)
        return try #require(list.items.first { !$0.current })
    }

    @Test("Cookies that the server never issued, expired ones and replaced ones get the answer of no cookie")
    func answersOthers() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let phone = try Self.signIn(server)
            #expect(try server.send("DELETE", "/api/v1/sessions", headers: owner).status == 204)
            #expect(try Self.code(server, phone) == "session_ended")
            let none = try server.send("GET", "/api/v1/library")
            for made in ["sls_made-up", "", "slb_x", String((phone["Cookie"] ?? "").dropFirst(18).dropLast(1))] {
                let answer = try server.send(
                    "GET", "/api/v1/library", headers: ["Cookie": "shelflist_session=\(made)"])
                #expect(answer.status == 401 && answer.text == none.text, "\(made)")
            }
            // The session of a browser that signs in again is replaced, not ended.
            let first = try Self.signIn(server)
            let second = try server.cookie(server.send("POST", "/api/v1/session", headers: first, json: Self.ada))
            #expect(try Self.code(server, first) == "sign_in_needed")
            server.clock.advance(by: .seconds(30 * Self.day + 1))
            #expect(try Self.code(server, second) == "sign_in_needed")
            #expect(try Self.code(server, phone) == "sign_in_needed", "its browser has dropped the cookie")
        }
    }

    @Test("Ended sessions are known after a restart, with the cookie before the last renewal, and forgotten in time")
    func keepsThem() async throws {
        let folder = try TemporaryFolder()
        let (old, renewed) = try await withServer(folder: folder.url) { server in
            let owner = try server.makeOwner()
            let phone = try Self.signIn(server)
            server.clock.advance(by: .seconds(Self.day + 1))
            let renewed = try server.cookie(server.send("GET", "/api/v1/library", headers: phone))
            #expect(renewed != phone)
            #expect(try server.send("DELETE", "/api/v1/sessions", headers: owner).status == 204)
            return (phone, renewed)
        }
        func stored() throws -> Int {
            let file = try Data(contentsOf: folder.url.appending(path: "accounts.json"))
            let content = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
            let accounts = try #require(content["accounts"] as? [String: Any])
            return ((accounts["endedSessions"] as? [String: Any])?["entries"] as? [Any])?.count ?? 0
        }
        #expect(try stored() == 1)
        try await withServer(folder: folder.url, date: Date().addingTimeInterval(2 * 86_400)) { server in
            #expect(try Self.code(server, old) == "session_ended")
            #expect(try Self.code(server, renewed) == "session_ended")
            server.clock.advance(by: .seconds(30 * Self.day))
            _ = try Self.signIn(server)
        }
        #expect(try stored() == 0)
    }

    @Test("A bounded number of ended sessions is kept for each member")
    func keepsFew() async throws {
        let folder = try TemporaryFolder()
        try await withServer(folder: folder.url) { server in
            let owner = try server.makeOwner()
            let lost = try Self.signIn(server)
            #expect(try server.send("DELETE", "/api/v1/sessions", headers: owner).status == 204)
            _ = try server.addMember("Bea", by: owner)
            var last = [String: String]()
            var first: [String: String]?
            for _ in 0...EndedSessions.maxPerMember {
                // An address has ten sign-ins a minute.
                server.clock.advance(by: .seconds(60))
                last = try Self.signIn(server, #"{"name":"Bea","password":"a long password"}"#)
                first = first ?? last
                #expect(try server.send("DELETE", "/api/v1/session", headers: last).status == 204)
            }
            #expect(try Self.code(server, last) == "session_ended")
            #expect(try Self.code(server, #require(first)) == "sign_in_needed")
            #expect(try Self.code(server, lost) == "session_ended", "another member displaces none")
        }
    }

    @Test("Signing out clears the browser's storage unless it keeps photos", arguments: [true, false])
    func keepsPhotos(keeps: Bool) async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let query = keeps ? "?keepPhotos=true" : ""
            let answer = try server.send("DELETE", "/api/v1/session\(query)", headers: owner)
            #expect(answer.status == 204)
            #expect(answer.headers["clear-site-data"] == (keeps ? #""cache""# : #""cache", "storage""#))
            #expect(try server.send("DELETE", "/api/v1/session?keepPhotos=maybe").status == 400)
        }
    }
}
