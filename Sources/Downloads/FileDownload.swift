import AsyncHTTPClient
package import Concurrency
package import Foundation
import NIOCore
import NIOHTTP1
package import Providers
import ShelflistAPI

/// Downloads a gzip file from start to end into a pipe, over several connections if they are cut.
package struct FileDownload: Sendable {
    private let file: RemoteFile
    private let request: DownloadRequest
    private let clock: any WallClock
    private let onRetry: @Sendable (Retry) -> Void

    /// The number of attempts in a row that may end without a new byte.
    package static let attemptLimit = 10

    /// A pause before the next attempt.
    package struct Retry: Sendable {
        package var reason: String
        package var date: Date
    }

    /// - Parameters:
    ///   - transport: should have an idle limit; otherwise a silent server is waited for without end.
    ///   - onRetry: called before each pause.
    package init(
        _ file: RemoteFile, transport: HTTPTransport, userAgent: String, clock: any WallClock,
        onRetry: @escaping @Sendable (Retry) -> Void = { _ in }
    ) {
        (self.file, self.clock, self.onRetry) = (file, clock, onRetry)
        request = DownloadRequest(transport: transport, userAgent: userAgent)
    }

    /// Downloads the file; returns once it is complete, has failed, or the pipe or the task is ended.
    package func run(into pipe: BytePipe) async {
        var position = 0
        var failures = 0
        while true {
            let before = position
            do {
                try await receive(from: &position, pipe)
                return pipe.finish()
            } catch let error as DownloadError {
                failures = position > before ? 1 : failures + 1
                guard error.isTransient, failures < Self.attemptLimit else { return pipe.finish(error) }
                let pause = Backoff(first: 1).delay(after: failures)
                guard await wait(until: clock.now.addingTimeInterval(pause), error) else {
                    return pipe.finish(CancellationError())
                }
            } catch let busy as Busy {
                failures += 1
                guard failures < Self.attemptLimit, busy.retryAt.timeIntervalSince(clock.now) <= Self.longestWait else {
                    return pipe.finish(busy.error)
                }
                guard await wait(until: busy.retryAt, busy.error) else { return pipe.finish(CancellationError()) }
            } catch {
                return pipe.finish(CancellationError())
            }
        }
    }

    /// The longest `Retry-After` that is waited for, in seconds.
    private static let longestWait = 600.0

    /// A response that asks for a pause.
    private struct Busy: Error {
        var error: DownloadError
        var retryAt: Date
    }

    /// Returns false if the task was cancelled.
    private func wait(until date: Date, _ error: DownloadError) async -> Bool {
        onRetry(Retry(reason: error.summary, date: date))
        do {
            try await clock.sleep(seconds: max(0, date.timeIntervalSince(clock.now)))
            return true
        } catch {
            return false
        }
    }

    /// Sends one request, and passes on the bytes from `position`.
    ///
    /// - Throws: `DownloadError`, `Busy`, `CancellationError`.
    private func receive(from position: inout Int, _ pipe: BytePipe) async throws {
        var headers: [String: String] = [:]
        if position > 0 {
            headers["Range"] = "bytes=\(position)-"
            headers["If-Range"] = file.validator
        }
        let (response, url) = try await request.send(.GET, file.url, headers: headers)
        if response.status == .rangeNotSatisfiable { throw DownloadError.changed(name: file.name) }
        if let wait = RetryAfter.seconds(response.headers.first(name: "Retry-After"), now: clock.now),
            [429, 503].contains(response.status.code)
        {
            throw Busy(
                error: .status(Int(response.status.code), url: url), retryAt: clock.now.addingTimeInterval(wait))
        }
        try response.checkIsFile(url)
        guard RemoteFile(response, url: file.url, final: url).isSame(as: file) else {
            throw DownloadError.changed(name: file.name)
        }
        // A server without ranges sends everything again.
        var skipped = position
        if response.status == .partialContent {
            guard response.contentRange?.start == position else { throw DownloadError.changed(name: file.name) }
            skipped = 0
        }
        do {
            for try await part in response.body {
                let bytes = part.readableBytesView.dropFirst(skipped)
                skipped -= part.readableBytes - bytes.count
                guard !bytes.isEmpty else { continue }
                if zip(Self.gzipStart.dropFirst(position), bytes).contains(where: { $0 != $1 }) {
                    throw DownloadError.notGzip(url: url)
                }
                try await pipe.send(Array(bytes))
                position += bytes.count
            }
        } catch let error as DownloadError {
            throw error
        } catch {
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
            throw DownloadError.cut(name: file.name, byte: position)
        }
        if let size = file.size, position < size { throw DownloadError.cut(name: file.name, byte: position) }
    }

    private static let gzipStart: [UInt8] = [0x1F, 0x8B]
}
