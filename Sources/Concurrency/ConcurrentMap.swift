import Dispatch
import Synchronization

extension Array where Element: Sendable {
    /// Transforms each element on a thread of its own, as far as there are cores, and waits for all of them.
    ///
    /// For blocking work of some milliseconds or more. The order of the results is that of the array.
    ///
    /// - Throws: the first element's error, in their order.
    package func concurrentMap<Value: Sendable>(_ transform: @Sendable (Element) throws -> Value) throws -> [Value] {
        guard count > 1 else { return try map(transform) }
        let results = Mutex<[Int: Result<Value, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let result = Result { try transform(self[index]) }
            results.withLock { $0[index] = result }
        }
        return try results.withLock { results in try indices.compactMap { try results[$0]?.get() } }
    }

    /// Transforms the elements on at most `threads` threads, each of which takes a contiguous part of them.
    ///
    /// - Throws: the error of the first part in which one was thrown.
    package func concurrentMap<Value: Sendable>(
        threads: Int, _ transform: @Sendable (Element) throws -> Value
    ) throws -> [Value] {
        try split(into: threads).concurrentMap { try $0.map(transform) }.flatMap(\.self)
    }

    /// Returns at most `count` contiguous parts of about the same size, none of them empty.
    package func split(into count: Int) -> [[Element]] {
        let parts = Swift.min(Swift.max(1, count), self.count)
        return (0..<parts).map { Array(self[(self.count * $0 / parts)..<(self.count * ($0 + 1) / parts)]) }
    }
}
