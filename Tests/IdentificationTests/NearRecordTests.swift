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
            // A longer title, without its author.
            (record("Nation's Favourite Winter Poems", by: "Ada Lund"), ["THE NATION'S FAVOURITE", "POEMS"]),
            // Another year.
            (record("The Best Harbour Writing 2000", by: "Ada Lund"), ["THE BEST HARBOUR WRITING 2011"]),
            // Another manual.
            (record("Manual of Sailing", by: nil), ["MANUAL OF KNOTS", "Ona Vidal"]),
            // The same characters in another order.
            (record("ハンナ＝アーレント", by: "太田哲男"), ["安田愛里 ラストアイドルノバンルナリーフィ"]),
        ])
    func contradicted(_ known: BookRecord, _ lines: [String]) throws {
        let books = try identify(standing([lines]), knowing: MatchingTests.shelf + [known]).books
        #expect(books.allSatisfy { $0.confidence < 0.6 }, "\(books.map(\.confidence))")
    }

    @Test(
        "A record that agrees with the spine is sure, although it looks like a near one",
        arguments: [
            // Another title of the author has the same words, but apart.
            (
                [
                    record("The SeaWalker Guide to Northern Harbours", by: "Ada Lund"),
                    record("Sea Walker", by: "Ada Lund"),
                ],
                ["THE SEAWALKER GUIDE", "TO NORTHERN HARBOURS", "ADA LUND"]
            ),
            // The number after the other title says that the book is a volume of a series.
            (
                [record("The Long Winter of the Capital", by: "Ada Lund"), record("Tidal Gate", by: "Ada Lund")],
                ["ADA LUND", "THE LONG WINTER OF THE CAPITAL Tidal Gate 2"]
            ),
            // A subtitle in full beside a title that is a number.
            (
                [BookRecord(id: "1", title: "2090", subtitle: "A Harbour Odyssey", authors: ["Ida Brandt"])],
                ["HARBOUR ODYSSEY", "IDA BRANDT"]
            ),
            // The same beside a title that is an imprint's place.
            ([BookRecord(id: "1", title: "Москва", subtitle: "место встречи")], ["Москва:", "МЕСТО ВСТРЕЧИ"]),
            // A life, written with another author.
            (
                [BookRecord(id: "1", title: "Nora Feld", authors: ["Nora Feld", "Ian Moss"])],
                ["NORA FELD", "with Ian Moss"]
            ),
            // Misread words only.
            (
                [record("Once Upon a Winter in the North", by: "Ida Brandt")],
                ["Ida Brxndtz", "Orue upon a winter in the North"]
            ),
        ])
    func confirmed(_ known: [BookRecord], _ lines: [String]) throws {
        let books = try identify(standing([lines]), knowing: MatchingTests.shelf + known).books
        #expect(books.map(\.title) == [known[0].title])
        #expect(books.allSatisfy { $0.confidence >= 0.6 }, "\(books.map(\.confidence))")
    }

    @Test("Only the name of a person is not their life")
    func nameAsTitle() throws {
        let life = BookRecord(id: "1", title: "Nora Feld", authors: ["Nora Feld", "Ian Moss"])
        let books = try identify(standing([["NORA FELD"]]), knowing: MatchingTests.shelf + [life]).books
        #expect(books.allSatisfy { $0.confidence < 0.6 })
    }

    @Test(
        "Smaller text beside a title confirms or contradicts its record",
        arguments: [("AMIR LEVEN", true), ("DAVID HARBOUR", false)])
    func smallText(_ name: String, isSure: Bool) throws {
        let known = record("Attachments", by: "Amir Leven")
        let lines = [
            down("ATTACHMENTS", x: 500, from: 300, length: 560, height: 70),
            down(name, x: 500, from: 900, length: 200, height: 28),
        ]
        let books = try identify(lines, knowing: MatchingTests.shelf + [known]).books
        #expect(books.contains { $0.confidence >= 0.6 && $0.author == "Amir Leven" } == isSure)
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
