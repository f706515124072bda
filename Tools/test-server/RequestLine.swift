import Foundation
import NIOCore

/// The head of a request, as far as the faults need it.
struct RequestLine: Sendable {
    let method: String
    /// Without the query.
    let path: String
    let isUpgrade: Bool
    let asksForStream: Bool
    /// The bytes of the body that have not arrived yet.
    let bodyBytes: Int
    /// What arrived, with a header that ends the connection after the response.
    let head: ByteBuffer

    /// A head of more bytes than the server accepts.
    private struct TooLong: Error {}

    /// - Returns: nil while the head is incomplete.
    init?(_ received: ByteBuffer) throws {
        let bytes = Data(received.readableBytesView)
        guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else {
            if bytes.count > 1_000_000 { throw TooLong() }
            return nil
        }
        var lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { throw TooLong() }
        method = String(words[0])
        path = String(words[1].prefix { $0 != "?" })
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        isUpgrade = headers["upgrade"]?.lowercased() == "websocket"
        asksForStream = headers["accept"]?.contains("text/event-stream") ?? false
        bodyBytes = max(0, (headers["content-length"].flatMap { Int($0) } ?? 0) - (bytes.count - end.upperBound))
        guard !isUpgrade else {
            head = received
            return
        }
        let kept = lines.filter { !$0.lowercased().hasPrefix("connection:") } + ["Connection: close"]
        let text = words.joined(separator: " ") + "\r\n" + kept.joined(separator: "\r\n")
        head = ByteBuffer(bytes: Data(text.utf8) + bytes[end.lowerBound...])
    }
}

/// Counts the events on a socket.
struct SocketEvents {
    /// After how many events it ends.
    let limit: Int
    private var passedHead = false
    private var events = 0
    private var waiting = Data()

    init(limit: Int) { self.limit = limit }

    /// - Returns: the bytes to pass on, and whether they are the last.
    mutating func take(_ bytes: ByteBuffer) -> (passed: ByteBuffer, isOver: Bool) {
        waiting.append(contentsOf: bytes.readableBytesView)
        var passed = Data()
        if !passedHead {
            guard let end = waiting.firstRange(of: Data("\r\n\r\n".utf8)) else { return (ByteBuffer(), false) }
            passedHead = true
            passed += Self.removeFirst(end.upperBound - waiting.startIndex, of: &waiting)
        }
        while events < limit, let length = frameLength {
            let isText = waiting.first.map { $0 & 0x0F == 1 } ?? false
            passed += Self.removeFirst(length, of: &waiting)
            if isText { events += 1 }
        }
        return (ByteBuffer(bytes: passed), events >= limit)
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
        let length =
            extended == 0
            ? Int(bytes[1] & 0x7F) : bytes[2..<2 + extended].reduce(0) { $0 << 8 | Int($1) }
        let whole = 2 + extended + length
        return waiting.count >= whole ? whole : nil
    }
}
