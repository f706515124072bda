import Bibliography
import Fixtures
import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Synchronization
import TestSupport
import Testing

@Suite("The work of identifying the books of one photo is limited", .endsHangs)
struct EffortTests {
    @Test("Lines that lie on each other with the same text count once", arguments: [nil, library])
    func equalLines(records: [BookRecord]?) throws {
        let line = down("Emma", x: 320, from: 500, length: 900, height: 40)
        let one = try identify([line], knowing: records)
        let many = try identify(Array(repeating: line, count: 3000), knowing: records)
        #expect(many.books == one.books)
        #expect(many.steps <= one.steps + 3000)
    }

    @Test("Equal text beside a line, and other text on it, are kept")
    func otherLines() throws {
        let line = down("Emma", x: 320, from: 300, length: 400, height: 40)
        let copy = down("Emma", x: 380, from: 300, length: 400, height: 40)
        #expect(try texts(of: [line, copy]) == ["Emma", "Emma"])
        let other = down("Persuasion", x: 320, from: 300, length: 400, height: 40)
        #expect(try texts(of: [line, other]) == ["Emma", "Persuasion"])
    }

    /// Returns all text of what is made of these lines, sorted.
    private func texts(of lines: [TextLine]) throws -> [String] {
        let shelf = try identify(lines)
        return (shelf.books.flatMap { $0.text.map(\.text) } + shelf.otherText.map(\.text)).sorted()
    }

    @Test("Empty lines at one point count once")
    func points() throws {
        let point = TextLine(text: "Emma", score: 0, quad: Quad(PixelRect(x: 300, y: 500, width: 0, height: 0)))
        #expect(try identify(Array(repeating: point, count: 3000)).steps < 10_000)
    }

    /// Results that a worker may return.
    static let floods: [(name: String, lines: [TextLine])] = [
        ("different lines in one place", (0..<3000).map { down("Title \($0)", x: 320, from: 500, length: 900) }),
        (
            "lines of two shapes in one place",
            (0..<3000).map { index in
                let x = 320 + Double(index % 7)
                return index.isMultiple(of: 2)
                    ? down("Title \(index)", x: x, from: 500, length: 900)
                    : across("Word \(index)", from: x, y: 700, length: 300)
            }
        ),
        (
            "lines of many words",
            (0..<3000).map { index in
                across(
                    "\(index) " + String(repeating: "word ", count: 99), from: Double(index % 60) * 60,
                    y: Double(index / 60) * 50, length: 40, height: 45)
            }
        ),
        (
            "standing lines side by side",
            (0..<3000).map { index in
                down("Title \(index)", x: Double(index) * 1.3, from: 10, length: 1400, height: 1.2)
            }
        ),
        (
            "call numbers",
            (0..<3000).map { index in
                across(
                    "796.\(index) Joh", from: Double(index % 60) * 30, y: Double(index / 60) * 30, length: 25, height: 9
                )
            }
        ),
        (
            "two lines of call numbers, each below all others",
            (0..<3000).map { index in
                let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
                let place = 300 + Double(index) / 100
                let text = letters[index % 26] + letters[index / 26 % 26]
                return across(text, from: place, y: place, length: 25, height: 60)
            }
        ),
        (
            "labels of shelves",
            (0..<3000).map { index in
                across(
                    "SLF-\(index) R1", from: Double(index % 60) * 30, y: Double(index / 60) * 30, length: 25, height: 9)
            }
        ),
        (
            "lines over the whole photo",
            (0..<3000).map { index in
                TextLine(
                    text: "Title \(index)", score: 1,
                    quad: Quad(PixelRect(x: -2000, y: -1500 + Double(index), width: 6000, height: 4500)))
            }
        ),
        (
            "crossed lines",
            (0..<3000).map { index in
                TextLine(
                    text: "Title \(index)", score: 1,
                    quad: Quad(
                        PixelPoint(x: -2000 + Double(index), y: -1500), PixelPoint(x: 4000, y: 3000),
                        PixelPoint(x: -2000, y: 3000), PixelPoint(x: 4000, y: -1500)))
            }
        ),
    ]

    @Test("No result of 3,000 lines takes more than the limit", arguments: floods.indices)
    func limited(index: Int) throws {
        // A hundredth of the limit of a photo: which step exceeds it does not depend on the limit.
        let most = IdentificationEffort.mostSteps / 100
        let catalog = InMemoryCatalog(records: library)
        let identifier = BookIdentifier(
            catalog: { catalog.snapshot }, effort: { IdentificationEffort(mostSteps: most) })
        let shelf = ReadShelf(lines: Self.floods[index].lines, turn: .none)
        #expect(throws: IdentificationError.tooMuchText) { try identifier.identify(shelf, in: photoSize) }
    }

    @Test("What takes longer than ten seconds of the processor fails with the reason")
    func time() throws {
        let looks = Counter()
        // The clock is looked at first at the start.
        let time: @Sendable () -> Duration = {
            looks.next() == 1 ? .zero : .seconds(11)
        }
        let identifier = BookIdentifier(effort: { IdentificationEffort(time: time) })
        let shelf = ReadShelf(lines: standing([["Emma", "Jane Austen"]]), turn: .none)
        let error = #expect(throws: IdentificationError.self) { try identifier.identify(shelf, in: photoSize) }
        #expect(error?.problemCode == "too_much_text")
    }

    @Test("A photo of hundreds of spines takes a small part of the limit")
    func ordinary() throws {
        let lines = (0..<4).flatMap { row in
            (0..<75).flatMap { place -> [TextLine] in
                let (x, y) = (20 + 26 * Double(place), 20 + 370 * Double(row))
                return [
                    down("Title \(place) of \(row)", x: x, from: y, length: 200, height: 16),
                    down("Name Author", x: x, from: y + 220, length: 100, height: 12),
                ]
            }
        }
        let steps = try identify(lines, knowing: library).steps
        #expect(steps < IdentificationEffort.mostSteps / 10)
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
