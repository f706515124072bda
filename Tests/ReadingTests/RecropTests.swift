import Bibliography
import Foundation
import Identification
import Imaging
import Library
import Reading
import Scans
import ShelflistAPI
import TestSupport
import Testing

/// Moving a box on the example photo, with the real reader.
extension Reading { @Suite(.whenReadingChanges) struct RecropTests {} }

extension Reading.RecropTests {
    private struct Neighbours {
        var book: DetectedBook
        var neighbour: DetectedBook
    }

    /// Some pairs of spines that stand side by side.
    private static func pairs(_ scan: ScannedPhoto) -> [Neighbours] {
        let titled = scan.books.filter { $0.title != nil }
        return zip(titled, titled.dropFirst()).filter {
            abs($0.0.boundingBox.y - $0.1.boundingBox.y) < 0.2
        }.map { Neighbours(book: $0.0, neighbour: $0.1) }
    }

    @Test("The neighbor's title is read once the box is moved onto it", arguments: [true, false])
    func movedBox(withCatalog: Bool) async throws {
        let scanner = try ExampleScan.scanner(knowing: withCatalog ? ExampleScan.records() : nil)
        let bytes = try ExampleScan.bytes()
        let scan = try await scanner.read(bytes, name: "shelf.jpg")
        let folder = try TemporaryFolder()
        let store = try LibraryStore(folder: LibraryFolder(folder.url))
        // All wait for review.
        var unsure = scan
        for index in unsure.books.indices { unsure.books[index].confidence = 0.3 }
        let report = try await ScanImporter(library: store).importPhoto(unsure, bytes: bytes, scan: "1")
        let entries = Dictionary(
            report.books.compactMap { book in book.entry.map { (book.id, $0) } },
            uniquingKeysWith: { first, _ in first })
        let pairs = Self.pairs(scan)
        try #require(pairs.count >= 10)
        var read = 0
        for pair in pairs.prefix(10) {
            let entry = try #require(entries[pair.book.id])
            let outline = SpineOutline(pair.neighbour.boundingBox)
            let item = try await store.recrop(entry, to: outline) { try await scanner.reread($0) }
            if Set(TextNormalisation.words(item.title)).isSuperset(
                of: TextNormalisation.words(try #require(pair.neighbour.title)))
            {
                read += 1
            }
            #expect(item.detection?.boundingBox == pair.neighbour.boundingBox)
            #expect(try await store.reviewHistory(of: item.work).events.map(\.action) == [.recropped])
        }
        #expect(read >= 9, "\(read) of 10 neighbours were read")
    }

    @Test("Edits are kept, and a box without text reads nothing")
    func emptyBox() async throws {
        let scanner = try ExampleScan.scanner()
        let bytes = try ExampleScan.bytes()
        let folder = try TemporaryFolder()
        let store = try LibraryStore(folder: LibraryFolder(folder.url))
        var scan = try await scanner.read(bytes, name: "shelf.jpg")
        scan.books = [try #require(scan.books.first { $0.title != nil })]
        scan.books[0].confidence = 0.3
        let report = try await ScanImporter(library: store).importPhoto(scan, bytes: bytes, scan: "1")
        let entry = try #require(report.books.first?.entry)
        try await store.keepEdit(entry) { title, _ in title = "My title" }
        let corner = UnitRect(x: 0, y: 0, width: 0.02, height: 0.03)
        let item = try await store.recrop(entry, to: SpineOutline(corner)) { try await scanner.reread($0) }
        #expect(item.detection?.readTitle == nil)
        #expect(item.detection?.editedTitle == "My title")
        #expect(item.detection?.resolvedTitle == "My title")
        #expect(try await store.undo()?.kind == .recrop)
        #expect(try await store.reviewItem(entry).detection?.readTitle == scan.books[0].title)
    }
}
