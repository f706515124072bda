import Fixtures
import Foundation
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistClient
import TestSupport
import Testing

/// What is found at an address.
@Suite(.endsHangs) struct ProbeTests {
    private static func client(_ stub: StubServer) -> ShelflistClient { ClientFixture.client(port: stub.port) }

    private static func about(_ version: String) -> String {
        """
        {"name":"Shelflist","version":"\(version)","commit":null,"installed":null,"readers":[],"formats":[],
         "models":[],"later":{"a":1},"limits":{"photoBytes":1,"photoPixels":1,"photosPerJob":5,"jobsInFlight":1,
         "requestsPerMinute":60,"jsonBytes":1,"csvBytes":1,"csvRows":1,"resultHours":24}}
        """
    }

    @Test("A server is ready, or wants a token")
    func realServer() async throws {
        try await withClient { fixture in
            guard case .ready(let about, nil) = await fixture.client.probe() else { throw Unexpected() }
            #expect(about.version == "test" && about.limits.photosPerJob == 5)
            let owner = try fixture.server.makeOwner()
            guard case .signInNeeded = await fixture.client.probe() else { throw Unexpected() }
            let error = await #expect(throws: ShelflistError.self) { try await fixture.client.review.counts() }
            #expect(error?.category == .signInNeeded)
            let made = try fixture.server.send(
                "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"app","scopes":["read"]}"#)
            let token = try #require(made.string("secret"))
            let signedIn = ClientFixture.client(port: fixture.proxy.port, token: token)
            guard case .ready(_, let member?) = await signedIn.probe() else { throw Unexpected() }
            #expect(member.name == "Ada" && member.role == "owner")
            let forbidden = await #expect(throws: ShelflistError.self) { try await signedIn.shelves.named("Hall") }
            #expect(forbidden?.category == .notAllowed)
            let wrong = ClientFixture.client(port: fixture.proxy.port, token: "wrong")
            guard case .signInNeeded = await wrong.probe() else { throw Unexpected() }
        }
    }

    @Test(
        "Other programs are not servers",
        arguments: [
            StubAnswer.answer(404, headers: ["Content-Type": "text/html"], body: Array("<p>Not here".utf8)),
            .answer(200, headers: ["Content-Type": "text/html"], body: Array("<p>Sign in to the network".utf8)),
            .answer(302, headers: ["Location": "http://127.0.0.1/login"]),
            .answer(401, headers: ["Content-Type": "text/html"]),
            .json(#"{"name":"Other","version":"1.0"}"#),
            .json(#"["Shelflist"]"#),
        ])
    func otherPrograms(answer: StubAnswer) async throws {
        let stub = try StubServer { _, _ in answer }
        let probe = await Self.client(stub).probe()
        guard case .notAServer(let error) = probe else { throw Unexpected(found: "\(probe)") }
        #expect(!error.message.isEmpty && !error.recovery.isEmpty)
    }

    @Test("Something that is not HTTP is not a server")
    func otherProtocol() async throws {
        let stub = try StubServer { _, _ in .json("{}") }
        // TLS to a port without it.
        let address = try #require(URL(string: "https://127.0.0.1:\(stub.port)"))
        let probe = await ClientFixture.client(address).probe()
        guard case .notAServer = probe else { throw Unexpected(found: "\(probe)") }
    }

    @Test(
        "Nothing at the address, or a name that does not exist",
        arguments: [
            "http://127.0.0.1:1", "http://nowhere.invalid",
        ])
    func nothing(address: String) async throws {
        let url = try #require(URL(string: address))
        let probe = await ClientFixture.client(url).probe()
        guard case .unreachable(let error) = probe else { throw Unexpected(found: "\(probe)") }
        #expect(error.category == .unreachable)
    }

    @Test(
        "Versions outside the supported range are named",
        arguments: [
            ("0.0.9", "tooOld"), ("0.1.0", "ready"), ("0.9.3-beta+5", "ready"), ("1.99.0", "ready"),
            ("2.0.0", "tooNew"),
            ("10.0", "tooNew"), ("", "ready"),
        ])
    func versions(version: String, expected: String) async throws {
        let stub = try StubServer { _, request in
            request.target.hasSuffix("about")
                ? .json(Self.about(version))
                : .json(#"{"setupNeeded":false,"signedIn":true,"confirmed":false,"via":"token"}"#)
        }
        #expect("\(await Self.client(stub).probe())".hasPrefix(expected))
    }

    @Test("The version of a later server is named, whatever else it says about itself")
    func laterServer() async throws {
        let stub = try StubServer { _, _ in .json(#"{"name":"Shelflist","version":"3.1.0","abilities":["fly"]}"#) }
        guard case .tooNew("3.1.0") = await Self.client(stub).probe() else { throw Unexpected() }
    }

    @Test("A server without an owner is named")
    func setup() async throws {
        let stub = try StubServer { _, request in
            request.target.hasSuffix("about")
                ? .json(Self.about("0.1.0"))
                : .json(#"{"setupNeeded":true,"signedIn":false,"confirmed":false,"via":"none"}"#)
        }
        guard case .setupNeeded = await Self.client(stub).probe() else { throw Unexpected() }
    }

    @Test("A certificate is trusted only with its authority, and only for its name")
    func certificates() async throws {
        let temporary = try TemporaryFolder()
        let authority = LocalAuthority(folder: temporary.url)
        try authority.prepare(names: ["localhost"])
        let files = authority.serverFiles
        let root = try Data(contentsOf: authority.authorityFile)
        try await withClient(configure: { settings, _ in settings.tls = files }) { fixture in
            let address = try #require(URL(string: "https://localhost:\(fixture.proxy.port)"))
            let unknown = await ClientFixture.client(address).probe()
            guard case .wrongCertificate(let error) = unknown else { throw Unexpected(found: "\(unknown)") }
            #expect(error.category == .certificate)
            let trusting = ClientFixture.client(address, options: ClientOptions(trustRoots: root))
            guard case .ready = await trusting.probe() else { throw Unexpected() }
            // The WebSocket trusts the same authorities.
            let session = trusting.scan([.script("wait:Emma")])
            for try await case .connection(let way) in session.events {
                #expect("\(way)" == "webSocket")
                fixture.server.reader.release()
            }
            #expect(try await session.results.books.count == 1)
            let named = ClientFixture.client(
                try #require(URL(string: "https://127.0.0.1:\(fixture.proxy.port)")),
                options: ClientOptions(trustRoots: root))
            let wrongName = await named.probe()
            guard case .wrongCertificate = wrongName else { throw Unexpected(found: "\(wrongName)") }
        }
    }

    @Test(
        "An authority's limits on addresses and names are respected",
        arguments: [
            ("IP:127.0.0.0/255.0.0.0", "127.0.0.1", true, "ec"), ("IP:10.0.0.0/255.0.0.0", "127.0.0.1", false, "ec"),
            ("IP:127.0.0.0/255.255.255.255", "127.0.0.1", false, "ec"), ("DNS:localhost", "127.0.0.1", true, "ec"),
            ("DNS:localhost,permitted;IP:10.0.0.0/255.0.0.0", "localhost", true, "ec"),
            ("DNS:example.org,permitted;IP:127.0.0.0/255.0.0.0", "localhost", false, "ec"),
            ("IP:0.0.0.0/0.0.0.0,excluded;IP:127.0.0.1/255.255.255.255", "127.0.0.1", false, "ec"),
            ("IP:0.0.0.0/0.0.0.0,excluded;DNS:localhost", "localhost", false, "ec"),
            ("IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "127.0.0.1", false, "ec"),
            ("IP:127.0.0.0/255.0.0.0", "127.0.0.1", true, "rsa:2048"),
            ("IP:10.0.0.0/255.0.0.0", "127.0.0.1", false, "rsa:2048"),
        ])
    func limitedAuthority(limits: String, host: String, isTrusted: Bool, key: String) async throws {
        let temporary = try TemporaryFolder()
        let (root, files) = try Self.certificates(in: temporary.url, key: key, limits: limits, name: host)
        try await withServer(configure: { settings, _ in settings.tls = files }) { server in
            let client = ClientFixture.client(
                try #require(URL(string: "https://\(host):\(server.port)")), options: ClientOptions(trustRoots: root))
            switch await client.probe() {
            case .ready: #expect(isTrusted)
            case .wrongCertificate: #expect(!isTrusted)
            case let other: throw Unexpected(found: "\(other)")
            }
        }
    }

    /// Creates an authority with name constraints, and a certificate that it signed.
    private static func certificates(
        in folder: URL, key: String, limits: String, name: String
    ) throws -> (root: Data, files: TLSFiles) {
        func file(_ name: String) -> URL { folder.appending(path: name) }
        func make(_ name: String, key: [String], _ words: String...) throws {
            let made = try ChildProcess.output(
                of: ["sh", "-c", "exec \"$@\" 2>&1", "sh", "openssl", "req", "-x509", "-newkey"] + key + [
                    "-nodes", "-keyout", file("\(name).key").path, "-out", file("\(name).pem").path, "-days", "30",
                    "-subj", "/CN=\(name)", "-addext",
                ] + words)
            try #require(made.status == 0, "\(made.text)")
        }
        let curve = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        try make(
            "ca", key: key == "ec" ? curve : [key], "keyUsage=critical,keyCertSign", "-addext",
            "nameConstraints=critical,permitted;\(limits)")
        try make(
            "server", key: curve, "basicConstraints=critical,CA:FALSE", "-addext",
            "subjectAltName=\(name == "localhost" ? "DNS" : "IP"):\(name)", "-CA", file("ca.pem").path, "-CAkey",
            file("ca.key").path)
        return (
            try Data(contentsOf: file("ca.pem")), TLSFiles(certificate: file("server.pem"), key: file("server.key"))
        )
    }

    @Test("Certificates that cannot be read are named")
    func brokenRoots() async throws {
        let address = try #require(URL(string: "https://localhost"))
        let client = ShelflistClient(address: address, options: ClientOptions(trustRoots: Data("broken".utf8)))
        let error = await #expect(throws: ShelflistError.self) { try await client.review.counts() }
        #expect(error?.category == .certificate)
    }
}
