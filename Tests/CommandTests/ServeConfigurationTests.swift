import Foundation
import Scans
import Server
import TestSupport
import Testing
import shelflist

/// Holds docs/configuration.md, `shelflist serve --help` and the code to each other.
@Suite("Configuration of the server", .blocks) struct ServeConfigurationTests {
    /// A row of the table in docs/configuration.md.
    private struct Setting {
        var flag: String?
        var variable: String
        var key: String
        var standard: String
        var meaning: String

        /// The numbers that it takes.
        var range: ClosedRange<Int>? {
            meaning.firstMatch(of: /(\d+)\.\.\.(\d+)/).flatMap { match in
                guard let low = Int(match.1), let high = Int(match.2) else { return nil }
                return low...high
            }
        }
    }

    private static func settings() throws -> [Setting] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/configuration.md")
        let rows = try String(contentsOf: file.standardized, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `--") || $0.hasPrefix("| | `SHELFLIST") }
        return rows.map { row in
            let cells = row.dropFirst().split(separator: "|", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            func plain(_ text: String) -> String { text.replacing("`", with: "") }
            return Setting(
                flag: cells[0].isEmpty ? nil : plain(cells[0]), variable: plain(cells[1]), key: plain(cells[2]),
                standard: plain(cells[3]), meaning: cells[4])
        }
    }

    /// One value of each that is not the default and is taken.
    private static let values = [
        "host": "127.0.0.2", "port": "8081", "basePath": "/books", "data": "/tmp/books", "webRoot": "/tmp/web",
        "lan": "true",
        "lanNames": "books.example", "insecureHttp": "true", "tlsCert": "/tmp/cert.pem", "tlsKey": "/tmp/key.pem",
        "trustedProxies": "192.0.2.2", "connectionsPerAddress": "99", "photosAtOnce": "2", "photoMegabytes": "30",
        "jobsPerClient": "11", "workQueue": "postgresql://db.example.org/books", "readHere": "true",
        "photosOffered": "33",
        "requestsPerMinute": "61", "resultHours": "25", "providers": "isbndb", "contact": "ada@example.org",
        "googleBooksKey": "k1", "isbndbKey": "k2", "openlibraryUrl": "http://127.0.0.1:8081/ol",
        "googlebooksUrl": "https://books.example.org", "isbndbUrl": "https://isbndb.example.org", "logLevel": "debug",
        "backupFolder": "/tmp/backups", "backupsKept": "30", "backupPassphraseFile": "/tmp/passphrase",
        "oidcIssuer": "https://id.example.org", "oidcClientId": "shelflist", "oidcClientSecretFile": "/etc/hosts",
        "oidcName": "Home", "oidcNewMembers": "viewer", "oidcOnly": "true",
        "reader": "assist", "assistReader": "openai", "readerConsent": "gemini", "readerTimeout": "120",
        "geminiKey": "k3", "openaiKey": "k4", "geminiModel": "gemini-2.5-pro", "openaiModel": "qwen2.5vl:7b",
        "geminiUrl": "https://gemini.example.org", "openaiUrl": "http://127.0.0.1:11434/v1",
        "requireConfinement": "true", "logFormat": "json", "dumpsUrl": "https://mirror.example.org/dumps/",
    ]

    /// What the settings of an OpenID provider need beside themselves.
    private static let openID = ["oidcIssuer": "https://id.example.com", "oidcClientId": "books"]

    private static func configuration(
        flags: [String: String] = [:], environment: [String: String] = [:], file: String? = nil
    ) async throws -> String {
        let home = ["HOME": "/tmp/home"]
        // The two files of a certificate go together.
        var (flags, environment) = (flags, environment.merging(home) { mine, _ in mine })
        for (one, other) in [("tlsCert", "tlsKey"), ("tlsKey", "tlsCert")] where flags[one] != nil {
            flags[other] = flags[other] ?? "/tmp/other.pem"
        }
        for (one, other) in [("SHELFLIST_TLS_CERT", "SHELFLIST_TLS_KEY"), ("SHELFLIST_TLS_KEY", "SHELFLIST_TLS_CERT")]
        where environment[one] != nil { environment[other] = environment[other] ?? "/tmp/other.pem" }
        let configuration = try await ServeConfiguration(flags: flags, environment: environment, file: file)
        // The set-up code and the clock differ each time.
        let changing = ["setupCode", "start:", "timeIntervalSinceReferenceDate:"]
        return lines(of: configuration, named: "configuration")
            .filter { line in !changing.contains { line.contains($0) } }.joined(separator: "\n")
    }

    /// Returns a value with all its parts, a line each; sets and dictionaries, which have no order, by their elements.
    private static func lines(of value: Any, named name: String) -> [String] {
        let mirror = Mirror(reflecting: value)
        let parts = mirror.children.map { lines(of: $0.value, named: $0.label.map { "\($0):" } ?? "-") }
        let hasOrder = mirror.displayStyle != .set && mirror.displayStyle != .dictionary
        let sorted = hasOrder ? parts : parts.sorted { $0.joined() < $1.joined() }
        return ["\(name) \(parts.isEmpty ? String(describing: value) : "")"]
            + sorted.joined().map { "  \($0)" }
    }

    @Test("The page lists every setting once under its names")
    func listsSettings() throws {
        let settings = try Self.settings()
        #expect(settings.map(\.key).sorted() == Self.values.keys.sorted())
        for setting in settings {
            let words = setting.key.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
            #expect(setting.flag == nil || setting.flag == "--\(words)")
            #expect(setting.variable == "SHELFLIST_" + words.uppercased().replacing("-", with: "_"))
        }
    }

    @Test("Help has the same flags and defaults as the page")
    func helpMatches() throws {
        let runner = try CommandRunner()
        let help = try runner.run("serve", "--help").output.replacing(/\s+/, with: " ")
        let settings = try Self.settings()
        let named = Set(help.matches(of: #/ (--[a-z-]+)/#).map { String($0.1) })
        let described = Set(settings.compactMap(\.flag))
        #expect(described.subtracting(named) == [])
        var compared = 0
        for setting in settings {
            guard let flag = setting.flag, let text = help.components(separatedBy: " \(flag) ").last else { continue }
            let own = text.components(separatedBy: " --").first ?? ""
            guard let standard = own.firstMatch(of: /\(default: ([^)]*)\)/)?.1, !standard.contains(" ") else {
                continue
            }
            #expect(setting.standard == String(standard), "\(flag)")
            compared += 1
        }
        #expect(compared > 5, "defaults in the help")
        let usage = named.subtracting(described)
        #expect(usage.isSubset(of: ["--config", "--version", "--help", "--photos-at-once"]), "\(usage)")
    }

    @Test("The command line precedes the environment, which precedes the file")
    func precedence() async throws {
        let folder = try TemporaryFolder()
        for setting in try Self.settings() {
            var beside = setting.key.hasPrefix("oidc") ? Self.openID : [:]
            if setting.key == "readHere" { beside["workQueue"] = "postgresql://db.example.org/books" }
            let unset = try await Self.configuration(flags: beside)
            beside[setting.key] = nil
            let value = try #require(Self.values[setting.key])
            let file = folder.url.appending(path: "\(setting.key).json")
            var content = [setting.key: value]
            for (one, other) in [("tlsCert", "tlsKey"), ("tlsKey", "tlsCert")] where setting.key == one {
                content[other] = "/tmp/other.pem"
            }
            try JSONEncoder().encode(content).write(to: file)
            let byFlag = try await Self.configuration(flags: beside.merging([setting.key: value]) { $1 })
            let byVariable = try await Self.configuration(
                flags: beside, environment: [setting.variable: value])
            let byFile = try await Self.configuration(flags: beside, file: file.path)
            #expect(byFlag != unset, "\(setting.key)")
            #expect(byVariable == byFlag, "\(setting.key)")
            #expect(byFile == byFlag, "\(setting.key)")
        }
        let file = folder.url.appending(path: "settings.json")
        try Data(#"{"port": 1, "photosAtOnce": 1, "resultHours": 1}"#.utf8).write(to: file)
        let all = try await ServeConfiguration(
            flags: ["port": "3"], environment: ["SHELFLIST_PORT": "2", "SHELFLIST_PHOTOS_AT_ONCE": "2"], file: file.path
        )
        #expect(all.settings.port == 3)
        #expect(all.limits.photosAtOnce == 2)
        #expect(all.limits.kept == .seconds(3600))
    }

    @Test("The defaults on the page are the program's")
    func defaults() async throws {
        let unset = try await Self.configuration()
        let settings = try Self.settings().filter { $0.standard.wholeMatch(of: /[a-z0-9.]+/) != nil }
        #expect(settings.count > 10)
        for setting in settings {
            let said = try await Self.configuration(flags: [setting.key: setting.standard])
            #expect(said == unset, "\(setting.key) is not \(setting.standard)")
        }
    }

    @Test("Numbers are accepted only within the range on the page")
    func ranges() async throws {
        let ranged = try Self.settings().filter { $0.range != nil }
        #expect(ranged.map(\.key).sorted() == Self.numbers)
        for setting in ranged {
            let range = try #require(setting.range)
            for number in [range.lowerBound, range.upperBound] {
                _ = try await Self.configuration(flags: [setting.key: "\(number)"])
            }
            for number in [range.lowerBound - 1, range.upperBound + 1] {
                await #expect(throws: (any Error).self, "\(setting.key) \(number)") {
                    _ = try await Self.configuration(flags: [setting.key: "\(number)"])
                }
            }
        }
    }

    @Test(
        "The address of a provider is an http or https URL without a query",
        arguments: [
            ("https://mirror.example.org/books/", true), ("http://[::1]:8080", true), ("HTTP://localhost", true),
            ("mirror.example.org", false), ("ftp://mirror.example.org", false), ("https://", false),
            ("https://mirror.example.org/?q=1", false), ("https://mirror.example.org#a", false),
            ("https://me:secret@mirror.example.org", false), ("http://a b", false),
        ])
    func addresses(_ text: String, _ isAccepted: Bool) async throws {
        for key in ["openlibraryUrl", "googlebooksUrl", "isbndbUrl", "geminiUrl", "openaiUrl"] {
            if isAccepted {
                _ = try await Self.configuration(flags: [key: text])
            } else {
                let error = await #expect(throws: (any Error).self) {
                    _ = try await Self.configuration(flags: [key: text])
                }
                #expect(error.map { "\($0)" }?.contains("\(key) is an http or https address") == true)
            }
        }
    }

    @Test("A contact is an e-mail address or URL", arguments: ["ada", "a da@example.org", "ada@example.org)"])
    func contacts(_ text: String) async throws {
        let error = await #expect(throws: (any Error).self) {
            _ = try await Self.configuration(flags: ["contact": text])
        }
        #expect(error.map { "\($0)" }?.contains("contact is an e-mail address or a URL") == true)
    }

    private static let numbers = [
        "backupsKept", "connectionsPerAddress", "jobsPerClient", "photoMegabytes", "photosAtOnce",
        "photosOffered", "port", "readerTimeout", "requestsPerMinute", "resultHours",
    ]

    @Test("Plain HTTP on the network is refused unless it is accepted")
    func refusesPlainHTTP() async throws {
        func configuration(_ flags: [String: String]) async throws -> ServeConfiguration {
            try await ServeConfiguration(flags: flags, environment: ["HOME": "/tmp/home"], file: nil)
        }
        for host in ["0.0.0.0", "::", "192.0.2.1", "books.example.org"] {
            await #expect(throws: (any Error).self) { try await configuration(["host": host]) }
            #expect(try await configuration(["host": host, "insecureHttp": "true"]).isUnencrypted)
            for safe in [["lan": "true"], ["tlsCert": "a", "tlsKey": "b"], ["trustedProxies": "192.0.2.2"]] {
                let encrypted = try await configuration(safe.merging(["host": host]) { $1 })
                #expect(!encrypted.isUnencrypted)
                #expect((encrypted.settings.answeredAddresses != nil) == (safe["trustedProxies"] != nil))
            }
            // Without encryption of its own, the server answers only its proxies and this machine.
            let flags = ["host": host, "trustedProxies": "192.0.2.2,172.16.0.0/12"]
            let behind = try #require(try await configuration(flags).settings.answeredAddresses)
            func answers(_ text: String) throws -> Bool {
                let address = try #require(IPAddress(text))
                return behind.contains { $0.contains(address) }
            }
            for address in ["192.0.2.2", "172.20.0.9", "127.0.0.1", "::1"] { #expect(try answers(address)) }
            for address in ["192.0.2.3", "203.0.113.9", "2001:db8::1"] { #expect(try !answers(address)) }
            let insecure = try await configuration(flags.merging(["insecureHttp": "true"]) { $1 })
            #expect(insecure.settings.answeredAddresses == nil && insecure.isUnencrypted)
        }
        for host in ["127.0.0.1", "::1", "localhost"] {
            #expect(try await !configuration(["host": host, "insecureHttp": "true"]).isUnencrypted)
            let behind = try await configuration(["host": host, "trustedProxies": "192.0.2.2"])
            #expect(behind.settings.answeredAddresses == nil)
        }
    }

    @Test("An OpenID provider is read from flags, and its secret from a file")
    func openID() async throws {
        let temporary = try TemporaryFolder()
        let secret = temporary.url.appending(path: "secret")
        try Data("s3cret\n".utf8).write(to: secret)
        func provider(_ flags: [String: String]) async throws -> OpenIDSettings? {
            try await ServeConfiguration(flags: flags, environment: ["HOME": "/tmp/home"], file: nil).settings.openID
        }
        #expect(try await provider([:]) == nil)
        let flags = ["oidcIssuer": "https://id.example.org/realm/", "oidcClientId": "shelflist"]
        let plain = try #require(try await provider(flags))
        #expect(plain.issuer.absoluteString == "https://id.example.org/realm/")
        #expect(plain.name == "id.example.org" && !plain.isOnlyWay && plain.newMembers == nil)
        #expect(plain.clientSecret == nil)
        let more = [
            "oidcClientSecretFile": secret.path, "oidcOnly": "true", "oidcNewMembers": "viewer", "oidcName": "Home",
        ]
        let full = try #require(try await provider(flags.merging(more) { $1 }))
        #expect(full.clientSecret == "s3cret" && full.isOnlyWay && full.newMembers == .viewer && full.name == "Home")
        let wrong: [[String: String]] = [
            ["oidcIssuer": "https://id.example.org"], ["oidcOnly": "true"],
            flags.merging(["oidcIssuer": "http://id.example.org"]) { $1 },
            flags.merging(["oidcNewMembers": "owner"]) { $1 },
            flags.merging(["oidcClientSecretFile": "/does/not/exist"]) { $1 },
        ]
        for flags in wrong {
            await #expect(throws: (any Error).self, "\(flags)") { try await provider(flags) }
        }
    }

    @Test("A key that other users can read is reported", arguments: [(0o640, true), (0o600, false)])
    func reportsOpenKey(permissions: Int, isReported: Bool) throws {
        let command = try CommandRunner()
        // An empty certificate ends the server after its warnings.
        for name in ["cert.pem", "key.pem"] { try command.write([], to: name) }
        let key = command.folder.appending(path: "key.pem").path
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: key)
        // As the files of Let's Encrypt, the key is named by a link.
        let link = command.folder.appending(path: "link.pem")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: URL(filePath: key))
        let outcome = try command.run("serve", "--port", "0", "--tls-cert", "cert.pem", "--tls-key", "link.pem")
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("can read the certificate's key") == isReported, "\(outcome.errors)")
    }

    @Test("Photos are read here besides workers only with a work queue")
    func refusesReadingHereAlone() async throws {
        await #expect(throws: (any Error).self) {
            try await ServeConfiguration(flags: ["readHere": "true"], environment: ["HOME": "/tmp/home"], file: nil)
        }
    }

    @Test("Only addresses and networks are proxies")
    func refusesProxyNames() async throws {
        await #expect(throws: (any Error).self) {
            try await ServeConfiguration(
                flags: ["trustedProxies": "caddy"], environment: ["HOME": "/tmp/home"], file: nil)
        }
    }

    @Test(
        "A list in an empty variable is not set",
        arguments: ["SHELFLIST_TRUSTED_PROXIES", "SHELFLIST_LAN_NAMES", "SHELFLIST_PROVIDERS"])
    func ignoresEmptyLists(variable: String) async throws {
        let configuration = try await Self.configuration(environment: [variable: ""])
        #expect(try await configuration == Self.configuration())
    }
}
