extension Optional {
    /// Transforms the value, if there is one.
    package func asyncMap<Result>(_ transform: (Wrapped) async throws -> Result) async rethrows -> Result? {
        if let self { try await transform(self) } else { nil }
    }
}
