import Concurrency
import Foundation
import Logging
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct SessionTests {
    private static let ada = #"{"name":"Ada","password":"correct horse"}"#

    private static func signIn(_ server: TestServer, agent: String = "test") throws -> [String: String] {
        try server.cookie(server.send("POST", "/api/v1/session", headers: ["User-Agent": agent], json: ada))
    }

    private static func status(_ server: TestServer, _ headers: [String: String]) throws -> Int {
        try server.send("GET", "/api/v1/library", headers: headers).status
    }

    @Test("A member sees the own sessions and signs out everywhere else")
    func signsOutEverywhere() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            let phone = try Self.signIn(server, agent: "Phone/1")
            let desk = try Self.signIn(server, agent: "Laptop/2")
            let list: Page<ListedSession> = try server.send("GET", "/api/v1/sessions", headers: desk).decode()
            #expect(list.total == 3)
            let own = try #require(list.items.first { $0.current })
            #expect(own.agent == "Laptop/2" && own.address == "127.0.0.1")
            let other = try #require(list.items.first { $0.agent == "Phone/1" })
            #expect(try server.send("DELETE", "/api/v1/sessions/\(other.id)", headers: desk).status == 204)
            #expect(try Self.status(server, phone) == 401)
            #expect(try server.send("DELETE", "/api/v1/sessions", headers: desk).status == 204)
            #expect(try Self.status(server, desk) == 200)
            #expect(try server.send("GET", "/api/v1/sessions", headers: desk)["total"] as? Int == 1)
            // A member cannot end the sessions of another.
            let bea = try server.addMember("Bea", role: "viewer", by: desk).session
            #expect(try server.send("DELETE", "/api/v1/sessions/\(own.id)", headers: bea).status == 404)
            #expect(try Self.status(server, desk) == 200)
        }
    }

    @Test("Signing in again replaces the session of the browser")
    func replacesSession() async throws {
        try await withServer { server in
            let first = try server.makeOwner()
            let second = try server.cookie(server.send("POST", "/api/v1/session", headers: first, json: Self.ada))
            #expect(try Self.status(server, first) == 401)
            #expect(try Self.status(server, second) == 200)
        }
    }

    @Test("A session ends after 180 days although it is used")
    func endsAtLast() async throws {
        try await withServer { server in
            var cookie = try server.makeOwner()
            for _ in 1...8 {
                server.clock.advance(by: .seconds(20 * 86_400))
                let answer = try server.send("GET", "/api/v1/library", headers: cookie)
                #expect(answer.status == 200)
                cookie = try server.cookie(answer)
            }
            server.clock.advance(by: .seconds(20 * 86_400 - 1))
            #expect(try Self.status(server, cookie) == 200)
            server.clock.advance(by: .seconds(2))
            #expect(try Self.status(server, cookie) == 401)
        }
    }

    @Test("Sockets and streams end with their session, or when the role was lowered", arguments: [true, false])
    func endsConnections(signsOut: Bool) async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let (member, cookie) = try server.addMember("Bea", by: owner)
            let id = try server.scan(["wait:Emma"], headers: cookie).decode(ScanAccepted.self).jobId
            let socket = try Connection(port: server.port)
            let header = cookie.map { "\($0): \($1)\r\n" }.joined()
            let opened = try socket.upgrade("/ws/progress?jobId=\(id)", protocols: "shelflist", headers: header)
            #expect(opened.status == 101)
            let stream = try Connection(port: server.port)
            try stream.send(
                TestServer.request(
                    "GET", "/api/v1/scans/\(id)/events",
                    headers: cookie.merging(["Accept": "text/event-stream"]) { $1 }))
            _ = try stream.read(through: "event: progress")
            if signsOut {
                #expect(try server.send("DELETE", "/api/v1/session", headers: cookie).status == 204)
            } else {
                let lowered = try server.send(
                    "PATCH", "/api/v1/members/\(member.id)", headers: owner.merging(["If-Match": "*"]) { $1 },
                    json: #"{"role":"viewer"}"#)
                #expect(lowered.status == 200)
            }
            // Both check their caller between two events too. The stream ends at once if the scan still reports
            // something, so how many of them wait is not certain.
            let code = try await server.clock.passing(ServerSettings().sessionCheck) {
                _ = try stream.readToEnd()
                return try socket.closeCode()
            }
            #expect(code == 1008)
            server.reader.release()
        }
    }

    @Test("Sensitive changes need the password again after a while")
    func asksForPassword() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let token = #"{"name":"script","scopes":["admin","read"]}"#
            let bearer = try server.addToken(["admin", "read"], by: owner)
            server.clock.advance(by: .seconds(16 * 60))
            func isConfirmed() throws -> Bool {
                try server.get("/api/v1/session", headers: owner, as: SessionState.self).confirmed
            }
            #expect(try !isConfirmed())
            let account = #"{"name":"Bea","password":"a long password","role":"owner"}"#
            for (method, path, body) in [
                ("POST", "/api/v1/tokens", token), ("POST", "/api/v1/members", account),
                ("PATCH", "/api/v1/members/x", "{}"), ("DELETE", "/api/v1/members/x", ""),
                ("GET", "/api/v1/backup", ""),
                ("POST", "/api/v1/apps", #"{"name":"phone"}"#), ("POST", "/api/v1/session/second-factor", ""),
                ("DELETE", "/api/v1/session/openid", ""),
            ] {
                let answer = try server.send(method, path, headers: owner, json: body)
                #expect(answer.problem?.code == "confirmation_needed", "\(method) \(path)")
            }
            // A token with the scope was confirmed when it was created.
            #expect(try server.send("POST", "/api/v1/members", headers: bearer, json: account).status == 201)
            func confirm(_ password: String) throws -> Int {
                try server.send(
                    "POST", "/api/v1/session/confirm", headers: owner, json: #"{"password":"\#(password)"}"#
                ).status
            }
            #expect(try confirm("wrong password") == 401)
            #expect(try server.send("GET", "/api/v1/backup", headers: owner).status == 403)
            #expect(try confirm("correct horse") == 204)
            #expect(try isConfirmed())
            #expect(try server.send("GET", "/api/v1/backup", headers: owner).status == 200)
        }
    }

    @Test("A new password revokes tokens and apps unless the member keeps them", arguments: [true, false])
    func revokesTokens(keeps: Bool) async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let other = try Self.signIn(server)
            let bearer = try server.addToken(["read"], by: owner)
            let app = try server.send("POST", "/api/v1/apps", headers: owner, json: #"{"name":"phone"}"#)
            let path = try #require(app.string("path"))
            let change = #"{"current":"correct horse","new":"battery staple"\#(keeps ? #","keepTokens":true"# : "")}"#
            // A token cannot change the password, even with the right one.
            let refused = try server.send("PUT", "/api/v1/session/password", headers: bearer, json: change)
            #expect(refused.status == 403)
            #expect(try server.send("PUT", "/api/v1/session/password", headers: owner, json: change).status == 204)
            #expect(try Self.status(server, owner) == 200)
            #expect(try Self.status(server, other) == 401)
            #expect(try Self.status(server, bearer) == (keeps ? 200 : 401))
            let called = try server.send("GET", path + "/scan/status?jobId=x")
            #expect((called.string("code") == "wrong_app_key") == !keeps)
        }
    }

    @Test("The owner cannot set the own password without the current one")
    func ownPassword() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let members: Page<Member> = try server.get("/api/v1/members", headers: owner)
            let id = try #require(members.items.first).id
            let answer = try server.send(
                "PATCH", "/api/v1/members/\(id)", headers: owner.merging(["If-Match": "*"]) { $1 },
                json: #"{"password":"battery staple"}"#)
            #expect(answer.status == 422)
            #expect(try server.send("POST", "/api/v1/session", json: Self.ada).status == 200)
        }
    }

    @Test("Only tokens of jobs are accepted in addresses")
    func tokensInAddresses() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let made = try server.send(
                "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"script","scopes":["scan","read"]}"#)
            let secret = try #require(made.string("secret"))
            let accepted = try server.scan(["books:Emma"], headers: owner).decode(ScanAccepted.self)
            let (id, token) = (accepted.jobId, accepted.token)
            #expect(try server.send("GET", "/api/v1/scans/\(id)?token=\(token)").status == 200)
            #expect(try server.send("GET", "/api/v1/scans/\(id)?token=\(secret)").status == 401)
            #expect(
                try Connection(port: server.port).upgrade("/ws/progress?jobId=\(id)&token=\(secret)").status == 401)
            #expect(
                try Connection(port: server.port).upgrade(
                    "/ws/progress?jobId=\(id)", protocols: "shelflist, token.\(secret)"
                ).status == 101)
        }
    }

    @Test("The token of a job ends with the member who started it")
    func jobTokenOfRemovedMember() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let bea = try server.addMember("Bea", by: owner)
            let accepted = try server.scan(["books:Emma"], headers: bea.session).decode(ScanAccepted.self)
            let id = accepted.jobId
            let bearer = ["Authorization": "Bearer \(accepted.token)"]
            #expect(try server.send("GET", "/api/v1/scans/\(id)", headers: bearer).status == 200)
            #expect(try server.send("DELETE", "/api/v1/members/\(bea.member.id)", headers: owner).status == 204)
            #expect(try server.send("GET", "/api/v1/scans/\(id)", headers: bearer).status == 404)
            #expect(try server.send("GET", "/api/v1/scans/\(id)", headers: owner).status == 200)
        }
    }

    @Test("Guessing from many addresses is slowed down for the member, not for the known network")
    func throttlesMember() async throws {
        try await withServer(
            configure: { settings, _ in
                settings.trustedProxies = Set([AddressRange("127.0.0.0/8")].compactMap { $0 })
            }
        ) { server in
            #expect(try server.setUp(headers: ["X-Forwarded-For": "2001:db8:1::5"]).status == 201)
            func attempt(_ address: String, _ password: String, name: String = "ADA") throws -> Answer {
                try server.send(
                    "POST", "/api/v1/session", headers: ["X-Forwarded-For": address],
                    json: #"{"name":"\#(name)","password":"\#(password)"}"#)
            }
            for number in 1...10 { #expect(try attempt("203.0.113.\(number)", "guess").status == 401) }
            let refused = try attempt("203.0.113.99", "correct horse")
            #expect(refused.problem?.code == "login_throttled")
            #expect(refused.problem?.retryAfterMs ?? 0 > 0)
            // Another name does not wait.
            #expect(try attempt("203.0.113.99", "guess", name: "Bea").status == 401)
            // The wait grows and ends.
            for number in 20...25 {
                server.clock.advance(by: .seconds(3600 - 1))
                #expect(try attempt("203.0.113.\(number)", "guess").status == 401)
            }
            server.clock.advance(by: .seconds(30))
            #expect(try attempt("203.0.113.100", "correct horse").status == 429)
            server.clock.advance(by: .seconds(35))
            #expect(try attempt("203.0.113.100", "correct horse").status == 200)
            // The network of one of the member's sessions does not wait.
            for number in 30...39 { _ = try attempt("203.0.113.\(number)", "guess") }
            #expect(try attempt("203.0.113.99", "correct horse").status == 429)
            #expect(try attempt("2001:db8:1::77", "correct horse").status == 200)
        }
    }

    @Test("Too many passwords at a time are refused at once")
    func limitsWaiting() async throws {
        try await withServer(configure: { settings, _ in settings.passwordRounds = 1 << 17 }) { server in
            let attempts = try (1...30).map { _ in try Connection(port: server.port) }
            let body = #"{"name":"Guest","password":"guess"}"#
            for (number, connection) in attempts.enumerated() {
                // Members and addresses have limits of their own, so no two attempts may share a name.
                let own = body.replacing("Guest", with: "Guest\(number)")
                try connection.send(
                    TestServer.request(
                        "POST", "/api/v1/session", headers: ["Content-Type": "application/json"],
                        body: Array(own.utf8)))
            }
            let codes = try attempts.map { try $0.answer().problem?.code }
            // One address has ten attempts a minute, of which one waits at a time.
            #expect(codes.contains("sign_in_busy"), "\(codes)")
            #expect(codes.contains("wrong_credentials"))
        }
    }

    @Test("An owner reads who signed in and what was changed")
    func auditLog() async throws {
        let folder = try TemporaryFolder()
        try await withServer(folder: folder.url) { server in
            let owner = try server.makeOwner()
            _ = try server.send("POST", "/api/v1/session", json: #"{"name":"Ada","password":"a guess"}"#)
            _ = try server.send("POST", "/api/v1/session", json: #"{"name":"my password","password":"x"}"#)
            let account = #"{"name":"Bea","password":"a long password","role":"viewer"}"#
            _ = try server.send("POST", "/api/v1/members", headers: owner, json: account)
            _ = try server.send("POST", "/api/v1/session", json: account)
        }
        // It is still there after a restart.
        try await withServer(folder: folder.url) { server in
            let owner = try Self.signIn(server)
            let log: Page<AuditEntry> = try server.send("GET", "/api/v1/audit", headers: owner).decode()
            let events = log.items.map { "\($0.event) \($0.member ?? "-")" }
            #expect(
                events == [
                    "signedIn Ada", "signedIn Bea", "memberAdded Ada", "signInFailed -", "signInFailed Ada",
                    "ownerCreated Ada",
                ])
            #expect(log.items[2].subject == "Bea")
            #expect(log.items.allSatisfy { $0.address == "127.0.0.1" })
            // What was typed as a name may be a password.
            for name in [AuditLog.fileName, AuditLog.signInFileName] {
                let file = try String(contentsOf: server.folder.appending(path: name), encoding: .utf8)
                #expect(file.contains("Ada") && !file.contains("my password"))
            }
        }
    }

    @Test("Opening the review queue is recorded once, and not for access tokens")
    func recordsViews() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let bearer = try server.addToken(["read"], by: owner)
            func views() throws -> Int? {
                try server.send("GET", "/api/v1/activity", headers: owner)["total"] as? Int
            }
            for _ in 1...3 { #expect(try server.send("GET", "/api/v1/review", headers: bearer).status == 200) }
            #expect(try views() == 0)
            for _ in 1...3 { #expect(try server.send("GET", "/api/v1/review", headers: owner).status == 200) }
            #expect(try views() == 1)
            server.clock.advance(by: .seconds(16 * 60))
            _ = try server.send("GET", "/api/v1/review", headers: owner)
            #expect(try views() == 2)
        }
    }

    @Test("Over HTTPS the cookie belongs to this host only, and browsers keep to HTTPS")
    func secureCookie() async throws {
        try await withServer(configure: { settings, _ in
            settings.requiresHTTPS = true
            settings.trustedProxies = Set([AddressRange("127.0.0.0/8")].compactMap { $0 })
        }) { server in
            let secure = ["X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"]
            let made = try server.setUp(headers: secure)
            let cookie = try #require(made.headers["set-cookie"])
            #expect(cookie.hasPrefix("__Host-shelflist_session=sls_"))
            #expect(cookie.contains("Secure") && cookie.contains("Path=/") && !cookie.contains("Domain"))
            #expect(made.headers["strict-transport-security"] == "max-age=31536000")
            let header = try server.cookie(made)
            #expect(try Self.status(server, header.merging(secure) { $1 }) == 200)
            // Another host of the domain could have set a cookie without the prefix.
            let plain = header.mapValues { $0.replacing("__Host-", with: "") }
            #expect(try Self.status(server, plain.merging(secure) { $1 }) == 401)
        }
        try await withServer { server in
            let plain = try server.send("GET", "/health")
            #expect(plain.headers["strict-transport-security"] == nil)
        }
    }

    @Test("The limiter's memory is bounded, and members keep their own limits")
    func boundedLimiter() {
        let limiter = RateLimiter(workPerMinute: 1, clock: SteadyClock(clock: HeldClock()))
        for number in 0..<(RateLimiter.maxBuckets + 500) { _ = limiter.take(.work, client: "ip:\(number)") }
        #expect(limiter.clients <= RateLimiter.maxBuckets + 1)
        #expect(limiter.take(.work, client: "ip:new") != nil)
        #expect(limiter.take(.work, client: "member:1") == nil)
    }

    @Test("Refused requests count towards the limit")
    func countsRefused() async throws {
        try await withServer(
            configure: { settings, _ in settings.requestsPerMinute = 1 }
        ) { server in
            _ = try server.makeOwner()
            let wrong = ["Authorization": "Bearer slp_wrong"]
            let statuses = try (1...21).map { _ in try Self.status(server, wrong) }
            #expect(statuses.first == 401)
            #expect(statuses.last == 429)
        }
    }
}
