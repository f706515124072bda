import Bibliography
import Fixtures
import Foundation
import GRDB
import Imaging
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct BackupDrill {
    /// Uses what the library has: scans, review, undo, shelves, covers, lists, settings and reports.
    private func fill(_ store: LibraryStore) async throws {
        let shelf = try await store.shelf(named: "Hall")
        for number in 0..<3 {
            let image = RGBImage(
                size: PixelSize(width: 64, height: 48), filledWith: RGBColor(UInt32(0x10_20_30 * (number + 1))))
            let photo = try await store.storePhoto(try JPEGCodec.encode(image, quality: 90))
            let books = (0..<4).map { place in
                Scan.book("Book \(number * 4 + place)", by: "Author \(place)", place % 2 == 0 ? 0.4 : 0.9, place: place)
            }
            let report = try await store.importScan(
                ScanImport(job: "\(number)", stored: photo, size: image.size, books: books, shelf: shelf.id))
            try await store.setCover(try #require(report.books[1].entry), to: try JPEGCodec.encode(image, quality: 80))
        }
        let queue = try await store.booksInReview()
        _ = try await store.verify(try #require(queue.first).id)
        _ = try await store.verify(try #require(queue.last).id)
        _ = try await store.undo()
        try await store.set(reviewThreshold: 0.7, keepsShelfPhotos: true)
        _ = try await store.importBooks(
            Array("title,author,isbn\nEmma,Jane Austen,9780141439587\n,No Title,\n日本の本,,\n".utf8), name: "list.csv")
    }

    @Test("A restored library has every row and file", arguments: [nil, "a shelf of one's own"])
    func everyRowAndFile(passphrase: String?) async throws {
        let library = try TestLibrary()
        try await fill(library.store)
        let file = library.folder.url.appending(path: "backup.tar")
        let manifest = try await library.store.backUp(to: file, passphrase: passphrase)
        #expect(manifest.files.count == 7)
        let temporary = try TemporaryFolder()
        let other = LibraryFolder(temporary.url)
        try LibraryStore.restore(file, to: other, passphrase: passphrase)

        let rows = try LibraryContents.rows(of: library.folder)
        #expect(rows.count > 100)
        #expect(try LibraryContents.rows(of: other) == rows)
        #expect(try LibraryContents.files(of: other) == LibraryContents.files(of: library.folder))
        let store = try LibraryStore(folder: other)
        #expect(try await store.problems() == [])
        #expect(try await store.undo() != nil)
    }

    @Test("A backup of each version is restored and migrated", arguments: LibraryHistory.steps)
    func releasedSchemas(step: String) async throws {
        let temporary = try TemporaryFolder()
        let file = try CraftedBackup.make(in: temporary.url, Migrations.rows(upTo: step))
        let restored = LibraryFolder(temporary.url.appending(path: "restored"))
        #expect(try LibraryStore.restore(file, to: restored).manifest.schema == step)
        let store = try LibraryStore(folder: restored)
        #expect(try await store.problems() == [])
        // The same as a library of that version that is opened in its place.
        let inPlace = LibraryFolder(temporary.url.appending(path: "source"))
        _ = try await LibraryStore(folder: inPlace).titles()
        #expect(try LibraryContents.rows(of: restored) == LibraryContents.rows(of: inPlace))
    }
}

/// Everything in a library, for comparison.
private enum LibraryContents {
    /// Returns each row of each table, as text.
    static func rows(of folder: LibraryFolder) throws -> [String] {
        let queue = try DatabaseQueue(path: folder.database.path)
        let rows = try queue.read { db in
            let tables = try String.fetchAll(
                db,
                sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1")
            return try tables.flatMap { table in
                try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"").map { "\(table) \($0)" }.sorted()
            }
        }
        try queue.close()
        return rows
    }

    /// Returns the hash of each picture by its path.
    static func files(of folder: LibraryFolder) throws -> [String: String] {
        var files: [String: String] = [:]
        for part in [folder.photos, folder.covers] {
            for name in try FileManager.default.contentsOfDirectory(atPath: part.path) {
                let bytes = [UInt8](try Data(contentsOf: part.appending(path: name)))
                files["\(part.lastPathComponent)/\(name)"] = LibraryStore.fingerprint(bytes)
            }
        }
        return files
    }
}
