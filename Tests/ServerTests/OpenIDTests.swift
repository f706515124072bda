import Fixtures
import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Each test signs in at a provider on a real socket.
@Suite(.serialized, .endsHangs) struct OpenIDTests {
    private static func withProvider(
        only: Bool = false, newMembers: Role? = nil,
        _ body: @escaping @Sendable (TestServer, StubIdentityProvider) throws -> Void
    ) async throws {
        try await OpenIDFlow.withProvider(only: only, newMembers: newMembers, body)
    }

    /// Runs `body` with a server that has an owner and takes new members.
    private static func withOwner(
        _ body: @escaping @Sendable (TestServer, StubIdentityProvider) throws -> Void
    ) async throws {
        try await OpenIDFlow.withOwner { server, provider, _ in try body(server, provider) }
    }

    private static func signIn(
        _ server: TestServer, _ provider: StubIdentityProvider, as subject: String, name: String? = "ada",
        query: String = "", headers: [String: String] = [:]
    ) throws -> OpenIDFlow.Arrival {
        try OpenIDFlow.signIn(server, provider, as: subject, name: name, query: query, headers: headers)
    }

    private static func member(_ server: TestServer, _ cookie: [String: String]) throws -> Member {
        try #require(try OpenIDFlow.member(server, cookie))
    }

    @Test("The owner connects the account, and signs in with it from then on")
    func links() async throws {
        try await Self.withProvider { server, provider in
            let owner = try server.makeOwner()
            let state: SessionState = try server.get("/api/v1/session")
            #expect(state.openId == SessionState.OpenID(name: "Home", onlyWay: false))
            // A person whom only the provider knows.
            let stranger = try Self.signIn(server, provider, as: "u1")
            #expect(stranger.location == "/#/welcome?openid=unknown")
            let linked = try Self.signIn(server, provider, as: "u1", query: "?for=link&next=/settings", headers: owner)
            #expect(linked.location == "/#/settings")
            #expect(try Self.member(server, owner).openId)
            let signedIn = try Self.signIn(server, provider, as: "u1", query: "?next=/review")
            #expect(signedIn.location == "/#/review")
            #expect(try Self.member(server, signedIn.cookie).name == "Ada")
            let audit = try server.send("GET", "/api/v1/audit", headers: owner).text
            #expect(audit.contains("openIDLinked"))
        }
    }

    @Test(
        "People can sign in although a key cannot be used",
        arguments: [
            #"{"kty":"RSA","alg":"RSA-OAEP-256","kid":"o","n":"AQAB","e":"AQAB"}"#,
            #"{"kty":"EC","crv":"secp256k1","alg":"ES256K","kid":"k","use":"sig","x":"AA","y":"AA"}"#,
            #"{"kty":"OKP","crv":"Ed448","alg":"EdDSA","kid":"d","use":"sig","x":"AA"}"#,
            #"{"kty":"OKP","crv":"X25519","kid":"x","x":"AA"}"#, #"{"kty":"EC","kid":"i","use":"sig"}"#,
            #"{"kty":"AKP","alg":"ML-DSA-44","kid":"m","pub":"AA"}"#, #"{"kid":"n"}"#, "{}",
        ])
    func unusableKeys(key: String) async throws {
        try await Self.withOwner { server, provider in
            provider.publishes(key)
            let arrival = try Self.signIn(server, provider, as: "u1")
            #expect(arrival.location == "/#/library")
            #expect(try Self.member(server, arrival.cookie).role == "viewer")
        }
    }

    @Test("New members get the chosen role and a free name, once")
    func newMembers() async throws {
        try await Self.withOwner { server, provider in
            let first = try Self.member(server, Self.signIn(server, provider, as: "u1", name: "Ada").cookie)
            #expect(first.name == "Ada 2")
            #expect(first.role == "viewer")
            #expect(!first.password)
            let again = try Self.member(server, Self.signIn(server, provider, as: "u1", name: "Other").cookie)
            #expect(again.id == first.id)
            let nameless = try Self.member(server, Self.signIn(server, provider, as: "u2", name: nil).cookie)
            #expect(nameless.name == "Member")
            // A member without a password cannot sign in with any.
            let guess = try server.send("POST", "/api/v1/session", json: #"{"name":"Ada 2","password":"x"}"#)
            #expect(guess.status == 401)
        }
    }

    @Test("Without passwords, the provider is the only way in")
    func onlyWay() async throws {
        try await Self.withProvider(only: true) { server, provider in
            let credentials = #"{"name":"Ada","password":"correct horse","role":"owner"}"#
            #expect(try server.send("POST", "/api/v1/setup", json: credentials).problem?.code == "password_off")
            // From another machine, only with the set-up code.
            let proxied = ["Host": "books.example"]
            #expect(try server.send("GET", "/api/v1/session/openid", headers: proxied).status == 403)
            let wrong = try server.send("GET", "/api/v1/session/openid?code=a-guess", headers: proxied)
            #expect(wrong.headers["location"] == "/#/welcome?openid=setupCode")
            let owner = try Self.signIn(
                server, provider, as: "u1", query: "?code=\(server.setupCode)", headers: proxied)
            #expect(try Self.member(server, owner.cookie).role == "owner")
            #expect(try Self.signIn(server, provider, as: "u2").location == "/#/welcome?openid=unknown")
            for (method, path, json) in [
                ("POST", "/api/v1/session", #"{"name":"ada","password":"correct horse"}"#),
                ("POST", "/api/v1/session/confirm", #"{"password":"correct horse"}"#),
                ("PUT", "/api/v1/session/password", #"{"current":"correct horse","new":"correct horse"}"#),
                ("POST", "/api/v1/members", #"{"name":"Bea","password":"correct horse","role":"viewer"}"#),
            ] {
                let answer = try server.send(method, path, headers: owner.cookie, json: json)
                #expect(answer.problem?.code == "password_off", "\(method) \(path)")
            }
        }
    }

    @Test("Signing in again at the provider confirms a session, after which sensitive changes are allowed")
    func confirms() async throws {
        try await Self.withProvider { server, provider in
            let owner = try server.makeOwner()
            _ = try Self.signIn(server, provider, as: "u1", query: "?for=link", headers: owner)
            let confirmed = try Self.signIn(
                server, provider, as: "u1", query: "?for=confirm&next=/settings", headers: owner)
            #expect(confirmed.location == "/#/settings")
            let other = try Self.signIn(server, provider, as: "u2", query: "?for=confirm", headers: owner)
            #expect(other.location == "/#/welcome?openid=taken")
            // A provider that does not ask for the credentials again does not say when it did.
            provider.change(#"{"auth_time":null}"#)
            let silent = try Self.signIn(server, provider, as: "u1", query: "?for=confirm", headers: owner)
            #expect(silent.location == "/#/welcome?openid=failed")
        }
    }

    @Test("The answer of another browser, a used one and a late one are refused")
    func attempts() async throws {
        try await Self.withOwner { server, provider in
            let began = try server.send("GET", "/api/v1/session/openid")
            let cookie = try server.cookie(began)
            #expect(began.headers["set-cookie"]?.contains("SameSite=Lax") == true)
            let back = try provider.signIn(.init(subject: "u1"), at: began.headers["location"] ?? "")
            #expect(try server.send("GET", back).headers["location"] == "/#/welcome?openid=expired")
            #expect(try server.send("GET", back, headers: cookie).headers["location"] == "/#/library")
            #expect(try server.send("GET", back, headers: cookie).headers["location"] == "/#/welcome?openid=expired")
            let denied = try server.send("GET", "/api/v1/session/openid")
            let state = URLComponents(string: denied.headers["location"] ?? "")?.queryItems?.first {
                $0.name == "state"
            }
            let refusal = "/api/v1/session/openid/callback?error=access_denied&state=\(state?.value ?? "")"
            let answer = try server.send("GET", refusal, headers: try server.cookie(denied))
            #expect(answer.headers["location"] == "/#/welcome?openid=denied")
        }
    }

    @Test("Addresses outside of the app are not opened")
    func next() async throws {
        try await Self.withOwner { server, provider in
            for next in ["https://evil.example", "%0d%0aX:1", ""] {
                let arrival = try Self.signIn(server, provider, as: "u1", query: "?next=\(next)")
                #expect(arrival.location == "/#/library", "\(next)")
            }
        }
    }

    @Test(
        "Tokens of others, old tokens and changed tokens are refused",
        arguments: [
            #"{"iss":"https://evil.example"}"#, #"{"aud":"other"}"#, #"{"aud":["shelf list","other"]}"#,
            #"{"azp":"other"}"#, #"{"aud":["shelf list","other"],"azp":"other"}"#,
            #"{"exp":1000000000}"#, #"{"iat":4000000000}"#, #"{"nonce":"n"}"#, #"{"nonce":null}"#, #"{"sub":""}"#,
            #"{"forged":"none"}"#, #"{"forged":"HS256"}"#, #"{"forged":"key"}"#, #"{"forged":"body"}"#,
        ]) func refuses(claims: String) async throws
    {
        try await Self.withOwner { server, provider in
            provider.change(claims)
            let arrival = try Self.signIn(server, provider, as: "u1")
            #expect(arrival.location == "/#/welcome?openid=failed")
            #expect(arrival.cookie.isEmpty)
        }
    }

    @Test(
        "A token that names the client to which it was issued is accepted if it is this one",
        arguments: [#"{"aud":["shelf list","other"],"azp":"shelf list"}"#, #"{"azp":"shelf list"}"#])
    func authorizedParty(claims: String) async throws {
        try await Self.withOwner { server, provider in
            provider.change(claims)
            let arrival = try Self.signIn(server, provider, as: "u1")
            #expect(arrival.location == "/#/library")
        }
    }

    @Test("A provider that fails is reported, and no one is signed in")
    func failures() async throws {
        try await Self.withOwner { server, provider in
            for answer in [.answer(500), .json("{}"), .cut, .endless(3_000_000)] as [StubAnswer] {
                provider.answersForKeys(answer)
                let arrival = try Self.signIn(server, provider, as: "u1")
                #expect(arrival.location == "/#/welcome?openid=failed")
                #expect(arrival.cookie.isEmpty)
            }
        }
    }

    @Test("A provider that takes secrets in forms gets it there")
    func secretInForm() async throws {
        try await Self.withOwner { server, provider in
            provider.takesSecretsInForms()
            let arrival = try Self.signIn(server, provider, as: "u1")
            #expect(arrival.location == "/#/library")
        }
    }

    @Test("Tokens are checked by the machine's clock, which may be set after the start")
    func setClock() async throws {
        let provider = try StubIdentityProvider()
        try await withServer(
            date: provider.date.addingTimeInterval(-3600),
            configure: { settings, _ in
                settings.openID = OpenIDSettings(
                    issuer: provider.issuer, clientID: StubIdentityProvider.client,
                    clientSecret: StubIdentityProvider.secret, name: "Home", newMembers: .viewer)
                let date = provider.date
                settings.date = { date }
            }
        ) { server in
            _ = try server.makeOwner()
            #expect(try Self.signIn(server, provider, as: "u1").location == "/#/library")
        }
    }

    @Test("Without a provider there is no such page")
    func none() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            #expect(try server.send("GET", "/api/v1/session/openid").status == 404)
            #expect(try server.send("GET", "/api/v1/session")["openId"] is NSNull)
        }
    }
}
