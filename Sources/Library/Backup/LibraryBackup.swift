import Concurrency
package import Foundation
import GRDB
import Storage

/// The contents of a backup: the last file in it, `manifest.json`.
package struct BackupManifest: Hashable, Codable, Sendable {
    package var madeAt: Date
    /// The name of the last migration applied to the database.
    package var schema: String
    package var works: Int
    package var entries: Int
    package var files: [File]

    package struct File: Hashable, Codable, Sendable {
        /// `library.sqlite`, `photos/…` or `covers/…`; also `catalog.sqlite` if the backup includes it.
        package var name: String
        package var size: Int
        /// Hexadecimal.
        package var sha256: String
    }

    static let name = "manifest.json"
}

extension LibraryStore {
    /// Writes the whole library into one tar archive: the database at one moment (SQLite's online backup), photos,
    /// covers and a manifest with their hashes.
    ///
    /// The library may be used while the backup runs.
    ///
    /// The file is written completely or not at all; an older file of that name is replaced. Temporary files of backups to
    /// the same folder that were killed more than 24 hours ago are deleted.
    ///
    /// - Parameters:
    ///   - withCatalog: whether to include the imported catalog, if there is one. It can be imported again, and may be
    ///     larger than all the rest together; its copy takes space in the data directory while the backup runs.
    ///   - passphrase: encrypts the backup, in the format of age.
    ///   - temporary: where the file is written before it is moved to its place, on the same disk; replaced if it exists.
    ///     Nil for a new name beside the file.
    ///   - progress: called with the number of files done and their total number.
    /// - Throws: `StorageError`, `CancellationError`; nothing is left behind.
    @discardableResult
    package func backUp(
        to file: URL, withCatalog: Bool = false, passphrase: String? = nil, by temporary: URL? = nil,
        progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> BackupManifest {
        try await withTaskExecutorPreference(BlockingExecutor.background) {
            try await writeBackup(to: file, withCatalog: withCatalog, passphrase: passphrase, by: temporary, progress)
        }
    }

    private func writeBackup(
        to file: URL, withCatalog: Bool, passphrase: String?, by temporary: URL?,
        _ progress: @Sendable (Int, Int) -> Void
    ) async throws -> BackupManifest {
        if temporary == nil { LibraryFolder.removeLeftovers(ofBackupsBeside: file) }
        let temporary = temporary ?? LibraryFolder.temporary(forBackup: file)
        unlink(temporary.path)
        let copy = folder.url.appending(path: ".backup-\(UUID().uuidString).sqlite")
        let compact = folder.url.appending(path: ".backup-\(UUID().uuidString).sqlite")
        let catalogCopy = folder.url.appending(path: ".backup-\(UUID().uuidString).sqlite")
        defer {
            unlink(temporary.path)
            for copy in [copy, compact, catalogCopy] {
                for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy.path + suffix) }
            }
        }
        try refuseToReplaceLibrary(file)
        try await copyDatabase(pool, to: copy)
        try removeJobs(from: copy, into: compact)
        let hasCatalog = withCatalog && FileManager.default.fileExists(atPath: folder.catalog.path)
        if hasCatalog { try await copyCatalog(to: catalogCopy) }
        let manifest = try writeArchive(
            TarWriter(try ArchiveOutput(temporary, for: file, passphrase: passphrase)), database: compact,
            catalog: hasCatalog ? catalogCopy : nil, progress)
        try DurableFile.move(temporary, to: file)
        return manifest
    }

    /// Throws if `file` is part of the library itself; a backup in the data directory may be replaced.
    private func refuseToReplaceLibrary(_ file: URL) throws {
        func path(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
        guard path(file).hasPrefix(path(folder.url) + "/"), !["tar", "age"].contains(file.pathExtension),
            FileManager.default.fileExists(atPath: file.path)
        else { return }
        throw StorageError.file(
            file.path, reason: "This is a file of the library itself. Name another file for the backup.")
    }

    private func copyCatalog(to copy: URL) async throws {
        do {
            // Opened for writing because an import may have left a write-ahead log to replay; nothing is written.
            let catalog = try DatabaseQueue(path: folder.catalog.path)
            try await copyDatabase(catalog, to: copy)
            try catalog.close()
        } catch let error as DatabaseError {
            throw error.described(path: folder.catalog.path)
        }
    }

    /// Copies a copy of the library without its scan jobs: they expire, and their photos are not in the backup.
    private func removeJobs(from copy: URL, into compact: URL) throws {
        do {
            let database = try DatabaseQueue(path: copy.path)
            try database.write { db in
                for table in LibrarySchema.jobTables { try db.execute(sql: "DELETE FROM \(table)") }
            }
            // Deleted rows, also those that were deleted before, would still be in the file. In place, SQLite would need
            // a temporary file outside of the data folder.
            try database.vacuum(into: compact.path)
            try database.close()
        } catch let error as DatabaseError {
            throw error.described(path: copy.path)
        }
    }

    private func copyDatabase(_ source: some DatabaseReader, to copy: URL) async throws {
        do {
            let target = try DatabaseQueue(path: copy.path)
            try source.backup(to: target)
            // Leaves a single file: the copy inherits the write-ahead log mode of the original.
            try await target.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try target.close()
        } catch let error as DatabaseError {
            throw error.described(path: copy.path)
        }
    }

    private func writeArchive(
        _ tar: consuming TarWriter, database: URL, catalog: URL?, _ progress: @Sendable (Int, Int) -> Void
    ) throws -> BackupManifest {
        let (photos, covers, counts) = try DatabaseQueue(path: database.path).read { db in
            (
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT file FROM photo WHERE file IS NOT NULL
                        UNION SELECT picture FROM photo WHERE picture IS NOT NULL ORDER BY 1
                        """),
                try String.fetchAll(
                    db, sql: "SELECT DISTINCT cover FROM edition WHERE cover IS NOT NULL ORDER BY cover"),
                (
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM work") ?? 0,
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM entry") ?? 0
                )
            )
        }
        let pictures =
            photos.map { ("photos/\($0)", folder.photo($0)) }
            + covers.map { ("covers/\($0)", folder.cover($0)) }
        let databases = [("library.sqlite", database)] + (catalog.map { [("catalog.sqlite", $0)] } ?? [])
        let count = pictures.count + databases.count
        var manifest = BackupManifest(
            madeAt: clock(), schema: LibrarySchema.steps.last ?? "", works: counts.0, entries: counts.1, files: [])
        var gone: [String] = []
        func add(_ name: String, _ url: URL) throws {
            try Task.checkCancellation()
            let hash = try tar.add(name, file: url)
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
            manifest.files.append(BackupManifest.File(name: name, size: size, sha256: hash))
            progress(manifest.files.count + gone.count, count)
        }
        for (name, url) in pictures {
            // A photo may be cleaned up while the backup runs; the backup then lacks it, as the library does.
            if FileManager.default.fileExists(atPath: url.path) {
                try add(name, url)
            } else {
                gone.append(url.lastPathComponent)
            }
        }
        try clearReferences(to: gone, in: database)
        for (name, url) in databases { try add(name, url) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        _ = try tar.add(BackupManifest.name, Array(try encoder.encode(manifest)))
        try tar.finish()
        return manifest
    }

    /// Clears references to pictures that are not in the backup.
    private func clearReferences(to files: [String], in database: URL) throws {
        guard !files.isEmpty else { return }
        let now = clock().milliseconds
        try DatabaseQueue(path: database.path).write { db in
            let names = try StoredJSON.text(files)
            try db.execute(
                sql: """
                    UPDATE photo SET file = NULL, clearedAt = :now WHERE file IN (SELECT value FROM json_each(:names));
                    UPDATE photo SET picture = NULL WHERE picture IN (SELECT value FROM json_each(:names));
                    UPDATE edition SET cover = NULL WHERE cover IN (SELECT value FROM json_each(:names));
                    """, arguments: ["now": now, "names": names])
        }
    }
}
