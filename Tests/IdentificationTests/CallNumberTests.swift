import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Testing

@Suite("The labels of a library") struct CallNumberTests {
    /// Invented books.
    private static let books = [
        ("WINTER LIGHT", "Ana Moreno"), ("THE BEEKEEPER", "Tom Hale"), ("NORTH OF HARBOUR", "Ida Brandt"),
        ("A QUIET ORCHARD", "Selma Okafor"), ("RIVERS AND LAKES", "Karl Rieder"),
    ]

    private static let spines = books.enumerated().flatMap { place, book in
        let x = 300 + 200 * Double(place)
        return [
            down(book.0, x: x, from: 100, length: 18 * Double(book.0.count), height: 40),
            down(book.1, x: x, from: 500, length: 14 * Double(book.1.count), height: 30),
        ]
    }

    /// A label at the foot of each spine, on a line or two.
    private func labels(_ texts: [[String]], height: Double = 26) -> [TextLine] {
        texts.enumerated().flatMap { place, lines in
            lines.enumerated().map { row, text in
                across(
                    text, from: 265 + 200 * Double(place), y: 1_100 + 30 * Double(row), length: 70, height: height)
            }
        }
    }

    @Test(
        "A label on most spines is their call number, whatever its form, and no part of title or author",
        arguments: [
            [["N Mor"], ["N Hal"], ["N Bra"], ["N Oka"], ["N Rie"]],
            [["JF MOR"], ["JF HAL"], ["JF BRA"], ["JF OKA"], ["JF RIE"]],
            [["F", "MOR"], ["F", "HAL"], ["F", "BRA"], ["F", "OKA"], ["F", "RIE"]],
            [["811.2 Mor"], ["823 Hal"], ["839 Bra"], ["896.3 Oka"], ["551.48 Rie"]],
            [["811.2", "MOR"], ["823", "HAL"], ["839", "BRA"], ["896.3", "OKA"], ["551.48", "RIE"]],
            [["REF 811 MOR"], ["REF 823 HAL"], ["REF 839 BRA"], ["REF 896 OKA"], ["REF 551 RIE"]],
        ])
    func forms(texts: [[String]]) throws {
        let books = try identify(Self.spines + labels(texts)).books
        #expect(books.map { $0.title?.uppercased() } == Self.books.map(\.0))
        #expect(books.map(\.author) == Self.books.map(\.1))
        #expect(books.map(\.callNumber) == texts.map { $0.joined(separator: " ") })
        #expect(zip(books, texts).allSatisfy { book, lines in lines.allSatisfy { book.text.map(\.text).contains($0) } })
    }

    @Test(
        "Short lines that repeat are not labels where they are volumes, a series, begin with an article or stand apart",
        arguments: [
            [["VOL I"], ["VOL II"], ["VOL III"], ["VOL IV"], ["VOL V"]],
            [["DC X"], ["DC X"], ["DC X"], ["DC X"], ["DC X"]],
            [["THE SEA"], ["THE SUN"], ["THE SKY"], ["THE FOG"], []],
            [["N Mor"], ["N Hal"], ["N Bra"], [], []],
        ])
    func others(texts: [[String]]) throws {
        #expect(try identify(Self.spines + labels(texts)).books.allSatisfy { $0.callNumber == nil })
    }

    @Test("Lines of one form at several heights are not labels")
    func scattered() throws {
        let lines = ["N Mor", "N Hal", "N Bra", "N Oka", "N Rie"].enumerated().map { place, text in
            across(text, from: 265 + 200 * Double(place), y: 720 + 170 * Double(place), length: 70, height: 26)
        }
        #expect(try identify(Self.spines + lines).books.allSatisfy { $0.callNumber == nil })
    }
}
