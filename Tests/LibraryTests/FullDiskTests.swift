import Bibliography
import Fixtures
import Foundation
import Imaging
import Library
import ShelflistAPI
import Storage
import Testing

@Suite(.enabled(if: SmallDisk.isPermitted, "mounting a tmpfs takes root on Linux"), .serialized)
struct FullDisks {
    private func books(_ count: Int) -> [DetectedBook] {
        (0..<count).map { number in
            var book = Scan.book("Book number \(number)", by: "Author \(number)", 0.5, place: number, of: count)
            book.text = (0..<20).map { ReadText(text: "line \($0) " + String(repeating: "x", count: 400), score: 0.5) }
            return book
        }
    }

    @Test("A full disk stops an import with a clear error and loses nothing")
    func importList() async throws {
        let disk = try SmallDisk(megabytes: 16)
        let store = try LibraryStore(folder: LibraryFolder(disk.folder.appending(path: "data")))
        _ = try await store.add(BookDetails(title: "Emma"))
        try disk.fill(butFor: 600_000)
        let scan = Scan.of(books(200), job: "1", photo: "a")
        let error = await #expect(throws: StorageError.self) { try await store.importScan(scan) }
        guard case .diskFull = error else {
            Issue.record("not reported as a full disk: \(String(describing: error))")
            return
        }
        #expect(try await store.titles() == ["Emma"])
        #expect(try await store.problems() == [])
        try disk.empty()
        #expect(try await store.importScan(scan).count(.needsReview) == 200)
        #expect(try await store.problems() == [])
    }

    @Test("Lists by shelf and the inbox are read on a full disk, as they were before the latest photo")
    func reading() async throws {
        let disk = try SmallDisk(megabytes: 16)
        let store = try LibraryStore(folder: LibraryFolder(disk.folder.appending(path: "data")))
        let shelf = try await store.addShelf(at: PlacePath("Hall")).id
        try await store.scan(
            Scan.book("Dune", place: 1), Scan.book("Emma", place: 0), job: "a", photo: "a", shelf: shelf)
        try disk.fill(butFor: 0)
        await #expect(throws: StorageError.self) {
            for number in 0..<1000 { _ = try await store.add(BookDetails(title: "Book \(number)")) }
        }
        #expect(try await store.entries(EntryQuery(sort: .shelf)).entries.count { $0.shelf != nil } == 2)
        #expect(try await store.inbox(InboxFilter(kinds: [.missing])).total == 0)
        try disk.empty()
        #expect(
            try await store.entries(EntryQuery(sort: .shelf)).entries.prefix(2).map(\.title) == ["Emma", "Dune"])
    }

    @Test("A full disk stops storing a photo and leaves no partial file")
    func storePhoto() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let store = try LibraryStore(folder: LibraryFolder(disk.folder.appending(path: "data")))
        try disk.fill(butFor: 20_000)
        var random = SystemRandomNumberGenerator()
        let noise = (0..<300 * 300 * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
        let jpeg = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 300, height: 300), samples: noise), quality: 95)
        await #expect(throws: StorageError.self) { try await store.storePhoto(jpeg) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.folder.photos.path) == [])
    }

    @Test("A full disk stops a backup and keeps the previous one")
    func backup() async throws {
        let library = try TestLibrary()
        _ = try await library.store.importScan(Scan.of(books(200), job: "1", photo: "a"))
        let disk = try SmallDisk(megabytes: 1)
        let file = disk.folder.appending(path: "backup.tar")
        try Data("before".utf8).write(to: file)
        let error = await #expect(throws: StorageError.self) { try await library.store.backUp(to: file) }
        guard case .diskFull = error else {
            Issue.record("not reported as a full disk: \(String(describing: error))")
            return
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == "before")
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path) == ["backup.tar"])
    }

    @Test("A cleanup on a full disk loses no photo of a book in review")
    func cleanup() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let store = try LibraryStore(folder: LibraryFolder(disk.folder.appending(path: "data")))
        var names: [String] = []
        for (number, confidence) in [0.9, 0.3].enumerated() {
            let image = RGBImage(size: PixelSize(width: 64, height: 48), filledWith: RGBColor(UInt32(number * 99)))
            let photo = try await store.storePhoto(try JPEGCodec.encode(image, quality: 90))
            names.append(photo.file)
            _ = try await store.importScan(
                ScanImport(
                    job: "\(number)", stored: photo, size: image.size,
                    books: [Scan.book("Book \(number)", confidence, place: 0)]))
        }
        try disk.fill(butFor: 0)
        do {
            #expect(try await store.cleanUpPhotos().deleted.map(\.file) == [names[0]])
        } catch let error as StorageError {
            guard case .diskFull = error else { throw error }
            #expect(FileManager.default.fileExists(atPath: store.folder.photo(names[0]).path))
        }
        #expect(FileManager.default.fileExists(atPath: store.folder.photo(names[1]).path))
        try disk.empty()
        _ = try await store.cleanUpPhotos()
        let left = try FileManager.default.contentsOfDirectory(atPath: store.folder.photos.path)
        #expect(left.filter { $0.hasPrefix("bookshelf_scan_") } == [names[1]])
        #expect(left.count { $0.hasPrefix("shelf_picture_") } == 1)
        #expect(try await store.problems() == [])
    }
}
