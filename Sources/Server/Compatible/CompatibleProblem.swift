import Foundation
import ShelflistAPI

extension Problem {
    /// Path prefixes of the two older apps' protocols, including paths without a route.
    private static let compatible = ["/v3/", "/api/scan-bookshelf", "/scan/", "/search/", "/feedback", "/v1/"]
    /// Milliseconds.
    private static let standardWait = 5000

    /// Returns the problem in the form that clients of `path` expect: the older apps require `success` and
    /// `retryAfterMs`.
    func adapted(toPath path: String) -> Problem {
        guard Self.compatible.contains(where: path.hasPrefix) else { return self }
        var problem = self
        problem.success = false
        if retryable { problem.retryAfterMs = retryAfterMs ?? Self.standardWait }
        return problem
    }

    /// Path prefixes of BooksTracker, which decodes errors from an envelope.
    private static let enveloped = [
        "/api/scan-bookshelf", "/scan/", "/search/", "/feedback", "/v1/jobs/", "/v1/search/",
    ]

    /// Returns the problem as JSON for clients of `path`.
    func json(forPath path: String) throws -> Data {
        guard Self.enveloped.contains(where: path.hasPrefix) else { return try WireJSON.encode(self) }
        return try WireJSON.encode(EnvelopedProblem(problem: self))
    }
}

/// A problem with the fields in which BooksTracker looks for it.
private struct EnvelopedProblem: Encodable {
    let problem: Problem

    private struct Details: Encodable {
        /// Seconds.
        var retryAfter: Int
        var retryAfterMs: Int
    }

    private struct Failure: Encodable {
        var code: String
        var message: String
        var statusCode: Int
        var retryable: Bool
        var details: Details?
    }

    private enum CodingKeys: String, CodingKey { case error, metadata }

    func encode(to encoder: any Encoder) throws {
        try problem.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        let details = problem.retryAfterMs.map { Details(retryAfter: max(1, ($0 + 999) / 1000), retryAfterMs: $0) }
        try fields.encode(
            Failure(
                code: problem.code.uppercased(), message: problem.detail, statusCode: problem.status,
                retryable: problem.retryable, details: details), forKey: .error)
        try fields.encode(Envelope<[String]>.Metadata(), forKey: .metadata)
    }
}
