import Foundation
import Scanning
import Server
import ServerFixtures
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
            _ = try server.send(
                "POST", "/api/v1/setup",
                json: #"{"name":"Ada","password":"correct horse","role":"owner","code":"\#(server.setupCode)"}"#)
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
