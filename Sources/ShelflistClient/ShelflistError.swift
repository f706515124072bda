public import Foundation
public import ShelflistAPI

/// Why something did not work: a category for programs, and two sentences for people.
///
/// ```swift
/// do {
///     try await client.review.verify(item.id)
/// } catch where error.category == .signInNeeded {
///     showSignIn()
/// } catch {
///     show(error.message, error.recovery)
/// }
/// ```
///
/// ```swift
/// show(error.errorDescription, error.isRetryable, error.retryAfter)
/// show(error.description, error.problem?.code, error.cause)
/// ```
public struct ShelflistError: Error, Sendable {
    /// What kind of thing is wrong.
    ///
    /// ```swift
    /// switch error.category {
    /// case .unreachable, .timedOut, .busy, .server: show("Try again", error.retryAfter)
    /// case .signInNeeded: showSignIn()
    /// case .certificate, .notAServer, .version: show("Check the address")
    /// case .conflict, .notFound: show("Load it again")
    /// case .notAllowed, .invalid, .tooLarge, .scanFailed, .file: show(error.message, error.recovery)
    /// case .cancelled: break
    /// }
    /// ```
    public enum Category: String, CaseIterable, Sendable {
        /// No connection to the server could be made, or it was lost.
        case unreachable
        /// The server did not answer in time.
        case timedOut
        /// The server's certificate is not trusted, or it is another server's.
        case certificate
        /// Something else than a Shelflist server is at the address.
        case notAServer
        /// The server is too old or too new for this client.
        case version
        /// The token is missing, or it was revoked.
        case signInNeeded
        /// The token does not permit this.
        case notAllowed
        /// The item does not exist, or it belongs to another member.
        case notFound
        /// Another change was made since the item was loaded, or its state does not permit this.
        case conflict
        /// A value that was sent is not valid.
        case invalid
        /// A photo or a list exceeds a limit, which is `limit` of `problem`.
        case tooLarge
        /// The server asks to wait: see `retryAfter`.
        case busy
        /// The server failed.
        case server
        /// The photos of a scan could not be read.
        case scanFailed
        /// A file on this device cannot be read or written.
        case file
        /// The task was cancelled, or the scan was.
        case cancelled
    }

    /// For programs.
    public var category: Category
    /// One sentence: what is wrong with which thing.
    public var message: String
    /// One sentence: what to do.
    public var recovery: String
    /// How long the server asks to wait before the next attempt.
    public var retryAfter: Duration?
    /// The server's answer, if the error is one.
    public var problem: Problem?
    /// The error below this one.
    public var cause: (any Error)?

    package init(
        _ category: Category, _ message: String, _ recovery: String, retryAfter: Duration? = nil,
        problem: Problem? = nil, cause: (any Error)? = nil
    ) {
        (self.category, self.message, self.recovery) = (category, message, recovery)
        (self.retryAfter, self.problem, self.cause) = (retryAfter, problem, cause)
    }

    /// Whether the same request may succeed later.
    public var isRetryable: Bool {
        switch category {
        case .unreachable, .timedOut, .busy: true
        case .server: problem?.retryable ?? true
        default: problem?.retryable ?? false
        }
    }
}

extension ShelflistError: LocalizedError, ReportedError {
    /// Message and recovery.
    public var description: String { recovery.isEmpty ? message : "\(message) \(recovery)" }
    /// The message.
    public var errorDescription: String? { message }
    package var problemCode: String { problem?.code ?? category.rawValue }
    package var limit: Int? { problem?.limit }
    package var field: String? { problem?.field }
}

extension ShelflistError {
    /// Converts an error of the transport or of decoding.
    ///
    /// - Parameter host: the server's name, for the message.
    init(_ error: any Error, host: String) {
        switch error {
        case let error as ShelflistError: self = error
        case let problem as Problem: self.init(problem)
        case is CancellationError: self = .cancelled
        case let failure as TransportFailure: self.init(failure, host: host)
        case is DecodingError:
            self.init(
                .version, "The answer of \(host) has another form than expected.", "Update the app or the server.",
                cause: error)
        default:
            self.init(.unreachable, "The connection to \(host) failed.", Self.checkNetwork, cause: error)
        }
    }

    private init(_ failure: TransportFailure, host: String) {
        switch failure {
        case .unreachable(let cause):
            self.init(.unreachable, "Cannot connect to \(host).", Self.checkNetwork, cause: cause)
        case .certificate(let cause):
            self.init(
                .certificate, "The certificate of \(host) is not trusted.",
                "Check the address, and install the server's own certificate if it has one.", cause: cause)
        case .notHTTP(let cause):
            self.init(
                .notAServer, "\(host) does not answer as a Shelflist server.",
                "Check the address, its port, and whether it starts with http or https.", cause: cause)
        case .lost(let cause):
            self.init(
                .unreachable, "The connection to \(host) was lost.", "Try again when the network is stable.",
                cause: cause)
        case .timedOut:
            self.init(.timedOut, "\(host) did not answer in time.", Self.checkNetwork)
        case .refused:
            self.init(.unreachable, "\(host) did not open a WebSocket.", "Check the settings of its proxy.")
        case .file(let url, let cause):
            self.init(
                .file, "Could not read '\(url.lastPathComponent)'.", "Check that the file exists and is readable.",
                cause: cause)
        }
    }

    private static let checkNetwork = "Check the network, and whether the server is running."

    static let cancelled = ShelflistError(.cancelled, "The request was cancelled.", "Start it again.")

    static func notAServer(_ host: String) -> ShelflistError {
        ShelflistError(.notAServer, "\(host) is not a Shelflist server.", "Check the address and its port.")
    }

    /// Converts a problem document.
    ///
    /// - Parameter wait: from the header `Retry-After`.
    package init(_ problem: Problem, retryAfter wait: Duration? = nil) {
        let (message, recovery) = problem.sentences
        self.init(
            Self.category(of: problem), message, recovery,
            retryAfter: problem.retryAfterMs.map { .milliseconds($0) } ?? wait, problem: problem)
    }

    private static func category(of problem: Problem) -> Category {
        switch (problem.status, problem.code) {
        case (401, _), (_, "setup_needed"): .signInNeeded
        case (403, _): .notAllowed
        case (404, _), (410, _): .notFound
        case (409, _), (412, _), (428, _): .conflict
        case (413, _), (431, _): .tooLarge
        case (429, _), (503, _): .busy
        case (400..<500, _): .invalid
        default: .server
        }
    }
}
