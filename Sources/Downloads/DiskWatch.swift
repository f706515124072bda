import Synchronization

/// Reports when less than a reserve is free on a disk.
final class DiskWatch: Sendable {
    private let reserve: Int
    private let freeBytes: @Sendable () throws -> Int
    private let state = Mutex((isFull: false, nextCheck: ContinuousClock.now))

    private static let interval = Duration.seconds(1)

    init(reserve: Int, freeBytes: @escaping @Sendable () throws -> Int) {
        (self.reserve, self.freeBytes) = (reserve, freeBytes)
    }

    /// Whether less than the reserve was free once; asks the disk at most once a second.
    var isFull: Bool {
        state.withLock { state in
            let now = ContinuousClock.now
            guard !state.isFull, now >= state.nextCheck else { return state.isFull }
            state.nextCheck = now + Self.interval
            // A disk that cannot be asked fails at the next write.
            state.isFull = ((try? freeBytes()) ?? .max) < reserve
            return state.isFull
        }
    }
}
