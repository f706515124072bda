import Concurrency
import Synchronization
import Testing

@Suite struct BackgroundQueueTests {
    @Test("Elements are processed in order, a few at a time, before the queue is finished", arguments: [1, 3])
    func bound(limit: Int) async {
        let counts = Mutex((running: 0, highest: 0, started: [Int]()))
        let queue = BackgroundQueue<Int>(maxConcurrent: limit) { number in
            counts.withLock {
                $0.running += 1
                $0.highest = max($0.highest, $0.running)
                $0.started.append(number)
            }
            for _ in 0..<10 { await Task.yield() }
            counts.withLock { $0.running -= 1 }
        }
        await queue.finish()
        for number in 0..<20 { await queue.add(number) }
        await queue.finish()
        let (running, highest, started) = counts.withLock { $0 }
        #expect(running == 0)
        #expect(highest <= limit)
        #expect(limit == 1 ? started == Array(0..<20) : started.sorted() == Array(0..<20))
        await queue.add(20)
        await queue.finish()
        #expect(counts.withLock(\.started).count == 21)
    }
}
