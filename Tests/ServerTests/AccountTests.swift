import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct AccountTests {
    @Test("Only this machine is served before an owner exists")
    func localBeforeSetup() async throws {
        try await withServer { server in
            #expect(try server.get("/api/v1/session", as: SessionState.self).via == "local")
            #expect(try server.send("GET", "/api/v1/library").status == 200)
            // Forwarded requests and foreign host names do not count as this machine.
            for headers in [["X-Forwarded-For": "203.0.113.9"], ["Host": "evil.example"], ["Forwarded": "for=x"]] {
                let answer = try server.send("GET", "/api/v1/library", headers: headers)
                #expect(answer.status == 403)
                #expect(answer.problem?.code == "setup_needed")
                #expect(try server.send("GET", "/health", headers: headers).status == 200)
                #expect(try server.get("/api/v1/about", headers: headers, as: AboutServer.self).name == "Shelflist")
                // The app shows the form for the setup code.
                let session: SessionState = try server.get("/api/v1/session", headers: headers)
                #expect(session.setupNeeded && session.via == "none")
            }
            let cookie = try server.makeOwner()
            #expect(try server.send("GET", "/api/v1/library").status == 401)
            #expect(try server.send("GET", "/api/v1/library", headers: cookie).status == 200)
            let second = try server.send(
                "POST", "/api/v1/setup", json: #"{"name":"Eve","password":"correct horse","role":"owner"}"#)
            #expect(second.status == 409)
        }
    }

    @Test("A wrong set-up code is named, and a missing one asked for")
    func wrongSetupCode() async throws {
        try await withServer { server in
            let elsewhere = ["X-Forwarded-For": "203.0.113.9"]
            func create(_ code: String) throws -> Answer {
                let owner = #"{"name":"Ada","password":"correct horse","role":"owner"\#(code)}"#
                return try server.send("POST", "/api/v1/setup", headers: elsewhere, json: owner)
            }
            let wrong = try create(#","code":"a guess""#)
            #expect(wrong.status == 403)
            #expect(wrong.problem?.code == "wrong_setup_code")
            #expect(wrong.problem?.field == "code")
            #expect(try create("").problem?.code == "setup_needed")
            #expect(try server.setUp(headers: elsewhere).status == 201)
        }
    }

    @Test("Signing in sets a strict cookie, and signing out ends it")
    func signsInAndOut() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            let right = #"{"name":"ada","password":"correct horse"}"#
            for name in ["Ada", "Bea"] {
                let refused = try server.send(
                    "POST", "/api/v1/session", json: #"{"name":"\#(name)","password":"wrong"}"#)
                #expect(refused.problem?.code == "wrong_credentials")
            }
            let answer = try server.send("POST", "/api/v1/session", json: right)
            let header = try #require(answer.headers["set-cookie"])
            #expect(header.contains("HttpOnly") && header.contains("SameSite=Strict"))
            let cookie = try server.cookie(answer)
            #expect(try server.get("/api/v1/session", headers: cookie, as: SessionState.self).member?.name == "Ada")
            let out = try server.send("DELETE", "/api/v1/session", headers: cookie)
            #expect(out.status == 204)
            #expect(out.headers["clear-site-data"] == #""cache", "storage""#)
            #expect(try server.send("GET", "/api/v1/library", headers: cookie).status == 401)
        }
    }

    @Test("Repeated wrong passwords are throttled")
    func throttlesSignIn() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            var last = Answer(status: 0, headers: [:], body: [])
            for _ in 1...12 {
                last = try server.send("POST", "/api/v1/session", json: #"{"name":"Ada","password":"guess"}"#)
            }
            #expect(last.status == 429)
            #expect(last.problem?.code == "login_throttled")
        }
    }

    @Test("Changes from another site are refused")
    func refusesOtherSites() async throws {
        try await withServer { server in
            let cookie = try server.makeOwner()
            let shelf = #"{"name":"Hall"}"#
            for headers in [["Origin": "https://evil.example"], ["Sec-Fetch-Site": "cross-site"], ["Origin": "null"]] {
                let answer = try server.send(
                    "POST", "/api/v1/shelves", headers: headers.merging(cookie) { $1 }, json: shelf)
                #expect(answer.problem?.code == "wrong_origin")
            }
            let own = try server.send(
                "POST", "/api/v1/shelves", headers: ["Origin": "http://localhost"].merging(cookie) { $1 }, json: shelf)
            #expect(own.status == 201)
        }
    }

    @Test("Roles and scopes limit what a caller can do")
    func rolesAndScopes() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let viewer = try server.addMember("viewer", role: "viewer", by: owner).session
            let editor = try server.addMember("editor", by: owner).session
            let taken = try server.send(
                "POST", "/api/v1/members", headers: owner,
                json: #"{"name":"EDITOR","password":"a long password","role":"viewer"}"#)
            #expect(taken.problem?.code == "name_taken")
            let shelf = #"{"name":"Hall"}"#
            #expect(try server.send("GET", "/api/v1/library", headers: viewer).status == 200)
            #expect(try server.send("POST", "/api/v1/shelves", headers: viewer, json: shelf).status == 403)
            #expect(try server.scan(["books:x"], headers: viewer).status == 403)
            #expect(try server.send("POST", "/api/v1/shelves", headers: editor, json: shelf).status == 201)
            #expect(try server.send("GET", "/api/v1/members", headers: editor).status == 403)
            // The job belongs to the editor.
            let id = try server.scan(["books:x"], headers: editor).decode(ScanAccepted.self).jobId
            #expect(try server.send("GET", "/api/v1/scans/\(id)", headers: owner).status == 200)
            #expect(try server.send("GET", "/api/v1/scans/\(id)", headers: viewer).status == 403)

            let token = try server.send(
                "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"script","scopes":["read"]}"#)
            let secret = try #require(token.string("secret"))
            let bearer = ["Authorization": "Bearer \(secret)"]
            #expect(try server.send("GET", "/api/v1/library", headers: bearer).status == 200)
            #expect(try server.send("POST", "/api/v1/shelves", headers: bearer, json: shelf).status == 403)
            let file = try String(contentsOf: server.folder.appending(path: "accounts.json"), encoding: .utf8)
            #expect(!file.contains(secret) && !file.contains("a long password"))
            let number = try #require(token["token", "id"] as? String)
            #expect(try server.send("DELETE", "/api/v1/tokens/\(number)", headers: owner).status == 204)
            #expect(try server.send("GET", "/api/v1/library", headers: bearer).status == 401)
        }
    }

    @Test("A renewed session's old cookie is refused after a minute")
    func renewsSession() async throws {
        try await withServer { server in
            let first = try server.makeOwner()
            #expect(try server.send("GET", "/api/v1/library", headers: first).headers["set-cookie"] == nil)
            server.clock.advance(by: .seconds(25 * 3600))
            let renewing = try server.send("GET", "/api/v1/library", headers: first)
            #expect(renewing.headers["set-cookie"]?.contains("HttpOnly") == true)
            let second = try server.cookie(renewing)
            #expect(second != first)
            // Requests in flight with the old cookie are still served.
            #expect(try server.send("GET", "/api/v1/library", headers: first).status == 200)
            server.clock.advance(by: .seconds(61))
            #expect(try server.send("GET", "/api/v1/library", headers: first).status == 401)
            #expect(try server.send("GET", "/api/v1/library", headers: second).status == 200)
        }
    }

    @Test("A renewed session cookie is sent with errors and handshakes")
    func sendsRenewedCookie() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let account = #"{"name":"Bea","password":"a long password","role":"viewer"}"#
            _ = try server.send("POST", "/api/v1/members", headers: owner, json: account)
            /// Expects that the response to `request` a day later has a new cookie, and that the old one expires.
            func expectRenewal(_ status: Int, _ request: ([String: String]) throws -> Answer) throws {
                let old = try server.cookie(server.send("POST", "/api/v1/session", json: account))
                server.clock.advance(by: .seconds(25 * 3600))
                let answer = try request(old)
                #expect(answer.status == status)
                let new = try server.cookie(answer)
                server.clock.advance(by: .seconds(61))
                #expect(try server.send("GET", "/api/v1/library", headers: old).status == 401)
                #expect(try server.send("GET", "/api/v1/library", headers: new).status == 200)
            }
            try expectRenewal(404) { try server.send("GET", "/api/v1/library/999", headers: $0) }
            try expectRenewal(400) { try server.send("GET", "/api/v1/library?limit=0", headers: $0) }
            try expectRenewal(403) { try server.send("GET", "/api/v1/members", headers: $0) }
            try expectRenewal(429) { cookie in
                // The limit counts by member, and the clock does not advance between requests.
                let other = try server.cookie(server.send("POST", "/api/v1/session", json: account))
                for _ in 1...10 { _ = try server.send("POST", "/api/v1/session", headers: other, json: "{}") }
                return try server.send("POST", "/api/v1/session", headers: cookie, json: "{}")
            }
            func handshake(_ job: String, _ cookie: [String: String]) throws -> Answer {
                try Connection(port: server.port).upgrade(
                    "/ws/progress?jobId=\(job)", headers: cookie.map { "\($0): \($1)\r\n" }.joined())
            }
            try expectRenewal(401) { try handshake("x", $0) }
            // The owner has to enter the password again a day later.
            let confirmed = try server.cookie(
                server.send("POST", "/api/v1/session", json: #"{"name":"Ada","password":"correct horse"}"#))
            let members: Page<Member> = try server.get("/api/v1/members", headers: confirmed)
            let member = try #require(members.items.last).id
            let promoted = try server.send(
                "PATCH", "/api/v1/members/\(member)", headers: confirmed.merging(["If-Match": "*"]) { $1 },
                json: #"{"role":"editor"}"#)
            #expect(promoted.status == 200)
            try expectRenewal(101) { try handshake("x", $0) }
        }
    }

    @Test("Changing the password or signing out takes precedence over renewing the session")
    func handlerTakesPrecedence() async throws {
        try await withServer { server in
            let first = try server.makeOwner()
            server.clock.advance(by: .seconds(25 * 3600))
            let changed = try server.send(
                "PUT", "/api/v1/session/password", headers: first,
                json: #"{"current":"correct horse","new":"battery staple"}"#)
            #expect(changed.status == 204)
            let second = try server.cookie(changed)
            #expect(try server.send("GET", "/api/v1/library", headers: second).status == 200)
            server.clock.advance(by: .seconds(25 * 3600))
            let left = try server.send("DELETE", "/api/v1/session", headers: second)
            #expect(left.headers["set-cookie"]?.hasPrefix("shelflist_session=;") == true)
            #expect(left.headers["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(try server.send("GET", "/api/v1/library", headers: second).status == 401)
        }
    }

    @Test("The last owner can be neither deleted nor demoted")
    func lastOwner() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            func ada() throws -> Member? {
                try server.get("/api/v1/members", headers: owner, as: Page<Member>.self).items.first
            }
            let id = try #require(try ada()).id
            #expect(try server.send("DELETE", "/api/v1/members/\(id)", headers: owner).status == 409)
            let demoted = try server.send(
                "PATCH", "/api/v1/members/\(id)", headers: owner.merging(["If-Match": "*"]) { $1 },
                json: #"{"role":"viewer"}"#)
            #expect(demoted.problem?.code == "not_possible")
            #expect(try ada()?.role == "owner")
        }
    }
}
