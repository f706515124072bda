import Foundation
import GRDB

/// A reader for each connection of a catalog's database: preparing its statements again, and looking up again what the search
/// before has looked up, takes longer than many a search.
///
/// `@unchecked`: the dictionary has a lock, and a reader is only used within an access to its connection, which the pool
/// gives to one thread at a time.
final class CatalogReaders: @unchecked Sendable {
    private struct Known {
        var reader: CatalogReader
        /// SQLite's number for the state that a connection sees; it changes when another connection commits.
        var version: Int?
    }

    private let lock = NSLock()
    /// A reader holds on to its connection, so no other connection gets the same identity.
    private var known: [ObjectIdentifier: Known] = [:]

    /// The connection's reader, a new one where the catalog has changed.
    ///
    /// - Parameter db: a connection that reads, within an access.
    func reader(for db: Database) throws -> CatalogReader {
        let version = try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version"))
        if let known = lock.withLock({ known[ObjectIdentifier(db)] }), known.version == version { return known.reader }
        let reader = try CatalogReader(db)
        lock.withLock { known[ObjectIdentifier(db)] = Known(reader: reader, version: version) }
        return reader
    }
}
