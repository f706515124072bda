import Bibliography
import Identification
import Testing

@Suite struct OtherWorkTests {
    private static let history = record("An Introduction to Medieval History", by: "Ada Lund")

    private func isNamed(_ lines: [String], insteadOf record: BookRecord, authorIsRead: Bool) -> Bool {
        OtherWork.isNamed(
            by: lines.map(TextNormalisation.words), insteadOf: record, authorIsRead: authorIsRead)
    }

    @Test(
        "Another word in place of one of the title names another work",
        arguments: [
            (["METHODS OF MEDIEVAL HISTORY"], false), (["Methods of Medieval History", "LUND"], true),
            (["MEDIEVAL HISTORY", "BRANDT"], false),
        ])
    func other(_ lines: [String], authorIsRead: Bool) {
        #expect(isNamed(lines, insteadOf: Self.history, authorIsRead: authorIsRead))
    }

    @Test(
        "Missing, misread and joined words, imprints and authors do not",
        arguments: [
            (["MEDIEVAL HISTORY"], false), (["INTRODUCTON TO MEDIEVAL", "Oxford University Press"], false),
            (["INTRODUCTIONTO MEDIEVALHISTORY", "BRANDT"], false), (["MEDIEVAL HISTORY", "BRANDT", "LUND"], true),
            (["LUND MEDIEVAL HISTORY"], true), (["History", "Second revised"], true),
        ])
    func same(_ lines: [String], authorIsRead: Bool) {
        #expect(!isNamed(lines, insteadOf: Self.history, authorIsRead: authorIsRead))
    }

    @Test("Without an author, only a word before the rest of the title counts")
    func withoutAuthor() {
        let record = record("Winter Gardens of the North", by: nil)
        #expect(isNamed(["SUMMER GARDENS OF THE NORTH"], insteadOf: record, authorIsRead: false))
        #expect(!isNamed(["GARDENS OF THE NORTH", "BRANDT"], insteadOf: record, authorIsRead: false))
    }

    @Test(
        "A title that function words join to others is a part of another title",
        arguments: [
            (["PATTERN RECOGNITION", "AND MACHINE LEARNING"], true),
            (["A HISTORY OF PATTERN RECOGNITION"], true), (["PATTERN RECOGNITION", "BRANDT"], false),
            (["PATTERN RECOGNITION", "The Thriller"], false), (["PATTERN RECOGNITION by LUND"], false),
            (["PATTERN RECOGNITION", "for Penguin"], false), (["PATTERN RECOGNITION"], false),
        ])
    func part(_ lines: [String], isPart: Bool) {
        let record = record("Pattern Recognition", by: "Ada Lund")
        #expect(isNamed(lines, insteadOf: record, authorIsRead: false) == isPart)
        #expect(!isNamed(lines, insteadOf: record, authorIsRead: true))
    }
}
