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
