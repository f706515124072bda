import Foundation
import GRDB

extension Catalog {
    /// Imports dumps while they are downloaded, then copies the books of other formats from `previous` and builds the
    /// index.
    ///
    /// Blocks until done, and uses three threads. Resumes an import that was stopped. Ends at the first file that
    /// fails, without an index; the failure is in the report.
    ///
    /// - Parameters:
    ///   - dumps: with a filter, editions have to be first, then works, then authors.
    ///   - previous: the catalog that this one will replace; nil if there is none.
    ///   - shouldStop, progress: as for `importFiles`.
    /// - Throws: as `importFiles`.
    package func importDumps(
        _ dumps: [ImportFile], keeping filter: EditionFilter, previous: String?,
        shouldStop: @escaping @Sendable () -> Bool, progress: (ImportProgress) -> Void
    ) throws -> ImportReport {
        try withImport(shouldStop: shouldStop) { session in
            try session.run(dumps, keeping: filter, previous: previous, progress: progress)
        }
    }

    /// The text that was stored with the catalog under this name.
    package func note(_ name: String) throws -> String? {
        try database.read { db in try CatalogSchema.value(db, "note " + name) }
    }

    /// Stores a text with the catalog; it is kept until the catalog is replaced or deleted.
    package func setNote(_ name: String, _ text: String) throws {
        try database.write { db in try CatalogSchema.set(db, "note " + name, text) }
    }
}

extension CatalogSchema {
    /// The key of the generation of the catalog whose books were copied.
    static let copiedGenerationKey = "copied generation"

    /// Copies the rows that are not Open Library's from another catalog into this one.
    ///
    /// - Returns: the generation of the other catalog, which changes with each import.
    static func copyOtherBooks(from path: String, into database: any DatabaseWriter) throws -> String {
        // Opening it creates missing tables, and fails for a file that is not a catalog.
        try Catalog(existingAt: path).close()
        return try database.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH DATABASE ? AS previous", arguments: [path])
            defer {
                // Fails only while a statement is running, which ends with this access.
                try? db.execute(sql: "DETACH DATABASE previous")
            }
            var generation = ""
            try db.inTransaction {
                for table in ["author", "work", "edition"] {
                    try db.execute(
                        sql: "INSERT OR IGNORE INTO main.\(table) SELECT * FROM previous.\(table) WHERE id >= ?",
                        arguments: [Identity.hashed])
                }
                try db.execute(
                    sql: "INSERT OR IGNORE INTO main.other_isbn SELECT * FROM previous.other_isbn WHERE edition >= ?",
                    arguments: [Identity.hashed])
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO main.file
                        SELECT NULL, fingerprint, path, format, size, offset, line, rows, skipped, is_complete, imported_at
                        FROM previous.file WHERE format <> ?
                        """, arguments: [ImportFormat.openLibrary.rawValue])
                generation = try self.generation(db, schema: "previous")
                return .commit
            }
            return generation
        }
    }

    /// Changes with each import into the catalog.
    static func generation(_ db: Database, schema: String = "main") throws -> String {
        try String.fetchOne(
            db,
            sql: """
                SELECT coalesce((SELECT value FROM \(schema).state WHERE key = 'generation'), '0') || ' '
                    || (SELECT coalesce(sum(rows), 0) || ' ' || count(*) FROM \(schema).file)
                """) ?? ""
    }
}
