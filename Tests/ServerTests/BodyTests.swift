import Foundation
import Hummingbird
import NIOCore
import Server
import Synchronization
import TestSupport
import Testing

@Suite(.endsHangs) struct BodyTests {
    @Test("A body is written as it is read, and no more of it once its reader has left")
    func pieces() async throws {
        let written = Mutex(0)
        let (ending, end) = AsyncStream<Never>.makeStream()
        func first() async throws -> Data? {
            let body = ResponseBody { writer in
                defer { end.finish() }
                while true {
                    try await writer.write(ByteBuffer(string: "piece"))
                    written.withLock { $0 += 1 }
                }
            }
            var pieces = BodyPieces(body) { $0 }.makeAsyncIterator()
            return try await pieces.next()
        }
        #expect(try await first() == Data("piece".utf8))
        for await _ in ending {}
        #expect(written.withLock { $0 } == 1)
    }

    @Test("The reader gets what the writer throws")
    func failures() async throws {
        struct Broken: Error {}
        struct Described: Error {}
        let body = ResponseBody { writer in
            try await writer.write(ByteBuffer(string: "piece"))
            throw Broken()
        }
        var pieces = BodyPieces(body) { _ in Described() }.makeAsyncIterator()
        #expect(try await pieces.next() == Data("piece".utf8))
        await #expect(throws: Described.self) { try await pieces.next() }
    }
}
