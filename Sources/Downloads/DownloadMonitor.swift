import Catalog
package import Foundation
import Synchronization

/// The progress of a download, and the way to stop it.
package final class DownloadMonitor: Sendable {
    package struct Progress: Encodable, Equatable, Sendable {
        package enum Stage: String, Encodable, Sendable {
            /// Asks the server for the current dumps.
            case preparing
            case downloading
            case indexing
        }

        package var stage = Stage.preparing
        package var file = ""
        /// Compressed bytes of all files that are done.
        package var bytes = 0
        /// Compressed bytes of all files; nil if unknown.
        package var totalBytes: Int?
        /// Editions kept so far.
        package var editions = 0
        /// 0...1, of the current stage.
        package var fraction = 0.0
        /// Bytes a second on average; nil at the start.
        package var bytesPerSecond: Double?
        /// The seconds until all files are downloaded.
        package var secondsLeft: Double?
        /// Why the download is interrupted until `retryAt`.
        package var interruption: String?
        package var retryAt: Date?
    }

    private struct State {
        var progress = Progress()
        /// Bytes of the files that are complete.
        var completed = 0
        var receivedBytes = 0
        var firstByte: ContinuousClock.Instant?
        var isStopped = false
        var pipe: BytePipe?
        var failure: DownloadError?
    }

    private let state = Mutex(State())

    package init() {}

    package var progress: Progress {
        state.withLock { state in
            var progress = state.progress
            guard let firstByte = state.firstByte, progress.stage == .downloading else { return progress }
            let seconds = firstByte.duration(to: .now) / .seconds(1)
            guard seconds > 1, state.receivedBytes > 0 else { return progress }
            let rate = Double(state.receivedBytes) / seconds
            progress.bytesPerSecond = rate
            progress.secondsLeft = progress.totalBytes.map { Double(max(0, $0 - progress.bytes)) / rate }
            return progress
        }
    }

    package var isStopped: Bool { state.withLock(\.isStopped) }

    var failure: DownloadError? { state.withLock(\.failure) }

    /// Stops the download; what was imported is kept, and the next one resumes it.
    package func stop() {
        let pipe = state.withLock { state in
            state.isStopped = true
            return state.pipe
        }
        pipe?.finish(CancellationError())
    }

    // MARK: - Reports of the download

    func begin(totalBytes: Int?) {
        state.withLock { state in
            state.progress.totalBytes = totalBytes
            state.progress.stage = .downloading
        }
    }

    /// - Parameter before: bytes of the files before this one.
    func begin(_ file: RemoteFile, before: Int, _ pipe: BytePipe) {
        let isStopped = state.withLock { state in
            state.progress.file = file.name
            state.completed = before
            state.pipe = pipe
            return state.isStopped
        }
        if isStopped { pipe.finish(CancellationError()) }
    }

    /// - Parameter position: bytes of the current file.
    func received(_ count: Int, position: Int) {
        state.withLock { state in
            state.firstByte = state.firstByte ?? .now
            state.receivedBytes += count
            state.progress.bytes = state.completed + position
            if let total = state.progress.totalBytes {
                state.progress.fraction = min(1, Double(state.progress.bytes) / Double(max(1, total)))
            }
            (state.progress.interruption, state.progress.retryAt) = (nil, nil)
        }
    }

    func interrupted(_ retry: FileDownload.Retry) {
        state.withLock { ($0.progress.interruption, $0.progress.retryAt) = (retry.reason, retry.date) }
    }

    func failed(_ error: DownloadError) { state.withLock { $0.failure = error } }

    func imported(_ progress: ImportProgress) {
        state.withLock { state in
            guard progress.stage == .indexing else {
                state.progress.editions = progress.editions
                return
            }
            state.progress.stage = .indexing
            state.progress.fraction = progress.fraction
        }
    }
}
