import Crypto
package import Foundation
import GRDB
import Storage

/// What a restore has put in place.
package struct RestoredBackup: Hashable, Sendable {
    package var manifest: BackupManifest
    /// Whether the archive was encrypted.
    package var isEncrypted: Bool
}

extension LibraryStore {
    /// Replaces the library in `folder` by a backup.
    ///
    /// Everything is unpacked beside the old data and verified (hashes, database integrity, schema) first, and the scan
    /// jobs of the folder are copied, because backups have none. Then the old data is moved aside, the new data is moved
    /// in, and the old data is deleted. If that is interrupted, the next opening completes it, with the new data if all of
    /// it is in place, otherwise with the old.
    ///
    /// - Parameter passphrase: of an encrypted backup; with one, no other backup is accepted.
    /// - Throws: `LibraryError.damaged`, `.newerSchema`, `.inUse` while another process has the library open;
    ///   `StorageError`, also without the right passphrase.
    @discardableResult
    package static func restore(
        _ backup: URL, to folder: LibraryFolder, passphrase: String? = nil,
        progress: @Sendable (Int, Int) -> Void = { _, _ in }
    ) throws -> RestoredBackup {
        try folder.prepare()
        try finishRestore(in: folder)
        let lock = try folder.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        let staging = folder.url.appending(path: ".restore-\(UUID().uuidString)", directoryHint: .isDirectory)
        let unpacked = LibraryFolder(staging)
        defer { removeFolder(staging) }
        try unpacked.prepare()
        let archive = try TarReader(backup, passphrase: passphrase)
        let isEncrypted = archive.isEncrypted
        let found = try unpack(archive, backup, to: unpacked)
        let manifest = try verify(found, in: backup, progress)
        try verifyDatabase(unpacked.database, in: backup)
        let losesJobs = try takeOverJobs(of: folder, to: unpacked)
        // If the backup has no catalog, the current one is kept.
        let hasCatalog = found.files["catalog.sqlite"] != nil
        func exchange() throws {
            try Self.exchange(folder, with: unpacked, hasCatalog ? parts + catalogParts : parts)
        }
        try losesJobs ? settingPhotosAside(in: folder, exchange) : exchange()
        try giveToOwner(folder.url)
        return RestoredBackup(manifest: manifest, isEncrypted: isEncrypted)
    }

    /// Gives what root has written to the owner of the folder, for example the user of a service, who could not open
    /// it otherwise.
    ///
    /// - Throws: `StorageError` naming the first file that cannot be given away.
    static func giveToOwner(_ folder: URL) throws {
        guard geteuid() == 0 else { return }
        func status(_ url: URL) throws -> stat {
            var status = stat()
            guard lstat(url.path, &status) == 0 else { throw StorageError(errno, writing: url) }
            return status
        }
        let owner = try status(folder)
        guard owner.st_uid != 0 else { return }
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard try status(file).st_uid == 0 else { continue }
            guard lchown(file.path, owner.st_uid, owner.st_gid) == 0 else { throw StorageError(errno, writing: file) }
        }
    }

    private struct Unpacked {
        var manifest: [UInt8]?
        var files: [String: BackupManifest.File] = [:]
    }

    /// Writes the files of the archive, and accepts only names that a backup can contain.
    private static func unpack(
        _ archive: consuming TarReader, _ backup: URL, to folder: LibraryFolder
    ) throws -> Unpacked {
        var found = Unpacked()
        try archive.forEach { name, size, read in
            if name == BackupManifest.name {
                guard size < 100_000_000 else { throw damaged(backup, "its manifest is too large") }
                found.manifest = []
                while case let piece = try read(), !piece.isEmpty { found.manifest? += piece }
                return
            }
            guard isKnown(name), found.files[name] == nil else { throw damaged(backup, "it holds “\(name)”") }
            let hash = try write(folder.url.appending(path: name), read)
            found.files[name] = BackupManifest.File(name: name, size: size, sha256: hash)
        }
        return found
    }

    /// Returns whether the name is `library.sqlite`, `catalog.sqlite`, or a plain file name below `photos` or
    /// `covers`, so that no file is written outside the folder.
    private static func isKnown(_ name: String) -> Bool {
        if ["library.sqlite", "catalog.sqlite"].contains(name) { return true }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && ["photos", "covers"].contains(parts[0]) && PictureName.isValid(String(parts[1]))
    }

    /// - Returns: the hash of the data written and synced.
    private static func write(_ url: URL, _ read: () throws -> [UInt8]) throws -> String {
        let file = try NewFile(url, for: url)
        var hash = SHA256()
        while case let piece = try read(), !piece.isEmpty {
            hash.update(data: piece)
            try file.write(piece)
        }
        try file.sync()
        return hash.finalize().hex
    }

    private static func verify(
        _ found: Unpacked, in backup: URL, _ progress: @Sendable (Int, Int) -> Void
    ) throws -> BackupManifest {
        guard let bytes = found.manifest else { throw damaged(backup, "it has no manifest; perhaps it was cut short") }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let manifest: BackupManifest
        do {
            manifest = try decoder.decode(BackupManifest.self, from: Data(bytes))
        } catch {
            throw damaged(backup, "its manifest cannot be read")
        }
        guard manifest.files.contains(where: { $0.name == "library.sqlite" }) else {
            throw damaged(backup, "it does not contain a library")
        }
        guard LibrarySchema.steps.contains(manifest.schema) else { throw LibraryError.newerSchema(backup.path) }
        for (index, file) in manifest.files.enumerated() {
            guard found.files[file.name] == file else {
                throw damaged(backup, "“\(file.name)” does not match its hash in the manifest")
            }
            progress(index + 1, manifest.files.count)
        }
        guard manifest.files.count == found.files.count else {
            throw damaged(backup, "it contains files that its manifest does not list")
        }
        return manifest
    }

    private static func verifyDatabase(_ database: URL, in backup: URL) throws {
        do {
            let queue = try DatabaseQueue(path: database.path)
            try queue.read { db in
                if try LibrarySchema.migrator.hasBeenSuperseded(db) { throw LibraryError.newerSchema(backup.path) }
                // Before any row is read: computed columns and conditions of others run for each.
                if let difference = try difference(inSchemaOf: db) { throw damaged(backup, difference) }
                guard try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok",
                    try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") == nil
                else { throw damaged(backup, "its database is damaged") }
                if let name = try invalidPictureName(db) {
                    throw damaged(backup, "its database names a picture “\(name)”")
                }
                if let table = try LibraryNumbers.tableBeyondLimit(db) {
                    throw damaged(backup, "its table “\(table)” has a row with a number beyond \(LibraryNumbers.limit)")
                }
            }
            try queue.close()
        } catch is DatabaseError {
            throw damaged(backup, "its database cannot be read")
        }
    }

    /// Gives the new library the scan jobs of the old one, whose photos stay where they are, and none of the backup's,
    /// whose rows may name any folder.
    ///
    /// - Returns: whether there are photos of jobs that cannot be read.
    private static func takeOverJobs(of folder: LibraryFolder, to new: LibraryFolder) throws -> Bool {
        let queue: DatabaseQueue
        do {
            queue = try DatabaseQueue(path: new.database.path)
            try LibrarySchema.migrator.migrate(queue)
            try queue.write { db in
                try LibrarySchema.replaceTriggers(db)
                for table in LibrarySchema.jobTables { try db.execute(sql: "DELETE FROM \(table)") }
                try LibraryNumbers.makeUsable(db)
            }
        } catch let error as DatabaseError {
            throw error.described(path: new.database.path)
        }
        defer { try? queue.close() }  // It fails only while a statement runs.
        guard FileManager.default.fileExists(atPath: folder.database.path) else { return hasPhotos(jobs(in: folder)) }
        do {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "ATTACH ? AS old", arguments: [folder.database.path])
                try db.inTransaction {
                    for table in LibrarySchema.jobTables.reversed() { try db.copyRows(of: table, from: "old") }
                    return .commit
                }
                try db.execute(sql: "DETACH old")
            }
            return false
        } catch let error as DatabaseError where damages.contains(error.resultCode.primaryResultCode) {
            return hasPhotos(jobs(in: folder))
        } catch let error as DatabaseError {
            throw error.described(path: folder.database.path)
        }
    }

    /// How SQLite reports a library that is damaged, or of another version.
    private static let damages: [ResultCode] = [
        .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_IOERR,
    ]

    private static func hasPhotos(_ jobs: URL) -> Bool {
        // A folder that cannot be listed has none that a server could read.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: jobs.path)) ?? []
        return names.contains { $0 != "incoming" }
    }

    private static func jobs(in folder: LibraryFolder) -> URL {
        folder.url.appending(path: "jobs", directoryHint: .isDirectory)
    }

    /// Runs `body` with the photos of jobs moved aside, because a server deletes those that no job refers to; they are
    /// moved back if it fails.
    private static func settingPhotosAside(in folder: LibraryFolder, _ body: () throws -> Void) throws {
        let aside = folder.url.appending(path: "jobs-before-restore-\(UUID().uuidString.lowercased())")
        guard Foundation.rename(jobs(in: folder).path, aside.path) == 0 else {
            throw StorageError(errno, writing: aside)
        }
        do {
            try body()
        } catch {
            // The old library is in place again, unless the exchange failed after its last step.
            if !FileManager.default.fileExists(atPath: Self.aside(folder).path) {
                Foundation.rename(aside.path, jobs(in: folder).path)
            }
            throw error
        }
    }

    /// Returns what is wrong with the schema, as the end of a sentence; nil if it is that of the backup's version.
    private static func difference(inSchemaOf db: Database) throws -> String? {
        let own = try DatabaseQueue()
        if let step = try LibrarySchema.migrator.completedMigrations(db).last {
            try LibrarySchema.migrator(upTo: step).migrate(own)
        }
        return try SchemaObject.difference(of: db, from: own)
    }

    /// Returns a name of a picture that the library does not give, or `nil`.
    private static func invalidPictureName(_ db: Database) throws -> String? {
        for (table, column) in [("photo", "file"), ("photo", "picture"), ("edition", "cover")] {
            let names = try String.fetchAll(
                db, sql: "SELECT DISTINCT \(column) FROM \(table) WHERE \(column) IS NOT NULL")
            if let name = names.first(where: { !PictureName.isValid($0) }) { return name }
        }
        return nil
    }

    /// The old files are moved aside in this order and the new ones are moved in in the reverse order, so the database
    /// is in place only once everything else is.
    private static let parts = ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "photos", "covers"]
    private static let catalogParts = ["catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"]

    private static func aside(_ folder: LibraryFolder) -> URL {
        folder.url.appending(path: "before-restore", directoryHint: .isDirectory)
    }

    /// Completes a restore that was interrupted: with the new data if all of it is in place, otherwise with the old.
    ///
    /// - Throws: `LibraryError`, `StorageError`.
    static func finishRestore(in folder: LibraryFolder) throws {
        let aside = aside(folder)
        func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
        guard exists(aside) else { return }
        let lock = try folder.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        if !exists(folder.database) {
            for part in (parts + catalogParts).reversed() where exists(aside.appending(path: part)) {
                let place = folder.url.appending(path: part)
                removeFolder(place)
                guard Foundation.rename(aside.appending(path: part).path, place.path) == 0 else {
                    throw StorageError(errno, writing: place)
                }
            }
        }
        try DurableFile.sync(folder.url)
        removeFolder(aside)
    }

    /// Moves the old data aside and the new data in, then deletes the old.
    ///
    /// Moves are undone on failure.
    private static func exchange(_ folder: LibraryFolder, with new: LibraryFolder, _ parts: [String]) throws {
        let aside = aside(folder)
        guard mkdir(aside.path, 0o755) == 0 else { throw StorageError(errno, writing: aside) }
        var moved: [(from: URL, to: URL)] = []
        func move(_ from: URL, _ to: URL) throws {
            guard Foundation.rename(from.path, to.path) == 0 else {
                if errno == ENOENT { return }
                throw StorageError(errno, writing: from)
            }
            moved.append((from, to))
        }
        do {
            for part in parts { try move(folder.url.appending(path: part), aside.appending(path: part)) }
            for part in parts.reversed() { try move(new.url.appending(path: part), folder.url.appending(path: part)) }
        } catch {
            for (from, to) in moved.reversed() { Foundation.rename(to.path, from.path) }
            rmdir(aside.path)
            throw error
        }
        try DurableFile.sync(folder.url)
        removeFolder(aside)
    }

    private static func removeFolder(_ folder: URL) {
        // A folder that cannot be removed only takes space; the data itself is in place.
        do { try FileManager.default.removeItem(at: folder) } catch {}
    }

    private static func damaged(_ backup: URL, _ what: String) -> LibraryError {
        .damaged("\(backup.path) cannot be restored: \(what). Take another backup; nothing was changed.")
    }
}

extension Database {
    /// Copies the rows of a table from a database of that name, the columns that both have.
    fileprivate func copyRows(of table: String, from other: String) throws {
        let theirs = Set(try columns(in: table, in: other).map(\.name))
        let names = try columns(in: table, in: "main").map(\.name).filter(theirs.contains).joined(separator: ", ")
        try execute(sql: "INSERT INTO main.\(table) (\(names)) SELECT \(names) FROM \(other).\(table)")
    }
}
