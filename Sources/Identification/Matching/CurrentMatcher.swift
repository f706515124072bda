import Synchronization

/// The matcher over a catalog as it is now: what it remembers of the catalog's words is forgotten where these change.
final class CurrentMatcher: Sendable {
    private let catalog: @Sendable () throws -> BookIdentifier.KnownCatalog?
    private let known = Mutex<(state: String, matcher: SpineMatcher)?>(nil)

    init(_ catalog: @escaping @Sendable () throws -> BookIdentifier.KnownCatalog?) {
        self.catalog = catalog
        // Begins reading the catalog ahead; whoever identifies a photo is told what is wrong with it.
        _ = try? get()
    }

    /// Nil without a catalog.
    ///
    /// - Throws: errors of the catalog.
    func get() throws -> SpineMatcher? {
        guard let (search, state) = try catalog() else {
            known.withLock { $0 = nil }
            return nil
        }
        return try known.withLock { known in
            if let known, known.state == state { return known.matcher }
            let matcher = try SpineMatcher(catalog: search)
            known = (state, matcher)
            return matcher
        }
    }
}
