import Foundation
import Reading
import Terminal
import WorkQueue

/// A command's side of the work queue: its photos are read by workers, and their text is kept until it is done.
struct QueuedPhotos {
    /// Photos of a command that was interrupted are deleted from the queue after this time.
    private static let kept = Duration.seconds(120)
    /// How many photos are with the workers at once, unless `--jobs` says otherwise.
    static let photosOffered = 32

    let reader: QueuedReader
    private let kept: KeptTexts
    private let exchange: Task<Void, Never>

    /// - Parameter data: the data folder, whose `cache` keeps the text of photos.
    /// - Throws: `PostgresError`, `WorkQueueError`; errors of the folder and of the models.
    init(_ address: PostgresAddress, scanner: PhotoScanner, installation: Installation, data: URL) async throws {
        try await QueueSession.check(address, waits: false) { StandardStream.warn($0) }
        let models = try ModelFingerprint.of(installation)
        kept = try KeptTexts(in: data.appending(path: "cache/texts"), models: models)
        let offers = QueueOffers(
            address,
            owner: QueueOwner(
                id: UUID(), name: "scan on \(ProcessInfo.processInfo.hostName)", models: models, kept: Self.kept)
        ) { event in
            switch event {
            case .unreachable(let reason):
                StandardStream.warn("The work queue cannot be reached (\(reason)). It is tried again.")
            case .failed(let reason): StandardStream.warn("The work queue failed: \(reason)")
            case .connected, .refused, .late, .full: break
            }
        }
        reader = QueuedReader(scanner: scanner, offers: offers, kept: kept)
        exchange = Task { await offers.run() }
    }

    /// Withdraws what is left.
    ///
    /// - Parameter isComplete: whether every photo was read, so that nothing has to be kept for another run.
    /// - Throws: errors of the folder.
    func close(isComplete: Bool) async throws {
        exchange.cancel()
        await exchange.value
        if isComplete { try kept.removeAll() }
    }
}
