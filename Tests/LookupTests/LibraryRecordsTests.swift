import Bibliography
import Foundation
import Library
import Lookup
import Reading
import ShelflistAPI
import Testing

/// The library as a source of records.
@Suite struct LibraryRecordsTests {
    private static func importList(_ rows: [String], into library: LibraryStore) async throws {
        let list = (["title,author,location"] + rows).joined(separator: "\n")
        _ = try await library.importBooks(Array(list.utf8), name: "list.csv")
    }

    @Test("A library without confirmed books has no records")
    func empty() throws {
        let bench = try Bench([:])
        let records = LibraryRecords(bench.library)
        #expect(try records.snapshot() == nil)
        #expect(try records.expected(onShelf: "1").isEmpty && records.expected(onShelf: "Hall").isEmpty)
    }

    @Test("A book is found by words of its spine, with exactly the library's title and authors")
    func found() async throws {
        let bench = try Bench([:])
        try await Self.importList(
            ["HTML & CSS: Design and Build Websites,Jon Duckett,Hall", "\"Tide Tables\",Barnard and Noll,Hall"],
            into: bench.library)
        let snapshot = try #require(try LibraryRecords(bench.library).snapshot())
        let found = try snapshot.search.candidates(
            forEach: [["html", "css", "duckett"], ["tide", "tables"]], limit: 5)
        #expect(found.map { $0.first?.title } == ["HTML & CSS: Design and Build Websites", "Tide Tables"])
        #expect(found.allSatisfy { $0.first?.source == BookRecord.librarySource })
        #expect(snapshot.search.workCount == 2)
    }

    @Test("The index is built again when the books change, and not when anything else does")
    func changes() async throws {
        let bench = try Bench([:])
        let records = LibraryRecords(bench.library)
        let emma = try await bench.library.add(BookDetails(title: "Emma"))
        let first = try #require(try records.snapshot())
        #expect(try records.snapshot()?.version == first.version)
        _ = try await bench.library.update(emma.id) { $0.notes = "Signed" }
        #expect(try records.snapshot()?.version == first.version)
        _ = try await bench.library.add(BookDetails(title: "Dune"))
        let second = try #require(try records.snapshot())
        #expect(second.version != first.version && second.search.workCount == 2)
        try await bench.library.remove(emma.id)
        #expect(try records.snapshot()?.search.workCount == 1)
    }

    @Test("The copies expected on a shelf are records of the index, one for each copy")
    func expected() async throws {
        let bench = try Bench([:])
        try await Self.importList(
            ["Emma,Jane Austen,Hall", "Dune,Frank Herbert,Attic", "Emma,Jane Austen,Hall"], into: bench.library)
        let records = LibraryRecords(bench.library)
        let snapshot = try #require(try records.snapshot())
        let hall = try #require(try await bench.library.shelves().first { $0.name == "Hall" })
        let expected = try records.expected(onShelf: "\(hall.id)")
        let emma = try #require(try snapshot.search.candidates(forEach: [["emma", "austen"]], limit: 1)[0].first)
        #expect(!expected.isEmpty && expected.allSatisfy { $0.workKey == emma.workKey && $0.source == emma.source })
    }

    /// Scans spines of the shelf Hall, and returns the titles that are present there, missing, and not in the library.
    private func audit(
        _ spines: [[String]], list: [String]
    ) async throws -> (present: [String], missing: [String], new: [String?]) {
        let bench = try Bench([:])
        try await Self.importList(list, into: bench.library)
        let records = LibraryRecords(bench.library)
        let hall = try await bench.library.shelf(named: "Hall").id
        let shelf = ShelfOfLines(spines, records: { try records.snapshot() }, expected: records.expected)
        let photo = try await shelf.reading(shelf: "\(hall)").read(ShelfOfLines.file.get(), name: "a.jpg")
        let scan = ScanImport(job: "1", stored: nil, size: ShelfOfLines.size, books: photo.books, shelf: hall)
        let found = try await bench.library.compareShelf(hall, withUnadded: [scan], at: Date())
        #expect(!found.isFirst && found.moved.allSatisfy { $0.shelf?.id != "\(hall)" })
        return (found.present.map(\.title).sorted(), found.missing.map(\.title).sorted(), found.notAdded.map(\.title))
    }

    private static let list = [
        "Quiet Harbour,Nora Quill,Hall", "Salt and Copper,Ivo Marek,Hall", "Winter Orchards,Petra Vidmar,Hall",
        "Kestrel,Hanna Kolb,Attic", "Collected Fables,Ada Lund,Attic", "Collected Fables,Otto Brandt,Hall",
    ]

    @Test("Listed books are present without any catalog, and the others are new")
    func present() async throws {
        let found = try await audit(
            [
                ["QUIET HARBOUR", "NORA QUILL"], ["SALT AND COPPER", "IVO MAREK"], ["COLLECTED FABLES"],
                ["MOUNTAIN ALMANAC", "XAVER UNGER"],
            ], list: Self.list)
        #expect(found.present == ["Collected Fables", "Quiet Harbour", "Salt and Copper"])
        #expect(found.missing == ["Winter Orchards"])
        #expect(found.new.count == 1)
    }

    @Test("The list of another shelf makes no book present that is not there")
    func otherList() async throws {
        let spines = [["MOUNTAIN ALMANAC", "XAVER UNGER"], ["RIVER SONGS", "NORA QUILLER"], ["STONE", "KOLBE"]]
        let found = try await audit(spines, list: Self.list)
        #expect(found.present == [])
        #expect(found.missing.count == 4)
    }
}
