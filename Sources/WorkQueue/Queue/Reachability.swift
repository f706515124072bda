/// Whether the database can be reached, to report changes only.
struct Reachability {
    private enum State: Equatable {
        case reachable
        case unreachable
        case failing(String)
    }

    private var state = State.reachable

    /// - Returns: what to report; nil for nothing new.
    mutating func succeed() -> QueueEvent? {
        defer { state = .reachable }
        return state == .reachable ? nil : .connected
    }

    /// - Returns: what to report; nil for nothing new.
    mutating func fail(_ error: any Error) -> QueueEvent? {
        let previous = state
        switch error {
        case is CancellationError: return nil
        case PostgresError.unreachable(let reason):
            state = .unreachable
            return previous == state ? nil : .unreachable(reason)
        default:
            state = .failing("\(error)")
            return previous == state ? nil : .failed("\(error)")
        }
    }
}
