import Foundation
import GRDB
import Storage

extension Catalog {
    /// Closes all connections, so that the file can be moved.
    ///
    /// - Throws: `DatabaseError`.
    package func close() throws { try database.close() }

    /// Closes this catalog and moves its file to `path`, in place of the catalog there.
    ///
    /// Searches that are running in the old catalog end as they began; `CatalogFile` opens the new one.
    ///
    /// - Returns: false if something was imported into the old catalog after its books were copied; nothing is changed
    ///   then.
    /// - Throws: `CatalogError.busy` while the old catalog is imported into; `StorageError`, `DatabaseError`.
    package func replace(_ path: String) throws -> Bool {
        let copied = try database.read { db in try CatalogSchema.value(db, CatalogSchema.copiedGenerationKey) }
        guard FileManager.default.fileExists(atPath: path) else {
            guard copied == nil else { return false }
            try moveFile(to: path)
            return true
        }
        do {
            return try Self.locked(path) { db in
                guard try CatalogSchema.generation(db) == copied else { return false }
                // What the log still holds belongs to the old file. Processes that have it open keep it.
                for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
                try moveFile(to: path)
                return true
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw CatalogError.busy(path: path)
        }
    }

    /// Runs `body` while no other process can write to the catalog at `path`.
    private static func locked<Result>(_ path: String, _ body: (Database) throws -> Result) throws -> Result {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let result = try queue.write(body)
        try queue.close()
        return result
    }

    private func moveFile(to destination: String) throws {
        try database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try close()
        try DurableFile.sync(URL(filePath: path).absoluteURL)
        try DurableFile.move(
            URL(filePath: path).absoluteURL, to: URL(filePath: destination).absoluteURL)
        // Nothing is left of them unless another connection was open.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }
}
