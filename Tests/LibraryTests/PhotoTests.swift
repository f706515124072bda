import Bibliography
import Foundation
import Imaging
import Library
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite struct ShelfPhotos {
    /// Returns a picture of 400 × 300 pixels: white, with a red spine from (100, 50) to (140, 250).
    private static func picture(seed: UInt8 = 0) throws -> [UInt8] {
        var image = RGBImage(size: PixelSize(width: 400, height: 300))
        for y in 50..<250 { for x in 100..<140 { image[x, y] = RGBColor(0xC00000) } }
        image[0, 0] = RGBColor(red: seed, green: 0, blue: 0)
        return try JPEGCodec.encode(image, quality: 95)
    }

    private static let spine = UnitRect(x: 0.25, y: 50.0 / 300, width: 0.1, height: 200.0 / 300)

    private struct Given {
        var library: TestLibrary
        var photo: StoredPhoto
        var entry: RowID<LibraryEntry>

        func detection() async throws -> RowID<Detection> {
            try #require(try await library.store.entry(entry).detections.first?.id)
        }
    }

    /// Creates a library with one stored photo and a book in it.
    private func library(
        _ confidence: Double, clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> Given {
        let library = try TestLibrary(clock: clock)
        let stored = try await library.store.storePhoto(try Self.picture())
        var book = Scan.book("Emma", by: "Jane Austen", confidence, place: 0)
        book.move(to: Self.spine)
        let report = try await library.store.importScan(
            ScanImport(
                job: "1", stored: stored, size: PixelSize(width: 400, height: 300), books: [book]))
        return Given(library: library, photo: stored, entry: try #require(report.books.first?.entry))
    }

    @Test("A spine is cropped with a small margin")
    func margin() async throws {
        let given = try await library(0.3)
        let detection = try await given.detection()
        let crop = try await given.library.store.spineCrop(detection)
        expectRedSpine(with: crop)
    }

    @Test("A spine is turned on request")
    func turnedSpine() async throws {
        let given = try await library(0.3)
        let detection = try await given.detection()
        let turned = try await given.library.store.spineCrop(detection, turn: .reading)
        expectLying(turned)
    }

    @Test("The list names the spine of each book that has a stored photo")
    func spinesInList() async throws {
        let given = try await library(0.3)
        let store = given.library.store
        _ = try await store.add(BookDetails(title: "Momo"))
        let detection = try await given.detection()
        let list = try await store.entries().entries
        #expect(list.map(\.title) == ["Emma", "Momo"])
        #expect(list.map { $0.cropUrl?.description.contains("/\(detection)/") } == [true, nil])
    }

    @Test("A spine is encoded as JPEG")
    func spineJPEG() async throws {
        let given = try await library(0.3)
        let file = try await given.library.store.spineJPEG(try await given.detection())
        #expect(ImageFormat.sniff(file) == .jpeg)
    }

    @Test("A stored photo does not say where it was taken")
    func storesWithoutPlace() async throws {
        let library = try TestLibrary()
        let jpeg = try Self.picture()
        let text = Array("Exif\0\0GPSLatitude".utf8)
        let place = [0xFF, 0xE1, 0, UInt8(text.count + 2)] + text
        let stored = try await library.store.storePhoto(jpeg.prefix(2) + place + jpeg.dropFirst(2))
        #expect([UInt8](try Data(contentsOf: library.folder.photo(stored.file))) == jpeg)
    }

    @Test("A large photo has a small copy for its spines, recreated and deleted with it")
    func smallCopy() async throws {
        let library = try TestLibrary()
        let large = RGBImage(size: PixelSize(width: 2800, height: 2000))
        let stored = try await library.store.storePhoto(try JPEGCodec.encode(large, quality: 80))
        let copy = library.folder.url.appending(path: "cache/spines/\(stored.file)")
        let picture = try PhotoDecoder.decode([UInt8](try Data(contentsOf: copy)))
        #expect(picture.originalSize.area <= 4_000_000)
        var book = Scan.book("Emma", by: "Jane Austen", 0.3, place: 0)
        book.move(to: Self.spine)
        let report = try await library.store.importScan(
            ScanImport(
                job: "1", stored: stored, size: large.size, books: [book]))
        let detection = try #require(report.books.first?.detection)
        // A damaged or missing copy is not an error.
        try Data([1, 2, 3]).write(to: copy)
        let fresh = try LibraryStore(folder: library.folder)
        #expect(try await fresh.spineCrop(detection).size.longSide > 500)
        _ = try await library.store.verify(try #require(report.books.first?.entry))
        _ = try await library.store.cleanUpPhotos()
        #expect(!FileManager.default.fileExists(atPath: library.folder.photo(stored.file).path))
    }

    private func expectLying(_ crop: RGBImage) {
        #expect(crop.size == PixelSize(width: 206, height: 46))
    }

    /// Expects white around red.
    private func expectRedSpine(with crop: RGBImage) {
        #expect(crop.size == PixelSize(width: 46, height: 206))
        #expect(crop[0, 0].green > 200)
        #expect(crop[24, 104].green < 60)
    }

    @Test("A moved box is read again")
    func rereads() async throws {
        let given = try await library(0.3)
        let size = Mutex(PixelSize(width: 0, height: 0))
        let box = UnitRect(x: 0.2, y: 0.1, width: 0.2, height: 0.8)
        let item = try await given.library.store.recrop(given.entry, to: SpineOutline(box)) { crop in
            size.withLock { $0 = crop.size }
            return Scan.book("Persuasion", by: "Jane Austen", 0.7, place: 0)
        }
        #expect(size.withLock { $0.height } > 240)
        #expect(item.title == "Persuasion")
        #expect(item.confidence == 0.7)
        #expect(item.detection?.boundingBox == box)
        #expect(try await given.library.store.undo()?.kind == .recrop)
        let before = try #require(try await given.library.store.booksInReview().first)
        #expect(before.title == "Emma")
        #expect(before.detection?.boundingBox == Self.spine)
    }

    @Test("A photo is deleted once its books are reviewed, and nothing stays if shelf pictures are off")
    func deletedAfterReview() async throws {
        let given = try await library(0.3)
        try await given.library.store.set(keepsShelfPictures: false)
        #expect(try await given.library.store.cleanUpPhotos().isEmpty)
        _ = try await given.library.store.verify(given.entry)
        let report = try await given.library.store.cleanUpPhotos()
        #expect(report.deleted.map(\.file) == [given.photo.file])
        #expect(report.deleted.map(\.reason) == [.reviewed])
        #expect(!FileManager.default.fileExists(atPath: given.library.folder.photo(given.photo.file).path))
        let detection = try await given.detection()
        #expect(try await given.library.store.detection(detection).hasPicture == false)
        await #expect(throws: LibraryError.self) { try await given.library.store.spineCrop(detection) }
    }

    @Test("A photo whose book was changed automatically is kept until a person has seen that, for 30 days at most")
    func keptUntilSeen() async throws {
        for isSeen in [true, false] {
            let now = Mutex(Date())
            let given = try await library(0.3, clock: { now.withLock { $0 } })
            let store = given.library.store
            // The first look-up is not a change; the second answer is.
            for title in ["Emma", "Sanditon"] {
                var sure = Scan.book(title, by: "Jane Austen", 0.95, place: 0)
                sure.move(to: Self.spine)
                try await store.update(Scan.of([sure], job: "1"), importing: [])
            }
            let change = try #require(try await store.automaticChanges().changes.first)
            #expect(change.reviewStatus == .verified && change.cropUrl != nil)
            now.withLock { $0 += 29 * 24 * 3600 }
            #expect(try await store.cleanUpPhotos().deleted.isEmpty)
            if isSeen {
                try await store.markAutomaticChangesSeen(through: change.action())
            } else {
                now.withLock { $0 += 2 * 24 * 3600 }
            }
            #expect(try await store.cleanUpPhotos().deleted.map(\.reason) == [.reviewed])
            #expect(
                try await store.automaticChanges().changes.map { $0.cropUrl != nil } == [true], "of the shelf picture")
        }
    }

    @Test("Photos are kept if the setting says so")
    func keptPhotos() async throws {
        let given = try await library(0.9)
        try await given.library.store.set(keepsShelfPhotos: true)
        #expect(try await given.library.store.cleanUpPhotos().deleted.isEmpty)
        let found = try #require(try await given.library.store.find("emma").first)
        #expect(found.book.position?.photoUrl != nil)
        #expect(found.place == PlaceInPhoto(row: 1, rows: 1, place: 1, places: 1))
    }

    @Test("Photos without an import are deleted after 24 hours")
    func unreferenced() async throws {
        let library = try TestLibrary()
        let orphan = try await library.store.storePhoto(try Self.picture(seed: 2))
        let holiday = library.folder.photo("holiday.jpg")
        try Data([1]).write(to: holiday)
        for file in [library.folder.photo(orphan.file), holiday] { try file.setAge(23 * 3600) }
        #expect(try await library.store.cleanUpPhotos().isEmpty)
        for file in [library.folder.photo(orphan.file), holiday] { try file.setAge(25 * 3600) }
        let report = try await library.store.cleanUpPhotos()
        #expect(report.deleted.map(\.file) == [orphan.file])
        #expect(report.deleted.map(\.reason) == [.orphaned])
        #expect(FileManager.default.fileExists(atPath: holiday.path))
    }

    @Test("Photos of a failed import are deleted unless another import refers to them")
    func failedImport() async throws {
        let given = try await library(0.9)
        let store = given.library.store
        let failed = try await store.storePhoto(try Self.picture(seed: 2))
        try await store.discard(failed)
        try await store.discard(given.photo)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: given.library.folder.photos.path) == [given.photo.file])
    }

    @Test("A photo is stored once")
    func storedOnce() async throws {
        let given = try await library(0.9)
        #expect(try await given.library.store.storePhoto(try Self.picture()).file == given.photo.file)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: given.library.folder.photos.path) == [given.photo.file])
    }

    @Test("A report on a wrong detection includes the photo")
    func report() async throws {
        let given = try await library(0.3)
        let detection = try await given.detection()
        try await given.library.store.report(detection, SpineReport(correct: false, note: "two books"))
        let feedback = try #require(try await given.library.store.feedback().first)
        #expect(!feedback.correct)
        #expect(feedback.note == "two books")
        #expect(ImageFormat.sniff([UInt8](try #require(feedback.crop))) == .jpeg)
    }
}

@Suite struct Inventories {
    @Test("An inventory reports new, missing and moved books and removes nothing")
    func inventory() async throws {
        let library = try TestLibrary()
        let hall = try await library.store.shelf(named: "Hall")
        let attic = try await library.store.shelf(named: "Attic")
        try await library.store.scan(
            Scan.book("Emma", by: "Austen", place: 0), Scan.book("Dune", by: "Herbert", place: 1), job: "1", photo: "a",
            shelf: hall.id)
        try await library.store.scan(Scan.book("Ulysses", by: "Joyce", place: 0), job: "2", photo: "b", shelf: attic.id)
        let rescan = try await library.store.scan(
            Scan.book("Dune", by: "Herbert", place: 0), Scan.book("Ulysses", by: "Joyce", place: 1),
            Scan.book("Moss", by: "Modick", place: 2), job: "3", photo: "c", shelf: hall.id, duplicates: .existing)
        #expect(rescan.books.map(\.outcome) == [.existing, .existing, .verified])
        let now = try await library.store.compareShelf(hall.id, with: ["3"])
        #expect(now.present.map(\.title) == ["Dune"])
        #expect(now.new.map(\.title) == ["Moss"])
        #expect(now.missing.map(\.title) == ["Emma"])
        #expect(now.moved.map(\.title) == ["Ulysses"])
        #expect(now.moved.map(\.shelf?.name) == ["Attic"])
        #expect(try await library.store.entries().total == 4)
        try await library.store.move(now.moved.compactMap { RowID($0.id) }, to: hall.id)
        var inHall = EntryQuery()
        inHall.shelf = hall.id
        #expect(try await library.store.entries(inHall).total == 4)
    }

    @Test("An inventory recognizes a photo scanned before for the same or another shelf")
    func knownPhoto() async throws {
        let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
        let library = try TestLibrary(clock: { time.withLock { $0 } })
        let store = library.store
        let (hall, attic) = (try await store.shelf(named: "Hall").id, try await store.shelf(named: "Attic").id)
        let (emma, dune) = (Scan.book("Emma", by: "Austen", place: 0), Scan.book("Dune", by: "Herbert", place: 0))
        try await store.scan(emma, job: "1", photo: "a", shelf: hall)
        try await store.scan(dune, job: "2", photo: "b", shelf: hall)
        time.withLock { $0 += 1 }
        let again = try await store.scan(emma, job: "3", photo: "a", shelf: hall)
        #expect(again.count(.alreadyImported) == 1)
        #expect(try await store.latestScan(of: hall) == "3")
        let now = try await store.compareShelf(hall, with: ["3"])
        #expect(now.present.map(\.title) == ["Emma"])
        #expect(now.missing.map(\.title) == ["Dune"])
        #expect(now.new.isEmpty && now.moved.isEmpty)
        // The same photo, now scanned for the other shelf.
        try await store.scan(dune, job: "4", photo: "b", shelf: attic)
        let there = try await store.compareShelf(attic, with: ["4"])
        #expect(there.moved.map(\.title) == ["Dune"])
        #expect(there.new.isEmpty && there.missing.isEmpty && there.present.isEmpty)
        #expect(try await store.latestScan(of: hall) == "3")
        // Photos of one scan that were imported one by one, as the `scan` command does.
        let moss = Scan.book("Moss", by: "Modick", place: 0)
        for (name, book) in [("c", emma), ("d", moss)] {
            try await store.scan(book, job: "5", photo: name, shelf: hall, duplicates: .existing)
        }
        let both = try await store.compareShelf(hall, with: ["5"])
        #expect((both.present + both.new).map(\.title) == ["Emma", "Moss"])
        #expect(both.missing.map(\.title) == ["Dune"])
        #expect(try await store.compareShelf(hall, with: ["1", "2"]).present.map(\.title) == ["Emma"])
    }
}

extension CleanupReport {
    fileprivate var isEmpty: Bool { deleted.isEmpty && failed.isEmpty }
}
