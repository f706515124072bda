import Foundation
import Logging
import Reading
import Scans
import WorkQueue

/// A server's side of the work queue.
struct ServeQueue {
    /// How long photos of a server that does not run are kept for it.
    private static let kept = Duration.seconds(24 * 3600)

    let offers: QueueOffers
    let reader: QueuedReader
    /// Those of the server, with the photos that are with the workers.
    let limits: JobLimits

    /// - Returns: nil for a server that reads photos by itself.
    /// - Throws: `PostgresError`, `WorkQueueError`; errors of the data folder and of the models.
    init?(
        _ configuration: ServeConfiguration, scanner: PhotoScanner, installation: Installation, logger: Logger
    ) async throws {
        guard let text = configuration.workQueue else { return nil }
        let address = try PostgresAddress(text)
        try await QueueSession.check(address, waits: true) { logger.warning("\($0)") }
        let folder = URL(filePath: configuration.data, directoryHint: .isDirectory)
        offers = QueueOffers(
            address,
            owner: QueueOwner(
                id: try QueueSession.owner(in: folder), name: ProcessInfo.processInfo.hostName,
                models: try ModelFingerprint.of(installation), kept: Self.kept)
        ) { QueueSession.log($0, to: logger) }
        let here = configuration.readHere ? configuration.limits.photosAtOnce : 0
        reader = QueuedReader(scanner: scanner, offers: offers, readHere: here)
        var limits = configuration.limits
        limits.photosAtOnce = configuration.photosOffered + here
        self.limits = limits
    }
}
