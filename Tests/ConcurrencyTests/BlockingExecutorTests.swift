import Concurrency
import Foundation
import Testing

@Suite struct BlockingExecutorTests {
    @Test("Lists are read one at a time, and neither wait for photos and backups nor delay them")
    func lists() async {
        let busy = ProcessInfo.processInfo.activeProcessorCount
        let (started, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        func block(_ executor: BlockingExecutor) -> Task<Void, Never> {
            Task {
                await executor.run {
                    started.signal()
                    released.wait()
                }
            }
        }
        func waitForStart(_ count: Int) async {
            await BlockingExecutor.interactive.run { for _ in 0..<count { started.wait() } }
        }
        let photos = (0..<busy).map { _ in block(.background) }
        await waitForStart(busy)
        #expect(await BlockingExecutor.lists.run { BlockingExecutor.isCurrent })
        let list = block(.lists)
        await waitForStart(1)
        for _ in photos { released.signal() }
        for photo in photos { await photo.value }
        // All threads of photos are free again, and one list is being read.
        let others = (0..<busy).map { _ in block(.background) }
        await waitForStart(busy)
        for _ in 0...busy { released.signal() }
        for other in others + [list] { await other.value }
    }
}
