import Foundation
public import ShelflistAPI
import Synchronization

extension ScanQueue {
    /// Sends the waiting scans in order.
    ///
    /// Returns when none is left, or at once if they are being sent already.
    ///
    /// ```swift
    /// try await queue.send { scan, job in show(scan.id, job.id) }
    /// ```
    ///
    /// - Parameter onSent: receives each scan with its job, which `ShelflistClient.follow` follows.
    /// - Throws: the error for which the first scan cannot be sent now; it and those after it stay.
    public func send(
        onSent: @Sendable (QueuedScan, ScanStatus) async -> Void = { _, _ in }
    ) async throws(ShelflistError) {
        guard beginSending() else { return }
        while let scan = next() {
            do {
                let (job, refusals) = try await send(scan)
                // A refused photo is nowhere else.
                if refusals.isEmpty {
                    try drop(scan.id)
                } else {
                    try setRefusal(refusals.joined(separator: " "), of: scan.id)
                }
                await onSent(scan, job)
            } catch {
                let error = ShelflistError(error, host: client.connection.host)
                do throws(ShelflistError) {
                    guard error.refusesScan else { throw error }
                    try setRefusal(error.description, of: scan.id)
                } catch {
                    endSending(scan.id)
                    throw error
                }
            }
        }
    }

    /// Returns the job, and why the server refused photos of it.
    private func send(_ scan: QueuedScan) async throws -> (job: ScanStatus, refusals: [String]) {
        let photos = zip(scan.photos, names(of: scan.id)).map { PhotoSource(body: .file($0), name: $1) }
        let refusals = Mutex<[String]>([])
        let uploader = PhotoUploader(connection: client.connection) { [weak self] event in
            switch event {
            case .uploading(let progress): self?.set(.sending(progress), of: scan.id)
            case .photoRefused(let number, let error):
                refusals.withLock { $0.append("Photo \(number): \(error)") }
            case .connection, .job: break
            }
        }
        let job = try await uploader.create(photos.count, scan.options)
        try await uploader.upload(photos, to: job)
        return (job, refusals.withLock(\.self))
    }

    /// Sends scans whenever there are some and the server can be reached, until its task is cancelled.
    public func run(onSent: @Sendable (QueuedScan, ScanStatus) async -> Void = { _, _ in }) async {
        let connection = client.connection
        var failures = 0
        while !Task.isCancelled {
            do {
                try await send(onSent: onSent)
                failures = 0
                let updates = updates
                for await _ in updates where hasWork { break }
            } catch {
                failures += 1
                let wait =
                    error.retryAfter ?? connection.limits.wait(after: failures, random: connection.environment.random())
                // Ends early only if the task is cancelled.
                try? await connection.clock.sleep(for: wait)
            }
        }
    }
}

extension ShelflistError {
    /// Whether a scan will never be accepted as it is, so that those after it need not wait.
    fileprivate var refusesScan: Bool { [.invalid, .tooLarge, .file, .notFound, .conflict].contains(category) }
}
