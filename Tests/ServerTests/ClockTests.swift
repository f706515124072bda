import Concurrency
import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

/// A server whose machine's clock is set after the start.
@Suite(.serialized, .endsHangs) struct ClockTests {
    /// Runs `body` with a server whose own clock stands still.
    ///
    /// - Parameter body: `set` sets the machine's clock to so many seconds ahead of the server's, and `date` returns it.
    private static func withSetClock(
        _ body: @escaping @Sendable (TestServer, _ set: (TimeInterval) -> Void, _ date: () -> Date) throws -> Void
    ) async throws {
        let difference = Mutex<TimeInterval>(0)
        try await withServer(configure: { settings, _ in
            let clock = settings.clock
            settings.date = { clock.now.addingTimeInterval(difference.withLock { $0 }) }
        }) { server in
            try body(server, { seconds in difference.withLock { $0 = seconds } }) {
                server.now.addingTimeInterval(difference.withLock { $0 })
            }
        }
    }

    /// Whole seconds.
    private static func date(_ text: Any?) throws -> Date {
        try Date("\(try #require(text as? String).prefix(19))Z", strategy: .iso8601)
    }

    private static func codes(_ server: TestServer, _ owner: [String: String]) throws -> (String, OneTimeCodes) {
        let new = try server.send("POST", "/api/v1/session/second-factor", headers: owner, json: "{}")
        let secret = try #require(new.string("secret"))
        let bytes = try #require(Base32.decode(secret))
        return (secret, try #require(OneTimeCodes(secret: bytes)))
    }

    @Test("Codes of authenticator apps follow the machine's clock, ahead and back, and are valid once")
    func codes() async throws {
        try await Self.withSetClock { server, set, date in
            let owner = try server.makeOwner()
            let (secret, codes) = try Self.codes(server, owner)
            func code() -> String { codes.code(period: OneTimeCodes.period(of: date())) }
            func signIn(_ code: String) throws -> Int {
                let json = #"{"name":"Ada","password":"correct horse","code":"\#(code)"}"#
                return try server.send("POST", "/api/v1/session", json: json).status
            }
            let first = date()
            let on = try server.send(
                "PUT", "/api/v1/session/second-factor", headers: owner,
                json: #"{"secret":"\#(secret)","code":"\#(code())"}"#)
            #expect(on.status == 200)
            var used = [first]
            for hours: Double in [1, 87_600, -1, -8760] {
                // The limit of sign-ins.
                server.clock.advance(by: .seconds(60))
                set(hours * 3600)
                #expect(try signIn(code()) == 200, "\(hours) hours from the clock of the start")
                #expect(try signIn(code()) == 401, "it was used")
                used.append(date())
            }
            // The clock shows times again in which codes were used.
            for time in used {
                server.clock.advance(by: .seconds(60))
                set(time.timeIntervalSince(server.now))
                #expect(try signIn(code()) == 401)
            }
        }
    }

    @Test("Access tokens are dated by the machine's clock, and none is deleted while it is wrong")
    func tokens() async throws {
        try await Self.withSetClock { server, set, date in
            let owner = try server.makeOwner()
            set(3600)
            let made = try server.send(
                "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"a","scopes":["read"],"expiresInDays":1}"#)
            let secret = try #require(made.string("secret"))
            func status() throws -> Int {
                try server.send("GET", "/api/v1/library", headers: ["Authorization": "Bearer \(secret)"]).status
            }
            #expect(abs(try Self.date(made["token", "createdAt"]).timeIntervalSince(date())) < 1)
            #expect(try status() == 200)
            set(48 * 3600)
            #expect(try status() == 401)
            // A sign-in deletes what has expired.
            _ = try server.send("POST", "/api/v1/session", json: #"{"name":"Ada","password":"correct horse"}"#)
            set(3600)
            #expect(try status() == 200)
        }
    }

    @Test("The access log has the machine's time")
    func audit() async throws {
        try await Self.withSetClock { server, set, date in
            set(7200)
            let owner = try server.makeOwner()
            let entries = try server.send("GET", "/api/v1/audit", headers: owner).decode(Page<AuditEntry>.self).items
            #expect(abs(try #require(entries.last).time.timeIntervalSince(date())) < 1)
        }
    }

    @Test("No photo is deleted for a day after the clock was set")
    func photos() async throws {
        let difference = Mutex<TimeInterval>(0)
        try await withServer(configure: { settings, _ in
            let clock = settings.clock
            settings.date = { clock.now.addingTimeInterval(difference.withLock { $0 }) }
        }) { server in
            // The clean-up and the updates of the catalog have run and wait for an hour.
            let haveRun: @Sendable ([Duration]) -> Bool = { $0.count { $0 == .seconds(3600) } == 2 }
            await server.clock.until(haveRun)
            let photo = server.folder.appending(path: "photos/bookshelf_scan_1.jpg")
            try Data("x".utf8).write(to: photo)
            try photo.setAge(25 * 3600)
            difference.withLock { $0 = 365 * 86_400 }
            server.clock.advance(by: .seconds(3600))
            await server.clock.until(haveRun)
            #expect(FileManager.default.fileExists(atPath: photo.path))
            server.clock.advance(by: .seconds(24 * 3600))
            try await eventually { !FileManager.default.fileExists(atPath: photo.path) }
        }
    }

    @Test("A clock that is set is noticed once, and one that is corrected slowly is not")
    func changes() {
        let held = HeldClock()
        let clock = SteadyClock(start: Date(timeIntervalSince1970: 1_800_000_000), clock: held)
        let difference = Mutex<TimeInterval>(0)
        let changes = ClockChanges(clock: clock) { clock.now.addingTimeInterval(difference.withLock { $0 }) }
        for step in 1...10 {
            held.advance(by: .seconds(3600))
            difference.withLock { $0 = Double(step) * ClockChanges.tolerance }
            #expect(changes.sinceLast() == nil)
        }
        for jump in [86_400.0, -86_400] {
            difference.withLock { $0 = jump }
            #expect(changes.sinceLast() == .zero)
            held.advance(by: .seconds(3600))
            #expect(changes.sinceLast() == .seconds(3600))
        }
    }
}
