import Foundation
import GRDB

/// Keeps one reader per connection of a catalog's database, because preparing statements and filling caches again takes
/// longer than most searches.
///
/// `@unchecked Sendable`: a lock protects the dictionary, and a reader is used only within an access to its connection,
/// which the pool gives to one thread at a time.
final class CatalogReaders: @unchecked Sendable {
    private struct Known {
        var reader: CatalogReader
        /// SQLite's `data_version` for the connection, which changes when another connection commits.
        var version: Int?
    }

    private let source: String
    private let lock = NSLock()
    /// The readers by connection; they retain their connections, so that identities are not reused.
    private var known: [ObjectIdentifier: Known] = [:]

    /// - Parameter source: of the records.
    init(source: String) { self.source = source }

    /// Returns the connection's reader, or a new one if the catalog has changed.
    ///
    /// - Parameter db: a reading connection, within an access.
    func reader(for db: Database) throws -> CatalogReader {
        let version = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version"))
        if let known = lock.withLock({ known[ObjectIdentifier(db)] }), known.version == version { return known.reader }
        let reader = try CatalogReader(db, source: source)
        lock.withLock { known[ObjectIdentifier(db)] = Known(reader: reader, version: version) }
        return reader
    }
}
