import Foundation
import ShelflistClient
import Testing

/// Which way a session follows events.
@Suite struct FollowLadderTests {
    private func ladder(climbAfter: Duration = .seconds(30)) -> FollowLadder { FollowLadder(climbAfter: climbAfter) }

    @Test("A way that brings nothing leads one step down")
    func descends() {
        var ladder = ladder()
        #expect(ladder.rung == .webSocket)
        ladder.ended(hadNews: false, reachesServer: true)
        #expect(ladder.rung == .eventStream)
        ladder.ended(hadNews: false, reachesServer: true)
        #expect(ladder.rung == .polling)
        ladder.ended(hadNews: false, reachesServer: true)
        #expect(ladder.rung == .polling)
    }

    @Test("An unreachable server does not lead a step down")
    func unreachable() {
        var ladder = ladder()
        for _ in 0..<10 { ladder.ended(hadNews: false, reachesServer: false) }
        #expect(ladder.rung == .webSocket && ladder.failures == 10)
    }

    @Test("A stream that brought news leads back to the best way")
    func climbsAfterStream() {
        var ladder = ladder()
        ladder.ended(hadNews: false, reachesServer: true)
        ladder.heard()
        ladder.ended(hadNews: true, reachesServer: true)
        #expect(ladder.rung == .webSocket && ladder.failures == 1)
    }

    @Test("After half a minute of polling the best way is tried again, later twice as long")
    func climbsAfterPolling() {
        var ladder = ladder()
        func polls() -> Int {
            ladder.ended(hadNews: false, reachesServer: true)
            ladder.ended(hadNews: false, reachesServer: true)
            var count = 0
            while ladder.rung == .polling {
                ladder.heard()
                ladder.polled(for: .seconds(2))
                count += 1
            }
            return count
        }
        #expect(polls() == 15)
        #expect(polls() == 30)
        #expect(polls() == 60)
        #expect((0..<5).map { _ in polls() }.last == 240)
    }

    @Test("Polls that fail do not prevent the best way")
    func climbsFromFailingPolls() {
        var ladder = ladder()
        ladder.ended(hadNews: false, reachesServer: true)
        ladder.ended(hadNews: false, reachesServer: true)
        for _ in 0..<30 {
            #expect(ladder.rung == .polling)
            ladder.ended(hadNews: false, reachesServer: true)
            ladder.waited(.seconds(1))
        }
        #expect(ladder.rung == .webSocket)
    }

    @Test("Silence is counted until the server is heard")
    func silence() {
        var ladder = ladder()
        ladder.waited(.seconds(10))
        ladder.waited(.seconds(5))
        #expect(ladder.silence == .seconds(15))
        ladder.heard()
        #expect(ladder.silence == .zero && ladder.failures == 0)
    }

    @Test("Waits double up to a limit and vary by half")
    func waits() {
        let limits = ClientLimits()
        #expect(
            (1...4).map { limits.wait(after: $0, random: 1) } == [
                .milliseconds(500), .seconds(1), .seconds(2), .seconds(4),
            ])
        #expect(limits.wait(after: 1, random: 0) == .milliseconds(250))
        #expect(limits.wait(after: 60, random: 1) == .seconds(30))
    }

    @Test("Server-sent events are split wherever the pieces end", arguments: [1, 2, 3, 7, 1000])
    func parses(size: Int) {
        let text = Data(
            "id: 1\nevent: a\ndata: {\"x\":1}\n\n: comment\n\nevent: ping\ndata: {}\r\n\r\ndata:last\n\ndata: cut".utf8)
        var parser = EventStreamParser()
        var found: [String] = []
        for start in stride(from: 0, to: text.count, by: size) {
            for message in parser.append(text[start..<min(text.count, start + size)]) {
                found.append(String(decoding: message, as: UTF8.self))
            }
        }
        #expect(found == [#"{"x":1}"#, "{}", "last"])
    }
}
