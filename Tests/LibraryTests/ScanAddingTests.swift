import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite("Adding chosen books of a scan") struct ScanAddingTests {
    /// Two photos; the library has the first one's *Dune*.
    private static func scans(shelf: RowID<Shelf>? = nil) -> [ScanImport] {
        let dune = Scan.book("Dune", by: "Frank Herbert", place: 0)
        let emma = Scan.book("Emma", by: "Jane Austen", place: 1)
        var first = Scan.of([dune, emma], job: "job/1", photo: "a")
        first.records = [
            "b1": BookRecord(
                id: "OL1M", title: "Emma", authors: ["Jane Austen"], publisher: "Penguin",
                coverURL: URL(string: "https://covers.example/1.jpg"), source: "openlibrary")
        ]
        let second = Scan.of(
            [Scan.book("Ulysses", by: "James Joyce", 0.3, place: 0)], job: "job/2", photo: "b", shelf: shelf)
        return [first, second]
    }

    private static func withDune() async throws -> TestLibrary {
        let library = try TestLibrary()
        _ = try await library.store.add(BookDetails("Dune", by: "Frank Herbert"))
        return library
    }

    @Test("Books are added with what was found about them, and duplicates become questions")
    func adds() async throws {
        let library = try await Self.withDune()
        let added = try await library.store.add(Self.scans())
        #expect(added.map(\.scan) == ["job/1", "job/1", "job/2"])
        #expect(added.map { $0.question != nil } == [true, false, false])
        #expect(added.map(\.reviewStatus) == [nil, .verified, .needsReview])
        #expect(added.map { $0.cover?.lastPathComponent } == [nil, "1.jpg", nil])
        let emma = try await library.store.entry(try #require(added[1].entry))
        #expect(emma.edition?.publisher == "Penguin")
        #expect(emma.edition?.source == "openlibrary")
    }

    @Test(
        "A decision also answers the questions of an earlier import",
        arguments: [(DuplicateDecision.skip, 3), (.addCopy, 4), (.existing, 3)])
    func decides(decision: DuplicateDecision, copies: Int) async throws {
        let library = try await Self.withDune()
        _ = try await library.store.add(Self.scans())
        let added = try await library.store.add(Self.scans(), duplicates: decision)
        #expect(added.allSatisfy { $0.question == nil })
        #expect((added[0].entry == nil) == (decision == .skip))
        #expect(try await library.store.duplicateQuestions().isEmpty)
        #expect(try await library.store.entries().total == copies)
    }

    @Test("Books of several photos are added together or not at all")
    func addsAllOrNone() async throws {
        let library = try await Self.withDune()
        let token = UndoToken()
        let before = try await library.store.revision()
        await #expect(throws: LibraryError.notFound("shelf 99")) {
            try await library.store.actions(as: token).add(Self.scans(shelf: RowID(99)), duplicates: .addCopy)
        }
        #expect(try await library.store.titles() == ["Dune"])
        #expect(try await library.store.revision() == before)
        #expect(try await library.store.shown(token) == nil)
        #expect(try await library.store.photos().isEmpty)
        #expect(try await library.store.problems() == [])

        _ = try await library.store.actions(as: token).add(Self.scans(), duplicates: .addCopy)
        #expect(try await library.store.titles() == ["Dune", "Dune", "Emma", "Ulysses"])
        _ = try await library.store.undo(token)
        #expect(try await library.store.titles() == ["Dune"])
    }

    @Test("A record that cannot be stored does not keep its book out of the library")
    func addsWithoutRecord() async throws {
        let library = try TestLibrary()
        var scan = Scan.of([Scan.book("Emma", by: "Jane Austen", place: 0)], job: "1")
        scan.records = [
            "b0": BookRecord(
                id: "1", title: "Emma", authors: ["Jane Austen"], publisher: String(repeating: "P", count: 5000))
        ]
        let added = try await library.store.add([scan])
        #expect(added.map(\.reviewStatus) == [.verified])
    }
}
