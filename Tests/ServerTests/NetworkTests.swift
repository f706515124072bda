import Fixtures
import Foundation
import Server
import ServerFixtures
import Synchronization
import TestSupport
import Testing

@Suite(.endsHangs) struct NetworkTests {
    /// The expected code was verified with another program's decoder.
    @Test("A QR code encodes an address")
    func drawsQRCode() throws {
        let code = try #require(QRCode("https://192.168.1.20:8080/ca.pem"))
        let rows = (0..<code.size).map { y in
            String((0..<code.size).map { code[$0, y] ? "1" : "0" })
        }
        #expect(rows == Self.address)
        #expect(code.terminalText.split(separator: "\n").count == (25 + 8 + 1) / 2)
        #expect(code.svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 33 33\""))
        let dark = rows.joined().count { $0 == "1" }
        #expect(code.svg.components(separatedBy: "h1v1h-1z").count == dark + 1)
        #expect(QRCode(String(repeating: "x", count: 2953)) != nil)
        #expect(QRCode(String(repeating: "x", count: 2954)) == nil)
    }

    @Test("A phone gets an address that it can reach")
    func phoneAddress() async throws {
        try await withServer { server in
            let alone = try server.send("GET", "/api/v1/phone")
            #expect(alone.status == 200)
            #expect(alone["address"] is NSNull && alone["qrCode"] is NSNull)
        }
        try await withServer(configure: { settings, _ in settings.networkName = "192.168.1.20" }) { server in
            let answer = try server.send("GET", "/api/v1/phone", headers: ["Host": "localhost:8080"])
            #expect(answer.string("address") == "http://192.168.1.20:8080")
            #expect((answer["qrCode"] as? String)?.hasPrefix("<svg") == true)
            #expect(answer["certificateUrl"] is NSNull)
        }
    }

    private static let address = [
        "1111111011000010101111111",
        "1000001000001000101000001",
        "1011101001110101101011101",
        "1011101001011110001011101",
        "1011101001001000001011101",
        "1000001000010100101000001",
        "1111111010101010101111111",
        "0000000010101111100000000",
        "1101101000001000101000001",
        "1100010011110001110011110",
        "0001101011110011010111001",
        "0111000100001000101001111",
        "0010101101111010011000001",
        "1011010000010001010110010",
        "1101001011100001101011111",
        "1010000000010011000101101",
        "1000101010101111111110110",
        "0000000011101111100010110",
        "1111111001011110101010001",
        "1000001001101110100010001",
        "1011101010100001111110001",
        "1011101010011001101000000",
        "1011101000111011010011111",
        "1000001010011001000110111",
        "1111111010100011110001001",
    ]

    @Test("A certificate is created, and renewed when names change or it expires")
    func renewsCertificate() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let authority = LocalAuthority(folder: folder)
        let names = ["192.168.1.20", "shelf.local", "::1"]
        func server() throws -> String { try String(contentsOf: authority.serverFiles.certificate, encoding: .utf8) }
        func root() throws -> String { try String(contentsOf: authority.authorityFile, encoding: .utf8) }
        let date = Date(timeIntervalSince1970: 1_800_000_000)

        #expect(try authority.prepare(names: names, at: date))
        let (first, trusted) = (try server(), try root())
        #expect(try !authority.prepare(names: names, at: date))
        #expect(try server() == first)
        for file in ["ca.key", "server.key"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: file).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        // A new name or expiry leads to a new certificate from the same authority.
        try authority.prepare(names: names + ["10.0.0.5"], at: date)
        let second = try server()
        #expect(second != first)
        try authority.prepare(names: names, at: date.addingTimeInterval(380 * 86400))
        #expect(try server() != second)
        #expect(try root() == trusted)
    }

    @Test("A running server picks up a renewed certificate")
    func replacesCertificate() async throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let authority = LocalAuthority(folder: folder)
        try authority.prepare(names: ["localhost"])
        let names = Mutex(["localhost"])
        try await withServer(configure: { settings, _ in
            settings.tls = authority.serverFiles
            settings.certificateCheck = longestWait
            settings.renewCertificate = { try authority.prepare(names: names.withLock { $0 }) }
        }) { server in
            func check() async {
                await server.clock.pass(longestWait)
                await server.clock.untilSleeping(for: longestWait)
            }
            func shown() async throws -> String {
                try ChildProcess.output(of: [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile",
                    authority.authorityFile.path, "-verify_return_error",
                ]).text
            }
            func file() throws -> String {
                try String(contentsOf: authority.serverFiles.certificate, encoding: .utf8)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }
            let first = try file()
            #expect(try await shown().contains(first))
            names.withLock { $0 = ["localhost", "10.0.0.5"] }
            await check()
            let second = try file()
            #expect(second != first)
            #expect(try await shown().contains(second))
            // A damaged key is not loaded.
            try Data("broken".utf8).write(to: authority.serverFiles.key)
            await check()
            #expect(try await shown().contains(second))
        }
    }

    @Test("TLS 1.2 without forward secrecy is refused")
    func forwardSecrecy() async throws {
        let temporary = try TemporaryFolder()
        let (key, certificate) = (temporary.url.appending(path: "key.pem"), temporary.url.appending(path: "cert.pem"))
        let made = try ChildProcess.output(of: [
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-keyout", key.path,
            "-out", certificate.path,
        ])
        try #require(made.status == 0)
        try await withServer(configure: { settings, _ in
            settings.tls = TLSFiles(certificate: certificate, key: key)
        }) { server in
            func status(_ cipher: String) throws -> Int32 {
                try ChildProcess.output(of: [
                    "openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-tls1_2", "-cipher", cipher,
                ]).status
            }
            let (ephemeral, fixed) = (try status("ECDHE-RSA-AES128-GCM-SHA256"), try status("AES128-GCM-SHA256"))
            #expect(ephemeral == 0)
            #expect(fixed != 0)
        }
    }

    /// Signs a certificate for `name` with the authority's key, as a thief of the key would, and verifies it.
    private func accepts(_ name: String, from authority: LocalAuthority, in folder: URL) throws -> (Bool, String) {
        let made = folder.appending(path: "forged.pem").path
        let key = folder.appending(path: "ca.key").path
        let signing = try ChildProcess.output(of: [
            "openssl", "req", "-x509", "-CA", authority.authorityFile.path, "-CAkey", key, "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder.appending(path: "forged.key").path, "-out",
            made, "-days", "30", "-subj", "/CN=forged", "-addext", "subjectAltName=\(name)",
        ])
        try #require(signing.status == 0, "\(signing.text)")
        let verdict = try ChildProcess.output(of: [
            "sh", "-c", "exec \"$@\" 2>&1", "sh", "openssl", "verify", "-purpose", "sslserver", "-CAfile",
            authority.authorityFile.path, made,
        ])
        return (verdict.status == 0, verdict.text)
    }

    @Test("The authority's key cannot vouch for other sites")
    func constrainsNames() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let authority = LocalAuthority(folder: folder)
        try authority.prepare(names: ["192.168.1.20", "shelf.example.org", "203.0.113.7"])
        for name in ["DNS:shelf.example.org", "DNS:nas.local", "IP:192.168.1.21", "IP:203.0.113.7", "IP:fd00::1"] {
            #expect(try accepts(name, from: authority, in: folder).0, "\(name)")
        }
        for name in ["DNS:google.com", "DNS:example.org", "IP:203.0.113.8", "IP:2001:db8::1"] {
            let (isAccepted, text) = try accepts(name, from: authority, in: folder)
            #expect(!isAccepted, "\(name)")
            #expect(text.contains("permitted subtree violation"), "\(text)")
        }
        let shown = try ChildProcess.output(of: ["openssl", "x509", "-in", authority.authorityFile.path, "-text"]).text
        #expect(shown.contains("X509v3 Name Constraints: critical"))
        let digest = try ChildProcess.output(of: [
            "openssl", "x509", "-in", authority.authorityFile.path, "-noout", "-fingerprint", "-sha256",
        ]).text
        #expect(digest.contains(try authority.fingerprint()))
    }

    @Test("The server's certificate is valid for at most 398 days")
    func certificateLife() throws {
        let temporary = try TemporaryFolder()
        let authority = LocalAuthority(folder: temporary.url)
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        try authority.prepare(names: ["shelf.local"], at: now)
        func isValid(in days: Double) throws -> Bool {
            let time = Int(now.addingTimeInterval(days * 86400).timeIntervalSince1970)
            return try ChildProcess.output(of: [
                "openssl", "verify", "-attime", "\(time)", "-CAfile", authority.authorityFile.path,
                authority.serverFiles.certificate.path,
            ]).status == 0
        }
        #expect(try isValid(in: 390))
        #expect(try !isValid(in: 398))
    }

    @Test("A new authority is created for a chosen name only")
    func replacesAuthority() throws {
        let temporary = try TemporaryFolder()
        let authority = LocalAuthority(folder: temporary.url)
        #expect(try authority.prepare(names: ["192.168.1.20", "shelf"]))
        // Containers get another host name at each start.
        #expect(try !authority.prepare(names: ["10.0.0.5", "f00dcafe"], required: ["10.0.0.5"]))
        let text = try ChildProcess.output(of: [
            "openssl", "x509", "-in", authority.serverFiles.certificate.path, "-noout", "-ext", "subjectAltName",
        ]).text
        #expect(text.contains("10.0.0.5"))
        #expect(!text.contains("f00dcafe"))
        #expect(try authority.prepare(names: ["shelf.example.org"], required: ["shelf.example.org"]))
        #expect(try !authority.prepare(names: ["shelf.example.org"], required: ["shelf.example.org"]))
    }

    @Test("The authority's key cannot vouch for a top-level domain that is called like this machine")
    func constrainsTopLevelDomains() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let authority = LocalAuthority(folder: folder)
        let names = ["cloud", "Media", "dev.", "shelf.local", "localhost"]
        #expect(names.map(LocalAuthority.mayCertify) == [false, false, false, true, true])
        try authority.prepare(names: names, required: ["cloud"])
        for name in ["DNS:login.example.cloud", "DNS:cloud", "DNS:example.media", "DNS:example.dev"] {
            #expect(try !accepts(name, from: authority, in: folder).0, "\(name)")
        }
        for name in ["DNS:shelf.local", "DNS:localhost"] {
            #expect(try accepts(name, from: authority, in: folder).0, "\(name)")
        }
        // The name that is left out does not replace the authority again.
        #expect(try !authority.prepare(names: names, required: ["cloud"]))
    }

    @Test(
        "An authority that may certify every name, or a top-level domain, is replaced",
        arguments: [
            [],
            [
                "-addext",
                "nameConstraints=critical,permitted;DNS:local,permitted;DNS:cloud,permitted;IP:10.0.0.0/255.0.0.0",
            ],
        ])
    func replacesUnconstrainedAuthority(constraints: [String]) throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let authority = LocalAuthority(folder: folder)
        let made = try ChildProcess.output(
            of: [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout",
                folder.appending(path: "ca.key").path, "-out", authority.authorityFile.path, "-days", "3650", "-subj",
                "/CN=Shelflist on shelf", "-addext", "keyUsage=critical,keyCertSign",
            ] + constraints)
        try #require(made.status == 0, "\(made.text)")
        #expect(try authority.prepare(names: ["shelf.local"]))
        #expect(try !authority.prepare(names: ["shelf.local"]))
    }

    @Test("OpenSSL accepts the certificate")
    func verifiesCertificate() throws {
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let authority = LocalAuthority(folder: folder)
        try authority.prepare(names: ["192.168.1.20", "shelf.local"])
        let (status, _) = try ChildProcess.output(of: [
            "openssl", "verify", "-purpose", "sslserver", "-verify_ip", "192.168.1.20", "-CAfile",
            authority.authorityFile.path, authority.serverFiles.certificate.path,
        ])
        #expect(status == 0)
    }
}
