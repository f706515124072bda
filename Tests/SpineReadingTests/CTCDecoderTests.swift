import SpineReading
import Testing

@Suite("CTC decoding")
struct CTCDecoderTests {
    /// Steps drawn as text.
    ///
    /// `-` is the blank, `_` the space, `~` a blank at whose step the space has 0.15, `'` one at whose step it has 0.05;
    /// all else is the letter itself.
    static let readings: [(steps: String, text: String)] = [
        ("", ""),
        ("-", ""),
        ("----", ""),
        ("a", "a"),
        ("-a-b-", "ab"),
        ("aaabbb", "ab"),
        ("aaa", "a"),
        ("a-a", "aa"),
        ("aa--aa-a", "aaa"),
        ("abba", "aba"),
        ("ab-ba", "abba"),
        ("a_b", "a b"),
        ("a__b", "a b"),
        ("a_-_b", "a b"),
        ("__ab__", "ab"),
        ("___", ""),
        ("a~b", "a b"),
        ("a~~b", "a b"),
        ("a~_b", "a b"),
        ("a~-~b", "a b"),
        ("a'b", "ab"),
        ("~a~", "a"),
        ("a-~-a", "a a"),
    ]

    @Test("Decoding joins repeats, drops blanks and gives spaces a second chance", arguments: readings)
    func reading(_ steps: String, _ text: String) {
        #expect(decode(steps.map { ($0, 0.8) }).text == text)
    }

    @Test(
        "The score is the mean probability of the letters without blanks and spaces",
        arguments: [
            ([("a", 0.9), ("b", 0.7)], 0.8), ([("a", 0.6), ("-", 0.95), ("b", 0.8)], 0.7),
            ([("a", 0.9), ("_", 0.5), ("b", 0.9)], 0.9), ([("a", 0.9), ("~", 0.8), ("b", 0.7)], 0.8),
            ([("a", 0.6), ("a", 0.6), ("b", 1)], 0.8), ([("-", 0.9)], 0), ([("_", 0.9)], 0), ([], 0),
        ] as [([(Character, Float)], Double)])
    func score(_ steps: [(Character, Float)], _ expected: Double) {
        #expect(abs(decode(steps).score - expected) < 1e-6)
    }

    /// Places around the ends of what is compared at once, and what is left over at the end of a row.
    @Test(
        "The first greatest value is found at any position",
        arguments: [
            (1, 0), (5, 3), (16, 15), (511, 510), (512, 0), (512, 511), (513, 512), (1024, 511), (1024, 512),
            (18_711, 0),
            (18_711, 9_000), (18_711, 18_432), (18_711, 18_710),
        ])
    func greatest(_ count: Int, _ place: Int) {
        var row = (0..<count).map { Float(($0 * 7) % 97) / 1000 }
        row[place] = 0.5
        #expect(row.withUnsafeBufferPointer { $0.indexOfGreatest } == place)
        if place + 1 < count { row[count - 1] = 0.5 }
        #expect(row.withUnsafeBufferPointer { $0.indexOfGreatest } == place)
    }

    @Test("The greatest of nothing or of values that are not numbers is the first", arguments: [0, 3, 600])
    func nonsense(_ count: Int) {
        let row = [Float](repeating: .nan, count: count)
        #expect(row.withUnsafeBufferPointer { $0.indexOfGreatest } == 0)
    }

    @Test("Each class is its line of the list, between the blank and the space", arguments: 0..<41)
    func classes(_ index: Int) {
        let list = (0..<39).map { "<\($0)>" }
        let decoder = CTCDecoder(characterList: list.joined(separator: "\n"))
        #expect(decoder.classCount == 41)
        var row = [Float](repeating: 0.001, count: 41)
        row[index] = 0.96
        let text = row.withUnsafeBufferPointer { decoder.decode($0, steps: 1, classes: 41).text }
        #expect(text == (index == 0 || index == 40 ? "" : list[index - 1]))
    }

    @Test(
        "A line end after the last character is not another character",
        arguments: [("a\nb", 4), ("a\nb\n", 4), ("a\n\nb", 5), ("", 2)])
    func list(_ list: String, _ classes: Int) {
        #expect(CTCDecoder(characterList: list).classCount == classes)
    }

    @Test("The first of equal classes counts, and values that are not numbers are blanks")
    func odd() {
        let decoder = CTCDecoder(characterList: "a\nb\nc")
        let even: [Float] = [0.01, 0.45, 0.45, 0.05, 0.04]
        #expect(even.withUnsafeBufferPointer { decoder.decode($0, steps: 1, classes: 5).text } == "a")
        let none = [Float](repeating: .nan, count: 5)
        #expect(none.withUnsafeBufferPointer { decoder.decode($0, steps: 1, classes: 5).text } == "")
    }

    @Test(
        "The step of each letter is kept, by word",
        arguments: [
            ("-a-b-", [[1, 3]]), ("aab", [[0, 2]]), ("a_b", [[0], [2]]), ("a~-~b-c", [[0], [4, 6]]),
            ("_a_", [[1]]), ("__ab__c_", [[2, 3], [6]]), ("---", []), ("", []),
        ] as [(String, [[Int]])])
    func places(_ steps: String, _ words: [[Int]]) {
        #expect(decode(steps.map { ($0, 0.8) }).words == words)
    }

    private func decode(_ steps: [(Character, Float)]) -> (text: String, score: Double, words: [[Int]]) {
        let letters: [Character] = ["-", "a", "b", "c", "_"]
        var rows: [Float] = []
        for (step, probability) in steps {
            let best = letters.firstIndex(of: step) ?? 0
            var row = [Float](repeating: 0.02, count: letters.count)
            row[best] = probability
            if step == "~" { row[4] = 0.15 }
            if step == "'" { row[4] = 0.05 }
            rows += row
        }
        return rows.withUnsafeBufferPointer {
            CTCDecoder(characterList: "a\nb\nc").decode($0, steps: steps.count, classes: letters.count)
        }
    }
}
