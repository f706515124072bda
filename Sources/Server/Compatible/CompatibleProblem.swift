import ShelflistAPI

extension Problem {
    /// The addresses of the two older apps' protocols, also where they have no route.
    private static let compatible = ["/v3/", "/api/scan-bookshelf", "/scan/", "/search/advanced", "/feedback"]
    private static let standardWait = 5000

    /// The problem in the form that clients of this path read: the older apps need `success` and how long to wait.
    func adapted(toPath path: String) -> Problem {
        guard Self.compatible.contains(where: path.hasPrefix) else { return self }
        var problem = self
        problem.success = false
        if retryable { problem.retryAfterMs = retryAfterMs ?? Self.standardWait }
        return problem
    }
}
