import ShelflistAPI

extension Problem {
    /// The addresses of the two older apps' protocols, also where they have no route.
    private static let compatible = ["/v3/", "/api/scan-bookshelf", "/scan/", "/search/advanced", "/feedback"]
    private static let standardWait = 5000

    /// As the client of this address reads it: the older apps look for `success`, and for how long to wait.
    func told(at path: String) -> Problem {
        guard Self.compatible.contains(where: path.hasPrefix) else { return self }
        var problem = self
        problem.success = false
        if retryable { problem.retryAfterMs = retryAfterMs ?? Self.standardWait }
        return problem
    }
}
