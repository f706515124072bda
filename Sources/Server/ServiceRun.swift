import Concurrency
import Logging
import ServiceLifecycle

/// Runs the services of a server until it is stopped, and limits how long a stop takes.
struct ServiceRun {
    /// How long a stop waits for requests before their tasks are cancelled.
    static let patience = Duration.seconds(7)
    /// How long a stop takes at most: containers are killed after ten seconds.
    static let longestStop = Duration.seconds(9)

    let clock: SteadyClock
    let logger: Logger

    /// - Parameters:
    ///   - services: stopped in reverse order.
    ///   - stopRequests: ends when the services are to be stopped.
    /// - Returns: false where services have not ended in time, because they block their threads.
    /// - Throws: the error of a service.
    func run(
        _ services: [ServiceGroupConfiguration.ServiceConfiguration], stopRequests: AsyncStream<Never>
    ) async throws -> Bool {
        var configuration = ServiceGroupConfiguration(services: services, logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.patience
        let group = ServiceGroup(configuration: configuration)
        let serving = Task { try await group.run() }
        let stopping = Task {
            await cancelWhenGracefulShutdown { for await _ in stopRequests {} }
            if !Task.isCancelled { await group.triggerGracefulShutdown() }
        }
        defer { stopping.cancel() }
        let hasEnded = await withTaskCancellationHandler {
            await waitForEnd {
                _ = await serving.result
            } until: { [clock] in
                await stopping.value
                try await clock.sleep(for: Self.longestStop)
            }
        } onCancel: {
            serving.cancel()
        }
        if hasEnded {
            try await serving.value
        } else {
            logger.warning("The server ends although requests are still being answered")
        }
        return hasEnded
    }
}

/// Loads the models while the server answers: no page needs them.
struct ModelService: Service {
    let load: @Sendable () throws -> Void

    /// - Throws: the error of loading, which ends the server.
    func run() async throws {
        let load = load
        let (failures, failure) = AsyncThrowingStream<Never, any Error>.makeStream()
        // Not a child task: a network that is being compiled cannot be cancelled, and a stop does not wait for it.
        Task {
            do { try await BlockingExecutor.background.run(load) } catch { failure.finish(throwing: error) }
        }
        try await cancelWhenGracefulShutdown { for try await _ in failures {} }
    }
}
