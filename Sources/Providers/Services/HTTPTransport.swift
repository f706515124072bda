package import AsyncHTTPClient
import Bounds
package import Concurrency
package import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// The HTTP client that all services share; it must be closed after use.
///
/// Redirects are not followed; callers decide whether their targets are allowed.
package struct HTTPTransport: Sendable {
    package let client: HTTPClient
    private let clock: any WallClock

    /// - Parameters:
    ///   - clock: measures the time limits of requests.
    ///   - idleSeconds: after this time without a byte a response fails; nil for no limit of its own.
    ///   - verifiesCertificates: false only for servers on this machine, whose certificates have other names.
    package init(clock: any WallClock = SystemClock(), idleSeconds: Double? = nil, verifiesCertificates: Bool = true) {
        self.clock = clock
        // Without decompression, a small response cannot expand beyond the size limit.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow, decompression: .disabled)
        // The time limit of each request includes connecting.
        configuration.timeout = .init(connect: .seconds(60))
        configuration.timeout.read = idleSeconds.map { .nanoseconds(Int64(saturating: $0 * 1e9)) }
        configuration.connectionPool.idleTimeout = .seconds(30)
        // `ServiceClient` counts and retries attempts itself.
        configuration.connectionPool.retryConnectionEstablishment = false
        if !verifiesCertificates {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.certificateVerification = .none
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes all connections; later requests fail.
    package func close() async {
        // This fails only if the client is closed already.
        try? await client.shutdown()
    }

    package struct Response: Sendable {
        package var status: Int
        var headers: HTTPHeaders
        package var body: [UInt8]

        subscript(header: String) -> String? { headers.first(name: header) }
    }

    package enum Failure: Error, Equatable {
        case timeout
        case unreachable
        case bodyTooLarge(limit: Int)
    }

    /// Sends a GET request.
    ///
    /// - Parameters:
    ///   - seconds: the time limit, from connecting to the last byte.
    ///   - limit: the maximum size of the body in bytes, which also bounds memory.
    /// - Throws: `Failure`, `CancellationError`.
    package func get(
        _ url: URL, headers: [String: String], seconds: TimeInterval, limit: Int
    ) async throws -> Response {
        try await send(HTTPClientRequest(url: url.absoluteString), headers: headers, seconds: seconds, limit: limit)
    }

    /// Sends a form in a POST request, with the limits of `get`.
    ///
    /// - Throws: `Failure`, `CancellationError`.
    package func post(
        _ url: URL, form: [String: String], headers: [String: String], seconds: TimeInterval, limit: Int
    ) async throws -> Response {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        let text = form.map { "\(Self.formEncoded($0.key))=\(Self.formEncoded($0.value))" }.joined(separator: "&")
        request.body = .bytes(Array(text.utf8))
        let headers = headers.merging(["Content-Type": "application/x-www-form-urlencoded"]) { own, _ in own }
        return try await send(request, headers: headers, seconds: seconds, limit: limit)
    }

    /// Sends JSON in a POST request, with the limits of `get`.
    ///
    /// - Throws: `Failure`, `CancellationError`.
    func post(
        _ url: URL, json: [UInt8], headers: [String: String], seconds: TimeInterval, limit: Int
    ) async throws -> Response {
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = .POST
        request.body = .bytes(json)
        let headers = headers.merging(["Content-Type": "application/json"]) { own, _ in own }
        return try await send(request, headers: headers, seconds: seconds, limit: limit)
    }

    /// Returns a value as forms contain it: all but unreserved characters are escaped.
    package static func formEncoded(_ text: String) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { byte in
            unreserved.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private func send(
        _ request: HTTPClientRequest, headers: [String: String], seconds: TimeInterval, limit: Int
    ) async throws -> Response {
        // The client's own deadline covers only the response head; a body could trickle forever.
        try await withThrowingTaskGroup { group in
            group.addTask { try await receive(request, headers: headers, limit: limit) }
            group.addTask {
                try await clock.sleep(seconds: seconds)
                throw Failure.timeout
            }
            defer { group.cancelAll() }
            guard let response = try await group.next() else { throw Failure.timeout }
            return response
        }
    }

    private func receive(
        _ request: HTTPClientRequest, headers: [String: String], limit: Int
    ) async throws -> Response {
        var request = request
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        do {
            let response = try await client.execute(request, deadline: .distantFuture)
            if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }), length > limit {
                throw Failure.bodyTooLarge(limit: limit)
            }
            var body: [UInt8] = []
            for try await part in response.body {
                guard body.count + part.readableBytes <= limit else { throw Failure.bodyTooLarge(limit: limit) }
                body.append(contentsOf: part.readableBytesView)
            }
            return Response(status: Int(response.status.code), headers: response.headers, body: body)
        } catch let failure as Failure {
            throw failure
        } catch let error as HTTPClientError where Self.timeouts.contains(error) {
            throw Failure.timeout
        } catch {
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
            throw Failure.unreachable
        }
    }

    private static let timeouts: [HTTPClientError] = [
        .connectTimeout, .readTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout, .tlsHandshakeTimeout,
    ]
}
