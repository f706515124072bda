package import Foundation
import GRDB

/// What a backup holds; the last file in it, `manifest.json`.
package struct BackupManifest: Hashable, Codable, Sendable {
    package var madeAt: Date
    /// The last step of the database's schema.
    package var schema: String
    package var works: Int
    package var entries: Int
    package var files: [File]

    package struct File: Hashable, Codable, Sendable {
        /// `library.sqlite`, `photos/…`, `covers/…`; `catalog.sqlite` where it was asked for.
        package var name: String
        package var size: Int
        /// In hexadecimal.
        package var sha256: String
    }

    static let name = "manifest.json"
}

extension LibraryStore {
    /// Writes the whole library into one file while it may go on being used: the database as of one moment (SQLite's
    /// online backup), photos, covers and a manifest with their hashes, as a tar archive.
    ///
    /// The file is there whole or not at all; an older one of that name is replaced.
    ///
    /// - Parameters:
    ///   - withCatalog: the imported catalog too, if there is one. It can be imported again, and may be larger than all the
    ///     rest together; a copy of it needs room in the data directory meanwhile.
    ///   - progress: told how many files are done, of how many.
    /// - Throws: `LibraryError.diskFull`, `.file`, `CancellationError`; nothing is left behind.
    @discardableResult
    package func backUp(
        to file: URL, withCatalog: Bool = false, progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) async throws -> BackupManifest {
        let temporary = file.deletingLastPathComponent().appending(path: ".\(UUID().uuidString).tmp")
        let copy = folder.url.appending(path: ".backup-\(UUID().uuidString).sqlite")
        let catalogCopy = folder.url.appending(path: ".backup-\(UUID().uuidString).sqlite")
        defer {
            unlink(temporary.path)
            for copy in [copy, catalogCopy] {
                for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy.path + suffix) }
            }
        }
        try refuseToReplaceLibrary(file)
        try await copyDatabase(pool, to: copy)
        let hasCatalog = withCatalog && FileManager.default.fileExists(atPath: folder.catalog.path)
        if hasCatalog { try await copyCatalog(to: catalogCopy) }
        let manifest = try writeArchive(
            try TarWriter(temporary, for: file), database: copy, catalog: hasCatalog ? catalogCopy : nil, progress)
        guard Foundation.rename(temporary.path, file.path) == 0 else { throw DurableFile.failure(errno, file) }
        DurableFile.syncFolder(file.deletingLastPathComponent())
        return manifest
    }

    /// A backup may replace a backup in the data directory, but nothing of the library's own.
    private func refuseToReplaceLibrary(_ file: URL) throws {
        func path(_ url: URL) -> String { url.standardizedFileURL.resolvingSymlinksInPath().path }
        guard path(file).hasPrefix(path(folder.url) + "/"), file.pathExtension != "tar",
            FileManager.default.fileExists(atPath: file.path)
        else { return }
        throw LibraryError.file(
            file.path, reason: "This is a file of the library itself. Name another file for the backup.")
    }

    private func copyCatalog(to copy: URL) async throws {
        do {
            // Opened for writing because an import may have left a log to be read; nothing is written.
            let catalog = try DatabaseQueue(path: folder.catalog.path)
            try await copyDatabase(catalog, to: copy)
            try catalog.close()
        } catch let error as DatabaseError {
            throw LibraryError(error, path: folder.catalog.path)
        }
    }

    private func copyDatabase(_ source: some DatabaseReader, to copy: URL) async throws {
        do {
            let target = try DatabaseQueue(path: copy.path)
            try source.backup(to: target)
            // One file, without the write-ahead log of the original's mode.
            try await target.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
            try target.close()
        } catch let error as DatabaseError {
            throw LibraryError(error, path: copy.path)
        }
    }

    private func writeArchive(
        _ tar: consuming TarWriter, database: URL, catalog: URL?, _ progress: @Sendable (Int, Int) -> Void
    ) throws -> BackupManifest {
        let (photos, covers, counts) = try DatabaseQueue(path: database.path).read { db in
            (
                try String.fetchAll(db, sql: "SELECT file FROM photo WHERE file IS NOT NULL ORDER BY file"),
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
            + covers.map { ("covers/\($0)", folder.covers.appending(path: $0)) }
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
            // A photo may be cleaned up while the backup runs; the backup is then without it, as the library is.
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

    /// Nothing in a backup refers to a picture that is not in it.
    private func clearReferences(to files: [String], in database: URL) throws {
        guard !files.isEmpty else { return }
        let now = clock().milliseconds
        try DatabaseQueue(path: database.path).write { db in
            let names = try JSONColumn.text(files)
            try db.execute(
                sql: """
                    UPDATE photo SET file = NULL, clearedAt = :now WHERE file IN (SELECT value FROM json_each(:names));
                    UPDATE edition SET cover = NULL WHERE cover IN (SELECT value FROM json_each(:names));
                    """, arguments: ["now": now, "names": names])
        }
    }
}
