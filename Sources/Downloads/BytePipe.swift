import Foundation

/// Passes bytes from a download to the blocking thread that reads them, with a bounded number in between.
///
/// `@unchecked Sendable`: all state is read and written while holding `condition`.
package final class BytePipe: @unchecked Sendable {
    private let condition = NSCondition()
    private var parts: [[UInt8]] = []
    /// Bytes of the first part that were read.
    private var used = 0
    private var size = 0
    private var end: Result<Void, any Error>?
    private var waiting: CheckedContinuation<Void, Never>?

    private static let capacity = 4 << 20

    package init() {}

    /// Adds bytes, and waits until less than the capacity is left to be read.
    ///
    /// - Throws: `CancellationError` once the pipe is ended by the reader.
    func send(_ bytes: [UInt8]) async throws {
        await withCheckedContinuation { continuation in
            let isFull = condition.withLock {
                guard end == nil else { return false }
                if !bytes.isEmpty { parts.append(bytes) }
                size += bytes.count
                condition.signal()
                if size >= Self.capacity { waiting = continuation }
                return size >= Self.capacity
            }
            if !isFull { continuation.resume() }
        }
        if condition.withLock({ end != nil }) { throw CancellationError() }
    }

    /// Ends the stream, with an error if there was one; later ends are ignored.
    package func finish(_ error: (any Error)? = nil) {
        let continuation = condition.withLock {
            if end == nil { end = error.map { .failure($0) } ?? .success(()) }
            condition.signal()
            return takeWaiting()
        }
        continuation?.resume()
    }

    /// Reads at most `buffer.count` bytes, and blocks until there are some; 0 at the end.
    ///
    /// - Throws: the error that the stream ended with, after all bytes before it; `CancellationError` at once if it is
    ///   that one.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var continuation: CheckedContinuation<Void, Never>?
        defer { continuation?.resume() }
        return try condition.withLock {
            while parts.isEmpty, end == nil { condition.wait() }
            if case .failure(let error) = end, parts.isEmpty || error is CancellationError { throw error }
            guard let part = parts.first else { return 0 }
            let count = min(buffer.count, part.count - used)
            part.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[used..<used + count])) }
            used += count
            if used == part.count {
                parts.removeFirst()
                used = 0
            }
            size -= count
            if size < Self.capacity { continuation = takeWaiting() }
            return count
        }
    }

    private func takeWaiting() -> CheckedContinuation<Void, Never>? {
        defer { waiting = nil }
        return waiting
    }
}
