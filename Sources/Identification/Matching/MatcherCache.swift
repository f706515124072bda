import Bibliography
import Synchronization

/// The matcher of the current catalog, with what it has cached of the catalog's words.
///
/// Replaced when the catalog's contents change.
final class MatcherCache: Sendable {
    private let catalog: @Sendable () throws -> CatalogSnapshot?
    private let threads: Int
    private let kept = Mutex<(version: String, matcher: SpineMatcher)?>(nil)

    /// - Parameters:
    ///   - catalog: returns the catalog as it is now.
    ///   - threads: of the processor, for each photo.
    init(_ catalog: @escaping @Sendable () throws -> CatalogSnapshot?, threads: Int) {
        (self.catalog, self.threads) = (catalog, threads)
    }

    /// Returns the matcher, and the catalog that it asks; nil without a catalog.
    ///
    /// - Throws: errors of the catalog.
    func current() throws -> (matcher: SpineMatcher, snapshot: CatalogSnapshot)? {
        guard let snapshot = try catalog() else {
            kept.withLock { $0 = nil }
            return nil
        }
        if let (version, matcher) = kept.withLock({ $0 }), version == snapshot.version {
            return (matcher, snapshot)
        }
        // Built without the lock, because it reads from the catalog. Of two built at once, the later is kept.
        let matcher = try SpineMatcher(catalog: snapshot.search, threads: threads)
        kept.withLock { $0 = (snapshot.version, matcher) }
        return (matcher, snapshot)
    }
}
