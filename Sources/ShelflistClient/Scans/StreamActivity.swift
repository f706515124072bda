import Synchronization

/// Ends a stream that does not open, or on which nothing arrives for too long.
final class StreamActivity: Sendable {
    private let activity = Activity()
    private let isOpen = Mutex(false)

    func open() {
        isOpen.withLock { $0 = true }
        activity.mark()
    }

    func mark() { activity.mark() }

    func within<Value: Sendable>(
        _ limits: ClientLimits, _ clock: any Clock<Duration>, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await self.activity.within(limits.silence, clock, work) }
            group.addTask {
                try await clock.sleep(for: limits.handshake)
                guard self.isOpen.withLock({ $0 }) else { throw TransportFailure.timedOut }
                return nil
            }
            defer { group.cancelAll() }
            for try await value in group { if let value { return value } }
            throw CancellationError()
        }
    }
}
