extension Sequence where Self: Sendable, Element: Sendable {
    /// Runs `operation` for each element, at most `limit` at a time, starting in the sequence's order.
    ///
    /// - Throws: the first error thrown; the operations still running are cancelled and awaited.
    package func forEach(
        maxConcurrent limit: Int, _ operation: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var running = 0
            for element in self {
                if running >= limit {
                    try await group.next()
                    running -= 1
                }
                group.addTask { try await operation(element) }
                running += 1
            }
            try await group.waitForAll()
        }
    }

    /// Transforms each element, at most `limit` at a time, and returns the results in the sequence's order.
    ///
    /// - Throws: the first error thrown; the operations still running are cancelled and awaited.
    package func map<Value: Sendable>(
        maxConcurrent limit: Int, _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var values: [Value?] = []
            var running = 0
            for (index, element) in self.enumerated() {
                values.append(nil)
                if running >= limit, let (done, value) = try await group.next() {
                    values[done] = value
                    running -= 1
                }
                group.addTask { (index, try await transform(element)) }
                running += 1
            }
            for try await (done, value) in group { values[done] = value }
            return values.compactMap(\.self)
        }
    }
}
