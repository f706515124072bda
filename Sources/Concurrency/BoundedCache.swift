import Synchronization

/// Keeps values that are cheaper to keep than to compute again, on any thread.
///
/// It is emptied when it is full: what it holds belongs to the photos or queries of the moment, so that tracking the
/// use of each value would cost more than computing some again.
package final class BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let known = Mutex<[Key: Value]>([:])

    /// - Parameter limit: the number of values.
    package init(limit: Int) { self.limit = limit }

    /// Returns the value of `key`; computes and keeps it if it is missing.
    package func value(of key: Key, _ compute: () throws -> Value) rethrows -> Value {
        if let value = known.withLock({ $0[key] }) { return value }
        let value = try compute()
        keep([(key, value)])
        return value
    }

    /// Returns the values of `keys`, nil for those that are not kept.
    package subscript(keys: [Key]) -> [Value?] { known.withLock { known in keys.map { known[$0] } } }

    /// Keeps values, the later one for a repeated key.
    package func keep(_ values: some Sequence<(Key, Value)>) {
        known.withLock { known in
            for (key, value) in values {
                if known.count >= limit, known[key] == nil { known = [:] }
                known[key] = value
            }
        }
    }
}
