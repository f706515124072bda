import Bibliography
import Testing

@Suite("Series") struct SeriesStatementTests {
    @Test(
        "A number is split off a series where a mark says that it is one",
        arguments: [
            ("Earthsea, #3", "Earthsea", "3"), ("Earthsea #3", "Earthsea", "3"), ("Earthsea ; 3", "Earthsea", "3"),
            ("Earthsea, 03", "Earthsea", "3"), ("Earthsea (Bd. 3)", "Earthsea", "3"),
            ("Earthsea. Band 3", "Earthsea", "3"),
            ("Earthsea, vol.3.", "Earthsea", "3"), ("Earthsea (#2.50)", "Earthsea", "2.5"),
            ("Erdsee, Bd. 2,5", "Erdsee", "2.5"), ("Earthsea, #1-3", "Earthsea", "1-3"),
            ("Earthsea, #1–3", "Earthsea", "1-3"), ("Area 51, #2", "Area 51", "2"),
            ("Penguin Classics (UK) ; 205", "Penguin Classics (UK)", "205"),
            ("Stories, #2003", "Stories", "2003"), ("Discworld, #8; City Watch, #1", "Discworld", "8"),
        ])
    func split(text: String, name: String, number: String) {
        let statement = SeriesStatement(text)
        #expect(statement.name == name && statement.number?.rawValue == number)
        #expect(SeriesStatement(statement.text) == statement)
    }

    @Test(
        "A number that may be part of the name stays in it",
        arguments: [
            "Area 51", "Best Stories, 2003", "Series (Tales, 3)", "#3", "3", "", "Rama II", "X, #123456",
            "1-3", "Fall 2-1, #3-2",
        ])
    func whole(text: String) {
        let statement = SeriesStatement(text)
        #expect(statement.name == text && statement.number == nil)
    }

    @Test(
        "A number in a series has one text, its whole volumes and its order",
        arguments: [
            ("3", "3", 3...3), ("007", "7", 7...7), ("2.5", "2.5", nil), ("2,05", "2.05", nil), ("0", "0", 0...0),
            ("1-3", "1-3", 1...3), ("1.5 – 3", "1.5-3", 2...3), ("2.2-2.8", "2.2-2.8", nil), ("4-4", "4", 4...4),
        ] as [(String, String, ClosedRange<Int>?)])
    func number(text: String, raw: String, volumes: ClosedRange<Int>?) {
        let number = SeriesNumber(rawValue: text)
        #expect(number?.rawValue == raw && number?.volumes == volumes)
    }

    @Test(
        "What is not a number in a series is refused",
        arguments: ["", "-", "3-", "3-1", "1-2-3", "II", "1.234", "1.", ".5", "123456", "٣", "1e3", "+1"])
    func refused(text: String) {
        #expect(SeriesNumber(rawValue: text) == nil)
    }

    @Test("Numbers are sorted by value, also by their keys")
    func order() {
        let sorted = ["0.5", "1", "1-3", "2", "2.05", "2.5", "10", "99999"].compactMap { SeriesNumber(rawValue: $0) }
        #expect(sorted.count == 8 && sorted.shuffled().sorted() == sorted)
        #expect(sorted.map(\.sortKey) == sorted.map(\.sortKey).sorted())
    }
}
