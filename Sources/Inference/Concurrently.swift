import Dispatch
import Synchronization

/// Runs two closures concurrently, each on a thread of its own, and waits for both.
///
/// Loading a model keeps one core busy for a few tenths of a second.
///
/// - Throws: the error of `first`, otherwise that of `second`.
package func concurrently<First: Sendable, Second: Sendable>(
    _ first: @Sendable () throws -> First, _ second: @Sendable () throws -> Second
) throws -> (First, Second) {
    let results = Mutex<(first: Result<First, any Error>?, second: Result<Second, any Error>?)>((nil, nil))
    DispatchQueue.concurrentPerform(iterations: 2) { index in
        if index == 0 {
            let result = Result(catching: first)
            results.withLock { $0.first = result }
        } else {
            let result = Result(catching: second)
            results.withLock { $0.second = result }
        }
    }
    return try results.withLock { results in
        guard let first = results.first, let second = results.second else {
            preconditionFailure("concurrentPerform returned before both were done")
        }
        return (try first.get(), try second.get())
    }
}
