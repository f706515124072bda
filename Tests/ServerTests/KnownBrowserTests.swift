import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct KnownBrowserTests {
    /// A server behind proxies, whose owner has signed in and out in a browser.
    private static func withKnownBrowser(
        _ body: @Sendable (TestServer, [String: String]) async throws -> Void
    ) async throws {
        try await withServer(
            configure: { settings, _ in
                settings.trustedProxies = Set([AddressRange("127.0.0.0/8")].compactMap { $0 })
            }
        ) { server in
            let made = try server.setUp(headers: [
                "X-Forwarded-For": "198.51.100.1", "Origin": "http://127.0.0.1:\(server.port)",
            ])
            let session = try server.cookie(made)
            #expect(try server.send("DELETE", "/api/v1/session", headers: session).status == 204)
            try await body(server, try server.browserCookie(made))
        }
    }

    private static func attempt(
        _ server: TestServer, from address: String, _ password: String, _ headers: [String: String] = [:]
    ) throws -> Answer {
        try server.send(
            "POST", "/api/v1/session", headers: headers.merging(["X-Forwarded-For": address]) { $1 },
            json: #"{"name":"Ada","password":"\#(password)"}"#)
    }

    @Test("A browser that was signed in before does not wait for others who guess")
    func knowsBrowser() async throws {
        try await Self.withKnownBrowser { server, browser in
            for number in 1...10 { _ = try Self.attempt(server, from: "203.0.113.\(number)", "guess") }
            #expect(try Self.attempt(server, from: "203.0.113.98", "correct horse").status == 429)
            // Another cookie makes no difference.
            let forged = browser.mapValues { "\($0.dropLast(4))AAAA" }
            #expect(try Self.attempt(server, from: "203.0.113.99", "correct horse", forged).status == 429)
            // Guesses in this browser wait for each other.
            for number in 20...29 {
                #expect(try Self.attempt(server, from: "203.0.113.\(number)", "guess", browser).status == 401)
            }
            #expect(try Self.attempt(server, from: "203.0.113.30", "correct horse", browser).status == 429)
            server.clock.advance(by: .seconds(2))
            #expect(try Self.attempt(server, from: "203.0.113.31", "correct horse", browser).status == 200)
        }
    }

    @Test(
        "A browser is not known any more after a new password, after signing out everywhere, and after a year",
        arguments: ["password", "sessions", "reset", "year"])
    func forgetsBrowser(reason: String) async throws {
        try await Self.withKnownBrowser { server, browser in
            let signedIn = try server.cookie(Self.attempt(server, from: "198.51.100.1", "correct horse"))
            var password = "correct horse"
            switch reason {
            case "password":
                password = "battery staple"
                let change = #"{"current":"correct horse","new":"battery staple"}"#
                let changed = try server.send("PUT", "/api/v1/session/password", headers: signedIn, json: change)
                #expect(changed.status == 204)
            case "sessions":
                #expect(try server.send("DELETE", "/api/v1/sessions", headers: signedIn).status == 204)
            case "reset":
                let bea = try server.addMember("Bea", role: "owner", by: signedIn).session
                let members: Page<Member> = try server.get("/api/v1/members", headers: bea)
                let ada = try #require(members.items.first).id
                password = "battery staple"
                let reset = try server.send(
                    "PATCH", "/api/v1/members/\(ada)", headers: bea.merging(["If-Match": "*"]) { $1 },
                    json: #"{"password":"battery staple"}"#)
                #expect(reset.status == 200)
            default: server.clock.advance(by: .seconds(366 * 86_400))
            }
            for number in 1...10 { _ = try Self.attempt(server, from: "203.0.113.\(number)", "guess") }
            #expect(try Self.attempt(server, from: "203.0.113.99", password, browser).status == 429)
        }
    }

    @Test(
        "The browser in which the member signs out everywhere else or changes the password stays known",
        arguments: [true, false])
    func keepsOwnBrowser(changesPassword: Bool) async throws {
        try await Self.withKnownBrowser { server, browser in
            let signedIn = try server.cookie(Self.attempt(server, from: "198.51.100.1", "correct horse"))
            func forget(in headers: [String: String]) throws -> Answer {
                guard changesPassword else { return try server.send("DELETE", "/api/v1/sessions", headers: headers) }
                return try server.send(
                    "PUT", "/api/v1/session/password", headers: headers,
                    json: #"{"current":"correct horse","new":"correct horse"}"#)
            }
            let both = ["Cookie": "\(signedIn["Cookie"] ?? ""); \(browser["Cookie"] ?? "")"]
            let answer = try forget(in: both)
            #expect(answer.status == 204)
            let renewed = try server.browserCookie(answer)
            for number in 1...10 { _ = try Self.attempt(server, from: "203.0.113.\(number)", "guess") }
            #expect(try Self.attempt(server, from: "203.0.113.98", "correct horse", browser).status == 429)
            #expect(try Self.attempt(server, from: "203.0.113.99", "correct horse", renewed).status == 200)
            // Neither a browser that was forgotten before, nor one that was never known, becomes known.
            #expect(try forget(in: both).headers["set-cookie"] == nil)
            #expect(try forget(in: signedIn).headers["set-cookie"] == nil)
        }
    }

    @Test("A network has one place for a password, and strangers do not get all of them")
    func reservesPlaces() throws {
        let places = PasswordPlaces()
        func stranger(_ number: Int) -> PasswordPlaces.Applicant {
            .init(network: "203.0.113.\(number)", isKnown: false)
        }
        #expect(places.enter(stranger(1)))
        #expect(!places.enter(stranger(1)))
        for number in 2...6 { #expect(places.enter(stranger(number))) }
        #expect(!places.enter(stranger(7)))
        let known = ["198.51.100.1", "198.51.100.2", nil].map { PasswordPlaces.Applicant(network: $0, isKnown: true) }
        #expect(places.enter(known[0]) && places.enter(known[1]) && !places.enter(known[2]))
        places.leave(stranger(1))
        #expect(!places.enter(stranger(1)) && places.enter(known[2]))
        for applicant in known { places.leave(applicant) }
        #expect(places.enter(stranger(1)))
    }
}
