import Synchronization

/// A value that is loaded when it is needed for the first time.
final class LoadedOnce<Value: Sendable>: Sendable {
    private let loaded = Mutex<Value?>(nil)
    private let load: @Sendable () throws -> Value

    init(_ load: @escaping @Sendable () throws -> Value) { self.load = load }

    /// Returns the value; waits where another thread is loading it.
    ///
    /// An error is not kept: the next call loads again.
    func value() throws -> Value {
        try loaded.withLock { value in
            if let value { return value }
            let new = try load()
            value = new
            return new
        }
    }
}
