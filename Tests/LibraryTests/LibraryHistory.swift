import Foundation
import GRDB

@testable import Library

/// Changes databases behind the library's back.
enum LibraryHistory {
    /// The steps of the schema in their order.
    static var steps: [String] { LibrarySchema.steps }

    /// Makes a database as it was after `step`, with rows of that time.
    ///
    /// - Parameter rows: SQL.
    static func make(_ folder: LibraryFolder, upTo step: String, rows: String) throws {
        try folder.prepare()
        let queue = try DatabaseQueue(path: folder.database.path)
        try LibrarySchema.migrator.migrate(queue, upTo: step)
        try queue.write { try $0.execute(sql: rows) }
        try queue.close()
    }

    /// Adds a step that this version does not know.
    static func addUnknownStep(_ folder: LibraryFolder) throws {
        try force("INSERT INTO grdb_migrations VALUES ('99 of the future')", in: folder)
    }

    /// Runs a statement with the checks of the library's own connections.
    static func force(_ sql: String, in folder: LibraryFolder) throws {
        let queue = try DatabaseQueue(path: folder.database.path, configuration: LibraryStore.configuration)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }
}
