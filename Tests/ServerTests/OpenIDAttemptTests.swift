import Fixtures
import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

/// What the server keeps of sign-ins that have begun, and of what the provider publishes.
@Suite(.serialized, .endsHangs) struct OpenIDAttemptTests {
    private static let expired = "/#/welcome?openid=expired"

    @Test("The cookie of a sign-in does not show its secrets, and a changed or foreign one is refused")
    func sealsAttempts() async throws {
        try await OpenIDFlow.withOwner { server, provider, _ in
            let began = try server.send("GET", "/api/v1/session/openid")
            let cookie = try #require(server.cookie(began)["Cookie"])
            let page = began.headers["location"] ?? ""
            let query = URLComponents(string: page)?.queryItems ?? []
            for name in ["state", "nonce"] {
                let value = try #require(query.first { $0.name == name }?.value)
                #expect(!cookie.contains(value) && value.utf8.count >= 32)
            }
            let back = try provider.signIn(.init(subject: "u1"), at: page)
            let other = try #require(server.cookie(server.send("GET", "/api/v1/session/openid"))["Cookie"])
            let changed = cookie.dropLast(8) + (cookie.hasSuffix("AAAAAAAA") ? "BBBBBBBB" : "AAAAAAAA")
            let name = cookie.prefix { $0 != "=" }
            for wrong in [String(changed), other, "\(name)=", "\(name)=AAAA"] {
                let answer = try server.send("GET", back, headers: ["Cookie": wrong])
                #expect(answer.headers["location"] == Self.expired, "\(wrong)")
            }
            let answer = try server.send("GET", back, headers: ["Cookie": cookie])
            #expect(answer.headers["location"] == "/#/library")
        }
    }

    @Test("A sign-in expires after ten minutes, and with the server that began it")
    func expires() async throws {
        let folder = try TemporaryFolder()
        let provider = try StubIdentityProvider()
        func withServer(_ body: @escaping @Sendable (TestServer) throws -> Void) async throws {
            try await OpenIDFlow.withProvider(newMembers: .viewer, folder: folder.url, provider: provider) {
                server, _ in
                try body(server)
            }
        }
        @Sendable func begin(_ server: TestServer) throws -> (path: String, cookie: [String: String]) {
            let began = try server.send("GET", "/api/v1/session/openid")
            let back = try provider.signIn(.init(subject: "u1"), at: began.headers["location"] ?? "")
            return (back, try server.cookie(began))
        }
        let earlier = Mutex<(path: String, cookie: [String: String])?>(nil)
        try await withServer { server in
            _ = try server.makeOwner()
            let late = try begin(server)
            server.clock.advance(by: .seconds(601))
            #expect(try server.send("GET", late.path, headers: late.cookie).headers["location"] == Self.expired)
            let begun = try begin(server)
            earlier.withLock { $0 = begun }
        }
        let begun = try #require(earlier.withLock { $0 })
        try await withServer { server in
            let answer = try server.send("GET", begun.path, headers: begun.cookie)
            #expect(answer.headers["location"] == Self.expired)
        }
    }

    @Test("Sign-ins that strangers begin do not keep members out, and ask the provider once")
    func strangersBegin() async throws {
        try await OpenIDFlow.withProvider(newMembers: .viewer, proxies: "127.0.0.0/8") { server, provider in
            #expect(try server.setUp(headers: ["X-Forwarded-For": "198.51.100.1"]).status == 201)
            for number in 0..<200 {
                let address = ["X-Forwarded-For": "203.0.113.\(number / 10)"]
                #expect(try server.send("GET", "/api/v1/session/openid", headers: address).status == 303)
            }
            let member = ["X-Forwarded-For": "198.51.100.1"]
            let began = try server.send("GET", "/api/v1/session/openid", headers: member)
            let back = try provider.signIn(.init(subject: "u1"), at: began.headers["location"] ?? "")
            let answer = try server.send(
                "GET", back, headers: member.merging(try server.cookie(began)) { $1 })
            #expect(answer.headers["location"] == "/#/library")
            #expect(provider.requests(of: ".well-known/openid-configuration") == 1)
            #expect(provider.requests(of: "keys") == 1)
        }
    }

    @Test("What the provider publishes is kept for ten minutes, and new keys are fetched once a minute")
    func keepsKeys() async throws {
        try await OpenIDFlow.withOwner { server, provider, _ in
            func signIn() throws -> String { try OpenIDFlow.signIn(server, provider, as: "u1").location }
            #expect(try signIn() == "/#/library")
            #expect(try signIn() == "/#/library")
            #expect(provider.requests(of: "keys") == 1)
            provider.replaceKey()
            for _ in 1...2 { #expect(try signIn() == "/#/welcome?openid=failed") }
            #expect(provider.requests(of: "keys") == 1)
            server.clock.advance(by: .seconds(61))
            #expect(try signIn() == "/#/library")
            #expect(provider.requests(of: "keys") == 2)
            #expect(provider.requests(of: ".well-known/openid-configuration") == 1)
            server.clock.advance(by: .seconds(600))
            let began = try server.send("GET", "/api/v1/session/openid")
            #expect(began.status == 303)
            #expect(provider.requests(of: ".well-known/openid-configuration") == 2)
        }
    }

    @Test("A provider that could not be reached is asked again at the next sign-in")
    func retries() async throws {
        try await OpenIDFlow.withOwner { server, provider, _ in
            provider.answersForKeys(.answer(503))
            let failed = try OpenIDFlow.signIn(server, provider, as: "u1")
            #expect(failed.location == "/#/welcome?openid=failed")
            provider.answersForKeys(nil)
            let signedIn = try OpenIDFlow.signIn(server, provider, as: "u1")
            #expect(signedIn.location == "/#/library")
        }
    }

    @Test("A sign-in is used up by its token, also if the person has no account")
    func oneToken() async throws {
        try await OpenIDFlow.withProvider { server, provider in
            _ = try server.makeOwner()
            let began = try server.send("GET", "/api/v1/session/openid")
            let cookie = try server.cookie(began)
            let back = try provider.signIn(.init(subject: "u1"), at: began.headers["location"] ?? "")
            let answers = try (1...2).map { _ in try server.send("GET", back, headers: cookie) }
            #expect(answers.map { $0.headers["location"] } == ["/#/welcome?openid=unknown", Self.expired])
        }
    }

    @Test(
        "Only people with the claim become members",
        arguments: [
            (#"{"groups":["friends","family"]}"#, true), (#"{"groups":"family"}"#, true),
            (#"{"groups":["family of mine"]}"#, false), (#"{"groups":{"family":true}}"#, false), ("{}", false),
        ])
    func requiredClaim(claims: String, isMember: Bool) async throws {
        let claim = OpenIDSettings.Claim(name: "groups", value: "family")
        try await OpenIDFlow.withOwner(claim: claim) { server, provider, owner in
            provider.change(claims)
            let arrival = try OpenIDFlow.signIn(server, provider, as: "u1")
            #expect(arrival.location == (isMember ? "/#/library" : "/#/welcome?openid=unknown"))
            // A member who connects an account does not need it.
            #expect(try OpenIDFlow.link(server, provider, as: "u2", owner).location == "/#/settings")
            #expect(try OpenIDFlow.signIn(server, provider, as: "u2").location == "/#/library")
        }
    }

    @Test("The same person who signs in twice at once becomes one member")
    func onePerson() async throws {
        try await OpenIDFlow.withOwner { server, provider, owner in
            let begun = try (1...3).map { _ in
                let began = try server.send("GET", "/api/v1/session/openid")
                let back = try provider.signIn(.init(subject: "u1", name: "bea"), at: began.headers["location"] ?? "")
                return (path: back, cookie: try server.cookie(began))
            }
            let connections = try begun.map { one in
                let connection = try Connection(port: server.port)
                try connection.send(TestServer.request("GET", one.path, headers: one.cookie))
                return connection
            }
            for connection in connections { #expect(try connection.answer().headers["location"] == "/#/library") }
            let members: Page<Member> = try server.get("/api/v1/members", headers: owner)
            #expect(members.items.map(\.name) == ["Ada", "bea"])
        }
    }
}
