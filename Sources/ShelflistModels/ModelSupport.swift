import ShelflistClient

/// How long a model waits for more typing before it sends a search.
let typingPause = Duration.milliseconds(300)

/// A model that reports in `error` what is wrong with its last action.
@MainActor protocol ActingModel: AnyObject {
    var error: ShelflistError? { get set }

    /// Follows a failed action, whose error is shown.
    func recover(from error: ShelflistError) async
}

/// A model that does not begin an action while another runs.
@MainActor protocol ExclusiveModel: ActingModel {
    var isBusy: Bool { get set }
}

extension ActingModel {
    func recover(from error: ShelflistError) async {}

    /// Shows an error, unless it says that the action was cancelled.
    func show(_ error: ShelflistError) {
        if error.category != .cancelled { self.error = error }
    }

    /// Runs an action.
    ///
    /// - Returns: whether it worked.
    @discardableResult
    func act(_ action: () async throws(ShelflistError) -> Void) async -> Bool {
        do {
            try await action()
            error = nil
            return true
        } catch {
            guard error.category != .cancelled else { return false }
            self.error = error
            await recover(from: error)
            return false
        }
    }
}

extension ExclusiveModel {
    /// Runs an action, unless another one runs.
    func actAlone(_ action: () async throws(ShelflistError) -> Void) async {
        guard !isBusy else { return }
        isBusy = true
        defer { isBusy = false }
        await act(action)
    }
}

/// Calls `changed` whenever the library differs, until the task is cancelled.
///
/// - Parameter report: called with the error of each request that failed, and with nil after one that worked again.
@MainActor func watchLibrary(
    _ client: ShelflistClient, every interval: Duration, on clock: any Clock<Duration>,
    report: (ShelflistError?) -> Void, changed: () async -> Void
) async {
    var known: String?
    var failed = false
    while !Task.isCancelled {
        do {
            let version = try await client.library.version()
            if failed { report(nil) }
            failed = false
            // The first version is that of what the caller loads now.
            if version != known { await changed() }
            known = version
        } catch {
            if error.category == .cancelled { return }
            failed = true
            report(error)
        }
        do { try await clock.sleep(for: interval) } catch { return }
    }
}

/// Tasks of which only the latest matters.
@MainActor final class LatestTask {
    private var task: Task<Void, Never>?

    func start(_ work: @escaping @MainActor () async -> Void) {
        task?.cancel()
        task = Task { await work() }
    }

    /// Runs the work after a time without another start.
    func start(after pause: Duration, on clock: any Clock<Duration>, _ work: @escaping @MainActor () async -> Void) {
        start {
            do { try await clock.sleep(for: pause) } catch { return }
            await work()
        }
    }

    func cancel() { task?.cancel() }
}

extension ShelflistError {
    /// Whether the item was changed by another client, so that it has to be loaded again.
    var isEditConflict: Bool { problem?.code == "edit_conflict" || problem?.code == "precondition_required" }

    /// Why a photo could not be prepared.
    static func preparation(_ error: any Error) -> ShelflistError {
        error as? ShelflistError
            ?? ShelflistError(.file, "The photo could not be prepared.", "Take it again.", cause: error)
    }
}
