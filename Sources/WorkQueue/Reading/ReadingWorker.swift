import Foundation
package import Reading
import Synchronization

/// Reads the photos of a queue with a reader of this machine.
package struct ReadingWorker: Sendable {
    private let reader: any TextReading

    package init(_ reader: any TextReading) { self.reader = reader }

    /// Reads one photo; every failure is an outcome, so that a photo that cannot be read fails alone.
    ///
    /// - Throws: `CancellationError`.
    package func read(
        _ photo: ClaimedPhoto, report: @escaping @Sendable ([UInt8]) -> Void
    ) async throws -> PhotoOutcome {
        do {
            let request = try TextRequest(message: photo.request, "a request").limited()
            let pace = ReportPace()
            let text = try await reader.readText(photo.bytes, request) { progress in
                guard pace.allows(progress) else { return }
                // A report that cannot be encoded or is too long is left out; the result counts.
                if let body = try? progress.message(), body.count <= MessageBounds.reportBytes { report(body) }
            }
            try Task.checkCancellation()
            return .done(try text.bounded.message())
        } catch let error as CancellationError {
            throw error
        } catch {
            try Task.checkCancellation()
            return .failed(try FailureMessage(error).message())
        }
    }
}

/// Limits how often the share of the text that was read is reported.
private final class ReportPace: Sendable {
    private let due = Mutex(ContinuousClock.now.advanced(by: ReadingProgress.textPause))

    func allows(_ progress: ReadingProgress) -> Bool {
        guard case .text = progress else { return true }
        return due.withLock { due in
            let now = ContinuousClock.now
            guard now >= due else { return false }
            due = now.advanced(by: ReadingProgress.textPause)
            return true
        }
    }
}
