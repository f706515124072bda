import Foundation
package import ShelflistAPI
import TestSupport

/// A TCP connection to a server on this machine, over which a test sends arbitrary bytes.
///
/// Blocking; use it on a separate thread (`onOwnThread`).
package final class Connection {
    private let descriptor: Int32
    private var received: [UInt8] = []

    package init(port: Int) throws {
        #if os(Linux)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        // A server that hangs fails the test instead of stopping the suite.
        var timeout = timeval(tv_sec: Int(longestWait.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Sends bytes.
    ///
    /// Bytes that the server no longer accepts are dropped, because its response gives the reason.
    package func send(_ bytes: [UInt8]) throws {
        var done = 0
        while done < bytes.count {
            let sent = bytes.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, Self.noSignal)
            }
            if sent < 0, errno == EINTR { continue }
            if sent < 0, [EPIPE, ECONNRESET].contains(errno) { return }
            guard sent > 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            done += sent
        }
    }

    #if os(Linux)
        /// Makes a broken connection an error instead of a signal.
        private static let noSignal = Int32(MSG_NOSIGNAL)
    #else
        private static let noSignal: Int32 = 0
    #endif

    package func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Receives more bytes.
    ///
    /// - Returns: `false` at the end of the stream.
    private func fill() throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65536)
        var count = 0
        // A call with a time limit is interrupted when the process was stopped and continues.
        repeat { count = recv(descriptor, &buffer, buffer.count, 0) } while count < 0 && errno == EINTR
        if count < 0, errno == ECONNRESET { return false }
        guard count >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        received += buffer.prefix(count)
        return count > 0
    }

    /// Reads up to and including `end`.
    package func read(through end: String) throws -> String {
        let wanted = Array(end.utf8)
        while true {
            if let range = received.firstRange(of: wanted) {
                defer { received.removeFirst(range.upperBound) }
                return String(decoding: received[..<range.upperBound], as: UTF8.self)
            }
            guard try fill() else {
                throw BrokenOff(wanted: end, received: String(decoding: received, as: UTF8.self))
            }
        }
    }

    /// The server closed the connection before it sent `wanted`.
    package struct BrokenOff: Error {
        let wanted: String
        let received: String
    }

    package func read(count: Int) throws -> [UInt8] {
        while received.count < count { guard try fill() else { throw POSIXError(.ECONNRESET) } }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    /// Reads until the server closes the connection.
    package func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { received = [] }
        return received
    }

    // MARK: HTTP

    /// Reads one response.
    package func answer(to method: String = "GET") throws -> Answer {
        var head = try read(through: "\r\n\r\n").components(separatedBy: "\r\n")
        let status = Int(head.removeFirst().split(separator: " ")[1]) ?? 0
        if status == 100 { return try answer(to: method) }
        var headers: [String: String] = [:]
        for line in head where !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            let value = parts[1].trimmingCharacters(in: .whitespaces)
            // Several fields with one name, such as cookies, are a list.
            headers.merge([parts[0].lowercased(): value]) { "\($0), \($1)" }
        }
        var body: [UInt8] = []
        if method == "HEAD" || status == 204 || status == 304 {
        } else if let length = headers["content-length"].flatMap({ Int($0) }) {
            body = try read(count: length)
        } else if headers["transfer-encoding"] == "chunked" {
            while let chunk = try chunk() { body += chunk }
        }
        return Answer(status: status, headers: headers, body: body)
    }

    /// Reads the next chunk of a chunked body; `nil` at its end.
    package func chunk() throws -> [UInt8]? {
        let line = try read(through: "\r\n").trimmingCharacters(in: .whitespacesAndNewlines)
        guard let length = Int(line, radix: 16) else { throw POSIXError(.EBADMSG) }
        let bytes = try read(count: length)
        _ = try read(count: 2)
        return length == 0 ? nil : bytes
    }

    /// Sends a request with an unfinished chunked body.
    package func sendChunked(
        _ line: String, headers: String = "", first: [UInt8] = [], pieces: Int, of piece: [UInt8]
    ) throws {
        try send("\(line) HTTP/1.1\r\nHost: localhost\r\n\(headers)Transfer-Encoding: chunked\r\n\r\n")
        for bytes in [first] + Array(repeating: piece, count: pieces) where !bytes.isEmpty {
            try send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10])
        }
    }

    // MARK: WebSocket

    /// Requests an upgrade to a WebSocket; the response has status 101 if it succeeded.
    package func upgrade(_ path: String, protocols: String? = nil, headers: String = "") throws -> Answer {
        let offer = protocols.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
        try send(
            """
            GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(offer)\(headers)\r\n
            """)
        return try answer()
    }

    package func sendFrame(_ opcode: UInt8, _ payload: [UInt8], masked: Bool = true, final: Bool = true) throws {
        var frame: [UInt8] = [(final ? 0x80 : 0) | opcode]
        let bit: UInt8 = masked ? 0x80 : 0
        switch payload.count {
        case ..<126: frame.append(bit | UInt8(payload.count))
        case ..<65536: frame += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: frame += [bit | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> ($0 * 8)) }
        }
        let mask: [UInt8] = [1, 2, 3, 4]
        if masked { frame += mask }
        frame += masked ? payload.enumerated().map { $1 ^ mask[$0 % 4] } : payload
        try send(frame)
    }

    package func frame() throws -> (opcode: UInt8, payload: [UInt8]) {
        let head = try read(count: 2)
        var length = Int(head[1] & 0x7F)
        if length == 126 {
            length = try read(count: 2).reduce(0) { $0 << 8 | Int($1) }
        } else if length == 127 {
            length = try read(count: 8).reduce(0) { $0 << 8 | Int($1) }
        }
        return (head[0] & 0x0F, try read(count: length))
    }

    /// Skips to the close frame.
    ///
    /// - Returns: its code.
    package func closeCode() throws -> Int {
        var (opcode, payload) = try frame()
        while opcode != 8 { (opcode, payload) = try frame() }
        return payload.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    }
}

package struct Answer {
    package var status: Int
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Decodes the body of a successful answer as clients of the API do.
    ///
    /// - Parameter expected: the status; nil for any that means success.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self, status expected: Int? = nil) throws -> Value
    {
        guard expected.map({ $0 == status }) ?? (200..<300).contains(status) else {
            throw Unexpected(answer: self, reason: "Its status is not \(expected ?? 200).")
        }
        do {
            return try WireJSON.decode(from: Data(body))
        } catch {
            throw Unexpected(answer: self, reason: "It is not a \(Value.self): \(error)")
        }
    }

    /// The answer is not what a test needs.
    package struct Unexpected: Error, CustomStringConvertible {
        let answer: Answer
        let reason: String

        package var description: String { "\(reason) \(answer.status) \(answer.headers) \(answer.text)" }
    }

    /// The error that the server reports; nil if the body is not one.
    package var problem: Problem? {
        headers["content-type"] == Problem.contentType ? try? WireJSON.decode(from: Data(body)) : nil
    }

    /// A value of the body's JSON, for what the API has no type for.
    package subscript(path: String...) -> Any? {
        var value: Any? = try? JSONSerialization.jsonObject(with: Data(body), options: [.fragmentsAllowed])
        for key in path {
            if let index = Int(key) {
                value = (value as? [Any]).flatMap { $0.indices.contains(index) ? $0[index] : nil }
            } else {
                value = (value as? [String: Any])?[key]
            }
        }
        return value
    }

    package func string(_ path: String) -> String? { self[path] as? String }
}
