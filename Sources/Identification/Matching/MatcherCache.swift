import Bibliography
import Synchronization

/// The matcher of the current catalog, with what it has cached of the catalog's words.
///
/// Replaced when the catalog's contents change.
final class MatcherCache: Sendable {
    private let catalog: @Sendable () throws -> CatalogSnapshot?
    private let current = Mutex<(version: String, matcher: SpineMatcher)?>(nil)

    /// - Parameter catalog: returns the catalog as it is now.
    init(_ catalog: @escaping @Sendable () throws -> CatalogSnapshot?) { self.catalog = catalog }

    /// Returns nil without a catalog.
    ///
    /// - Throws: errors of the catalog.
    func matcher() throws -> SpineMatcher? {
        guard let snapshot = try catalog() else {
            current.withLock { $0 = nil }
            return nil
        }
        if let (version, matcher) = current.withLock({ $0 }), version == snapshot.version { return matcher }
        // Built without the lock, because it reads from the catalog. Of two built at once, the later is kept.
        let matcher = try SpineMatcher(catalog: snapshot.search)
        current.withLock { $0 = (snapshot.version, matcher) }
        return matcher
    }
}
