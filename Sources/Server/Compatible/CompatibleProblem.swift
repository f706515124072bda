import ShelflistAPI

extension Problem {
    /// Path prefixes of the two older apps' protocols, including paths without a route.
    private static let compatible = ["/v3/", "/api/scan-bookshelf", "/scan/", "/search/advanced", "/feedback"]
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
}
