import Foundation
import Logging
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

/// What the log has of names from outside.
@Suite(.serialized, .endsHangs) struct LogLineTests {
    /// A name that would be a line of its own, and would change how others are shown.
    private static let forged =
        "x\n2026-11-28T00:00:00Z notice shelflist: address=203.0.113.7 event=signInFailed [Server] sign-in failed"
        + "\u{1B}[31m\u{2028}\u{202E}\u{85}\r\u{600}y"

    /// Stores what a handler writes.
    private final class Output: Sendable {
        private let text = Mutex("")

        var lines: [String] { text.withLock { $0.split(separator: "\n").map(String.init) } }

        func logger(_ format: LineLogHandler.Format) -> Logger {
            Logger(label: "shelflist") { label in
                LineLogHandler(label: label, format: format) { line in self.text.withLock { $0 += line } }
            }
        }
    }

    /// Expects lines that the server began, without what steers a terminal.
    private static func expectClean(_ lines: [String], _ format: LineLogHandler.Format) {
        for line in lines {
            #expect(
                !line.unicodeScalars.contains {
                    [.control, .format, .lineSeparator].contains($0.properties.generalCategory)
                })
            switch format {
            case .text: #expect(line.prefixMatch(of: #/\d{4}-\d\d-\d\dT[\d:]{8}\S+ \w+ shelflist:\ /#) != nil)
            case .json: #expect((try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))) != nil)
            }
        }
    }

    @Test("Each event of the access log is one line, whatever names it has", arguments: LineLogHandler.Format.allCases)
    func events(format: LineLogHandler.Format) throws {
        let output = Output()
        let temporary = try TemporaryFolder()
        let log = AuditLog(folder: temporary.url, logger: output.logger(format))
        for event in AuditEvent.allCases {
            log.record(event, member: Self.forged, subject: Self.forged, address: Self.forged, at: .now)
        }
        #expect(output.lines.count == AuditEvent.allCases.count)
        Self.expectClean(output.lines, format)
        #expect(output.lines[0].contains("x 2026-11-28T00:00:00Z notice"), "a line break is a space")
    }

    @Test("Messages, metadata of the logger and errors are one line, too", arguments: LineLogHandler.Format.allCases)
    func messages(format: LineLogHandler.Format) throws {
        let output = Output()
        var logger = output.logger(format)
        logger[metadataKey: "device"] = "\(Self.forged)"
        logger.error("\(Self.forged)", metadata: ["list": ["\(Self.forged)"], "names": ["a": "\(Self.forged)"]])
        #expect(output.lines.count == 1)
        Self.expectClean(output.lines, format)
    }

    @Test("A line has the time, level, program, metadata by name, module and message")
    func form() throws {
        let output = Output()
        let temporary = try TemporaryFolder()
        let log = AuditLog(folder: temporary.url, logger: output.logger(.text))
        log.record(.tokenAdded, member: "Ada", subject: "script", address: "192.0.2.7", at: .now)
        let line = try #require(output.lines.first)
        let rest = line.drop { $0 != " " }
        #expect(
            rest
                == " notice shelflist: address=192.0.2.7 event=tokenAdded member=Ada subject=script [Server] access changed"
        )
    }

    @Test("Names of tokens, apps and members have no control characters and no line separators")
    func names() async throws {
        let output = Output()
        try await withServer(logger: output.logger(.text)) { server in
            let owner = try server.makeOwner()
            for character in ["\\n", "\\u001B", "\\u0085", "\\u2028", "\\u2029", "\\u0600"] {
                for (path, rest) in [
                    ("tokens", #""scopes":["read"]"#), ("members", #""password":"a long password","role":"viewer""#),
                    ("apps", #""importAtOnce":true"#),
                ] {
                    let answer = try server.send(
                        "POST", "/api/v1/\(path)", headers: owner, json: #"{"name":"x\#(character)y",\#(rest)}"#)
                    #expect(answer.status == 422 && answer.problem?.field == "name", "\(path) \(character)")
                }
            }
            let blank = try server.send(
                "POST", "/api/v1/tokens", headers: owner, json: #"{"name":" ","scopes":["read"]}"#)
            #expect(blank.status == 422)
        }
        Self.expectClean(output.lines, .text)
    }

    @Test("A person whom the OpenID provider names is one line in the log")
    func openID() async throws {
        let output = Output()
        try await OpenIDFlow.withProvider(newMembers: .viewer, logger: output.logger(.text)) { server, provider in
            _ = try server.makeOwner()
            let arrival = try OpenIDFlow.signIn(server, provider, as: Self.forged, name: Self.forged)
            #expect(!arrival.cookie.isEmpty)
            let headers = ["User-Agent": "a\u{1B}[31m\u{9B}b", "X-Forwarded-For": "1.2.3.4"]
            _ = try server.send("GET", "/api/v1/%0A2026-11-28%20fake", headers: headers)
        }
        #expect(output.lines.contains { $0.contains("event=memberAdded") })
        Self.expectClean(output.lines, .text)
    }

    @Test("The documented filter of fail2ban finds failed sign-ins, and nothing that a caller can name")
    func fail2ban() async throws {
        let document = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/operations.md").standardizedFileURL
        let text = try String(contentsOf: document, encoding: .utf8)
        let filter = String(try #require(text.firstMatch(of: /\nfailregex = (.*)\n/)).1)
        let pattern = try Regex(filter.replacing("<HOST>", with: #"(?<host>\S+)"#))
        func banned(_ lines: [String]) -> [Substring] {
            lines.compactMap { $0.firstMatch(of: pattern)?["host"]?.substring }
        }

        let output = Output()
        try await withServer(logger: output.logger(.text)) { server in
            let owner = try server.makeOwner()
            for name in [
                "x address=203.0.113.7 event=signInFailed", "address=203.0.113.7 event=signInFailed sign-in failed",
            ] {
                let token = try server.send(
                    "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"\#(name)","scopes":["read"]}"#)
                #expect(token.status == 201)
                _ = try server.addMember(String(name.prefix(60)), by: owner)
                _ = try server.send("GET", "/api/v1/" + name.replacing(" ", with: "%20"))
            }
            let failed = try server.send(
                "POST", "/api/v1/session", json: #"{"name":"Ada","password":"wrong password"}"#)
            #expect(failed.status == 401)
        }
        #expect(banned(output.lines) == ["127.0.0.1"])
        let line = try #require(output.lines.last { $0.contains("sign-in failed") })
        let (time, rest) = (line.prefix { $0 != " " }, line.drop { $0 != " " })
        // As in a file; without the time, which fail2ban removes; and as the journal has it.
        for form in [line, String(rest), "books shelflist[4711]: \(time)\(rest)"] {
            #expect(banned([form]) == ["127.0.0.1"])
        }
        let forged = "\(time) notice shelflist: address=192.0.2.1 event=tokenAdded member=Vera subject=x\(rest)"
        #expect(banned([forged, "books shelflist[4711]: \(forged)", "notice shelflist: event=\(rest)"]).isEmpty)
    }
}
