import Bibliography
import Fixtures
import Foundation
import Imaging
import Library
import ShelflistAPI
import Testing

@Suite struct ShelfPictures {
    private struct Given {
        var library: TestLibrary
        var photo: StoredPhoto
        var size: PixelSize
        var entry: RowID<LibraryEntry>
        var detection: RowID<Detection>
    }

    /// Creates a library with the example photo and one reviewed book in it.
    private func reviewed() async throws -> Given {
        let library = try TestLibrary()
        let bytes = [UInt8](try Data(contentsOf: try ExamplePhoto.photo()))
        let size = try PhotoDecoder.decode(bytes).originalSize
        let stored = try await library.store.storePhoto(bytes)
        var book = Scan.book("Emma", by: "Jane Austen", 0.9, place: 0)
        book.move(to: UnitRect(x: 0.4, y: 0.1, width: 0.05, height: 0.35))
        let report = try await library.store.importScan(
            ScanImport(job: "1", stored: stored, size: size, books: [book]))
        let imported = try #require(report.books.first)
        return Given(
            library: library, photo: stored, size: size, entry: try #require(imported.entry),
            detection: try #require(imported.detection))
    }

    private func files(_ library: TestLibrary) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: library.folder.photos.path)
    }

    @Test("A small picture without metadata stays when the photo is deleted, and shows the same spine")
    func stays() async throws {
        let given = try await reviewed()
        let store = given.library.store
        let before = try await store.spineCrop(given.detection, longSide: 200)
        #expect(try await store.cleanUpPhotos().deleted.map(\.file) == [given.photo.file])
        let photo = try #require(try await store.photos().first)
        #expect(photo.file == nil)
        let name = try #require(photo.picture)
        #expect(try files(given.library) == [name])
        let bytes = [UInt8](try Data(contentsOf: given.library.folder.photo(name)))
        let picture = try PhotoDecoder.decode(bytes)
        #expect(picture.originalSize.longSide == min(ShelfPicture.longSide, given.size.longSide))
        #expect(bytes.count < 2 * ShelfPicture.usualBytes)
        // APP1 holds EXIF and XMP.
        #expect(bytes.prefix(1000).firstRange(of: [0xFF, 0xE1]) == nil)
        #expect(try await store.detection(given.detection).hasPicture)
        let after = try await store.spineCrop(given.detection, longSide: 200)
        #expect(abs(after.size.width - before.size.width) <= 2)
        #expect(abs(brightness(after) - brightness(before)) < 6)
        #expect(try await store.find("emma").first?.book.position?.photoUrl != nil)
        let use = try await store.shelfPictureUse()
        #expect((use.pictures, use.bytes) == (1, bytes.count))
        // A further clean-up keeps it.
        #expect(try await store.cleanUpPhotos().deleted.isEmpty)
        #expect(try files(given.library) == [name])
    }

    /// The mean luma.
    private func brightness(_ image: RGBImage) -> Double {
        image.samples.reduce(0) { $0 + Double($1) } / Double(image.samples.count)
    }

    @Test("Shelf pictures are deleted when they are turned off")
    func turnedOff() async throws {
        let given = try await reviewed()
        let store = given.library.store
        _ = try await store.cleanUpPhotos()
        let name = try #require(try await store.photos().first?.picture)
        try await store.set(keepsShelfPictures: false)
        let report = try await store.cleanUpPhotos()
        #expect(report.deleted.map(\.file) == [name])
        #expect(report.deleted.map(\.reason) == [.notKept])
        #expect(try files(given.library) == [])
        #expect(try await store.photos().first?.shownFile == nil)
        #expect(try await store.shelfPictureUse().pictures == 0)
    }

    @Test("A photo that is scanned again is stored again, and deleted again without a second picture")
    func scannedAgain() async throws {
        let given = try await reviewed()
        let store = given.library.store
        _ = try await store.cleanUpPhotos()
        let name = try #require(try await store.photos().first?.picture)
        let again = try await store.storePhoto([UInt8](try Data(contentsOf: try ExamplePhoto.photo())))
        _ = try await store.importScan(ScanImport(job: "2", stored: again, size: given.size, books: []))
        #expect(try await store.photos().first?.shownFile == again.file)
        #expect(try await store.cleanUpPhotos().deleted.map(\.file) == [again.file])
        #expect(try files(given.library) == [name])
    }

    @Test("A moved outline is read from the shelf picture")
    func recrop() async throws {
        let given = try await reviewed()
        let store = given.library.store
        _ = try await store.cleanUpPhotos()
        let outline = SpineOutline(UnitRect(x: 0.5, y: 0.1, width: 0.05, height: 0.35))
        let item = try await store.recrop(given.entry, to: outline) { crop in
            #expect(crop.size.longSide > 100)
            return Scan.book("Persuasion", 0.7, place: 0)
        }
        #expect(item.detection?.boundingBox == outline.boundingBox)
        #expect(item.detection?.hasPicture == true)
    }

    @Test("A backup contains shelf pictures")
    func backup() async throws {
        let given = try await reviewed()
        let store = given.library.store
        _ = try await store.cleanUpPhotos()
        let name = try #require(try await store.photos().first?.picture)
        let manifest = try await store.backUp(to: given.library.folder.url.appending(path: "backup.tar"))
        #expect(manifest.files.map(\.name).contains("photos/\(name)"))
    }

    @Test("A photo that cannot be decoded is deleted without a picture")
    func undecodable() async throws {
        let library = try TestLibrary()
        let stored = try await library.store.storePhoto([0xFF, 0xD8, 0xFF, 0xD9])
        _ = try await library.store.importScan(
            ScanImport(
                job: "1", stored: stored, size: PixelSize(width: 40, height: 30), books: [Scan.book("Emma", place: 0)]))
        #expect(try await library.store.cleanUpPhotos().deleted.map(\.file) == [stored.file])
        #expect(try files(library) == [])
        #expect(try await library.store.photos().first?.shownFile == nil)
    }
}

@Suite struct MovedOutlines {
    @Test("Corners in any order give the same outline", arguments: 0..<4)
    func order(start: Int) {
        let corners = [
            UnitPoint(x: 0.3, y: 0.1), UnitPoint(x: 0.4, y: 0.12), UnitPoint(x: 0.25, y: 0.9),
            UnitPoint(x: 0.15, y: 0.88),
        ]
        let turned = Array(corners[start...] + corners[..<start])
        #expect(SpineOutline(corners: turned).quad.corners == corners)
        #expect(SpineOutline(corners: turned.reversed()).quad.corners == corners)
        let box = SpineOutline(corners: turned).boundingBox
        #expect(abs(box.x - 0.15) < 1e-9 && abs(box.y - 0.1) < 1e-9)
        #expect(abs(box.width - 0.25) < 1e-9 && abs(box.height - 0.8) < 1e-9)
    }

    @Test("A leaning spine keeps its corners, and corners on a line are refused")
    func corners() async throws {
        let library = try TestLibrary()
        let picture = RGBImage(size: PixelSize(width: 400, height: 300))
        let stored = try await library.store.storePhoto(try JPEGCodec.encode(picture, quality: 90))
        let report = try await library.store.importScan(
            ScanImport(
                job: "1", stored: stored, size: picture.size, books: [Scan.book("Emma", 0.3, place: 0)]))
        let entry = try #require(report.books.first?.entry)
        let leaning = SpineOutline(corners: [
            UnitPoint(x: 0.3, y: 0.1), UnitPoint(x: 0.4, y: 0.1), UnitPoint(x: 0.2, y: 0.9), UnitPoint(x: 0.1, y: 0.9),
        ])
        let item = try await library.store.recrop(entry, to: leaning) { _ in Scan.book("Emma", 0.7, place: 0) }
        #expect(item.detection?.quad == leaning.quad)
        let line = SpineOutline(corners: [
            UnitPoint(x: 0.1, y: 0.1), UnitPoint(x: 0.2, y: 0.2), UnitPoint(x: 0.3, y: 0.3), UnitPoint(x: 0.4, y: 0.4),
        ])
        await #expect(throws: LibraryError.self) {
            try await library.store.recrop(entry, to: line) { _ in Scan.book("Emma", 0.7, place: 0) }
        }
    }
}
