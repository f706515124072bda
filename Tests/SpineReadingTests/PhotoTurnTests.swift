import Imaging
import ShelflistAPI
import SpineReading
import Testing

@Suite("How a photo is stored")
struct PhotoTurnTests {
    /// How many lines run in each direction on shelves that stand upright.
    struct Shelf: Sendable, CustomTestStringConvertible {
        var name: String
        var down = 0
        var up = 0
        var upright = 0
        var upsideDown = 0

        var testDescription: String { name }

        func lines(stored turn: QuarterTurn, score: Double = 0.95, text: String = "Some title") -> [TextLine] {
            let counts: [(ReadingDirection, Int)] = [
                (.topToBottom, down), (.bottomToTop, up), (.upright, upright), (.upsideDown, upsideDown),
            ]
            return counts.flatMap { direction, count in
                let quarters =
                    [QuarterTurn.none, .quarter, .half, .threeQuarters]
                    .firstIndex { ReadingDirection.upright.turned($0) == direction.turned(turn) } ?? 0
                return (0..<count).map { _ in
                    TextLine(text: text, score: score, quad: rectangle(200, 20, turnedBy: Double(quarters) * 90))
                }
            }
        }
    }

    static let uprightShelves = [
        Shelf(name: "an empty shelf"),
        Shelf(name: "English", down: 30, upright: 6),
        Shelf(name: "only lines that run down", down: 30),
        Shelf(name: "German or French", up: 30, upright: 6),
        Shelf(name: "only lines that run up", up: 30),
        Shelf(name: "English and French together", down: 15, up: 12, upright: 6),
        Shelf(name: "a stack", down: 1, upright: 25),
        Shelf(name: "wide spines, printed across", upright: 40),
        Shelf(name: "English with some books upside down", down: 25, up: 4, upright: 5, upsideDown: 3),
        Shelf(name: "a single line upside down", upsideDown: 1),
    ]

    @Test("An upright shelf is not turned", arguments: uprightShelves)
    func upright(_ shelf: Shelf) {
        #expect(PhotoTurn.estimate(from: shelf.lines(stored: .none)) == .none)
    }

    static let turnedShelves: [(shelf: Shelf, stored: QuarterTurn)] = [
        (Shelf(name: "English, turned by 90°", down: 30, upright: 6), .quarter),
        (Shelf(name: "English, half turned", down: 30, upright: 14), .half),
        (Shelf(name: "German or French, half turned", up: 30, upright: 14), .half),
        (Shelf(name: "both directions, half turned", down: 15, up: 12, upright: 14), .half),
        (Shelf(name: "English, turned by 270°, some wide spines", down: 30, upright: 14), .threeQuarters),
        (Shelf(name: "German or French, turned by 270°", up: 30, upright: 6), .threeQuarters),
        (Shelf(name: "a stack, half turned", upright: 20), .half),
        (Shelf(name: "two thousand lines, half turned", down: 900, up: 700, upright: 400), .half),
    ]

    @Test("A turned shelf is turned back", arguments: turnedShelves)
    func turned(_ shelf: Shelf, _ stored: QuarterTurn) {
        #expect(PhotoTurn.estimate(from: shelf.lines(stored: stored)) == stored.inverse)
    }

    @Test("A hundred lines of an unusual shelf are not enough evidence", arguments: [1, 3, 5])
    func unusual(_ times: Int) {
        let shelf = Shelf(
            name: "half upside down", down: 5 * times, up: 15 * times, upright: 6 * times, upsideDown: 10 * times)
        #expect(PhotoTurn.estimate(from: shelf.lines(stored: .none)) == .none)
    }

    /// Directions alone cannot distinguish these from upright photos, which are the rule.
    ///
    /// English spines turned by 270° read upright like a stack; half turned, they run up like German ones.
    static let undecidedShelves: [(shelf: Shelf, stored: QuarterTurn)] = [
        (Shelf(name: "English, turned by 270°, looks like a stack", down: 30), .threeQuarters),
        (Shelf(name: "German, turned by 90°, looks like a stack", up: 30), .quarter),
        (Shelf(name: "English, half turned, looks German", down: 30), .half),
        (Shelf(name: "a stack, turned by 90°, looks English", upright: 20), .quarter),
        (Shelf(name: "two lines are not enough", down: 2), .quarter),
    ]

    @Test("A shelf that could be upright is not turned", arguments: undecidedShelves)
    func undecided(_ shelf: Shelf, _ stored: QuarterTurn) {
        #expect(PhotoTurn.estimate(from: shelf.lines(stored: stored)) == .none)
    }

    /// The example photo, half turned: what is read wrong way round in one precision or another.
    @Test("Lines read the wrong way round do not decide between turns", arguments: 0...6)
    func wrongWayRound(_ count: Int) {
        let shelf = Shelf(name: "the example", down: 30, up: 10, upright: 40)
        let wrong = Shelf(name: "misread", upsideDown: count).lines(stored: .half, score: 0.91)
        #expect(PhotoTurn.estimate(from: shelf.lines(stored: .half, score: 0.99) + wrong) == .half)
    }

    @Test("Badly read and short lines are ignored")
    func unclear() {
        let shelf = Shelf(name: "English", down: 30, upright: 6)
        #expect(PhotoTurn.estimate(from: shelf.lines(stored: .quarter, score: 0.7)) == .none)
        #expect(PhotoTurn.estimate(from: shelf.lines(stored: .quarter, text: "abc")) == .none)
    }
}
