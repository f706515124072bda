import Bounds

#if os(Linux)
    import AsyncHTTPClient
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL

    /// Uses async-http-client and SwiftNIO.
    final class AsyncHTTPTransport: Transport {
        private let client: HTTPClient
        private let sockets: SocketConnector

        /// - Parameters:
        ///   - trustRoots: certificates (PEM) that are trusted in addition to the system's.
        ///   - host: the only one that requests are sent to.
        ///   - connectTimeout: the time limit for a connection, with its TLS handshake.
        /// - Throws: `ShelflistError` for certificates that cannot be read.
        init(trustRoots: Data?, host: String, connectTimeout: Duration) throws {
            var tls = TLSConfiguration.makeClientConfiguration()
            // How long a connection that is given up waits for the server to confirm (close_notify), by default 5 s. A server
            // that does not answer does not confirm either, and the next attempt would begin later.
            tls.shutdownTimeout = .milliseconds(500)
            if let trustRoots {
                tls.additionalTrustRoots = [
                    .certificates(try TrustedAuthorities.certificates(in: trustRoots, for: host))
                ]
            }
            let limit = TimeAmount.nanoseconds(Int64(saturating: connectTimeout / .nanoseconds(1)))
            // Answers are read into memory; without decompression, a small one cannot expand.
            var configuration = HTTPClient.Configuration(
                tlsConfiguration: tls, redirectConfiguration: .disallow, decompression: .disabled)
            configuration.timeout = .init(connect: limit)
            configuration.httpVersion = .http1Only
            configuration.connectionPool.idleTimeout = .seconds(30)
            // `ServerConnection` counts and retries attempts itself.
            configuration.connectionPool.retryConnectionEstablishment = false
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            sockets = SocketConnector(tls: try NIOSSLContext(configuration: tls), connectTimeout: limit)
        }

        deinit { client.shutdown { _ in } }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var sent = HTTPClientRequest(url: request.url.absoluteString)
            sent.method = HTTPMethod(rawValue: request.method)
            for (name, value) in request.headers { sent.headers.add(name: name, value: value) }
            switch request.body {
            case .none: break
            case .data(let data):
                sent.body = .stream(
                    RequestPieces(body: .data(data), onSent: request.onSent), length: .known(Int64(data.count)))
            case .file(let file):
                let size = try Self.size(of: file)
                sent.body = .stream(
                    RequestPieces(body: .file(file), onSent: request.onSent), length: .known(Int64(size)))
            }
            do {
                let response = try await client.execute(sent, deadline: .distantFuture)
                var headers: [String: String] = [:]
                for (name, value) in response.headers { headers[name.lowercased()] = value }
                return TransportResponse(
                    status: Int(response.status.code), headers: headers, body: ResponsePieces(base: response.body))
            } catch {
                throw Self.failure(error)
            }
        }

        func receiveMessages(
            _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
            receive: @escaping @Sendable (Data) async throws -> Void
        ) async throws -> Int? {
            try await sockets.receiveMessages(request, onOpen: onOpen, receive: receive)
        }

        private static func size(of file: URL) throws -> Int {
            do {
                return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
            } catch {
                throw TransportFailure.file(file, error)
            }
        }

        static func failure(_ error: any Error) -> any Error {
            switch error {
            case is TransportFailure, is CancellationError: return error
            case _ where Task.isCancelled: return CancellationError()
            case let error as HTTPClientError:
                if error == .cancelled { return CancellationError() }
                return timeouts.contains(error) ? TransportFailure.timedOut : TransportFailure.lost(error)
            case is NIOSSLExtraError: return TransportFailure.certificate(error)
            case let error as NIOSSLError:
                // The end of the connection within the handshake says nothing about the server.
                guard case .handshakeFailed(let reason) = error, case .sslError(let errors) = reason,
                    !errors.contains(.eofDuringHandshake)
                else { return TransportFailure.lost(error) }
                return "\(reason)".contains("CERTIFICATE_VERIFY_FAILED")
                    ? TransportFailure.certificate(error) : TransportFailure.notHTTP(error)
            case is NIOConnectionError, is SocketAddressError: return TransportFailure.unreachable(error)
            case ChannelError.connectTimeout: return TransportFailure.timedOut
            case let error as IOError where unreachable.contains(error.errnoCode):
                return TransportFailure.unreachable(error)
            case let error as HTTPParserError:
                // The end of the connection within a response.
                return error == .invalidEOFState ? TransportFailure.lost(error) : TransportFailure.notHTTP(error)
            default: return TransportFailure.lost(error)
            }
        }

        private static let timeouts: [HTTPClientError] = [
            .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout,
            .tlsHandshakeTimeout,
        ]
        private static let unreachable = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EHOSTDOWN]
    }

    /// A response's body, with failures of the transport.
    private struct ResponsePieces: AsyncSequence, Sendable {
        let base: HTTPClientResponse.Body

        struct AsyncIterator: AsyncIteratorProtocol {
            var base: HTTPClientResponse.Body.AsyncIterator

            mutating func next() async throws -> Data? {
                do {
                    return try await base.next().map { Data($0.readableBytesView) }
                } catch {
                    throw AsyncHTTPTransport.failure(error)
                }
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }
    }

    /// A request's body in pieces, as the connection accepts them.
    private struct RequestPieces: AsyncSequence, Sendable {
        let body: TransportRequest.Body
        let onSent: @Sendable (Int) -> Void

        struct AsyncIterator: AsyncIteratorProtocol {
            let body: TransportRequest.Body
            let onSent: @Sendable (Int) -> Void
            var sent = 0
            var file: FileHandle?

            mutating func next() async throws -> ByteBuffer? {
                onSent(sent)
                let piece = try piece()
                guard !piece.isEmpty else { return nil }
                sent += piece.count
                return ByteBuffer(bytes: piece)
            }

            private mutating func piece() throws -> Data {
                switch body {
                case .none: return Data()
                case .data(let data): return data.dropFirst(sent).prefix(RequestPieces.size)
                case .file(let url):
                    do {
                        let open = try file ?? FileHandle(forReadingFrom: url)
                        file = open
                        return try open.read(upToCount: RequestPieces.size) ?? Data()
                    } catch {
                        throw TransportFailure.file(url, error)
                    }
                }
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(body: body, onSent: onSent) }

        private static let size = 64 * 1024
    }
#endif
