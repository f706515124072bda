import Foundation
import GRDB

/// Libraries as earlier versions of the schema had them, for the test that brings each up to date.
package enum LibraryHistory {
    /// The steps of the schema in their order.
    package static var steps: [String] { LibrarySchema.steps }

    /// Makes a database as it was after `step`, with rows of that time.
    ///
    /// - Parameter rows: SQL.
    package static func make(_ folder: LibraryFolder, upTo step: String, rows: String) throws {
        try folder.prepare()
        let queue = try DatabaseQueue(path: folder.database.path)
        try LibrarySchema.migrator.migrate(queue, upTo: step)
        try queue.write { try $0.execute(sql: rows) }
        try queue.close()
    }

    /// Notes a step that this version does not know.
    package static func addUnknownStep(_ folder: LibraryFolder) throws {
        let queue = try DatabaseQueue(path: folder.database.path)
        try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 of the future')") }
        try queue.close()
    }

    /// Runs a statement as a damaged program or a careless hand would.
    ///
    /// - Throws: what SQLite says, as text.
    package static func force(_ sql: String, in folder: LibraryFolder) throws {
        do {
            let queue = try DatabaseQueue(path: folder.database.path, configuration: LibraryStore.configuration)
            try queue.write { try $0.execute(sql: sql) }
            try queue.close()
        } catch let error as DatabaseError {
            throw LibraryError.notPossible(error.message ?? "")
        }
    }
}
