import Bibliography
import Fixtures
import Foundation
import Identification
import Imaging
import ShelflistAPI
import SpineReading
import Testing

@Suite("Detected books")
struct DetectedBookTests {
    @Test(
        "A book without a catalog is never confident",
        arguments: [
            ["WUTHERING HEIGHTS", "EMILY BRONTË"], ["Frankenstein"], ["EMMA", "JANE AUSTEN", "PENGUIN"],
            ["The Adventures of Sherlock Holmes", "Arthur Conan Doyle"],
        ])
    func uncatalogued(_ lines: [String]) throws {
        let books = try identify(standing(lines, x: 400)).books
        #expect(books.count == 1)
        #expect(
            books.allSatisfy {
                (0..<0.6).contains($0.confidence) && $0.reviewStatus == .needsReview && $0.matches.isEmpty
            })
    }

    @Test("Volumes of one series support each other")
    func series() throws {
        func earthsea(_ title: String) -> BookRecord {
            BookRecord(id: title, title: title, authors: ["Ursula K. Le Guin"], series: "Earthsea")
        }
        let known = MatchingTests.shelf + [earthsea("A Wizard of Earthsea"), earthsea("The Tombs of Atuan")]
        let neighbours = [["EMMA", "JANE AUSTEN"], ["A WIZARD OF EARTHSEA", "URSULA K. LE GUIN"]]
        let confidences = try neighbours.map { neighbour in
            let lines = standing(["TOMBS ATU"], x: 400) + standing(neighbour, x: 800)
            let books = try identify(lines, knowing: known).books
            let book = try #require(books.first { $0.boundingBox.x < 0.3 })
            return try #require(book.matches.first { $0.title == "The Tombs of Atuan" }?.confidence)
        }
        #expect(confidences[1] > confidences[0])
    }

    @Test(
        "A record of one work is not sure to name a volume of several",
        arguments: [
            (["HEART OF DARKNESS", "JOSEPH CONRAD"], true),
            (["HEART OF DARKNESS AND OTHER TALES", "JOSEPH CONRAD"], false),
            (["HEART OF DARKNESS / LORD JIM", "JOSEPH CONRAD"], false),
            (["HERZ DER FINSTERNIS UND ANDERE ERZÄHLUNGEN", "JOSEPH CONRAD"], false),
        ])
    func collections(_ lines: [String], _ isSure: Bool) throws {
        let known =
            MatchingTests.shelf
            + ["Heart of Darkness", "Lord Jim", "Herz der Finsternis"].map { record($0, by: "Joseph Conrad") }
        let book = try #require(try identify(standing(lines, x: 400), knowing: known).books.first)
        #expect(book.author == "Joseph Conrad")
        #expect((book.confidence >= 0.6) == isSure, "\(book.confidence)")
    }

    @Test(
        "Words that publishers print on spines are not sure to be a title",
        arguments: [(["LITTLE,", "BROWN'"], 0), (["RICHARD", "EDITION"], 1), (["EDITION"], 0)])
    func imprints(_ lines: [String], count: Int) throws {
        let known =
            MatchingTests.shelf + [record("Little", by: "Tony Brown"), record("Edition", by: "Richard Thompson")]
        let found = try identify(standing(lines, x: 400), knowing: known)
        // An imprint alone is not a book, whatever a record is called.
        #expect(found.books.count == count && found.otherText.isEmpty == (count == 1))
        #expect(found.books.allSatisfy { $0.confidence < 0.6 }, "\(found.books.map(\.confidence))")
    }

    @Test("An imprint on two lines is not a book in whatever order they were detected")
    func imprintOnTwoLines() throws {
        let title = down("WUTHERING HEIGHTS", x: 300, from: 100, length: 700, height: 60)
        let imprint = [down("DARK", x: 900, from: 190, length: 80), down("HORSE", x: 900, from: 300, length: 90)]
        for lines in [imprint, imprint.reversed()] {
            #expect(try identify([title] + lines).books.map(\.title) == ["Wuthering Heights"])
        }
    }

    @Test("A sticker is not a book, neither on an identified book nor elsewhere")
    func scraps() throws {
        func shelf(stickerAt x: Double) -> [TextLine] {
            [
                down("WUTHERING HEIGHTS", x: 300, from: 100, length: 700, height: 60),
                down("EMILY BRONTË", x: 300, from: 850, length: 570, height: 50),
                down("THE NAME OF THE WIND", x: 500, from: 100, length: 600, height: 60),
                down("PATRICK ROTHFUSS", x: 500, from: 720, length: 250, height: 50),
                down("JANE EYRE", x: 700, from: 100, length: 700, height: 60),
                down("CHARLOTTE BRONTË", x: 700, from: 850, length: 570, height: 50),
                down("USED TEXTBOOKS", x: x, from: 1270, length: 120, height: 25),
            ]
        }
        let books = try identify(shelf(stickerAt: 500), knowing: MatchingTests.shelf).books
        #expect(books.map(\.title) == ["Wuthering Heights", "The Name of the Wind", "Jane Eyre"])
        #expect(books[1].text.map(\.text).contains("USED TEXTBOOKS"))
        let apart = try identify(shelf(stickerAt: 1500), knowing: MatchingTests.shelf)
        #expect(apart.books.count == 3)
        #expect(apart.otherText.map(\.text) == ["USED TEXTBOOKS"])
    }

    @Test("A given name on a line of its own belongs to the author")
    func givenNameAlone() throws {
        let lines = [
            down("SHERLOCK HOLMES", x: 400, from: 100, length: 500, height: 60),
            down("ARTHUR", x: 400, from: 640, length: 150), down("CONAN DOYLE", x: 400, from: 810, length: 250),
        ]
        let book = try #require(try identify(lines).books.first)
        #expect(book.title == "Sherlock Holmes")
        #expect(book.author == "Arthur Conan Doyle")
    }

    @Test("Lines at the head and the foot of a spine belong to the long title between them")
    func headAndFoot() throws {
        let lines = [
            down("GRIFFITHS", x: 400, from: 60, length: 120, height: 40),
            down("INTRODUCTION TO QUANTUM MECHANICS", x: 400, from: 300, length: 700, height: 50),
            down("USED", x: 400, from: 1150, length: 80, height: 40),
        ]
        let shelf = try identify(lines)
        #expect(shelf.books.map(\.text.count) == [3])
    }

    /// What is made of these lines where only the list of well-known works is known.
    private func books(of lines: [TextLine], besideWellKnown works: [BookRecord]) throws -> [DetectedBook] {
        let search = InMemoryCatalog(
            records: works.map { work in
                var starter = work
                starter.source = BookRecord.starterSource
                return starter
            })
        return try BookIdentifier(catalog: { CatalogSnapshot(search: search, version: "1", checks: false) })
            .identify(ReadShelf(lines: lines, turn: .none), in: photoSize).books
    }

    @Test("An imprint at the foot of a spine is not a well-known work of that name")
    func imprintOfStarterList() throws {
        let starter = [record("Oxford", by: "Andrew Lang"), record("Everyman", by: "Philip Roth")]
        let lines = [
            down("THE SECRET SHARER", x: 400, from: 100, length: 500, height: 50),
            down("JOSEPH CONRAD", x: 400, from: 650, length: 250),
            down("OXFORD", x: 400, from: 1100, length: 120),
            down("EVERYMAN", x: 900, from: 1100, length: 120),
        ]
        let books = try self.books(of: lines, besideWellKnown: starter)
        #expect(books.map(\.title) == ["The Secret Sharer"])
    }

    @Test("A volume of several works is named as it is printed, not as the well-known work that it begins with")
    func collectionOfStarterList() throws {
        let starter = [record("Heart of Darkness", by: "Joseph Conrad")]
        let lines = [
            down("HEART OF DARKNESS AND OTHER TALES", x: 400, from: 100, length: 600, height: 50),
            down("JOSEPH CONRAD", x: 400, from: 750, length: 250),
        ]
        let books = try self.books(of: lines, besideWellKnown: starter)
        #expect(books.map(\.title) == ["Heart of Darkness and Other Tales"])
        #expect(books.first?.author == "Joseph Conrad")
    }

    @Test("The printed title is not replaced by that of a well-known work that shares a word")
    func sharedWord() throws {
        let starter = [record("Heart", by: "Martin Martin")]
        let lines = [
            down("THE HEART OF THE HUNTER", x: 400, from: 100, length: 500, height: 50),
            down("LAURENS VAN DER POST", x: 400, from: 650, length: 400),
        ]
        let books = try self.books(of: lines, besideWellKnown: starter)
        #expect(books.map(\.title) == ["The Heart of the Hunter"])
    }

    @Test("A work that is named after its author needs more of its title than the name")
    func titleWithAuthor() throws {
        let author = "Franz Kafka"
        let records = [record("Franz Kafka's Diaries", by: author), record("Amerika", by: author)]
        let lines = [
            down("DIE VERWANDLUNG", x: 400, from: 100, length: 500, height: 50),
            down("FRANZ KAFKA", x: 400, from: 650, length: 250),
        ]
        #expect(try identify(lines, knowing: records).books.map(\.title) == ["Die Verwandlung"])
        let diaries = lines.dropFirst() + [down("DIARIES", x: 400, from: 100, length: 300, height: 50)]
        #expect(try identify(Array(diaries), knowing: records).books.map(\.title) == ["Franz Kafka's Diaries"])
    }

    @Test("A name across the foot of a spine is that of its author")
    func nameAcross() throws {
        let lines = [
            down("MODERN LATIN AMERICA", x: 400, from: 100, length: 500, height: 50),
            across("SKIDMORE", from: 380, y: 840, length: 40, height: 12),
            down("GALACTIC DYNAMICS", x: 700, from: 100, length: 500, height: 50),
        ]
        let books = try identify(lines).books
        #expect(books.map(\.title) == ["Modern Latin America", "Galactic Dynamics"])
        #expect(books.first?.author == "Skidmore")
    }

    @Test("A few Han characters on a shelf of books in another script are not on a spine")
    func specks() throws {
        let spines =
            standing(["WUTHERING HEIGHTS", "EMILY BRONTË"], x: 400)
            + standing(["THE PICTURE OF DORIAN GRAY", "OSCAR WILDE"], x: 700)
        let shelf = try identify(spines + [down("低心", x: 400, from: 560, length: 40)])
        #expect(shelf.books.map(\.text.count) == [2, 2])
        #expect(shelf.otherText.map(\.text) == ["低心"])
    }

    @Test("The label of a shelf in a library is not a book")
    func shelfLabel() throws {
        let spines = ["FITNESS FOR ALL", "A HISTORY OF TENNIS", "THE RULES OF RUGBY"].enumerated().flatMap {
            let x = 300 + 200 * Double($0)
            return [
                down($1, x: x, from: 100, length: 500, height: 50),
                across("796.3\($0) Abc", from: x - 25, y: 900, length: 50, height: 15),
            ]
        }
        let books = try identify(spines + [across("796 SPORT", from: 1500, y: 1200, length: 200)]).books
        #expect(books.map(\.title) == ["Fitness for all", "A History of Tennis", "The Rules of Rugby"])
        #expect(books.map(\.callNumber) == ["796.30 Abc", "796.31 Abc", "796.32 Abc"])
    }

    @Test("Names above or below a smaller title belong to its spine")
    func manyNames() throws {
        let lines =
            ["GELMAN", "CARLIN", "STERN", "DUNSON", "VEHTARI", "RUBIN"].enumerated().map {
                across($1, from: 370, y: 100 + 22 * Double($0), length: 60, height: 18)
            } + [down("BAYES 3", x: 400, from: 320, length: 250, height: 50)]
            + standing(["WUTHERING HEIGHTS", "EMILY BRONTË"], x: 700) + standing(["JANE EYRE"], x: 900)
        #expect(try identify(lines).books.count == 3)
    }

    @Test("Stickers of shops are not titles")
    func stickers() throws {
        let lines = [
            down("INTRODUCTORY COMBINATORICS", x: 400, from: 100, length: 500, height: 50),
            down("USED BOOK", x: 400, from: 900, length: 200, height: 60),
            down("www.bookexchange.com", x: 400, from: 1120, length: 200, height: 30),
            down("SAVES BOOKSTORE", x: 900, from: 100, length: 200, height: 60),
        ]
        #expect(try identify(lines).books.map(\.title) == ["Introductory Combinatorics"])
    }

    @Test("A line of the same height right below another continues the title")
    func titleWithAnd() throws {
        let lines = [
            down("PATTERN RECOGNITION", x: 460, from: 100, length: 600, height: 60),
            down("AND MACHINE LEARNING", x: 390, from: 100, length: 640, height: 60),
            down("JANE EYRE", x: 700, from: 100, length: 700, height: 60),
        ]
        #expect(try identify(lines).books.map(\.text.count) == [2, 1])
    }

    @Test("A title that AND continues is not the known work that it begins with")
    func knownTitleWithAnd() throws {
        let lines = [
            down("PATTERN RECOGNITION", x: 460, from: 100, length: 600, height: 60),
            down("AND MACHINE LEARNING", x: 390, from: 100, length: 640, height: 60),
        ]
        let known = library + [record("Pattern Recognition", by: "Ada Lund")]
        let books = try identify(lines, knowing: known).books
        #expect(books.map(\.title) == ["Pattern Recognition and Machine Learning"])
        #expect(books.allSatisfy { $0.reviewStatus == .needsReview })
    }

    @Test("Further authors do not continue a title")
    func furtherAuthors() throws {
        let lines = [
            down("PROGRAMMING INTERVIEWS", x: 460, from: 100, length: 600, height: 60),
            down("ET AL", x: 390, from: 100, length: 640, height: 60),
        ]
        #expect(try identify(lines).books.first?.title == "Programming Interviews")
    }

    @Test("A spine on which only a name was read has no title")
    func onlyName() throws {
        let book = try #require(try identify(standing(["MARION", "ROLLIN"], x: 400)).books.first)
        #expect(book.title == nil && book.author == "Marion Rollin")
    }

    @Test("Text that is read worse has lower confidence")
    func doubt() throws {
        let confidences = try [0.99, 0.65].map { score in
            let lines = standing(["WUTHERING HEIGHTS", "EMILY BRONTË"], x: 400).map { line in
                var line = line
                line.score = score
                return line
            }
            return try #require(try identify(lines).books.first).confidence
        }
        #expect(confidences[0] > confidences[1])
    }

    @Test(
        "Numbers, single characters, publishers and badly read text are not books",
        arguments: [
            ["12"], ["PENGUIN"], ["x"], ["Second Edition"], ["ab"],
        ])
    func noBook(_ lines: [String]) throws {
        let shelf = try identify(standing(lines, x: 400))
        #expect(shelf.books.isEmpty)
        #expect(shelf.otherText.map(\.text) == lines)
    }

    @Test("Every line is used exactly once")
    func everyLine() throws {
        let lines =
            standing(["EMMA", "JANE AUSTEN"], x: 400) + standing(["12"], x: 700) + standing(["FRANKENSTEIN"], x: 800)
        for records in [nil, library] {
            let shelf = try identify(lines, knowing: records)
            let texts = shelf.books.flatMap { $0.text.map(\.text) } + shelf.otherText.map(\.text)
            #expect(texts.sorted() == lines.map(\.text).sorted())
        }
    }

    @Test("No text gives no books")
    func nothing() throws {
        #expect(try identify([]).books.isEmpty)
        #expect(try identify([], knowing: library).books.isEmpty)
    }

    // MARK: - Boxes

    private static let row = [300.0, 370, 440].flatMap { standing(["WUTHERING HEIGHTS", "EMILY BRONTË"], x: $0) }

    @Test("Boxes extend to the middle of the gap between neighbors' text")
    func midpoints() throws {
        let boxes = try identify(DetectedBookTests.row).books.map { $0.boundingBox.pixels(in: photoSize) }
        try #require(boxes.count == 3)
        // Text is 30 wide: gaps reach from 315 to 355 and from 385 to 425.
        #expect(abs(boxes[0].maxX - 335) < 1 && abs(boxes[1].x - 335) < 1)
        #expect(abs(boxes[1].maxX - 405) < 1 && abs(boxes[2].x - 405) < 1)
        for (box, x) in zip(boxes, [300.0, 370, 440]) {
            #expect(box.x < x - 15 && box.maxX > x + 15, "the box does not cover its text")
            #expect(box.y < 200 && box.maxY > 752, "the box does not cover its text")
        }
    }

    @Test("Books are numbered row by row from the left")
    func order() throws {
        let lower = DetectedBookTests.row.map { line in
            var line = line
            line.quad = line.quad.map { PixelPoint(x: $0.x, y: $0.y + 700) }
            return line
        }
        let books = try identify((lower + DetectedBookTests.row).shuffled()).books
        #expect(books.map(\.id) == (1...6).map { "book-\($0)" })
        let centers = books.map { $0.boundingBox.pixels(in: photoSize).center }
        #expect(centers.prefix(3).allSatisfy { $0.y < 700 } && centers.suffix(3).allSatisfy { $0.y > 700 })
        #expect(centers.prefix(3).map(\.x) == centers.prefix(3).map(\.x).sorted())
    }

    @Test("Boxes stay inside the photo wherever the text is", arguments: [15.0, 60, 1000, 1985])
    func inside(_ x: Double) throws {
        for y in [0.0, 400, 1048] {
            let lines = standing(["WUTHERING HEIGHTS", "EMILY BRONTË"], x: x).map { line in
                var line = line
                line.quad = line.quad.map { PixelPoint(x: $0.x, y: $0.y - 200 + y) }
                return line
            }
            let book = try #require(try identify(lines).books.first)
            let box = book.boundingBox
            #expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1 && box.y + box.height <= 1)
            #expect(book.quad.corners.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) })
            let text = PixelRect(x: x - 15, y: y, width: 30, height: 452)
            #expect(box.pixels(in: photoSize).intersection(text).map { $0.area > 0.99 * text.area } ?? false)
        }
    }

    @Test("A quad is clockwise from the spine's top left corner, and its box encloses it")
    func quad() throws {
        let books = try identify(DetectedBookTests.row).books
        #expect(books.count == 3)
        for book in books {
            let quad = book.quad.pixels(in: photoSize)
            let (a, b) = (quad.topRight - quad.topLeft, quad.bottomLeft - quad.topLeft)
            #expect(a.x * b.y - a.y * b.x > 0)
            #expect(quad.topLeft.x < quad.bottomRight.x && quad.topLeft.y < quad.bottomRight.y)
            #expect(quad.bounds.overlap(with: book.boundingBox.pixels(in: photoSize)) > 0.999)
        }
    }

    @Test("A leaning spine's quad leans with it")
    func leaning() throws {
        let lines = [down("WUTHERING HEIGHTS", x: 0, from: -200, length: 400)].map { line in
            var line = line
            let radians = 10 * Double.pi / 180
            line.quad = line.quad.map { p in
                PixelPoint(
                    x: 900 + p.x * cos(radians) - p.y * sin(radians), y: 700 + p.x * sin(radians) + p.y * cos(radians))
            }
            return line
        }
        let quad = try #require(try identify(lines).books.first).quad.pixels(in: photoSize)
        let side = quad.bottomLeft - quad.topLeft
        #expect(abs(side.angleInDegrees - 100) < 2)
    }

    @Test(
        "A photo stored turned has the same books in coordinates of the stored photo",
        arguments: QuarterTurn.allCases)
    func turned(_ stored: QuarterTurn) throws {
        let turnedSize = photoSize.turned(stored)
        let lines = DetectedBookTests.row.map { line in
            var line = line
            line.quad = line.quad.map { stored.apply(to: $0, in: photoSize) }
            return line
        }
        let upright = try identify(DetectedBookTests.row).books
        let found = try BookIdentifier().identify(ReadShelf(lines: lines, turn: stored.inverse), in: turnedSize).books
        #expect(found.map(\.title) == upright.map(\.title) && found.map(\.author) == upright.map(\.author))
        let expected = upright.map {
            Quad($0.boundingBox.pixels(in: photoSize)).map { stored.apply(to: $0, in: photoSize) }.bounds
        }
        for book in found {
            #expect(expected.contains { $0.overlap(with: book.boundingBox.pixels(in: turnedSize)) > 0.99 })
        }
    }

    // MARK: - JSON

    @Test("The JSON has exactly the fields of the scan result")
    func fields() throws {
        let book = try #require(try identify(standing(["EMMA", "JANE AUSTEN"], x: 400), knowing: library).books.first)
        let json = try object(book)
        #expect(
            Set(json.keys) == [
                "id", "title", "author", "isbn", "confidence", "checked", "reviewStatus", "boundingBox", "quad", "text",
                "callNumber", "matches",
            ])
        #expect(json["reviewStatus"] as? String == "verified")
        #expect(Set((json["boundingBox"] as? [String: Any] ?? [:]).keys) == ["x", "y", "width", "height"])
        #expect((json["quad"] as? [[Double]])?.map(\.count) == [2, 2, 2, 2])
        #expect(
            (json["text"] as? [[String: Any]])?.allSatisfy { Set($0.keys) == ["text", "score", "direction"] } ?? false)
        let match = try #require((json["matches"] as? [[String: Any]])?.first)
        #expect(Set(match.keys) == ["title", "subtitle", "author", "isbn", "confidence", "source"])
        #expect(match["source"] as? String == "local")
    }

    @Test("Fields without a value are null")
    func nulls() throws {
        let book = try #require(try identify(standing(["EMMA", "JANE AUSTEN"], x: 400), knowing: library).books.first)
        let match = try #require((try object(book)["matches"] as? [[String: Any]])?.first)
        let unknown = try #require(try identify(standing(["FRANKENSTEIN"], x: 400)).books.first)
        let json = try object(unknown)
        #expect(match["subtitle"] is NSNull)
        #expect(json["author"] is NSNull && json["isbn"] is NSNull)
    }

    @Test("The JSON is decoded as it was encoded")
    func roundTrip() throws {
        let book = try #require(try identify(standing(["EMMA", "JANE AUSTEN"], x: 400), knowing: library).books.first)
        let copy = try JSONDecoder().decode(DetectedBook.self, from: JSONEncoder().encode(book))
        #expect(copy.title == book.title && copy.matches == book.matches && copy.text == book.text)
        #expect(try object(copy) as NSDictionary == object(book) as NSDictionary)
    }

    private func object(_ book: DetectedBook) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(book)) as? [String: Any])
    }
}
