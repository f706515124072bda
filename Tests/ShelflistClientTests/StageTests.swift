import Foundation
import ReadingFixtures
import Scans
import Server
import ServerFixtures
import ShelflistClient
import Synchronization
import TestSupport
import Testing

/// Scans of which one request or its response meets a fault, at a known point, against a real server behind a proxy.
@Suite(.serialized, .endsHangs) struct StageTests {
    /// The requests of a scan whose first photo is refused.
    enum Stage: String, CaseIterable, Sendable {
        case create, firstPhoto, secondPhoto, finish, socket, stream, poll, results

        func matches(_ request: String) -> Bool {
            switch self {
            case .create: request.hasPrefix("POST /api/v1/scans HTTP")
            case .firstPhoto: request.hasPrefix("PUT ") && request.contains("/photos/1 HTTP")
            case .secondPhoto: request.hasPrefix("PUT ") && request.contains("/photos/2 HTTP")
            case .finish: request.hasPrefix("POST ") && request.contains("/finish HTTP")
            case .socket: Self.isSocket(request)
            case .stream: Self.isStream(request)
            case .poll: request.contains("/events?after=")
            case .results: request.contains("/results HTTP")
            }
        }

        /// Whether a proxy does not permit the request, so that the stage is reached.
        func forbids(_ request: String) -> Bool {
            switch self {
            case .stream: Self.isSocket(request)
            case .poll: Self.isSocket(request) || Self.isStream(request)
            default: false
            }
        }

        private static func isSocket(_ request: String) -> Bool { request.hasPrefix("GET /ws/progress") }
        private static func isStream(_ request: String) -> Bool { request.contains("text/event-stream") }
    }

    /// Before, within the first line, and within the headers of the request; before and within the response.
    static let points: [(direction: Fault.Direction, after: Int)] =
        [(.up, 0), (.down, 0)] + (testsThoroughly ? [(.up, 10), (.up, 120), (.down, 60), (.down, 400)] : [])

    /// More attempts than one fault needs; `AttemptTests` counts them.
    private static var limits: ClientLimits {
        var limits = ClientLimits.held
        limits.attempts = 20
        return limits
    }

    @Test(
        "A fault of any request of a scan loses nothing and repeats nothing", arguments: Stage.allCases,
        [Fault.Kind.cut, .halfClose, .blackHole, .late])
    func faults(stage: Stage, kind: Fault.Kind) async throws {
        try await withClient(limits: Self.limits) { fixture in
            let points = kind == .late ? Self.points.filter { $0.after == 0 } : Self.points
            for (number, point) in points.enumerated() {
                let fault = Fault(kind: kind, direction: point.direction, after: point.after)
                let isMet = Mutex(false)
                fixture.proxy.onRequest { request in
                    if stage.forbids(request) { return Fault(kind: .refuse, direction: .up) }
                    guard stage.matches(request) else { return nil }
                    return isMet.withLock { isMet in
                        defer { isMet = true }
                        return isMet ? nil : fault
                    }
                }
                let before = fixture.server.reader.read.count
                let session = fixture.client.scan(
                    [.data(Data("text".utf8)), .script("books:Emma \(number)|Dune"), .script("books:Faust \(number)")],
                    options: ScanOptions(addsToLibrary: false))
                try await FaultTests.check(session, of: fixture, books: 3)
                let wasMet = isMet.withLock(\.self)
                #expect(wasMet, "\(stage) was reached")
                #expect(try await fixture.proxy.deliverLate() == (kind == .late ? 1 : 0))
                #expect(fixture.server.reader.read.count == before + 2, "\(point)")
            }
            #expect(try await fixture.direct.scans.all().page().total == points.count)
        }
    }

    @Test(
        "A cancellation reaches the server over a broken connection",
        arguments: [Fault.Kind.cut, .halfClose, .blackHole], Fault.Direction.allCases)
    func cancels(kind: Fault.Kind, direction: Fault.Direction) async throws {
        try await withClient { fixture in
            let isMet = Mutex(false)
            fixture.proxy.onRequest { request in
                guard request.hasPrefix("DELETE ") else { return nil }
                return isMet.withLock { isMet in
                    defer { isMet = true }
                    return isMet ? nil : Fault(kind: kind, direction: direction)
                }
            }
            let session = fixture.client.scan([.script("wait:Emma")])
            try await eventually { fixture.server.jobs.log.followers == 1 }
            let id = try #require(session.jobID)
            await session.cancel()
            let job = try await fixture.server.jobs.log.job(id)
            let wasMet = isMet.withLock(\.self)
            #expect(wasMet && (job == nil || job?.status == .canceled))
            fixture.server.reader.release()
        }
    }

    /// Within the handshake, at its end, and after it.
    @Test(
        "A fault of an encrypted connection loses nothing", arguments: [Fault.Kind.cut, .halfClose, .blackHole],
        Fault.Direction.allCases)
    func encrypted(kind: Fault.Kind, direction: Fault.Direction) async throws {
        let temporary = try TemporaryFolder()
        let authority = LocalAuthority(folder: temporary.url)
        try authority.prepare(names: ["127.0.0.1"])
        let files = authority.serverFiles
        let root = try Data(contentsOf: authority.authorityFile)
        try await withClient(limits: Self.limits, configure: { settings, _ in settings.tls = files }) { fixture in
            for after in [0, 30, 300, 900, 1500, 3000] {
                let start = fixture.proxy.accepted
                // Fewer faults than attempts: it cannot be seen whose encrypted request was swallowed, so each fault ends all,
                // and two requests whose attempts alternate would meet every second connection in the same order again.
                fixture.proxy.plan { number in
                    let number = number - start
                    return number.isMultiple(of: 2) && number / 2 < Self.limits.attempts / 2
                        ? Fault(kind: kind, direction: direction, after: after) : nil
                }
                let client = try fixture.client(
                    at: try #require(URL(string: "https://127.0.0.1:\(fixture.proxy.port)")),
                    options: ClientOptions(trustRoots: root))
                let session = client.scan([.script("books:Emma|Dune")], options: ScanOptions(addsToLibrary: false))
                try await FaultTests.check(session, of: fixture, books: 2)
            }
        }
    }

    /// The requests that `withClient` lets time out do so without these two limits.
    @Test("A stream that does not open, or falls silent, is given up for another", arguments: [false, true])
    func streamLimits(opens: Bool) async throws {
        try await withClient(swallowedTimeOut: false) { fixture in
            let follows = Mutex(0)
            fixture.proxy.onRequest { request in
                guard Stage.socket.matches(request) || Stage.stream.matches(request) else { return nil }
                let isFirst = follows.withLock { count in
                    count += 1
                    return count == 1
                }
                return isFirst && !opens ? Fault(kind: .blackHole, direction: .down) : nil
            }
            let session = fixture.client.scan([.script("wait:Emma")], options: ScanOptions(addsToLibrary: false))
            try await eventually {
                if opens { fixture.server.jobs.log.followers == 1 } else { fixture.swallowed.count == 1 }
            }
            let limit = opens ? fixture.limits.silence : fixture.limits.handshake
            try await eventually {
                // Ends the waits for this limit that have begun, and no later one.
                fixture.clock.expired = [limit]
                fixture.clock.expired = []
                return follows.withLock(\.self) > 1
            }
            fixture.server.reader.release()
            try await FaultTests.check(session, of: fixture, books: 1)
        }
    }

    // MARK: Proxies that permit less

    @Test("Where only polling works, the server is asked every 2 s, and after 30 s for a WebSocket")
    func pollInterval() async throws {
        try await withClient { fixture in
            fixture.proxy.onRequest { request in
                Stage.poll.forbids(request) ? Fault(kind: .refuse, direction: .up) : nil
            }
            let session = fixture.client.scan([.script("wait:Emma")], options: ScanOptions(addsToLibrary: false))
            var ways: [String] = []
            for try await case .connection(let way) in session.events {
                ways.append("\(way)")
                if ways.last == "polling" {
                    fixture.proxy.onRequest { _ in nil }
                } else {
                    fixture.server.reader.release()
                }
            }
            #expect(ways == ["polling", "webSocket"])
            #expect(fixture.clock.sleeps.prefix(15) == Array(repeating: .seconds(2), count: 15)[...])
        }
    }
}
