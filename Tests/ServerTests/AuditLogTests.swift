import Foundation
import Logging
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) final class AuditLogTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let temporary: TemporaryFolder
    private var folder: URL { temporary.url }

    init() throws { temporary = try TemporaryFolder() }

    private func opened(kept: Int = AuditLog.maxEntries) -> AuditLog {
        AuditLog(folder: folder, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, kept: kept)
    }

    private func lines(_ name: String) throws -> Int {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n").count
    }

    private func time(_ seconds: Double) -> Date { Self.start.addingTimeInterval(seconds) }

    @Test("Many sign-ins do not push out a change, nor many changes a sign-in, and full files are kept")
    func keepsKindsApart() throws {
        let log = opened(kept: 100)
        log.record(.memberAdded, member: "Ada", subject: "Mallory", address: nil, at: Self.start)
        for number in 0..<250 {
            log.record(
                .signInFailed, member: nil, address: "203.0.113.\(number)", at: time(Double(number)))
        }
        #expect(log.entries.count == 101)
        #expect(log.entries.last?.event == .memberAdded)
        #expect(try lines("sign-ins.jsonl") == 50)
        #expect(try lines("sign-ins.1.jsonl") == 100 && lines("sign-ins.2.jsonl") == 100)
        for number in 0..<150 {
            log.record(.tokenAdded, member: "M\(number)", subject: "t", address: nil, at: time(300))
        }
        #expect(log.entries.count == 200)
        // The same after a restart, also with those in the full file.
        let again = opened(kept: 100)
        #expect(again.entries == log.entries)
    }

    @Test("Entries that could not be written are written later, once and in order")
    func writesAgain() throws {
        let (log, file) = (opened(), folder.appending(path: AuditLog.fileName))
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        for name in ["first", "second"] {
            log.record(.tokenAdded, member: "Ada", subject: name, address: nil, at: Self.start)
        }
        // The other file can be written.
        log.record(.signedIn, member: "Ada", address: nil, at: Self.start)
        #expect(try lines(AuditLog.signInFileName) == 1)
        try FileManager.default.removeItem(at: file)
        log.flush()
        #expect(try lines(AuditLog.fileName) == 2)
        log.record(.tokenAdded, member: "Ada", subject: "third", address: nil, at: Self.start)
        #expect(opened().entries == log.entries)
        #expect(log.entries.compactMap(\.subject) == ["third", "second", "first"])
    }

    @Test("Only some full files are kept")
    func deletesOldFiles() throws {
        let log = opened(kept: 2)
        for number in 0..<20 { log.record(.signedIn, member: "M\(number)", address: nil, at: Self.start) }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == (1...5).map { "sign-ins.\($0).jsonl" } + ["sign-ins.jsonl"])
        for name in names {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("From the twentieth within a minute, the events of a member make one entry")
    func countsBursts() throws {
        let log = opened()
        for number in 0..<500 {
            log.record(.signedIn, member: "Mallory", address: "203.0.113.1", at: time(Double(number) / 10))
        }
        // Others are not counted with them.
        log.record(.signedIn, member: "Ada", address: "203.0.113.1", at: time(50))
        log.record(.signInFailed, member: nil, address: "2001:db8::1", at: time(50))
        for number in 2...40 { log.record(.signInFailed, member: nil, address: "2001:db8::\(number)", at: time(51)) }
        func expectCounts(_ entries: [AuditEntry]) {
            let mallory = entries.filter { $0.member == "Mallory" }
            #expect(mallory.count == 20)
            #expect(mallory.compactMap(\.more) == [480] && mallory.first?.more == 480)
            let unknown = entries.filter { $0.member == nil }
            #expect(unknown.count == 20 && unknown.first?.more == 20)
            #expect(entries.count { $0.member == "Ada" } == 1)
            // Where the counted events happened, not where they were written.
            #expect(entries.firstIndex { $0.member == "Ada" }.map { entries[$0 + 1].more } == 480)
        }
        expectCounts(log.entries)
        #expect(try lines("sign-ins.jsonl") == 19 + 1 + 19)
        log.flush()
        #expect(try lines("sign-ins.jsonl") == 20 + 1 + 20)
        expectCounts(log.entries)
        expectCounts(opened().entries)
        log.record(.signedIn, member: "Mallory", address: "203.0.113.1", at: time(61))
        #expect(log.entries.first?.more == nil && log.entries.first?.member == "Mallory")
    }

    @Test("A burst is written with the first event after its minute")
    func endsBursts() throws {
        let log = opened()
        for _ in 0..<30 { log.record(.signedIn, member: "Mallory", address: nil, at: Self.start) }
        #expect(try lines("sign-ins.jsonl") == 19)
        log.record(.memberRemoved, member: "Ada", subject: "Mallory", address: nil, at: time(60))
        #expect(try lines("sign-ins.jsonl") == 20)
        #expect(opened().entries.map(\.more).prefix(2) == [nil, 10])
    }

    @Test("A line that power was lost in does not take the next entry with it", arguments: ["", "\n", "{\"time\":"])
    func continuesAfterHalfLine(end: String) throws {
        opened().record(.memberAdded, member: "Ada", subject: "Bea", address: nil, at: Self.start)
        let file = folder.appending(path: AuditLog.fileName)
        var bytes = try Data(contentsOf: file)
        if end.isEmpty { bytes.removeLast() } else { bytes += Data(end.utf8) }
        try bytes.write(to: file)
        opened().record(.memberRemoved, member: "Ada", subject: "Bea", address: nil, at: time(1))
        #expect(opened().entries.map(\.event) == [.memberRemoved, .memberAdded])
    }

    @Test("A file of an earlier version, which has both kinds, is read")
    func readsOlderFile() throws {
        let events = [AuditEvent.ownerCreated, .signedIn, .memberAdded, .signInFailed]
        let lines = events.map { #"{"event":"\#($0.rawValue)","member":"Ada","time":700000000}"# + "\n" }
        try Data(lines.joined().utf8).write(to: folder.appending(path: AuditLog.fileName))
        let log = opened()
        #expect(log.entries.map(\.event) == events.reversed())
        log.record(.signedIn, member: "Bea", address: nil, at: Self.start)
        #expect(log.entries.map(\.event) == [.signedIn] + events.reversed())
        #expect(opened().entries == log.entries)
    }

    @Test("Only what changed something is recorded")
    func recordsChangesOnly() async throws {
        try await withServer { server in
            let owner = try server.makeOwner()
            let (bea, session) = try server.addMember("Bea", by: owner)
            func events() throws -> [AuditEvent] {
                try server.send("GET", "/api/v1/audit", headers: owner).decode(Page<AuditEntry>.self).items.map(\.event)
            }
            let before = try events()
            for _ in 1...3 { #expect(try server.send("DELETE", "/api/v1/sessions", headers: session).status == 204) }
            let change = owner.merging(["If-Match": "*"]) { $1 }
            for body in [#"{"role":"editor"}"#, #"{"secondFactor":false}"#] {
                #expect(
                    try server.send("PATCH", "/api/v1/members/\(bea.id)", headers: change, json: body).status == 200)
            }
            #expect(try events() == before)
            _ = try server.send("POST", "/api/v1/session", json: #"{"name":"Bea","password":"a long password"}"#)
            #expect(try server.send("DELETE", "/api/v1/sessions", headers: session).status == 204)
            #expect(try events() == [.sessionsEnded, .signedIn] + before)
        }
    }
}
