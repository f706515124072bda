/// Waits for the end of work that may not be cancellable, until a limit.
///
/// Work that has not ended by then continues, and nothing waits for it.
///
/// - Parameter endsWhenCancelled: whether a cancelled task waits no longer; otherwise it waits as any other.
/// - Returns: whether the work ended first.
@discardableResult
package func waitForEnd(
    of work: @escaping @Sendable () async -> Void, until limit: @escaping @Sendable () async throws -> Void,
    endsWhenCancelled: Bool = false
) async -> Bool {
    let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
    Task {
        await work()
        outcome.yield(true)
    }
    let limiting = Task {
        try await limit()
        outcome.yield(false)
    }
    defer { limiting.cancel() }
    let first = Task { await outcomes.first { _ in true } ?? false }
    return await withTaskCancellationHandler {
        await first.value
    } onCancel: {
        if endsWhenCancelled { first.cancel() }
    }
}
