/// The database as one server or one worker uses it: two connections, and whether it can be reached.
///
/// Belongs to the actor that created it.
final class QueueDatabase {
    let control: PostgresConnection
    /// For photos, which take longer than anything else.
    let transfers: PostgresConnection
    /// Whether the server or worker is known to have its row; to be checked again after each failure.
    var isRegistered = false

    private let onEvent: @Sendable (QueueEvent) -> Void
    /// Sent where a step may succeed when it is run again.
    private let retry: Signal
    private var reachability = Reachability()

    /// - Parameters:
    ///   - channels: to listen to.
    ///   - onNotification: receives the payload of each notification, and nil where some may have been lost.
    init(
        _ address: PostgresAddress, channels: [String], retry: Signal,
        onEvent: @escaping @Sendable (QueueEvent) -> Void,
        onNotification: @escaping @Sendable (String?) -> Void
    ) {
        self.retry = retry
        self.onEvent = onEvent
        transfers = PostgresConnection(address)
        control = PostgresConnection(
            address, preparation: channels.map { "LISTEN \"\($0)\"" }, onNotification: onNotification)
    }

    /// Runs a step and reports its failure; it is run again with the next signal.
    func retrying(isolation: isolated (any Actor)? = #isolation, _ step: () async throws -> Void) async {
        do {
            try await step()
            if let event = reachability.succeed() { onEvent(event) }
        } catch {
            isRegistered = false
            if let event = reachability.fail(error) { onEvent(event) }
            guard case PostgresError.unreachable = error else { return }
            // The connection decides when it is tried again.
            do { try await Task.sleep(for: .milliseconds(100)) } catch { return }
            retry.send()
        }
    }

    func close(isolation: isolated (any Actor)? = #isolation) async {
        await control.close()
        await transfers.close()
    }
}
