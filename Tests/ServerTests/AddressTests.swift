import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct AddressTests {
    @Test(
        "A range contains its addresses",
        arguments: [
            ("192.0.2.2", "192.0.2.2", true), ("192.0.2.2", "::ffff:192.0.2.2", true),
            ("::ffff:192.0.2.2", "192.0.2.2", true), ("192.0.2.2", "192.0.2.3", false),
            ("172.16.0.0/12", "172.31.255.255", true), ("172.16.0.0/12", "172.32.0.0", false),
            ("0.0.0.0/0", "198.51.100.1", true), ("2001:db8::/32", "2001:db8:1::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("10.0.0.0/8", "::1", false),
            ("fe80::/10", "fe80::1%eth0", true),
        ]) func ranges(range: String, address: String, contains: Bool) throws
    {
        let range = try #require(AddressRange(range))
        let parsed = try #require(IPAddress(address))
        #expect(range.contains(parsed) == contains)
    }

    @Test(
        "Text that is not an address is refused",
        arguments: ["", "proxy", "192.0.2", "192.0.2.1/33", "::1/129", "1/8/8"])
    func invalid(text: String) { #expect(AddressRange(text) == nil) }

    @Test("An IPv6 network of 64 bits counts as one client")
    func networks() throws {
        func network(_ text: String) throws -> String { try #require(IPAddress(text)).network.description }
        #expect(try network("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::")
        #expect(try network("2001:db8:1:2::9") == "2001:db8:1:2::")
        #expect(try network("192.0.2.7") == "192.0.2.7")
    }

    @Test("One address has a limited number of connections")
    func limitsConnections() async throws {
        try await withServer(configure: { settings, _ in settings.connectionsPerAddress = 3 }) { server in
            var open = try (1...3).map { _ in try Connection(port: server.port) }
            // The server has accepted them once it answers.
            for connection in open {
                try connection.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(try connection.answer().status == 200)
            }
            #expect(try Connection(port: server.port).readToEnd().isEmpty)
            open.removeLast()
            try await eventually { (try? server.send("GET", "/health").status) == 200 }
        }
    }

    @Test("A trusted proxy has no limit, and its clients are distinguished")
    func trustsProxies() async throws {
        try await withServer(
            configure: { settings, _ in
                settings.connectionsPerAddress = 1
                settings.requestsPerMinute = 1
                settings.trustedProxies = Set([AddressRange("127.0.0.0/8")].compactMap { $0 })
            }
        ) { server in
            _ = try server.setUp()
            let idle = try (1...5).map { _ in try Connection(port: server.port) }
            func status(of client: String) throws -> Int {
                try server.send("GET", "/api/v1/about", headers: ["X-Forwarded-For": client]).status
            }
            for _ in 1...20 { #expect(try status(of: "203.0.113.9, 2001:db8::1") == 200) }
            // Another address of the same network, behind another trusted proxy.
            #expect(try status(of: "2001:db8::2, 127.0.0.2") == 429)
            #expect(try status(of: "203.0.113.9") == 200)
            withExtendedLifetime(idle) {}
        }
    }

    @Test("A server without encryption of its own answers its proxies only, and health checks")
    func answersProxiesOnly() async throws {
        func ranges(_ text: String) -> Set<AddressRange> { Set([AddressRange(text)].compactMap { $0 }) }
        try await withServer(
            configure: { settings, _ in
                settings.trustedProxies = ranges("203.0.113.0/24")
                settings.answeredAddresses = ranges("203.0.113.0/24")
            }
        ) { server in
            for (method, path) in [
                ("GET", "/"), ("GET", "/api/v1/about"), ("GET", "/app/key/scan/status"), ("POST", "/api/v1/session"),
                ("GET", "/metrics"), ("GET", "/nothing"),
            ] {
                // The header of a client that is not a proxy makes no difference.
                let answer = try server.send(method, path, headers: ["X-Forwarded-For": "203.0.113.9"])
                #expect(answer.status == 403, "\(path)")
                #expect(answer.problem?.code == "not_through_proxy", "\(path)")
            }
            #expect(try Connection(port: server.port).upgrade("/ws/progress?jobId=x").status == 403)
            for path in ["/health", "/ready"] { #expect(try server.send("GET", path).status == 200) }
        }
        try await withServer(
            configure: { settings, _ in settings.answeredAddresses = ranges("127.0.0.0/8") }
        ) { server in
            let answer = try server.send("GET", "/api/v1/about")
            #expect(answer.status == 200)
        }
    }

    /// The fields of a request, and what the server makes of them.
    struct Forwarding: CustomTestStringConvertible {
        var fields: [String: String]
        var client = "203.0.113.7"
        var isSecure = true
        var testDescription: String { fields.sorted { $0.key < $1.key }.map { "\($0): \($1)" }.joined(separator: "; ") }

        init(_ address: String?, _ proto: String?, _ host: String?) {
            fields = ["X-Forwarded-For": address, "X-Forwarded-Proto": proto, "X-Forwarded-Host": host]
                .compactMapValues(\.self)
        }

        init(forwarded: String) { fields = ["Forwarded": forwarded] }

        func of(_ client: String) -> Forwarding {
            var copy = self
            copy.client = client
            return copy
        }
    }

    static let host = "books.example.org"

    @Test(
        "Behind several proxies, what the outermost trusted one says counts",
        arguments: [
            Forwarding("203.0.113.7", "https", host), Forwarding("203.0.113.7", "https,http", host),
            Forwarding("203.0.113.7, 10.1.2.3", "https, http", "books.example.org, inner.lan:8080"),
            // What a client wrote itself is before the values of the proxies.
            Forwarding("198.51.100.1, 203.0.113.7", "http, https", "evil.example, books.example.org"),
            Forwarding("203.0.113.7:51234", "https", host),
            Forwarding("203.0.113.7:51234, 10.1.2.3:8443", "https", host),
            Forwarding("[2001:db8::7]:4711", "https", host).of("2001:db8::7"),
            Forwarding("2001:db8::7", "HTTPS", "Books.Example.Org").of("2001:db8::7"),
            Forwarding("203.0.113.7", "https", "books.example.org:443"),
            // Text without an address does not make a client of its own.
            Forwarding("unknown", "https", host).of("127.0.0.1"),
            Forwarding("_hidden, ", "https", host).of("127.0.0.1"),
            Forwarding(forwarded: "for=203.0.113.7;proto=https;host=books.example.org"),
            Forwarding(forwarded: #"For="[2001:db8::7]:4711";Proto=https;Host="books.example.org:443", for=10.1.2.3"#)
                .of(
                    "2001:db8::7"),
        ])
    func severalProxies(forwarding: Forwarding) async throws {
        try await withServer(
            configure: { settings, _ in
                settings.trustedProxies = Set(["127.0.0.0/8", "10.0.0.0/8"].compactMap(AddressRange.init))
            }
        ) { server in
            _ = try server.setUp(headers: ["X-Forwarded-For": "192.0.2.200"])
            let headers = forwarding.fields.merging(["Origin": "https://books.example.org"]) { $1 }
            let session = try server.send(
                "POST", "/api/v1/session", headers: headers, json: #"{"name":"Ada","password":"correct horse"}"#)
            #expect(session.status == 200, "\(session.text)")
            let cookie = try #require(session.headers["set-cookie"])
            #expect(cookie.hasPrefix("__Host-") && cookie.contains("Secure"))
            let own = headers.merging(["Cookie": String(cookie.prefix { $0 != ";" })]) { $1 }
            let sessions: Page<ListedSession> = try server.send("GET", "/api/v1/sessions", headers: own).decode()
            #expect(sessions.items.first(where: \.current)?.address == forwarding.client)
            #expect(try server.send("POST", "/api/v1/shelves", headers: own, json: #"{"name":"Hall"}"#).status == 201)
            let phone = try server.send("GET", "/api/v1/phone", headers: own)["address"] as? String
            let address = try #require(phone.flatMap(URL.init))
            #expect((address.scheme, address.host()?.lowercased(), address.port) == ("https", Self.host, nil))
        }
    }

    @Test("Wrong passwords are slowed down for a client whose proxy names its port")
    func throttledWithPort() async throws {
        try await withServer(
            configure: { settings, _ in
                settings.trustedProxies = Set(["127.0.0.0/8"].compactMap(AddressRange.init))
            }
        ) { server in
            _ = try server.setUp(headers: ["X-Forwarded-For": "192.0.2.200"])
            for text in ["203.0.113.8:", "no address "] {
                let statuses = try (1...25).map { number in
                    try server.send(
                        "POST", "/api/v1/session", headers: ["X-Forwarded-For": "\(text)\(50_000 + number)"],
                        json: #"{"name":"N\#(number)","password":"wrong wrong"}"#
                    ).status
                }
                #expect(Set(statuses) == [401, 429])
            }
        }
    }

    @Test("A page opened under an IPv6 address may send changes")
    func originWithBrackets() async throws {
        try await withServer { server in
            func status(_ origin: String) throws -> Int {
                try server.send(
                    "POST", "/api/v1/library", headers: ["Host": "[::1]:8080", "Origin": origin],
                    json: #"{"title":"Emma"}"#
                ).status
            }
            let own = try status("http://[::1]:8080")
            #expect(own == 201)
            for origin in ["http://[::1]:8081", "http://localhost:8080", "null", "http://evil.example"] {
                #expect(try status(origin) == 403)
            }
        }
    }
}
