import Library
import Testing

@Suite struct CallNumberTests {
    @Test(
        "Call numbers are in the order of a library",
        arguments: [
            ["Kinder 9", "Kinder 12", "Kinder 12 B"],
            ["796", "796 ABC", "796 B", "796.1", "796.1 A", "796.12", "1000"],
            ["813.54", "813.6"], ["QA 76.73 S9", "QA76.73.S95", "QA76.73.S95 2010", "QA76.8", "QA761"],
            ["796 A12", "796 A2", "796 B1"], ["A2", "A12"], ["R 830 Goe v.2", "R 830 Goe v.10"], ["jug 1", "JUG 2"],
        ])
    func order(numbers: [String]) {
        #expect(numbers.reversed().sorted { CallNumber.sortKey($0) < CallNumber.sortKey($1) } == numbers)
    }

    @Test("Spaces, case and signs make no difference")
    func signs() {
        #expect(CallNumber.sortKey("QA 76.73 .s95") == CallNumber.sortKey("qa76.73-S95"))
        #expect(CallNumber.sortKey(" … ") == "")
    }
}
