import Bibliography
import Fixtures
import Foundation
import GRDB
import Imaging
import Library
import Storage
import TestSupport
import Testing

@Suite struct Backups {
    /// Creates a library with a photo, a cover and two books.
    private func filled() async throws -> TestLibrary {
        let library = try TestLibrary()
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 64, height: 48)), quality: 90)
        let photo = try await library.store.storePhoto(picture)
        let report = try await library.store.importScan(
            ScanImport(
                job: "1", stored: photo, size: PixelSize(width: 64, height: 48),
                books: [Scan.book("Emma", by: "Austen", 0.3, place: 0), Scan.book("Dune", place: 1)]))
        try await library.store.setCover(try #require(report.books[1].entry), to: picture)
        return library
    }

    private func backup(_ library: TestLibrary) async throws -> URL {
        let file = library.folder.url.appending(path: "backup.tar")
        try await library.store.backUp(to: file)
        return file
    }

    @Test("A backup holds everything and can be restored elsewhere")
    func roundTrip() async throws {
        let library = try await filled()
        let file = try await backup(library)
        let temporary = try TemporaryFolder()
        let other = LibraryFolder(temporary.url)
        let restored = try LibraryStore.restore(file, to: other)
        #expect(!restored.isEncrypted)
        let manifest = restored.manifest
        #expect(manifest.entries == 2)
        #expect(manifest.files.count == 3)
        let store = try LibraryStore(folder: other)
        #expect(try await store.titles() == ["Dune", "Emma"])
        #expect(try await store.booksInReview().map(\.title) == ["Emma"])
        let detection = try #require(try await store.booksInReview().first?.detection)
        let crop = try await store.spineJPEG(detection.id)
        #expect(!crop.isEmpty)
        #expect(try await store.problems() == [])
        // No temporary files are left.
        let left = try FileManager.default.contentsOfDirectory(atPath: other.url.path).filter { $0.hasPrefix(".") }
        #expect(left == [])
    }

    @Test("A backup that root restores belongs to the owner of the folder", .enabled(if: geteuid() == 0))
    func restoredByRoot() async throws {
        let library = try await filled()
        let file = try await backup(library)
        let temporary = try TemporaryFolder()
        #expect(chown(temporary.url.path, 10_001, 10_002) == 0)
        try LibraryStore.restore(file, to: LibraryFolder(temporary.url))
        let names = try FileManager.default.subpathsOfDirectory(atPath: temporary.url.path)
        #expect(names.contains("library.sqlite") && names.contains { $0.hasPrefix("photos/") })
        for name in names {
            let file = try FileManager.default.attributesOfItem(atPath: temporary.url.appending(path: name).path)
            #expect(file[.ownerAccountID] as? Int == 10_001, "\(name)")
            #expect(file[.groupOwnerAccountID] as? Int == 10_002, "\(name)")
        }
    }

    @Test("A backup holds the catalog only on request, and restoring keeps another catalog")
    func catalogOption() async throws {
        let library = try await filled()
        let catalog = library.folder.url.appending(path: "catalog.sqlite")
        try await Self.makeCatalog(catalog, holding: "mine")
        let without = try await backup(library)
        let with = library.folder.url.appending(path: "with.tar")
        let manifest = try await library.store.backUp(to: with, withCatalog: true)
        #expect(manifest.files.map(\.name).contains("catalog.sqlite"))

        let temporary = try TemporaryFolder()
        let other = LibraryFolder(temporary.url)
        let theirs = other.url.appending(path: "catalog.sqlite")
        try await Self.makeCatalog(theirs, holding: "theirs")
        try LibraryStore.restore(without, to: other)
        #expect(try await Self.content(of: theirs) == "theirs")
        try LibraryStore.restore(with, to: other)
        #expect(try await Self.content(of: theirs) == "mine")
        let left = try FileManager.default.contentsOfDirectory(atPath: other.url.path).filter { $0.hasPrefix(".") }
        #expect(left == [])
    }

    private static func makeCatalog(_ file: URL, holding text: String) async throws {
        let database = try DatabasePool(path: file.path)
        try await database.write { try $0.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES ('\(text)')") }
        try database.close()
    }

    private static func content(of file: URL) async throws -> String? {
        let database = try DatabaseQueue(path: file.path)
        defer { try? database.close() }  // opened only to read
        return try await database.read { try String.fetchOne($0, sql: "SELECT x FROM t") }
    }

    @Test("A backup can be unpacked with tar")
    func tar() async throws {
        let library = try await filled()
        let file = try await backup(library)
        let (status, text) = try ChildProcess.output(of: ["tar", "-tf", file.path])
        let list = text.split(separator: "\n")
        #expect(status == 0)
        #expect(list.contains("library.sqlite"))
        #expect(list.last == "manifest.json")
        #expect(list.count == 4)
    }

    @Test("A backup does not refer to deleted pictures")
    func deletedPictures() async throws {
        let library = try await filled()
        let photo = try #require(try await library.store.photos().first?.file)
        try FileManager.default.removeItem(at: library.folder.photo(photo))
        let file = try await backup(library)
        let other = LibraryFolder(library.folder.url.appending(path: "other"))
        #expect(try LibraryStore.restore(file, to: other).manifest.files.map(\.name).sorted().last == "library.sqlite")
        let restored = try LibraryStore(folder: other)
        #expect(try await restored.photos().map(\.file) == [nil])
        #expect(try await restored.entries().total == 2)
        #expect(try await restored.problems() == [])
    }

    @Test("A backup never overwrites the library, and names a file that cannot be written")
    func refusesOwnPath() async throws {
        let library = try await filled()
        let log = URL(filePath: library.folder.database.path + "-wal")
        #expect(FileManager.default.fileExists(atPath: log.path))
        for own in [library.folder.database, library.folder.url.appending(path: "photos/../library.sqlite"), log] {
            let error = await #expect(throws: StorageError.self) { try await library.store.backUp(to: own) }
            #expect(error?.description.contains("Name another file") == true)
        }
        #expect(try await library.store.titles() == ["Dune", "Emma"])
        let nowhere = URL(filePath: "/nonexistent/backup.tar")
        let error = await #expect(throws: StorageError.self) { try await library.store.backUp(to: nowhere) }
        #expect(error?.description.hasPrefix("/nonexistent/backup.tar: ") == true)
    }

    @Test("A backup can be taken while the library is written")
    func whileWriting() async throws {
        let library = try await filled()
        let store = library.store
        let file = library.folder.url.appending(path: "backup.tar")
        async let writing: Void = {
            for number in 0..<200 { _ = try await store.add(BookDetails(title: "Book \(number)")) }
        }()
        let manifest = try await store.backUp(to: file)
        try await writing
        #expect(manifest.entries >= 2)
        let temporary = try TemporaryFolder()
        let other = LibraryFolder(temporary.url)
        try LibraryStore.restore(file, to: other)
        let restored = try LibraryStore(folder: other)
        #expect(try await restored.entries().total == manifest.entries)
        #expect(try await restored.problems() == [])
    }

    @Test("The lock ends with its holder, although a child process still has a copy of its descriptor")
    func lockEndsWithHolder() async throws {
        let library = try await filled()
        let file = try await backup(library)
        let temporary = try TemporaryFolder()
        let other = LibraryFolder(temporary.url)
        var store: LibraryStore? = try LibraryStore(folder: other)
        _ = try await store?.entries()
        // As a process does that was forked and has not yet started its program.
        let copies = Self.descriptors(of: other.url.appending(path: "library.lock")).map { dup($0) }
        defer { for copy in copies { _ = close(copy) } }
        #expect(copies.count == 1)
        store = nil
        try LibraryStore.restore(file, to: other)
        #expect(try await LibraryStore(folder: other).titles() == ["Dune", "Emma"])
    }

    /// This process's open descriptors of a file.
    private static func descriptors(of file: URL) -> [Int32] {
        var wanted = stat()
        guard stat(file.path, &wanted) == 0 else { return [] }
        return (Int32(0)..<4096).filter { descriptor in
            var found = stat()
            return fstat(descriptor, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
        }
    }

    @Test(
        "A damaged backup is refused and the library is unchanged",
        arguments: ["SQLite format 3", "CREATE TABLE work", "JFIF", "\"sha256\"", "photos/bookshelf"])
    func damaged(place: String) async throws {
        let library = try await filled()
        let file = try await backup(library)
        var bytes = try Data(contentsOf: file)
        let index = try #require(bytes.range(of: Data(place.utf8))).lowerBound
        bytes[index] ^= 0x40
        try bytes.write(to: file)
        let folder = LibraryFolder(library.folder.url.appending(path: "other"))
        do { _ = try await LibraryStore(folder: folder).add(BookDetails(title: "Old")) }
        try refuses(file, folder)
        #expect(try await LibraryStore(folder: folder).titles() == ["Old"])
    }

    @Test("Files that are truncated, not backups, or leave the folder are refused")
    func invalid() async throws {
        let library = try await filled()
        let file = try await backup(library)
        let bytes = [UInt8](try Data(contentsOf: file))
        let folder = LibraryFolder(library.folder.url.appending(path: "new"))
        for part in [0, 100, 512, bytes.count / 2, bytes.count - 1024 - 512] {
            try Data(bytes[..<part]).write(to: file)
            try refuses(file, folder)
        }
        try Data("hello".utf8).write(to: file)
        try refuses(file, folder)
        #expect(!FileManager.default.fileExists(atPath: folder.database.path))
    }

    @Test("A backup is not restored over an open library")
    func whileOpen() async throws {
        let library = try await filled()
        let file = try await backup(library)
        let folder = library.folder
        #expect(throws: LibraryError.inUse(folder.url.path)) { try LibraryStore.restore(file, to: folder) }
        #expect(try await library.store.titles() == ["Dune", "Emma"])
    }

    private func refuses(_ file: URL, _ folder: LibraryFolder) throws {
        let error = #expect(throws: LibraryError.self) { try LibraryStore.restore(file, to: folder) }
        guard case .damaged = error else {
            Issue.record("not refused as damaged: \(String(describing: error))")
            return
        }
    }
}
