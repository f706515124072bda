import Concurrency
import Synchronization
import Testing

@Suite struct BoundedConcurrencyTests {
    /// Counts operations that run at the same time.
    private final class Gauge: Sendable {
        private let counts = Mutex((running: 0, highest: 0, started: [Int]()))

        var highest: Int { counts.withLock(\.highest) }
        var started: [Int] { counts.withLock(\.started) }

        func run(_ number: Int) async {
            counts.withLock {
                $0.running += 1
                $0.highest = max($0.highest, $0.running)
                $0.started.append(number)
            }
            for _ in 0..<10 { await Task.yield() }
            counts.withLock { $0.running -= 1 }
        }
    }

    private struct Failure: Error {}

    @Test("Results keep the collection's order, and progress counts up")
    func order() async throws {
        var progress: [Int] = []
        let values = try await (1...20).map(maxConcurrent: 3) {
            progress.append($0)
        } _: { number in
            for _ in 0..<(number % 5) { await Task.yield() }
            return number * number
        }
        #expect(values == (1...20).map { $0 * $0 })
        #expect(progress == Array(1...20))
    }

    @Test("No more operations run at once than the limit allows", arguments: [1, 3])
    func bound(limit: Int) async throws {
        let each = Gauge()
        await (1...20).forEach(maxConcurrent: limit) { await each.run($0) }
        #expect(each.highest <= limit && each.started.sorted() == Array(1...20))
        let mapped = Gauge()
        _ = try await (1...20).map(maxConcurrent: limit) { await mapped.run($0) }
        #expect(mapped.highest <= limit && mapped.started.sorted() == Array(1...20))
    }

    @Test("An empty collection and a limit above its size work")
    func edges() async throws {
        #expect(try await [Int]().map(maxConcurrent: 4) { $0 }.isEmpty)
        #expect(try await [1, 2].map(maxConcurrent: 8) { $0 } == [1, 2])
    }

    @Test("The first error ends the loop, and no further operation starts")
    func failure() async throws {
        let gauge = Gauge()
        await #expect(throws: Failure.self) {
            try await (1...20).map(maxConcurrent: 1) { number in
                await gauge.run(number)
                if number == 2 { throw Failure() }
            }
        }
        #expect(gauge.started == [1, 2])
    }

    @Test("Once the caller is cancelled, no further operation starts")
    func cancellation() async throws {
        let gauge = Gauge()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await (3...20).forEach(maxConcurrent: 1) { await gauge.run($0) }
            _ = try await (1...20).map(maxConcurrent: 2) { await gauge.run($0) }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(gauge.started.count <= 2, "map notices once its first transforms have ended")
    }
}
