import Identification
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
}
