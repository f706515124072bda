import Foundation
import Providers
import ShelflistAPI
import TestSupport
import Testing

@Suite("What models write about spines")
struct ModelReadingTests {
    private func titles(_ text: String) -> [String]? { ModelReading.readings(in: text)?.map(\.title) }

    @Test("The documented answer is read with all fields")
    func documented() throws {
        let readings = try #require(
            ModelReading.readings(
                in: """
                    {"spines": [{"title": "Emma", "author": "Jane Austen", "confidence": 0.93, "box_2d": [10, 20, 900, 60]},
                    {"title": null, "author": null, "confidence": 0, "box_2d": [10, 70, 900, 90]}]}
                    """))
        #expect(readings.count == 1, "a spine without a title says nothing")
        #expect(readings[0].title == "Emma" && readings[0].author == "Jane Austen")
        #expect(readings[0].certainty == 0.93)
        let box = try #require(
            ModelBox.fractions([readings[0].box], order: .rowsFirst, width: 3000, height: 2000)[0])
        #expect(abs(box.x - 0.02) < 1e-9 && abs(box.y - 0.01) < 1e-9)
    }

    @Test(
        "Answers in a fence, without the outer object and with a wrong spine are read",
        arguments: [
            ("```json\n{\"spines\": [{\"title\": \"Emma\", \"author\": null}]}\n```", ["Emma"]),
            ("Here are the books:\n```\n[{\"title\": \"Emma\"}]\n```\nEnjoy {them}!", ["Emma"]),
            ("```json\n{\"spines\": [{\"title\": \"Emma\"}]}", ["Emma"]),
            (#" {"spines": [{"title": 5}, {"title": "Emma", "author": 7, "box_2d": "left"}, "x", null]} "#, ["Emma"]),
            (#"{"spines": [{"title": "\u00c9tranger \ud83d\ude00"}]}"#, ["Étranger 😀"]),
            (#"{"spines": [{"title": "A\u0000\u001b[31m\u202eB\n C"}]}"#, ["A [31m B C"]),
        ])
    func otherForms(_ text: String, _ expected: [String]) {
        #expect(titles(text) == expected)
    }

    @Test(
        "A text without a list is not an answer, and an empty list is one",
        arguments: [
            ("", nil), (#"{"spines": [{"title": "Emma"}, {"title": "Wal"#, nil), ("I cannot read this photo.", nil),
            ("<html><body>502</body></html>", nil), ("{}", nil),
            (#"{"error": "overloaded"}"#, nil), ("[[[[[[[[[[[[[[[[[[[[[[[[[[[[", nil), (#"{"spines": []}"#, []),
            (#"{"spines": [{"title": null, "author": null, "confidence": 0}]}"#, []),
        ] as [(String, [String]?)])
    func withoutList(_ text: String, _ expected: [String]?) {
        #expect(titles(text) == expected)
    }

    @Test(
        "Words that say that nothing was read are not titles",
        arguments: ["unknown", "Illegible", "N/A", "???", "—", "  ", "not readable", "null"])
    func nothing(_ title: String) {
        #expect(titles(#"{"spines": [{"title": "\#(title)", "author": "x"}]}"#) == [])
    }

    @Test(
        "Confidence is a share or one of three words; without sense it is one half",
        arguments: [
            ("0.9", 0.9), ("1", 1), ("0", 0), ("\"high\"", 0.85), ("\"LOW\"", 0.3), ("\"medium\"", 0.6), ("95", 0.5),
            ("-3", 0.5), ("1e9", 0.5), ("\"yes\"", 0.5), ("true", 0.5), ("null", 0.5), ("[1]", 0.5), ("\"nan\"", 0.5),
        ])
    func confidence(_ value: String, _ expected: Double) throws {
        let readings = try #require(
            ModelReading.readings(in: #"{"spines": [{"title": "Emma", "confidence": \#(value)}]}"#))
        #expect(abs(readings[0].certainty - expected) < 1e-9)
    }

    @Test("Boxes are in thousandths, fractions or pixels, by the largest number of the answer")
    func scales() throws {
        for (columns, rows) in [(1000.0, 1000.0), (1, 1), (3000, 2000)] {
            let boxes = [
                ModelReading.readings(
                    in: """
                        [{"title": "A", "box_2d": [\(0.1 * rows), \(0.2 * columns), \(0.9 * rows), \(0.25 * columns)]},
                        {"title": "B", "box_2d": [\(0.9 * rows), \(0.99 * columns), \(0.1 * rows), \(0.95 * columns)]}]
                        """)
            ].compactMap(\.self).flatMap { $0.map(\.box) }
            let found = ModelBox.fractions(boxes, order: .rowsFirst, width: 3000, height: 2000).compactMap(\.self)
            try #require(found.count == 2)
            for (box, (x, right)) in zip(found, [(0.2, 0.25), (0.95, 0.99)]) {
                #expect(abs(box.x - x) < 1e-9 && abs(box.x + box.width - right) < 1e-9)
                #expect(abs(box.y - 0.1) < 1e-9 && abs(box.height - 0.8) < 1e-9)
            }
        }
    }

    @Test(
        "Boxes with swapped axes are read; boxes without an area are not",
        arguments: [
            ("[100, 200, 300, 600]", ModelBox.Order.columnsFirst, [0.1, 0.2, 0.2, 0.4]),
            ("[200, 100, 600, 300]", .rowsFirst, [0.1, 0.2, 0.2, 0.4]), ("[200, 100, 200, 300]", .rowsFirst, nil),
            ("[1, 2, 3]", .rowsFirst, nil), ("[1, 2, 3, \"x\"]", .rowsFirst, nil),
            ("[1e300, 2, 3, 4]", .rowsFirst, nil), ("\"left\"", .rowsFirst, nil), ("{}", .rowsFirst, nil),
        ] as [(String, ModelBox.Order, [Double]?)])
    func boxes(_ value: String, _ order: ModelBox.Order, _ expected: [Double]?) throws {
        let readings = try #require(ModelReading.readings(in: #"[{"title": "A", "box_2d": \#(value)}]"#))
        let box = ModelBox.fractions(readings.map(\.box), order: order, width: 3000, height: 2000)[0]
        let numbers = box.map { [$0.x, $0.y, $0.width, $0.height] }
        #expect((numbers == nil) == (expected == nil))
        for (number, expected) in zip(numbers ?? [], expected ?? []) { #expect(abs(number - expected) < 1e-9) }
    }

    @Test("The number of spines and the length of titles are limited")
    func limits() throws {
        let many = "[" + (0..<1000).map { #"{"title": "Book \#($0)"}"# }.joined(separator: ",") + "]"
        #expect(titles(many)?.count == ModelReading.countLimit)
        let long = String(repeating: "a", count: 3000)
        #expect(titles(#"[{"title": "\#(long)"}]"#)?.first?.count == 400)
        let accents = "e" + String(repeating: "\u{301}", count: 3000)
        #expect(titles(#"[{"title": "\#(accents)"}]"#)?.first?.unicodeScalars.count == 9)
    }

    @Test("Answers that are built to be slow are read quickly", .endsHangs)
    func hostile() {
        for piece in ["[", "{", "{\"a\":", "[{\"a\":[", "\"", "\\u", "[1,", "{\"title\":\"", "-"] {
            _ = ModelReading.readings(in: String(repeating: piece, count: 1_000_000 / piece.count))
        }
    }

    @Test("Cutting an answer anywhere never invents a reading")
    func everyCut() throws {
        let whole = """
            Sure! ```json
            {"spines": [{"number": 1, "title": "Emma", "author": "Jane Austen", "confidence": 0.9, "box_2d": [1, 2, 30, 40]},
            {"number": 2, "title": "Walden", "author": "Henry Thoreau", "confidence": "high", "box_2d": [5, 50, 30, 60]}]}
            ```
            """
        let known = Set(try #require(ModelReading.readings(in: whole)).map { [$0.title, $0.author ?? ""] })
        for end in whole.indices {
            for reading in ModelReading.readings(in: String(whole[..<end])) ?? [] {
                #expect(known.contains([reading.title, reading.author ?? ""]))
            }
        }
    }
}
