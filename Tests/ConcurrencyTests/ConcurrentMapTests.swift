import Concurrency
import Synchronization
import Testing

@Suite struct ConcurrentMapTests {
    private struct Failure: Error, Equatable { var number: Int }

    @Test("Results are in the array's order, whatever the number of threads", arguments: [-1, 0, 1, 2, 3, 7, 100])
    func order(threads: Int) throws {
        let numbers = Array(0..<7)
        #expect(try numbers.concurrentMap(threads: threads) { $0 * $0 } == numbers.map { $0 * $0 })
        #expect(try numbers.concurrentMap { $0 * $0 } == numbers.map { $0 * $0 })
        #expect(try [Int]().concurrentMap(threads: threads) { $0 }.isEmpty)
    }

    @Test("No more elements are transformed at once than there are threads", arguments: [1, 2, 3])
    func bound(threads: Int) throws {
        let gauge = Mutex((running: 0, highest: 0))
        _ = try Array(0..<50).concurrentMap(threads: threads) { number in
            gauge.withLock {
                $0.running += 1
                $0.highest = max($0.highest, $0.running)
            }
            let sum = (0..<1000).reduce(number, &+)
            gauge.withLock { $0.running -= 1 }
            return sum
        }
        #expect(gauge.withLock(\.highest) <= threads)
    }

    @Test("The first failure in the array's order is thrown, and the others are transformed all the same")
    func failure() {
        let ran = Mutex<Set<Int>>([])
        #expect(throws: Failure(number: 2)) {
            try Array(0..<6).concurrentMap { number in
                ran.withLock { _ = $0.insert(number) }
                if number >= 2 { throw Failure(number: number) }
            }
        }
        #expect(ran.withLock(\.self) == Set(0..<6))
    }

    @Test("Parts are contiguous, of about the same size, and none is empty")
    func parts() {
        #expect(Array(0..<7).split(into: 3) == [[0, 1], [2, 3], [4, 5, 6]])
        #expect(Array(0..<2).split(into: 5) == [[0], [1]])
        #expect([Int]().split(into: 3).isEmpty)
    }
}
