package import Foundation

/// Sends requests over the network.
///
/// Failures are `TransportFailure` or `CancellationError`. A cancelled task ends its request at once.
package protocol Transport: Sendable {
    /// Returns the response once its head has arrived.
    func send(_ request: TransportRequest) async throws -> TransportResponse

    /// Opens a WebSocket and passes on its text messages until the server closes it.
    ///
    /// - Parameters:
    ///   - request: a GET request with an `http` or `https` URL.
    ///   - onOpen: called once the server has opened it.
    /// - Returns: the code with which the server closed the socket; nil if it sent none.
    /// - Throws: `TransportFailure.refused` if the server answers but does not open a socket; what `receive` throws.
    func receiveMessages(
        _ request: TransportRequest, onOpen: @escaping @Sendable () -> Void,
        receive: @escaping @Sendable (Data) async throws -> Void
    ) async throws -> Int?
}

/// Returns the transport of this platform.
///
/// - Parameters:
///   - trustRoots: certificates (PEM) that are trusted in addition to the system's.
///   - host: the only one that requests are sent to.
/// - Throws: an error for certificates that cannot be read.
package func platformTransport(trustRoots: Data?, host: String, limits: ClientLimits) throws -> any Transport {
    #if os(Linux)
        try AsyncHTTPTransport(trustRoots: trustRoots, host: host, connectTimeout: limits.connect)
    #else
        try URLSessionTransport(trustRoots: trustRoots)
    #endif
}

package struct TransportRequest: Sendable {
    package enum Body: Sendable {
        case none
        case data(Data)
        case file(URL)
    }

    package var method: String
    package var url: URL
    package var headers: [String: String]
    package var body: Body
    /// Called with the number of bytes of the body that were handed to the connection so far.
    package var onSent: @Sendable (Int) -> Void = { _ in }

    package init(_ method: String = "GET", _ url: URL, headers: [String: String] = [:], body: Body = .none) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }
}

package struct TransportResponse: Sendable {
    package var status: Int
    /// By lower-case name.
    package var headers: [String: String]
    package var body: any AsyncSequence<Data, any Error> & Sendable

    package init(status: Int, headers: [String: String], body: any AsyncSequence<Data, any Error> & Sendable) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
}

/// Why a request got no response, or not all of it.
package enum TransportFailure: Error {
    /// No connection could be made.
    case unreachable(any Error)
    /// The server's certificate is not trusted or has another name.
    case certificate(any Error)
    /// The server speaks another protocol.
    case notHTTP(any Error)
    /// The connection ended before the response did.
    case lost(any Error)
    /// The server or the network did not answer in time.
    case timedOut
    /// The server did not open a WebSocket.
    case refused
    /// The file that was to be sent could not be read.
    case file(URL, any Error)
}
