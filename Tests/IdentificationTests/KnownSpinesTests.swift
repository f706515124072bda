import Bibliography
import Fixtures
import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Testing

/// Spines that were read before and on whose books a person decided.
@Suite struct KnownSpinesTests {
    /// What the letters of an ornate title are read as, and the book.
    private static let known = KnownSpine(
        lines: ["QVLET MRBQVR", "N QVLL"], record: record("Quiet Harbour", by: "Nora Quill"))

    private func identify(_ spines: [[String]], knowing known: [KnownSpine] = [known]) throws -> [DetectedBook] {
        let catalog = InMemoryCatalog(records: library)
        return try BookIdentifier(catalog: {
            var snapshot = catalog.snapshot
            snapshot.knownSpines = known
            return snapshot
        }).identify(ReadShelf(lines: standing(spines), turn: .none), in: photoSize).books
    }

    @Test("The same text is the same book, also with a misread letter and in another order of lines")
    func sameText() throws {
        for lines in [["QVLET MRBQVR", "N QVLL"], ["QVLET MRBOVR", "N QVLL"], ["N QVLL", "QVLET MRBQVR"]] {
            let book = try #require(try identify([lines]).first)
            #expect(book.title == "Quiet Harbour" && book.author == "Nora Quill", "\(lines)")
            #expect(book.reviewStatus == .verified && book.checked)
        }
    }

    @Test("A person's decision outranks a record that the text fits")
    func outranksRecord() throws {
        let spine = ["EMMA", "JANE AUSTEN"]
        let decided = KnownSpine(lines: spine, record: record("Emma and Knightley", by: "Rachel Billington"))
        #expect(try identify([spine], knowing: []).first?.title == "Emma")
        let book = try #require(try identify([spine], knowing: [decided]).first)
        #expect(book.title == "Emma and Knightley")
        #expect(book.matches.contains { $0.title == "Emma" }, "it is still offered")
    }

    @Test("Another text, a short one, one that several spines show, and one of several books name nothing")
    func notKnown() throws {
        #expect(try identify([["QVLET STREETS", "N MAREK"]]).allSatisfy { $0.title != "Quiet Harbour" })
        let short = KnownSpine(lines: ["QVLL"], record: record("Quiet Harbour", by: "Nora Quill"))
        #expect(try identify([["QVLL"]], knowing: [short]).allSatisfy { $0.title != "Quiet Harbour" })
        let twice = try identify([["QVLET MRBQVR", "N QVLL"], ["QVLET MRBQVR", "N QVLL"]])
        #expect(twice.allSatisfy { $0.title != "Quiet Harbour" })
        let other = KnownSpine(lines: Self.known.lines, record: record("Lantern Street", by: "Nora Quill"))
        let either = try identify([["QVLET MRBQVR", "N QVLL"]], knowing: [Self.known, other])
        #expect(either.allSatisfy { $0.title != "Quiet Harbour" && $0.title != "Lantern Street" })
    }
}
