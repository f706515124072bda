import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// A server that a proxy serves below `/books`.
@Suite(.serialized, .endsHangs) struct BasePathTests {
    private static func withBooks(
        proxies: [String] = [], _ body: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let path = try #require(BasePath("/books"))
        let trusted = Set(proxies.compactMap { AddressRange($0) })
        try await withServer(configure: { settings, _ in
            settings.basePath = path
            settings.trustedProxies = trusted
            settings.requestsPerMinute = 100_000
        }) { server in try await body(server) }
    }

    private static let secure = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "example.org"]

    private static func owner(_ server: TestServer, headers: [String: String] = [:]) throws -> Answer {
        let answer = try server.setUp(base: "/books", headers: headers)
        try #require(answer.status == 201, "\(answer.text)")
        return answer
    }

    /// Returns the paths and addresses in a JSON value, which lead to this server.
    private static func addresses(in value: JSONValue) -> [String] {
        switch value {
        case .object(let fields):
            fields.flatMap { key, value in
                if case .text(let text) = value, key == "url" || key.hasSuffix("Url") { return [text] }
                return addresses(in: value)
            }
        case .list(let list): list.flatMap { addresses(in: $0) }
        case .null, .flag, .number, .text: []
        }
    }

    private static func addresses(in text: String) throws -> [String] {
        addresses(in: try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
    }

    @Test(
        "A base path is read as it is written in configurations",
        arguments: [
            ("/books", "/books"), ("/books/", "/books"), ("/my/books", "/my/books"), ("/Books_2~x-y", "/Books_2~x-y"),
            ("/", ""), ("", ""), ("books", nil), ("//books", nil), ("/books//", nil), ("/a//b", nil), ("/../x", nil),
            ("/a.b", nil), ("/b%20c", nil), ("/bücher", nil), ("/a b", nil), ("/a?b", nil), ("/a\n", nil),
            ("https://example.org/books", nil),
        ]) func parses(text: String, path: String?)
    { #expect(BasePath(text)?.text == path) }

    @Test("Only requests below the base path are answered")
    func routes() async throws {
        try await Self.withBooks { server in
            #expect(try server.send("GET", "/books/health").status == 200)
            #expect(try server.send("GET", "/books/api/v1/about").status == 200)
            for path in ["/health", "/", "/api/v1/about", "/booksandmore", "/books2/health", "/BOOKS/health"] {
                let answer = try server.send("GET", path)
                #expect(answer.status == 404 && answer.problem?.code == "outside_base_path", "\(path)")
                #expect(answer.problem?.detail.contains("/books/") == true)
                #expect(answer.headers["content-security-policy"] != nil)
            }
            for (path, target) in [("/books", "/books/"), ("/books?a=b", "/books/?a=b")] {
                let answer = try server.send("GET", path)
                #expect(answer.status == 307 && answer.headers["location"] == target)
            }
        }
    }

    @Test("Cookies are sent to the base path only")
    func cookies() async throws {
        try await Self.withBooks(proxies: ["127.0.0.1"]) { server in
            let made = try #require(try Self.owner(server, headers: Self.secure).headers["set-cookie"])
            // Browsers accept __Host- only with the path /.
            #expect(made.hasPrefix("__Secure-shelflist_session=") && made.contains("Secure"), "\(made)")
            #expect(made.contains("Path=/books/"), "\(made)")
            let plain = try server.send(
                "POST", "/books/api/v1/session", json: #"{"name":"Ada","password":"correct horse"}"#)
            #expect(plain.headers["set-cookie"]?.hasPrefix("shelflist_session=") ?? false)
            let cookie = try server.cookie(plain)
            let out = try server.send("DELETE", "/books/api/v1/session", headers: cookie)
            #expect(out.headers["set-cookie"]?.contains("Path=/books/") ?? false)
            // "storage" would remove the data of other programs on the same host.
            #expect(out.headers["clear-site-data"] == #""cache""#)
            #expect(try server.send("GET", "/books/api/v1/library", headers: cookie).status == 401)
        }
    }

    @Test("Locations and the paths in answers are below the base path")
    func paths() async throws {
        try await Self.withBooks { server in
            let cookie = try server.cookie(try Self.owner(server))
            let book = try server.send(
                "POST", "/books/api/v1/library", headers: cookie, json: #"{"title":"Emma"}"#)
            let location = try #require(book.headers["location"])
            #expect(location.hasPrefix("/books/api/v1/library/"))
            #expect(try server.send("GET", location, headers: cookie).status == 200)

            let answer = try server.scan(
                ["books:Emma"], headers: cookie.merging(["Accept": "*/*"]) { $1 }, path: "/books/api/v1/scans")
            let accepted = try answer.decode(ScanAccepted.self, status: 202)
            #expect(answer.headers["location"] == accepted.statusUrl.text)
            let id = accepted.jobId
            try await eventually {
                try server.get("/books/api/v1/scans/\(id)", headers: cookie, as: ScanStatus.self).status == .completed
            }
            let texts = try [
                answer.text, server.send("GET", accepted.resultsUrl.text, headers: cookie).text,
                server.send("GET", "/books/api/v1/scans/\(id)/events", headers: cookie).text,
            ]
            for text in texts {
                let addresses = try Self.addresses(in: text)
                #expect(!addresses.isEmpty)
                for address in addresses { #expect(address.hasPrefix("/books/"), "\(address)") }
            }
            let stream = try server.send(
                "GET", "/books/api/v1/scans/\(id)/events",
                headers: cookie.merging(["Accept": "text/event-stream"]) { $1 })
            let completed = TestServer.Event.list(stream.text).last { $0.type == "completed" }
            #expect(completed?.data.contains("\"/books/api/v1/scans/\(id)/results\"") ?? false)
        }
    }

    @Test("Sockets are opened below the base path, and send paths below it")
    func sockets() async throws {
        try await Self.withBooks { server in
            let cookie = try server.cookie(try Self.owner(server))
            let accepted = try server.scan(["wait:Emma"], headers: cookie, path: "/books/api/v1/scans")
                .decode(ScanAccepted.self)
            let (id, token, path) = (accepted.jobId, accepted.token, accepted.webSocketUrl.text)
            #expect(path == "/books/ws/progress?jobId=\(id)")
            let outside = try Connection(port: server.port)
            let protocols = "shelflist, token.\(token)"
            #expect(try outside.upgrade(String(path.dropFirst(6)), protocols: protocols).status == 404)
            let socket = try Connection(port: server.port)
            #expect(try socket.upgrade(path, protocols: protocols).status == 101)
            server.reader.release()
            var text = ""
            while !text.contains(#""type":"completed""#) {
                text = String(decoding: try socket.frame().payload, as: UTF8.self)
            }
            #expect(try Self.addresses(in: text) == ["/books/api/v1/scans/\(id)/results"])
        }
    }

    @Test("The addresses of older apps are below the base path and their key")
    func olderApps() async throws {
        try await Self.withBooks(proxies: ["127.0.0.1"]) { server in
            let cookie = try server.cookie(try Self.owner(server, headers: Self.secure))
            let headers = cookie.merging(Self.secure) { $1 }
            let made = try server.send("POST", "/books/api/v1/apps", headers: headers, json: #"{"name":"phone"}"#)
            let base = try #require(made.string("path"))
            #expect(base.hasPrefix("/books/app/"))
            #expect(made.string("url") == "https://example.org\(base)")

            let older = try server.upload("wait:Emma", to: base + "/api/scan-bookshelf", headers: Self.secure)
            let id = try #require(older.string("jobId"), "\(older.text)")
            let address = try #require(older.string("websocketUrl"))
            #expect(address.hasPrefix("wss://example.org\(base)/ws/progress?jobId="))
            #expect(older.string("statusUrl")?.hasPrefix("https://example.org\(base)/scan/status") ?? false)
            let socket = try BookshelfSocketClient(server, base: base, query: "jobId=\(id)")
            server.reader.release()
            let last = try #require(try socket.messages(to: "job_complete").last)
            let results = try #require(try Self.addresses(in: last.text).first { $0.contains("results") })
            #expect(results.hasPrefix(base + "/"))
            #expect(try server.send("GET", results)["data", "books", "0", "title"] as? String == "Emma")

            let newer = try server.upload("books:Dune", to: base + "/v3/jobs/scans", headers: Self.secure)
            let stream = try #require(newer["data", "sseUrl"] as? String)
            #expect(stream.hasPrefix("https://example.org\(base)/v3/jobs/scans/"))
            let events = try server.send(
                "GET", String(stream.dropFirst("https://example.org".count)), headers: Self.secure)
            #expect(events.text.contains("event: completed"))
            #expect(events.text.contains("https://example.org\(base)/v3/jobs/scans/"))
        }
    }

    @Test("Phones get the address with the base path")
    func phones() async throws {
        try await Self.withBooks(proxies: ["127.0.0.1"]) { server in
            let cookie = try server.cookie(try Self.owner(server, headers: Self.secure))
            let answer = try server.send("GET", "/books/api/v1/phone", headers: cookie.merging(Self.secure) { $1 })
            #expect(answer.string("address") == "https://example.org/books")
        }
    }

    @Test("Signing in with OpenID Connect returns below the base path")
    func openID() async throws {
        let provider = try StubIdentityProvider()
        let path = try #require(BasePath("/books"))
        try await withServer(configure: { settings, _ in
            settings.basePath = path
            settings.openID = OpenIDSettings(
                issuer: provider.issuer, clientID: StubIdentityProvider.client,
                clientSecret: StubIdentityProvider.secret, name: "Home", isOnlyWay: false, newMembers: .viewer)
        }) { server in
            _ = try Self.owner(server)
            let began = try server.send("GET", "/books/api/v1/session/openid?next=/review")
            #expect(began.headers["set-cookie"]?.contains("Path=/books/") ?? false)
            let page = try #require(began.headers["location"])
            let back = try provider.signIn(.init(subject: "u1", name: "ada"), at: page)
            #expect(back.hasPrefix("/books/api/v1/session/openid/callback?"))
            let answer = try server.send("GET", back, headers: try server.cookie(began))
            #expect(answer.headers["location"] == "/books/#/review")
        }
    }

    @Test("A trusted proxy may remove the base path if it names it")
    func strippingProxies() async throws {
        @Sendable func status(_ server: TestServer, _ prefix: String?) throws -> Int {
            try server.send("GET", "/health", headers: prefix.map { ["X-Forwarded-Prefix": $0] } ?? [:]).status
        }
        try await Self.withBooks(proxies: ["127.0.0.1"]) { server in
            #expect(try status(server, "/books") == 200)
            #expect(try status(server, "/books/") == 200)
            #expect(try status(server, "/other") == 404)
            #expect(try status(server, nil) == 404)
            let cookie = try server.cookie(try Self.owner(server))
            let book = try server.send(
                "POST", "/api/v1/library", headers: cookie.merging(["X-Forwarded-Prefix": "/books"]) { $1 },
                json: #"{"title":"Emma"}"#)
            #expect(book.headers["location"]?.hasPrefix("/books/api/v1/library/") ?? false)
        }
        try await Self.withBooks { server in
            let answered = try status(server, "/books")
            #expect(answered == 404)
        }
    }

    @Test("The API's description names the servers below the base path")
    func description() async throws {
        let path = try #require(BasePath("/books"))
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/api/openapi.json").standardizedFileURL
        try await withServer(configure: { settings, _ in
            settings.basePath = path
            settings.apiDocument = file
        }) { server in
            let answer = try server.send("GET", "/books/api/v1/openapi.json")
            #expect(answer["servers", "0", "url"] as? String == "/books/api/v1")
            #expect(answer["paths", "/health", "servers", "0", "url"] as? String == "/books")
        }
    }
}
