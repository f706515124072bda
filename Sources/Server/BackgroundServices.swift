import Concurrency
import Downloads
import Foundation
import Library
import Logging
import Scans
import ServiceLifecycle

/// Maintains the jobs, and stops them before the connections, so that open event streams end.
struct JobService: Service {
    let jobs: ScanJobs
    /// Ends the processes that decode photos, so that a reading that waits for one of them ends.
    let endDecoding: @Sendable () -> Void
    let logger: Logger

    func run() async throws {
        let (jobs, endDecoding, logger) = (jobs, endDecoding, logger)
        await withGracefulShutdownHandler {
            while !Task.isShuttingDownGracefully, !Task.isCancelled {
                do {
                    try await jobs.sweep()
                } catch {
                    logger.error(
                        "Job maintenance failed. The server will retry in a minute.",
                        metadata: ["error": "\(error)"])
                }
                try? await cancelWhenGracefulShutdown { try await jobs.log.clock.sleep(for: .seconds(60)) }
            }
            await jobs.stop(afterCancelling: endDecoding)
        } onGracefulShutdown: {
            Task { await jobs.stop(afterCancelling: endDecoding) }
        }
    }
}

/// Runs an action at startup and then at intervals, until the server stops.
///
/// A stop cancels an action that is running, and waits for it for a moment only: the next start repeats it.
struct RepeatedAction: Service {
    /// How long a stop waits for an action.
    static let patience = Duration.seconds(1)

    let interval: Duration
    let clock: SteadyClock
    /// The log message for an error; the next run retries.
    let failure: Logger.Message
    let logger: Logger
    let action: @Sendable () async throws -> Void
    var onStop: @Sendable () async -> Void = {}

    func run() async throws {
        let repeating = Task {
            await cancelWhenGracefulShutdown {
                while !Task.isCancelled {
                    do {
                        try await action()
                    } catch {
                        logger.error(failure, metadata: ["error": "\(error)"])
                    }
                    // Throws when the server stops, which also ends the loop.
                    try? await clock.sleep(for: interval)
                }
            }
        }
        _ = await withTaskCancellationHandler {
            await waitForEnd {
                await repeating.value
            } until: { [clock] in
                try await gracefulShutdown()
                try await clock.sleep(for: Self.patience)
            }
        } onCancel: {
            repeating.cancel()
        }
        await onStop()
    }
}

extension RepeatedAction {
    /// Deletes photos that are no longer needed.
    ///
    /// Files are dated by the machine's clock and seem too old after it was set ahead, so none is deleted for a day then.
    static func photoCleanup(of library: LibraryStore, _ settings: ServerSettings, _ logger: Logger) -> RepeatedAction {
        let changes = ClockChanges(clock: settings.clock, date: settings.date)
        return RepeatedAction(
            interval: .seconds(3600), clock: settings.clock,
            failure: "Could not delete old photos. The server will retry in an hour.", logger: logger
        ) {
            if let time = changes.sinceLast(), time < .seconds(LibraryStore.orphanAge) { return }
            let report = try await library.cleanUpPhotos()
            for photo in report.deleted {
                logger.info("Photo deleted", metadata: ["file": "\(photo.file)", "reason": "\(photo.reason.rawValue)"])
            }
            for (file, reason) in report.failed {
                logger.error(
                    "Could not delete a photo. The server will retry in an hour.",
                    metadata: ["file": "\(file)", "error": "\(reason)"])
            }
        }
    }

    /// Writes a backup a day.
    static func dailyBackups(
        _ backups: DailyBackups, of library: LibraryStore, _ settings: ServerSettings, _ logger: Logger
    ) -> RepeatedAction {
        RepeatedAction(
            interval: .seconds(3600), clock: settings.clock,
            failure: "Could not write the daily backup. The server will retry in an hour.", logger: logger
        ) {
            guard let file = try await backups.run(library, now: settings.date()) else { return }
            logger.info("Backup written", metadata: ["file": "\(file.path)"])
        }
    }

    /// Stores the sign-ins and revocations that could not be stored at once; for the last time when the server stops.
    static func storingAccess(
        _ accounts: AccountBook, _ apps: AppKeyBook, _ clock: SteadyClock, _ logger: Logger
    ) -> RepeatedAction {
        let store = { @Sendable in
            // A file that cannot be stored does not keep the other from being stored.
            for result in [Result { try accounts.store() }, Result { try apps.store() }] { try result.get() }
        }
        return RepeatedAction(
            interval: .seconds(20), clock: clock,
            failure:
                "Could not store sign-ins and revocations. They hold until the server stops; the server retries.",
            logger: logger, action: store
        ) {
            do {
                try store()
            } catch {
                logger.error(
                    "Could not store sign-ins and revocations. They are lost, because the server stops.",
                    metadata: ["error": "\(error)"])
            }
        }
    }

    /// Resumes an interrupted download of the catalog, and updates a downloaded catalog monthly if the owner wants that.
    static func catalogUpdates(
        _ downloads: CatalogDownloads, _ library: LibraryStore, _ clock: SteadyClock, _ logger: Logger
    ) -> RepeatedAction {
        RepeatedAction(
            interval: .seconds(3600), clock: clock,
            failure: "Could not update the catalog. The server will retry in an hour.", logger: logger
        ) {
            await downloads.resume()
            if try await library.updatesCatalog() { try await downloads.updateIfDue() }
        } onStop: {
            // An import may take longer to end; what it has stored is complete, and the next start resumes it.
            await waitForEnd {
                await downloads.stop()
            } until: {
                try await clock.sleep(for: patience)
            }
        }
    }

    /// Renews the certificate before it expires, and reloads it if another program has replaced it.
    static func certificateRenewal(
        _ certificate: ServedCertificate, _ settings: ServerSettings, _ logger: Logger
    ) -> RepeatedAction {
        RepeatedAction(
            interval: settings.certificateCheck, clock: settings.clock,
            failure: "Could not renew the certificate. The server will retry later.", logger: logger
        ) {
            try settings.renewCertificate()
            try certificate.reload()
        }
    }

    static func networkRenewal(_ network: NetworkAccess, _ settings: ServerSettings, _ logger: Logger) -> RepeatedAction
    {
        RepeatedAction(
            interval: settings.certificateCheck, clock: settings.clock,
            failure: "Could not renew the certificate for phones. The server will retry later.", logger: logger
        ) { try network.renewCertificate() }
    }
}
