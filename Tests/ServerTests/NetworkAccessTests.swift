import Fixtures
import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.endsHangs) final class NetworkAccessTests: Sendable {
    private let temporary: TemporaryFolder
    private var folder: URL { temporary.url }
    private var authority: LocalAuthority { LocalAuthority(folder: folder.appending(path: "tls")) }

    init() throws { temporary = try TemporaryFolder() }

    private func settings() -> NetworkSettings {
        var network = NetworkSettings(
            file: folder.appending(path: "network.json"), authority: authority, names: { ["127.0.0.1", "localhost"] })
        // The system chooses a free one, so that tests can run at the same time.
        (network.host, network.port) = ("127.0.0.1", 0)
        return network
    }

    private struct Phone: Decodable {
        var address: String?
        var certificateUrl: String?
        var certificateFingerprint: String?
        var networkOn: Bool?

        /// The port of the address; 0 without one.
        var port: Int { address.flatMap { URL(string: $0)?.port } ?? 0 }
    }

    /// Sends a request over TLS, with the certificate checked against the authority.
    private func overTLS(_ port: Int, _ request: String, body: String = "") throws -> (status: Int32, text: String) {
        let head =
            #"\#(request) HTTP/1.1\r\nHost: 127.0.0.1:\#(port)\r\nContent-Type: application/json\r\n"#
            + #"Content-Length: \#(body.utf8.count)\r\nConnection: close\r\n\r\n"#
        let client =
            "openssl s_client -quiet -verify_return_error -connect 127.0.0.1:\(port) "
            + "-CAfile '\(authority.authorityFile.path)' 2>/dev/null"
        return try ChildProcess.output(of: ["sh", "-c", "printf '\(head)%s' '\(body)' | \(client)"])
    }

    @Test("A server without an owner is never opened to the network")
    func needsOwner() async throws {
        try await withServer(folder: folder, configure: { server, _ in server.network = settings() }) { server in
            #expect(try server.get("/api/v1/phone", as: Phone.self).networkOn == false)
            let refused = try server.send("PUT", "/api/v1/network", json: #"{"on":true}"#)
            #expect(refused.status == 403)
            #expect(refused.problem?.code == "setup_needed")
            #expect(try server.get("/api/v1/phone", as: Phone.self).networkOn == false)
            #expect(try server.send("GET", "/ca.pem").status == 404)
        }
    }

    @Test("A server that its options open to the network has nothing to turn on")
    func fixedByOptions() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            #expect(try server.get("/api/v1/phone", headers: owner, as: Phone.self).networkOn == nil)
            let refused = try server.send("PUT", "/api/v1/network", headers: owner, json: #"{"on":true}"#)
            #expect(refused.status == 409)
        }
    }

    @Test("Phones are served over HTTPS with sign-in while the owner has turned it on, also after a restart")
    func opens() async throws {
        try await withServer(folder: folder, configure: { server, _ in server.network = settings() }) { server in
            let owner = try server.makeOwner()
            func turn(_ on: Bool) throws -> Phone {
                try server.send("PUT", "/api/v1/network", headers: owner, json: #"{"on":\#(on)}"#).decode()
            }
            let phone = try turn(true)
            #expect(phone.networkOn == true)
            #expect(phone.address?.hasPrefix("https://127.0.0.1:") == true)
            #expect(phone.certificateUrl == phone.address.map { $0 + "/ca.pem" })
            #expect(phone.certificateFingerprint == (try authority.fingerprint()))
            #expect(phone.port != server.port)
            #expect(try overTLS(phone.port, "GET /api/v1/library").text.hasPrefix("HTTP/1.1 401"))
            #expect(try overTLS(phone.port, "GET /ca.pem").text.contains("BEGIN CERTIFICATE"))
            let signedIn = try overTLS(
                phone.port, "POST /api/v1/session", body: #"{"name":"Ada","password":"correct horse"}"#
            ).text.lowercased()
            #expect(signedIn.contains("set-cookie: __host-shelflist_session="))
            #expect(signedIn.contains("secure"))
            // The server's own machine is served as before, with a cookie that needs no HTTPS.
            #expect(try server.send("GET", "/api/v1/library", headers: owner).status == 200)
            #expect(try turn(true).port == phone.port)

            #expect(try turn(false).networkOn == false)
            #expect(try server.get("/api/v1/phone", headers: owner, as: Phone.self).address == nil)
            #expect(try overTLS(phone.port, "GET /api/v1/session").text == "")
            #expect(try server.send("GET", "/ca.pem").status == 404)
            #expect(try turn(true).networkOn == true)
        }
        try await withServer(folder: folder, configure: { server, _ in server.network = settings() }) { server in
            let session = #"{"name":"Ada","password":"correct horse"}"#
            let owner = try server.cookie(server.send("POST", "/api/v1/session", json: session))
            try await eventually { try server.get("/api/v1/phone", headers: owner, as: Phone.self).networkOn == true }
            let off = try server.send("PUT", "/api/v1/network", headers: owner, json: #"{"on":false}"#)
            #expect(off.status == 200)
        }
        try await withServer(folder: folder, configure: { server, _ in server.network = settings() }) { server in
            let session = #"{"name":"Ada","password":"correct horse"}"#
            let owner = try server.cookie(server.send("POST", "/api/v1/session", json: session))
            #expect(try server.get("/api/v1/phone", headers: owner, as: Phone.self).networkOn == false)
        }
    }

    @Test("A port that another program has is replaced by a free one")
    func takenPort() async throws {
        try await withServer { other in
            try await withServer(
                folder: folder,
                configure: { server, _ in
                    var network = settings()
                    network.port = other.port
                    server.network = network
                }
            ) { server in
                let owner = try server.makeOwner()
                let phone: Phone = try server.send(
                    "PUT", "/api/v1/network", headers: owner, json: #"{"on":true}"#
                ).decode()
                #expect(phone.port > 0 && phone.port != other.port)
                #expect(try overTLS(phone.port, "GET /api/v1/library").text.hasPrefix("HTTP/1.1 401"))
            }
        }
    }
}
