package import Foundation

#if canImport(Glibc)
    import Glibc
    private let stream = Int32(SOCK_STREAM.rawValue)
    private let noSignal = Int32(MSG_NOSIGNAL)
#else
    import Darwin
    private let stream = SOCK_STREAM
    private let noSignal: Int32 = 0
#endif

/// How the stub responds to one request.
package enum StubAnswer: Sendable {
    case json(String, headers: [String: String] = [:])
    case answer(Int, headers: [String: String] = [:], body: [UInt8] = [])
    /// Sends a head with a longer content length than the body, then closes.
    case cut
    /// Sends a complete head and only the first `sent` bytes of the body, calls `then`, and closes.
    ///
    /// With 0 bytes it is the answer to a HEAD request.
    case partial(Int, headers: [String: String] = [:], body: [UInt8], sent: Int, then: @Sendable () -> Void = {})
    /// Sends nothing until the client disconnects.
    case silent
    /// Sends the head at once, then single bytes slowly, until the client disconnects.
    case drip
    /// Sends this many bytes of JSON without an end.
    case endless(Int)
}

/// An HTTP server on a real socket with scripted responses, including faulty ones.
///
/// One thread accepts connections, and one thread serves each of them; every connection carries one request.
/// `@unchecked Sendable`: `recorded` and `drops` are only accessed under `lock`; everything else is constant.
package final class StubServer: @unchecked Sendable {
    package struct Request: Sendable {
        package var method: String
        package var target: String
        package var headers: [String: String]
        package var body: [UInt8] = []
    }

    package let port: Int
    private let listener: Int32
    private let lock = NSLock()
    private var recorded: [Request] = []
    private var drops = 0

    package var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }
    package var requests: [Request] { lock.withLock { recorded } }
    /// How many bytes `StubAnswer.drip` has sent.
    package var dripped: Int { lock.withLock { drops } }

    /// - Parameter answer: receives the number of the request, starting at 0, and the request.
    package init(_ answer: @escaping @Sendable (Int, Request) -> StubAnswer) throws {
        let listener = socket(AF_INET, stream, 0)
        self.listener = listener
        var yes: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length) | listen(listener, 16) | getsockname(listener, address, &length)
            }
        }
        guard result == 0 else { throw POSIXError(.EADDRNOTAVAIL) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                let server = self
                Thread.detachNewThread {
                    defer { close(connection) }
                    guard let request = Self.read(from: connection), let number = server?.record(request) else {
                        return
                    }
                    Self.serve(answer(number, request), to: connection) { server?.countDrop() }
                }
            }
            // Closed only here: earlier, the descriptor might be reused by another server before this thread ends.
            close(listener)
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    private func record(_ request: Request) -> Int {
        lock.withLock {
            recorded.append(request)
            return recorded.count - 1
        }
    }

    private func countDrop() { lock.withLock { drops += 1 } }

    private static func read(from connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        var end: Range<Int>?
        while end == nil {
            let count = recv(connection, &part, part.count, 0)
            guard count > 0 else { return nil }
            bytes += part[..<count]
            guard bytes[0] < 0x80, Character(UnicodeScalar(bytes[0])).isLetter else {
                // Another protocol, for example TLS.
                write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", connection)
                return nil
            }
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
        }
        let head = end?.upperBound ?? bytes.count
        let lines = String(decoding: bytes[..<head], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(
                in: .whitespaces)
        }
        var request = Request(method: words.first ?? "", target: words.dropFirst().first ?? "", headers: headers)
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while bytes.count - head < length {
            let count = recv(connection, &part, part.count, 0)
            guard count > 0 else { return nil }
            bytes += part[..<count]
        }
        request.body = Array(bytes[head...])
        return request
    }

    /// - Parameter onDrop: called for each byte of `StubAnswer.drip`.
    private static func serve(_ answer: StubAnswer, to connection: Int32, onDrop: () -> Void) {
        switch answer {
        case .json(let text, let headers):
            let all = ["Content-Type": "application/json; charset=utf-8"].merging(headers) { $1 }
            serve(.answer(200, headers: all, body: Array(text.utf8)), to: connection, onDrop: onDrop)
        case .answer(let status, let headers, let body):
            serve(.partial(status, headers: headers, body: body, sent: body.count), to: connection, onDrop: onDrop)
        case .partial(let status, let headers, let body, let sent, let then):
            var head = "HTTP/1.1 \(status) Stub\r\nContent-Length: \(body.count)\r\nConnection: close\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            write(Array((head + "\r\n").utf8) + body.prefix(sent), connection)
            then()
        case .cut:
            write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"do", connection)
        case .silent: while hasNoEnd(connection, within: -1) {}
        case .drip:
            write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{", connection)
            // The pause only keeps the body short.
            while hasNoEnd(connection, within: 10), write(" ", connection) { onDrop() }
        case .endless(let count):
            write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"docs\": [", connection
            )
            let part = [UInt8](repeating: 0x20, count: 1 << 16)
            for _ in 0..<count / part.count where write(part, connection) {}
        }
    }

    /// Waits for bytes of the client, which are dropped.
    ///
    /// - Parameter milliseconds: the longest wait; negative for no limit.
    /// - Returns: false once the client has disconnected.
    private static func hasNoEnd(_ connection: Int32, within milliseconds: Int32) -> Bool {
        var wait = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, milliseconds) > 0 else { return true }
        var part = [UInt8](repeating: 0, count: 4096)
        return recv(connection, &part, part.count, 0) > 0
    }

    @discardableResult
    private static func write(_ text: String, _ connection: Int32) -> Bool { write(Array(text.utf8), connection) }

    /// Returns false if the client has disconnected.
    @discardableResult
    private static func write(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, noSignal) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
