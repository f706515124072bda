#if canImport(Darwin)
    import Foundation
    import Security

    /// Uses URLSession.
    ///
    /// The project's machines run Linux, so this file is not compiled or tested there.
    final class URLSessionTransport: Transport {
        private let session: URLSession

        /// - Parameter trustRoots: certificates (PEM) that are trusted in addition to the system's.
        init(trustRoots: Data?) throws {
            let configuration = URLSessionConfiguration.default
            // Between two pieces of data; keep-alives come every 30 s.
            configuration.timeoutIntervalForRequest = 75
            configuration.timeoutIntervalForResource = 24 * 3600
            configuration.httpShouldSetCookies = false
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            let trust = TrustDelegate(certificates: try trustRoots.map(TrustDelegate.certificates) ?? [])
            session = URLSession(configuration: configuration, delegate: trust, delegateQueue: nil)
        }

        deinit { session.finishTasksAndInvalidate() }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            var sent = Self.urlRequest(request)
            switch request.body {
            case .none: break
            case .data(let data): sent.httpBody = data
            case .file(let file):
                guard let stream = InputStream(url: file) else {
                    throw TransportFailure.file(file, CocoaError(.fileReadNoSuchFile))
                }
                sent.httpBodyStream = stream
                let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize
                if let size { sent.setValue("\(size)", forHTTPHeaderField: "Content-Length") }
            }
            do {
                let (bytes, response) = try await session.bytes(for: sent, delegate: SentBytes(request.onSent))
                guard let response = response as? HTTPURLResponse else {
                    throw TransportFailure.notHTTP(URLError(.badServerResponse))
                }
                var headers: [String: String] = [:]
                for (name, value) in response.allHeaderFields { headers["\(name)".lowercased()] = "\(value)" }
                return TransportResponse(
                    status: response.statusCode, headers: headers, body: BytePieces(base: bytes))
            } catch {
                throw Self.failure(error)
            }
        }

        func receiveMessages(
            _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
            receive: @escaping @Sendable (Data) async throws -> Void
        ) async throws -> Int? {
            let task = session.webSocketTask(with: Self.urlRequest(request))
            task.maximumMessageSize = 16 << 20
            return try await withTaskCancellationHandler {
                task.resume()
                do {
                    // The task has no such event; a pong comes once the socket is open.
                    task.sendPing { error in if error == nil { onOpen() } }
                    while true {
                        switch try await task.receive() {
                        case .string(let text): try await receive(Data(text.utf8))
                        case .data(let data): try await receive(data)
                        @unknown default: break
                        }
                    }
                } catch {
                    defer { task.cancel(with: .goingAway, reason: nil) }
                    if task.closeCode != .invalid { return task.closeCode.rawValue }
                    if let response = task.response as? HTTPURLResponse, response.statusCode != 101 {
                        throw TransportFailure.refused
                    }
                    throw Self.failure(error)
                }
            } onCancel: {
                task.cancel(with: .goingAway, reason: nil)
            }
        }

        private static func urlRequest(_ request: TransportRequest) -> URLRequest {
            var sent = URLRequest(url: request.url)
            sent.httpMethod = request.method
            for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
            return sent
        }

        static func failure(_ error: any Error) -> any Error {
            if error is TransportFailure || error is CancellationError { return error }
            if Task.isCancelled { return CancellationError() }
            guard let error = error as? URLError else { return TransportFailure.lost(error) }
            switch error.code {
            case .cancelled: return CancellationError()
            case .timedOut: return TransportFailure.timedOut
            case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet,
                .internationalRoamingOff, .dataNotAllowed:
                return TransportFailure.unreachable(error)
            case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateNotYetValid,
                .serverCertificateHasUnknownRoot:
                return TransportFailure.certificate(error)
            case .secureConnectionFailed, .badServerResponse, .cannotParseResponse:
                return TransportFailure.notHTTP(error)
            default: return TransportFailure.lost(error)
            }
        }
    }

    /// A response's body in pieces: what has arrived, at most a line or 64 KB.
    private struct BytePieces: AsyncSequence, Sendable {
        let base: URLSession.AsyncBytes

        struct AsyncIterator: AsyncIteratorProtocol {
            var base: URLSession.AsyncBytes.AsyncIterator

            mutating func next() async throws -> Data? {
                var piece = Data()
                do {
                    // A line is the smallest unit of an event stream, which must not wait for more.
                    while piece.count < 64 * 1024, let byte = try await base.next() {
                        piece.append(byte)
                        if byte == UInt8(ascii: "\n") { break }
                    }
                } catch {
                    throw URLSessionTransport.failure(error)
                }
                return piece.isEmpty ? nil : piece
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }
    }

    /// Reports how much of a body was sent.
    private final class SentBytes: NSObject, URLSessionTaskDelegate {
        private let onSent: @Sendable (Int) -> Void

        init(_ onSent: @escaping @Sendable (Int) -> Void) { self.onSent = onSent }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
            totalBytesExpectedToSend: Int64
        ) {
            onSent(Int(totalBytesSent))
        }
    }

    /// Trusts additional certificates, and follows no redirect.
    private final class TrustDelegate: NSObject, URLSessionTaskDelegate {
        private let certificates: [SecCertificate]

        init(certificates: [SecCertificate]) { self.certificates = certificates }

        static func certificates(in pem: Data) throws -> [SecCertificate] {
            let text = String(decoding: pem, as: UTF8.self)
            let parts = text.components(separatedBy: "-----BEGIN CERTIFICATE-----").dropFirst()
            return try parts.map { part in
                let body = part.components(separatedBy: "-----END CERTIFICATE-----")[0]
                guard let der = Data(base64Encoded: body, options: .ignoreUnknownCharacters),
                    let certificate = SecCertificateCreateWithData(nil, der as CFData)
                else { throw CocoaError(.fileReadCorruptFile) }
                return certificate
            }
        }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard !certificates.isEmpty, let trust = challenge.protectionSpace.serverTrust else {
                return (.performDefaultHandling, nil)
            }
            SecTrustSetAnchorCertificates(trust, certificates as CFArray)
            SecTrustSetAnchorCertificatesOnly(trust, false)
            // The default handling fails with the reason; a cancelled challenge would look like a cancelled request.
            return SecTrustEvaluateWithError(trust, nil)
                ? (.useCredential, URLCredential(trust: trust)) : (.performDefaultHandling, nil)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? { nil }
    }
#endif
