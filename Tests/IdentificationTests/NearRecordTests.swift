import Bibliography
import Identification
import ShelflistAPI
import SpineReading
import Testing

@Suite("Near records")
struct NearRecordTests {
    @Test(
        "A record of which the spine contradicts a part is not sure",
        arguments: [
            // Another author of the same title.
            (record("A Prayer for the Winter", by: "Stewart Olsen"), ["JACK HOLDEN", "A PRAYER FOR THE WINTER"]),
            // A series that the spine does not name, nor the author.
            (record("Perchance to Wander (Far Voyages, No 19)", by: "Howard Olsen"), ["PERCHANCE TO WANDER"]),
            // One of two works.
            (record("The Long Walk Home and the Garden Door", by: "Ada Lund"), ["ADA LUND", "THE GARDEN DOOR"]),
            // A title of one word that is rather another one, without its author.
            (record("Биология", by: "Пётр Лесной"), ["ТРИЛОГИЯ"]),
            (record("Biology", by: "Peter Woods"), ["TRILOGY"]),
            // The same characters in another order.
            (record("ハンナ＝アーレント", by: "太田哲男"), ["安田愛里 ラストアイドルノバンルナリーフィ"]),
        ])
    func contradicted(_ known: BookRecord, _ lines: [String]) throws {
        let books = try identify(standing([lines]), knowing: MatchingTests.shelf + [known]).books
        #expect(books.allSatisfy { $0.confidence < 0.6 }, "\(books.map(\.confidence))")
    }

    @Test(
        "A spine that shows less of a book than another is not sure to be a copy",
        arguments: [
            down("WUTHERING", x: 900, from: 100, length: 300),
            // On a board or a cover.
            across("WUTHERING HEIGHTS", from: 900, y: 700, length: 400),
        ])
    func lesserCopy(_ scrap: TextLine) throws {
        let lines = standing([["WUTHERING HEIGHTS", "EMILY BRONTË"]]) + [scrap]
        let books = try identify(lines, knowing: MatchingTests.shelf).books
        #expect(books.filter { $0.confidence >= 0.6 }.map(\.title) == ["Wuthering Heights"])
    }

    @Test("Copies that show the same are as sure")
    func copies() throws {
        let spine = ["WUTHERING HEIGHTS", "EMILY BRONTË"]
        let books = try identify(standing([spine, spine]), knowing: MatchingTests.shelf).books
        #expect(books.map { $0.confidence >= 0.6 } == [true, true])
    }

    @Test(
        "The share of a title that a spine shows counts cut and misread words",
        arguments: [
            (["HARBOUR", "IDA BRANDT"], 7.0 / 12), (["NORTH OF THE HARBOUR"], 1), (["RTH", "BOUR"], 8.1 / 12),
            (["IDA BRANDT"], 0), (["HARBOXR"], 6.0 / 12), ([], 0),
        ] as [([String], Double)])
    func share(_ lines: [String], _ share: Double) {
        let shown = ShownTitle(
            record("North of the Harbour", by: "Ida Brandt"), on: lines.map { ReadText(text: $0, score: 0.95) })
        #expect(abs(shown.share - share) < 0.01)
        #expect(!shown.isBesideOthers)
    }

    @Test("The author's name is not a part of a title that was read")
    func nameInTitle() {
        let record = record("Brandt's Harbour", by: "Ida Brandt")
        #expect(ShownTitle(record, on: [ReadText(text: "IDA BRANDT", score: 0.95)]).share == 0)
    }

    @Test(
        "Other longer words that were read well are not of the record, except for imprints",
        arguments: [("TRAVELS", 0.95, true), ("TRAVELS", 0.5, false), ("OXFORD", 0.95, false), ("MM", 0.95, false)])
    func others(_ text: String, _ score: Double, _ isOther: Bool) {
        let shown = ShownTitle(
            record("North of the Harbour", by: "Ida Brandt"),
            on: [ReadText(text: "HARBOUR", score: 0.95), ReadText(text: text, score: score)])
        #expect(shown.isBesideOthers == isOther)
    }

    @Test(
        "A name that was divided into title and author is the author's",
        arguments: [
            ("Brandl", "Ida", true), ("Ida Brandt", nil, true), ("Brandt", nil, false),
            ("Harbour", "Ida Brandt", false),
        ] as [(String, String?, Bool)])
    func onlyName(_ title: String, _ author: String?, _ isName: Bool) {
        let read = ReadBook(title: title, author: author, probability: 0.5)
        #expect(read.isName(of: record("North of the Harbour", by: "Ida Brandt")) == isName)
    }

    @Test("A name is in the order of its lines")
    func orderOfName() {
        let lines = placed(standing([["IDA", "BRANDT"]]))
        let name = ReadBook(title: "Brandt", author: "Ida", probability: 0.5).asName(on: lines)
        #expect(name.title == nil && name.author == "Ida Brandt" && name.probability < 0.1)
    }

    @Test(
        "A word that no catalog has is a scrap beside the title of a record",
        arguments: [
            ("Harbour", "Joeen", true), ("The Harbour", "Joeen", true), ("Harbour", "Lund", false),
            ("Harbour", "Ida Joeen", false), ("Harb", "Ida Brandt", true), ("Lund", "Ida Brandt", false),
            ("Harbour", nil, false), ("Harbours", "Joeen", false),
        ] as [(String, String?, Bool)])
    func scrap(_ title: String, _ author: String?, _ isScrap: Bool) {
        let read = ReadBook(title: title, author: author, probability: 0.5)
        #expect(read.hasScrap(besides: record("The Harbour", by: "Ida Brandt")) { $0 == "lund" } == isScrap)
    }
}
