import Bibliography
import Concurrency
import Foundation
import Imaging
import Library
import ShelflistAPI
import Testing

@Suite("Pictures and threads") struct PictureThreadTests {
    @Test("Only work on a blocking executor runs on threads that may block")
    func threads() async {
        #expect(!BlockingExecutor.isCurrent)
        #expect(await BlockingExecutor.interactive.run { BlockingExecutor.isCurrent })
        #expect(await BlockingExecutor.background.run { BlockingExecutor.isCurrent })
        #expect(!BlockingExecutor.isCurrent)
    }

    /// Ends the process if one of the library's functions decodes or encodes on a thread that must not block.
    ///
    /// `PictureCodec` traps there. In release builds the test scripts switch that on.
    @Test("Photos, spines and covers are decoded and encoded on a blocking executor")
    func pictures() async throws {
        let library = try TestLibrary()
        let store = library.store
        let large = RGBImage(size: PixelSize(width: 2600, height: 1800))
        let png = try PNGCodec.encode(large)
        let stored = try await store.storePhoto(png)
        var book = Scan.book("Emma", by: "Jane Austen", 0.3, place: 0)
        book.move(to: UnitRect(x: 0.25, y: 0.1, width: 0.1, height: 0.8))
        let report = try await store.importScan(
            ScanImport(job: "1", stored: stored, size: large.size, books: [book]))
        let entry = try #require(report.books.first?.entry)
        let detection = try #require(report.books.first?.detection)
        _ = try await store.spineCrop(detection, turn: .reading)
        let fresh = try LibraryStore(folder: library.folder)
        try FileManager.default.removeItem(at: library.folder.url.appending(path: "cache/spines"))
        _ = try await fresh.spineJPEG(detection)
        try await store.report(detection, SpineReport(correct: false))
        try await store.setCover(entry, to: png)
        _ = try await store.recrop(entry, to: SpineOutline(book.boundingBox)) { _ in Scan.book("Emma", 0.9, place: 0) }
    }
}
