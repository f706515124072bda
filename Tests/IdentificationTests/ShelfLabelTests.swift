import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Testing

@Suite struct ShelfLabelTests {
    private static let spines =
        standing(["EMMA", "JANE AUSTEN"], x: 400) + standing(["DUNE", "FRANK HERBERT"], x: 600)

    @Test(
        "A line with a code is a label and not a book",
        arguments: ["SL-9C4JV", "sl-9c4jv", "SL–9C4JV", "SL- 9C4JV", "SL 9C4JV", "SL-9C4JV Home / Board 1"])
    func label(text: String) throws {
        let label = across(text, from: 450, y: 1_200, length: 160, height: 40)
        let found = try identify(Self.spines + [label])
        #expect(found.labels.map(\.code) == ["SL-9C4JV"])
        let box = try #require(found.labels.first?.outline.boundingBox)
        #expect(abs(box.x - 450 / 2000) < 0.001 && abs(box.y - 1_180 / 1500) < 0.001)
        #expect(found.books.count == 2 && found.otherText.isEmpty)
    }

    @Test(
        "A code with a wrong letter stays text",
        arguments: ["SL-9C4JX", "SL-9C4VJ", "SL-9C4J", "SL-9C4JVA", "XL-9C4JV"])
    func wrong(text: String) throws {
        let found = try identify(Self.spines + [across(text, from: 450, y: 1_200, length: 160, height: 40)])
        #expect(found.labels.isEmpty)
        if text.hasPrefix("SL-"), text.count < 9 {
            #expect(found.books.count == 2 && found.otherText.map(\.text) == [text])
        }
    }

    @Test("Smaller text directly below a code belongs to the label, and the title of a lying book does not")
    func path() throws {
        let label = [
            across("SL-9C4JV", from: 450, y: 1_200, length: 160, height: 40),
            across("Home / Study / Bookcase", from: 450, y: 1_236, length: 220, height: 24),
        ]
        let lying = across("WUTHERING HEIGHTS", from: 420, y: 1_120, length: 500, height: 44)
        let found = try identify(Self.spines + label + [lying])
        #expect(found.labels.count == 1 && found.books.count == 3)
        #expect(!found.books.contains { $0.text.contains { $0.text.contains("Study") } })
    }

    @Test("Each label of a shelf is found where it is")
    func several() throws {
        let labels = [("SL-9C4JV", 450.0), ("SL-CDXX3", 900.0), ("SL-9C4JV", 1_350.0)].map {
            across($0.0, from: $0.1, y: 1_200, length: 160, height: 40)
        }
        let found = try identify(Self.spines + labels).labels
        #expect(found.map(\.code) == ["SL-9C4JV", "SL-CDXX3", "SL-9C4JV"])
        #expect(PlaceCode.all(in: "SL-9C4JV SL-CDXX3").map(\.description) == ["SL-9C4JV", "SL-CDXX3"])
    }

    @Test("The sign of a shelf with books of the same class is not a book, and a number alone is not a sign")
    func sign() throws {
        let stickers = ["796.3 Joh", "796.1 Abc", "796.4 Mor"].enumerated().map { place, text in
            across(text, from: 400 + 200 * Double(place), y: 1_000, length: 90, height: 24)
        }
        let signs = [
            across("796 ESPORTS", from: 300, y: 1_250, length: 300, height: 50),
            across("796", from: 1_500, y: 1_250, length: 90, height: 50),
        ]
        let found = try identify(Self.spines + stickers + signs)
        #expect(found.signs.map(\.text) == ["796 ESPORTS"])
        #expect(!found.books.contains { $0.text.contains { $0.text.contains("ESPORTS") } })
        #expect(found.looseLines(in: PixelSize(width: 2000, height: 1500)).allSatisfy { $0.text != "796 ESPORTS" })
        let alone = try identify(Self.spines + signs)
        #expect(alone.signs.isEmpty)
    }

    @Test("Loose lines have words and their outline")
    func looseLines() throws {
        let line = across("Gallimard", from: 1_500, y: 1_250, length: 160, height: 30)
        let found = try identify(Self.spines + [line, across("12", from: 1_800, y: 1_250, length: 30, height: 30)])
        let loose = found.looseLines(in: PixelSize(width: 2000, height: 1500))
        #expect(loose.map(\.text) == ["Gallimard"])
        #expect(abs((loose.first?.outline.boundingBox.x ?? 0) - 0.75) < 0.001)
    }
}
