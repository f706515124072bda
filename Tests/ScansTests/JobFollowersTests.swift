import Foundation
import Scans
import Testing

@Suite struct JobFollowersTests {
    private typealias Signals = (stream: AsyncStream<JobSignal>, continuation: AsyncStream<JobSignal>.Continuation)

    /// The uptime of the jobs' clock.
    private let start = Duration.seconds(1000)
    private let day = Date(timeIntervalSince1970: 1_800_000_000)

    /// All signals of a follower whose stream has ended.
    private func all(_ signals: Signals) async -> [JobSignal] {
        signals.continuation.finish()
        return await signals.stream.reduce(into: []) { $0.append($1) }
    }

    @Test("News of a job is for its own followers, and nothing is signalled inside a lock")
    func news() async {
        var followers = JobFollowers()
        let (one, other): (Signals, Signals) = (AsyncStream.makeStream(), AsyncStream.makeStream())
        _ = followers.add(one.continuation, to: "1", at: start)
        _ = followers.add(other.continuation, to: "2", at: start)
        let told = followers.announce("1", at: start)
        #expect(followers.announce("3", at: start).isEmpty)
        #expect(followers.count == 2 && followers.follows("1") && !followers.follows("3"))
        #expect(told.count == 1)
        for signals in told { signals.yield(.news) }
        #expect(await all(one) == [.news])
        #expect(await all(other).isEmpty)
    }

    @Test("A follower without news is due for a quiet signal after each pause")
    func quiet() async throws {
        var followers = JobFollowers()
        let signals: Signals = AsyncStream.makeStream()
        let id = followers.add(signals.continuation, to: "1", at: start)
        func pause(_ seconds: Int) -> (isQuiet: Bool, end: Duration)? {
            followers.pause(id, of: .seconds(30), at: start + .seconds(seconds)).map {
                ($0.quiet != nil, $0.end - start)
            }
        }
        #expect(try #require(pause(0)) == (false, .seconds(30)))
        #expect(followers.announce("1", at: start + .seconds(20)).count == 1)
        #expect(try #require(pause(30)) == (false, .seconds(50)))
        #expect(try #require(pause(50)) == (true, .seconds(80)))
        followers.remove(id, at: day)
        #expect(pause(50) == nil)
        #expect(await all(signals).isEmpty)
    }

    @Test("A job is abandoned after a while without followers and requests")
    func abandoned() {
        var followers = JobFollowers()
        for job in ["followed", "left", "asked", "forgotten"] { followers.renew(job, at: day) }
        let signals: Signals = AsyncStream.makeStream()
        _ = followers.add(signals.continuation, to: "followed", at: start)
        let left = followers.add(signals.continuation, to: "left", at: start)
        followers.remove(left, at: day + 50)
        followers.renewIfKnown("asked", at: day + 60)
        followers.renewIfKnown("unknown", at: day)
        followers.forget("forgotten")
        #expect(followers.takeAbandoned(before: day + 40).isEmpty)
        #expect(followers.takeAbandoned(before: day + 55) == ["left"])
        #expect(followers.takeAbandoned(before: day + 100) == ["asked"])
        #expect(followers.takeAbandoned(before: day + 100).isEmpty)
    }

    @Test("The end concerns the followers of all jobs, and those that are added later")
    func end() async {
        var followers = JobFollowers()
        let (one, other): (Signals, Signals) = (AsyncStream.makeStream(), AsyncStream.makeStream())
        _ = followers.add(one.continuation, to: "1", at: start)
        _ = followers.add(other.continuation, to: "2", at: start)
        #expect(!followers.hasEnded)
        for signals in followers.end() { signals.finish() }
        #expect(followers.hasEnded)
        #expect(await one.stream.reduce(into: []) { $0.append($1) } == [])
        #expect(await other.stream.reduce(into: []) { $0.append($1) } == [])
    }
}
