import Dispatch
import Synchronization

/// Runs closures concurrently, each on a thread of its own, and waits for all of them.
///
/// Loading a model keeps one core busy for a few tenths of a second.
///
/// - Throws: the first closure's error, in their order.
package func concurrently<Value: Sendable>(_ work: @Sendable () throws -> Value...) throws -> [Value] {
    let results = Mutex<[Int: Result<Value, any Error>]>([:])
    DispatchQueue.concurrentPerform(iterations: work.count) { index in
        let result = Result(catching: work[index])
        results.withLock { $0[index] = result }
    }
    return try results.withLock { results in try work.indices.compactMap { try results[$0]?.get() } }
}
