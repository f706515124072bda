import Bibliography
import Identification
import ShelflistAPI
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

    @Test(
        "Other words in place of most of a title name another work",
        arguments: [
            (["MUSIC", "AND OTHER", "VOYAGES"], true), (["BALLADS", "AND OTHER"], false),
            (["AND OTHER", "VQYXGES"], false), (["AND OTHER", "Oxford"], false), (["AND OTHER", "HENRY"], false),
        ])
    func mostly(_ lines: [String], isOther: Bool) {
        let record = record("Ballads and Other Poems", by: nil)
        let read = lines.map { ReadText(text: $0, score: 0.95) }
        let isNamed = OtherWork.isMostlyNamed(by: read, insteadOf: record) {
            ["music", "voyages", "henry"].contains($0)
        }
        #expect(isNamed == isOther)
    }

    @Test("Other words that were read poorly may be those of the title")
    func poorlyRead() {
        let read = ["MUSIC", "AND OTHER", "VOYAGES"].map { ReadText(text: $0, score: 0.6) }
        #expect(!OtherWork.isMostlyNamed(by: read, insteadOf: record("Ballads and Other Poems", by: nil)) { _ in true })
    }

    @Test(
        "A title that joins two works needs a word of both, or was cut off",
        arguments: [
            (["ADA LUND", "THE GARDEN DOOR"], true), (["THE LONG WALK HOME"], true),
            (["LONG WALK", "GARDEN DOOR"], false), (["THE LONG WALK HOME AND"], false), (["THE GARDEN"], false),
        ])
    func oneOfTwo(_ lines: [String], isOne: Bool) {
        let record = record("The Long Walk Home and the Garden Door", by: "Ada Lund")
        #expect(CollectedWorks.isOneNamed(by: lines.map(TextNormalisation.words), of: record) == isOne)
    }

    @Test(
        "Without an author, a line with another word beside half of the title names another work",
        arguments: [
            (["MANUAL OF KNOTS"], true), (["Ona Vidal", "Manual practical"], true), (["MANUAL OF"], false),
            (["MANUAL", "Ona Vidal"], false), (["MANUAL OF SAILING", "Knots and Ropes"], false), (["KNOTS"], false),
        ])
    func half(_ lines: [String], isOther: Bool) {
        #expect(isNamed(lines, insteadOf: record("Manual of Sailing", by: nil), authorIsRead: false) == isOther)
    }

    @Test(
        "Another year than the title's is of another volume",
        arguments: [
            (["HARBOUR WRITING 2011"], true), (["HARBOUR WRITING"], false), (["HARBOUR WRITING 2000"], false),
            (["HARBOUR WRITING 2000", "2011"], false), (["HARBOUR WRITING", "640"], false),
        ])
    func year(_ lines: [String], isOther: Bool) {
        let record = record("The Best Harbour Writing 2000", by: "Ada Lund")
        #expect(OtherWork.isOfAnotherYear(lines.map(TextNormalisation.words), than: record) == isOther)
    }

    @Test("A year that the title lacks is an edition's")
    func yearOfEdition() {
        let lines = ["HARBOUR WRITING", "2011"].map(TextNormalisation.words)
        #expect(!OtherWork.isOfAnotherYear(lines, than: record("Harbour Writing", by: "Ada Lund")))
    }

    @Test(
        "A word right after the title, or instead of its last word, continues another title",
        arguments: [
            (["THE GOING LEAN FIELDBOOK", "LUND"], true), (["GOING CURRENT", "LUND"], true),
            (["GOING LEAN", "FIELDBOOK"], false), (["GOING LEAN: FIELDBOOK"], false), (["Going Lean Stories"], true),
            (["GOING LEAN stories"], false), (["GOING LEAN LUND"], false), (["GOING LEAN PENGUIN"], false),
            (["GOING LEAM", "FIELDBOOK"], false), (["GOING CVRRXNT"], false), (["GOING CURRENT", "LEAN"], false),
        ])
    func continued(_ lines: [String], isOther: Bool) {
        let read = lines.map { ReadText(text: $0, score: 0.95) }
        let isContinued = OtherWork.isContinued(by: read, insteadOf: record("Going Lean", by: "Ada Lund")) {
            ["current", "fieldbook", "stories"].contains($0)
        }
        #expect(isContinued == isOther)
    }

    @Test("A long title is not the beginning of another")
    func longTitle() {
        let read = [ReadText(text: "The Display of Quantitative Information secono ED", score: 0.95)]
        let record = record("The Display of Quantitative Information", by: "Ada Lund")
        #expect(!OtherWork.isContinued(by: read, insteadOf: record) { _ in true })
    }
}
