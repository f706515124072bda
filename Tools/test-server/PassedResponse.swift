import Foundation
import NIOCore

/// A response on its way to the client: tells it that the connection ends, and counts the events of a socket.
struct PassedResponse {
    /// After how many events of a socket it ends; nil for the server's end.
    let limit: Int?
    private var hasHead = false
    private var events = 0
    private var waiting = Data()

    private static let headEnd = Data("\r\n\r\n".utf8)

    init(limit: Int?) { self.limit = limit }

    /// - Returns: the bytes to pass on, and whether they are the last.
    mutating func take(_ bytes: ByteBuffer) -> (passed: ByteBuffer, isOver: Bool) {
        guard !hasHead || limit != nil else { return (bytes, false) }
        waiting.append(contentsOf: bytes.readableBytesView)
        var passed = Data()
        while !hasHead {
            guard let end = waiting.firstRange(of: Self.headEnd) else { return (ByteBuffer(bytes: passed), false) }
            let head = Self.removeFirst(end.upperBound - waiting.startIndex, of: &waiting)
            let isInterim = head.starts(with: Data("HTTP/1.1 1".utf8))
            let isUpgrade = head.starts(with: Data("HTTP/1.1 101".utf8))
            passed += isInterim ? head : Self.closing(head)
            hasHead = !isInterim || isUpgrade
        }
        guard let limit else {
            passed += Self.removeFirst(waiting.count, of: &waiting)
            return (ByteBuffer(bytes: passed), false)
        }
        while events < limit, let length = frameLength {
            let isText = waiting.first.map { $0 & 0x0F == 1 } ?? false
            passed += Self.removeFirst(length, of: &waiting)
            if isText { events += 1 }
        }
        return (ByteBuffer(bytes: passed), events >= limit)
    }

    /// Returns a head with a header that ends the connection: otherwise the client would send its next request on it.
    private static func closing(_ head: Data) -> Data {
        let lines = String(decoding: head.dropLast(headEnd.count), as: UTF8.self).components(separatedBy: "\r\n")
            .filter { !$0.lowercased().hasPrefix("connection:") }
        return Data((lines + ["Connection: close"]).joined(separator: "\r\n").utf8) + headEnd
    }

    private static func removeFirst(_ count: Int, of data: inout Data) -> Data {
        defer { data = Data(data.dropFirst(count)) }
        return Data(data.prefix(count))
    }

    /// The length of the first frame, which the server does not mask; nil while it is incomplete.
    private var frameLength: Int? {
        let bytes = [UInt8](waiting.prefix(10))
        guard bytes.count >= 2 else { return nil }
        let extended =
            switch bytes[1] & 0x7F {
            case 126: 2
            case 127: 8
            default: 0
            }
        guard bytes.count >= 2 + extended else { return nil }
        let length = extended == 0 ? Int(bytes[1] & 0x7F) : bytes[2..<2 + extended].reduce(0) { $0 << 8 | Int($1) }
        let whole = 2 + extended + length
        return waiting.count >= whole ? whole : nil
    }
}
