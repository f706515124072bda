import Dispatch
import Foundation
import Synchronization
package import Testing

/// Runs a blocking test on a thread of its own: tasks share few threads, and so do dispatch queues.
package func onOwnThread<T: Sendable>(_ body: @Sendable () async throws -> T) async rethrows -> T {
    let executor = ThreadExecutor()
    defer { executor.end() }
    return try await withTaskExecutorPreference(executor, operation: body)
}

/// Runs each test on a thread of its own.
package struct BlocksTrait: TestTrait, SuiteTrait, TestScoping {
    package let isRecursive = true

    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await onOwnThread(function)
    }
}

extension Trait where Self == BlocksTrait {
    /// The test blocks its thread, for example while another process runs.
    package static var blocks: Self { Self() }
}

private final class ThreadExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    init() {
        Thread.detachNewThread { [self] in
            while true {
                wake.wait()
                let (job, hasEnded) = state.withLock { ($0.jobs.isEmpty ? nil : $0.jobs.removeFirst(), $0.hasEnded) }
                if let job {
                    job.runSynchronously(on: asUnownedTaskExecutor())
                } else if hasEnded {
                    return
                }
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        wake.signal()
    }

    /// Ends the thread once its jobs are done.
    func end() {
        state.withLock { $0.hasEnded = true }
        wake.signal()
    }
}
