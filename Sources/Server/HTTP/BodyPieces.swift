package import Foundation
import HTTPTypes
package import Hummingbird
import NIOCore

/// The pieces of a body, for one reader: each is written when it is asked for, and none after the reader has left.
package struct BodyPieces: AsyncSequence, Sendable {
    private let pieces: AsyncThrowingStream<Data, any Error>
    /// Each permits one piece.
    private let permits: AsyncStream<Void>.Continuation

    /// - Parameter describe: returns what the reader throws for an error of the writer.
    package init(_ body: ResponseBody, describe: @escaping @Sendable (any Error) -> any Error) {
        let (pieces, source) = AsyncThrowingStream<Data, any Error>.makeStream()
        let (requests, permits) = AsyncStream<Void>.makeStream()
        let writing = Task {
            do {
                try await body.write(PieceWriter(pieces: source, permits: requests))
                source.finish()
            } catch {
                source.finish(throwing: describe(error))
            }
        }
        source.onTermination = { _ in writing.cancel() }
        (self.pieces, self.permits) = (pieces, permits)
    }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate var pieces: AsyncThrowingStream<Data, any Error>.Iterator
        fileprivate let permits: AsyncStream<Void>.Continuation

        package mutating func next() async throws -> Data? {
            permits.yield()
            if let piece = try await pieces.next() { return piece }
            // The stream ends without an error when its reader is cancelled.
            try Task.checkCancellation()
            return nil
        }
    }

    package func makeAsyncIterator() -> Iterator { Iterator(pieces: pieces.makeAsyncIterator(), permits: permits) }
}

private struct PieceWriter: ResponseBodyWriter {
    let pieces: AsyncThrowingStream<Data, any Error>.Continuation
    let permits: AsyncStream<Void>

    func write(_ buffer: ByteBuffer) async throws {
        var permits = permits.makeAsyncIterator()
        guard await permits.next() != nil else { throw CancellationError() }
        pieces.yield(Data(buffer.readableBytesView))
    }

    func finish(_ trailers: HTTPFields?) async throws {}
}
