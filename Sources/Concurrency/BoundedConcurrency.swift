extension Collection where Self: Sendable, Element: Sendable {
    /// Runs `operation` for each element, at most `limit` at a time, starting in the collection's order.
    ///
    /// Once the calling task is cancelled, no further operation starts.
    package func forEach(
        maxConcurrent limit: Int, _ operation: @escaping @Sendable (Element) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for (started, element) in enumerated() {
                if started >= limit { await group.next() }
                if Task.isCancelled { return }
                group.addTask { await operation(element) }
            }
        }
    }

    /// Transforms each element, at most `limit` at a time, and returns the results in the collection's order.
    ///
    /// - Parameter onProgress: receives the number of finished transforms after each.
    /// - Throws: the first error thrown, or `CancellationError`; transforms still running are cancelled and awaited.
    package func map<Value: Sendable>(
        maxConcurrent limit: Int, onProgress: (Int) -> Void = { _ in },
        _ transform: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            var waiting = enumerated().makeIterator()
            func startNext() {
                guard let (index, element) = waiting.next() else { return }
                group.addTask { (index, try await transform(element)) }
            }
            for _ in 0..<limit { startNext() }
            var values = [Value?](repeating: nil, count: count)
            var finished = 0
            while let (index, value) = try await group.next() {
                try Task.checkCancellation()
                startNext()
                values[index] = value
                finished += 1
                onProgress(finished)
            }
            return values.compactMap(\.self)
        }
    }
}
