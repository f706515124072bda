import Concurrency
import Dispatch
import Foundation
import Library
import Server
import ServerFixtures
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.endsHangs) struct HeavyRequestTests {
    /// Requests that run until the test ends them, in the order in which they started.
    private final class HeldRequests: Sendable {
        private struct State {
            var started: [String] = []
            var held: [String: CheckedContinuation<Void, Never>] = [:]
        }

        let clock = HeldClock()
        let requests: HeavyRequests
        private let state = Mutex(State())

        init() { requests = HeavyRequests(clock: SteadyClock(clock: clock)) }

        var started: [String] { state.withLock(\.started) }

        func send(_ name: String, by client: String = "ada") -> Task<String, any Error> {
            Task {
                try await requests.run(for: client) {
                    await withCheckedContinuation { continuation in
                        state.withLock { state in
                            state.held[name] = continuation
                            state.started.append(name)
                        }
                    }
                    return name
                }
            }
        }

        /// Sends a request that has to wait.
        func sendWaiting(
            _ name: String, by client: String = "ada", after count: Int
        ) async throws -> Task<String, any Error> {
            let task = send(name, by: client)
            // It sleeps before it waits.
            await clock.until { $0.count == count + 1 }
            try await eventually { requests.waiting == count + 1 }
            return task
        }

        func untilStarted(_ count: Int) async throws { try await eventually { started.count == count } }

        func end(_ name: String) { state.withLock { $0.held.removeValue(forKey: name) }?.resume() }
    }

    @Test("Two heavy requests of a client run at a time, and further ones in their order")
    func order() async throws {
        let held = HeldRequests()
        let first = held.send("1"), second = held.send("2")
        try await held.untilStarted(2)
        let third = try await held.sendWaiting("3", after: 0)
        let fourth = try await held.sendWaiting("4", after: 1)
        let other = held.send("other", by: "ben")
        try await held.untilStarted(3)
        #expect(held.started.last == "other")
        held.end("2")
        #expect(try await second.value == "2")
        try await held.untilStarted(4)
        #expect(held.started.last == "3")
        held.end("1")
        try await held.untilStarted(5)
        for name in ["3", "4", "other"] { held.end(name) }
        for task in [first, third, fourth, other] { _ = try await task.value }
    }

    @Test("All clients together leave readers for lists")
    func inAll() async throws {
        let held = HeldRequests()
        let running = (0..<HeavyRequests.inAll).map { held.send("\($0)", by: "client \($0)") }
        try await held.untilStarted(HeavyRequests.inAll)
        let last = try await held.sendWaiting("last", by: "cleo", after: 0)
        held.end("0")
        try await held.untilStarted(HeavyRequests.inAll + 1)
        for number in 0..<HeavyRequests.inAll { held.end("\(number)") }
        held.end("last")
        for task in running + [last] { _ = try await task.value }
    }

    @Test("A request that waited too long is refused, and so is one behind too many")
    func refusals() async throws {
        let held = HeldRequests()
        let running = [held.send("1"), held.send("2")]
        try await held.untilStarted(2)
        var waiting: [Task<String, any Error>] = []
        for number in 0..<HeavyRequests.waitingPerClient {
            waiting.append(try await held.sendWaiting("w\(number)", after: number))
        }
        let refused = await #expect(throws: Problem.self) { try await held.send("more").value }
        #expect(refused?.status == 429 && refused?.retryAfterMs == 5000 && refused?.retryable == true)
        held.clock.advance(by: HeavyRequests.patience)
        for task in waiting {
            let problem = await #expect(throws: Problem.self) { try await task.value }
            #expect(problem?.status == 429)
        }
        held.end("1")
        let next = held.send("next")
        try await held.untilStarted(3)
        for name in ["2", "next"] { held.end(name) }
        for task in running + [next] { _ = try await task.value }
    }

    @Test("A request whose client left does not run")
    func cancellation() async throws {
        let held = HeldRequests()
        let running = [held.send("1"), held.send("2")]
        try await held.untilStarted(2)
        let left = try await held.sendWaiting("left", after: 0)
        left.cancel()
        await #expect(throws: CancellationError.self) { try await left.value }
        for name in ["1", "2"] { held.end(name) }
        for task in running { _ = try await task.value }
        #expect(held.started == ["1", "2"] || held.started == ["2", "1"])
    }

    @Test("A heavy request runs on threads of its own")
    func threads() async throws {
        let requests = HeavyRequests(clock: SteadyClock(clock: HeldClock()))
        #expect(!BlockingExecutor.isCurrent)
        let isApart = try await requests.run(for: "ada") { BlockingExecutor.isCurrent }
        #expect(isApart)
    }

    @Test("Routes that read much of the library are heavy and count as work")
    func routes() async throws {
        let heavy = try await withServer { $0.server.routeList.filter(\.isHeavy) }
        #expect(
            Set(heavy.map { "\($0.method) \($0.path)" }) == [
                "GET api/v1/labels", "GET api/v1/own", "GET api/v1/shelves/:shelf/audit",
                "POST api/v1/shelves/:shelf/inventory", "GET api/v1/stocktakes/:stocktake/spines",
                "GET api/v1/stocktakes/:stocktake/report", "GET api/v1/stocktakes/:stocktake/report.csv",
                "POST api/v1/stocktakes/:stocktake/close",
            ])
        #expect(heavy.allSatisfy { $0.countsAsWork })
    }

    @Test("Health is answered while every reader of the library is held")
    func health() async throws {
        try await withServer { server in
            // Jobs of an earlier run are read before the first answer.
            #expect(try server.send("GET", "/health").status == 200)
            let readers = 6
            let started = DispatchSemaphore(value: 0), end = DispatchSemaphore(value: 0)
            let library = server.library
            let reads = (0..<readers).map { _ in
                Task {
                    try await library.read { _ in
                        started.signal()
                        end.wait()
                    }
                }
            }
            for _ in 0..<readers { started.wait() }
            let answer = try server.send("GET", "/health")
            for _ in 0..<readers { end.signal() }
            for read in reads { try await read.value }
            #expect(answer.status == 200)
        }
    }
}
