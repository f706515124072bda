import Foundation
import GRDB

import Library

/// Changes databases without the library's code.
enum LibraryHistory {
    /// The names of the migrations, in order.
    static var steps: [String] { LibrarySchema.steps }

    /// Creates a database as it was after the last step, with rows of each step's time.
    ///
    /// - Parameter rows: SQL statements by step.
    static func make(_ folder: LibraryFolder, _ rows: [(step: String, sql: String)]) throws {
        try folder.prepare()
        let queue = try DatabaseQueue(path: folder.database.path)
        for (step, sql) in rows {
            try LibrarySchema.migrator(upTo: step).migrate(queue)
            try queue.write { try $0.execute(sql: sql) }
        }
        try queue.close()
    }

    /// Adds a migration that this version does not know.
    static func addUnknownStep(_ folder: LibraryFolder) throws {
        try force("INSERT INTO grdb_migrations VALUES ('99 of the future')", in: folder)
    }

    /// Runs a statement with the checks of the library's own connections.
    static func force(_ sql: String, in folder: LibraryFolder) throws {
        let queue = try DatabaseQueue(path: folder.database.path, configuration: LibraryStore.configuration())
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
