import Bibliography
import Fixtures
import Foundation
import Identification
import ShelflistAPI
import Testing

@Suite("Matching of spine text")
struct MatchingTests {
    /// The small library and enough other books that words have weights as in a real one.
    static let shelf: [BookRecord] =
        library
        + (0..<400).map { number in
            let (adjective, noun) = (words[number % words.count], words[number / words.count % words.count])
            return record("The \(adjective) \(noun) \(number)", by: "\(noun) \(adjective)son")
        }

    private static let words = [
        "Amber", "Bitter", "Crimson", "Distant", "Empty", "Frozen", "Golden", "Hidden", "Inner", "Jagged", "Kindly",
        "Lonely", "Marble", "Narrow", "Orange", "Polished", "Quiet", "Rugged", "Silver", "Tender",
    ]

    private func matches(_ text: String..., score: Double = 1, limit: Int = 50) throws -> [BookMatch] {
        try SpineMatcher(catalog: InMemoryCatalog(records: Self.shelf))
            .matches(for: text.map { ReadText(text: $0, score: score) }, limit: limit)
    }

    @Test(
        "The right book is the first match",
        arguments: [
            ("THE NAME OF THE WIND PATRICK ROTHFUSS", "The Name of the Wind"),
            ("ROTHFUSS WIND THE OF NAME THE PATRICK", "The Name of the Wind"),
            ("NAME WIND ROTHFUSS", "The Name of the Wind"),
            ("PRISONERSOFGEOGRAPHY MARSHALL", "Prisoners of Geography: Ten Maps That Tell You Everything"),
            ("THE MAGI CIANS LEV GROSSMAN", "The Magicians"),
            ("WUTHERIMG HEIGHT5 BRONTE PENGUIN CLASSICS", "Wuthering Heights"),
            ("hawking a brief histori of tirne bantam", "A Brief History of Time"),
            ("CIEN ANOS DE SOLEDAD N Gar", "Cien años de soledad"),
            ("823 Ken THE WIND IN THE WILLOWS Grahame", "The Wind in the Willows"),
            ("PERSUASIÓN JANE AUSTEN", "Persuasion"),
        ])
    func first(_ text: String, _ title: String) throws {
        #expect(try matches(text).first?.title == title)
    }

    @Test("Clearly read text is accepted, and a book in no catalog is not")
    func confidence() throws {
        let known = try #require(try matches("THE LIES OF LOCKE LAMORA", "SCOTT LYNCH").first)
        #expect(known.confidence >= 0.6)
        for unknown in [
            ["THE QUIET CARTOGRAPHER", "MARGARET OAKES"], ["SENSE AND SENSIBILITY", "JANE AUSTEN"], ["AUSTEN"],
        ] {
            let found = try SpineMatcher(catalog: InMemoryCatalog(records: Self.shelf))
                .matches(for: unknown.map { ReadText(text: $0, score: 1) })
            #expect((found.first?.confidence ?? 0) < 0.6, "\(unknown)")
        }
    }

    @Test("Matches are sorted best first, limited in number, and list each work once", arguments: [1, 5, 50])
    func order(_ limit: Int) throws {
        let found = try matches("THE SILVER MARBLE JANE AUSTEN", limit: limit)
        #expect(found.count <= limit && !found.isEmpty)
        #expect(found.map(\.confidence) == found.map(\.confidence).sorted(by: >))
        #expect(found.allSatisfy { (0...1).contains($0.confidence) })
        #expect(Set(found.map { [$0.title, $0.author ?? ""] }).count == found.count)
    }

    @Test("Editions of one work are one match")
    func editions() throws {
        let records =
            (0..<5).map { BookRecord(id: "\($0)", title: "Emma", authors: ["Jane Austen"], year: 1990 + $0) }
            + Self.shelf
        let found = try SpineMatcher(catalog: InMemoryCatalog(records: records))
            .matches(for: [ReadText(text: "EMMA JANE AUSTEN", score: 1)])
        #expect(found.filter { $0.title == "Emma" }.count == 1)
    }

    @Test(
        "The match has the edition that the spine shows",
        arguments: [
            ("EMMA JANE AUSTEN", "first"), ("EMMA JANE AUSTEN VINTAGE BOOKS", "vintage"),
            ("JANE AUSTEN 1994 EMMA", "year"), ("EMMA JANE AUSTEN COMPLETE NOVELS 2", "second volume"),
            ("EMMA JANE AUSTEN SOMETHING ELSE", "first"),
        ])
    func edition(_ text: String, _ isbn: String) throws {
        func emma(_ isbn: String, publisher: String? = nil, year: Int? = nil, series: String? = nil) -> BookRecord {
            BookRecord(
                id: isbn, title: "Emma", authors: ["Jane Austen"], series: series, isbn: isbn, publisher: publisher,
                year: year)
        }
        let records =
            [
                emma("first", publisher: "Penguin", year: 1990),
                emma("first volume", series: "Complete novels, 1"), emma("vintage", publisher: "Vintage Books"),
                emma("year", publisher: "Oxford University Press", year: 1994),
                emma("second volume", series: "Complete novels, 2"),
            ] + Self.shelf.filter { $0.title != "Emma" }
        let found = try SpineMatcher(catalog: InMemoryCatalog(records: records))
            .matches(for: [ReadText(text: text, score: 1)])
        #expect(found.first?.isbn == isbn)
        #expect(found.filter { $0.title == "Emma" }.count == 1)
    }

    @Test("No text has no matches", arguments: ["", "   ", "·—·"])
    func nothing(_ text: String) throws {
        #expect(try matches(text).isEmpty)
    }

    @Test("An empty catalog has no matches")
    func emptyCatalog() throws {
        let found = try SpineMatcher(catalog: InMemoryCatalog(records: []))
            .matches(for: [ReadText(text: "EMMA", score: 1)])
        #expect(found.isEmpty)
    }

    @Test(
        "Text of any length and alphabet is answered, and nothing that the catalog lacks is sure",
        arguments: [
            String(repeating: "EMMA ", count: 500), String(repeating: "x", count: 5000), "Война и мир", "戦争と平和", "👩‍🚀 🚀",
            "\u{0}\u{7F}", "١",
        ])
    func anything(_ text: String) throws {
        let sure = try matches(text).filter { $0.confidence >= 0.6 }
        #expect(sure.map(\.title) == (text.hasPrefix("EMMA") ? ["Emma"] : []))
    }
}

@Suite("Features of matching")
struct MatchFeatureTests {
    private func features(_ text: String, _ record: BookRecord, rank: Int = 0) throws -> MatchFeatures {
        let weights = WordWeights(catalog: InMemoryCatalog(records: MatchingTests.shelf))
        let spine = try SpineWords([ReadText(text: text, score: 1)], weights: weights)
        return MatchFeatures(spine, try RecordWords(record, weights: weights), rank: rank)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var feature: MatchFeature
        var text: String
        var title: String
        var author: String?
        var range: ClosedRange<Double>

        init(_ feature: MatchFeature, _ text: String, _ title: String, _ author: String?, _ range: ClosedRange<Double>)
        {
            (self.feature, self.text, self.title, self.author, self.range) = (feature, text, title, author, range)
        }

        var testDescription: String { "\(feature) of “\(text)” for “\(title)”" }
    }

    static let cases = [
        Case(.titleCoverage, "THE MAGICIANS LEV GROSSMAN", "The Magicians", "Lev Grossman", 1...1),
        Case(.titleCoverage, "LEV GROSSMAN", "The Magicians", "Lev Grossman", 0...0),
        Case(.titleCoverage, "MAGICIANS", "The Magicians", nil, 0.7...0.99),
        Case(.titleExact, "THE MAGICIAN5", "The Magicians", nil, 0...0.3),
        Case(.titlePartial, "xxTHEMAGICIANSxx", "The Magicians", nil, 1...1),
        Case(.authorCoverage, "THE MAGICIANS LEV GROSSMAN", "The Magicians", "Grossman, Lev, 1969-", 1...1),
        Case(.surname, "THE MAGICIANS GROSSMAN", "The Magicians", "Grossman, Lev, 1969-", 1...1),
        Case(.given, "THE MAGICIANS GROSSMAN", "The Magicians", "Grossman, Lev, 1969-", 0...0),
        Case(.explained, "THE MAGICIANS LEV GROSSMAN", "The Magicians", "Lev Grossman", 0.99...1),
        Case(.explained, "THE MAGICIANS EMILY BRONTË", "The Magicians", "Lev Grossman", 0.1...0.7),
        Case(.hasAuthor, "THE MAGICIANS", "The Magicians", nil, 0...0),
        Case(.titleOrder, "A BRIEF HISTORY OF TIME", "A Brief History of Time", nil, 1...1),
        Case(.titleOrder, "TIME OF HISTORY BRIEF A", "A Brief History of Time", nil, 0...0.3),
        Case(.callNumber, "N Gro THE MAGICIANS", "The Magicians", "Lev Grossman", 1...1),
        Case(.callNumber, "N Bro THE MAGICIANS", "The Magicians", "Lev Grossman", -1...(-1)),
        Case(.callNumber, "796.3 (46) Mag THE MAGICIANS", "The Magicians", nil, 1...1),
        Case(.callNumber, "THE MAGICIANS", "The Magicians", "Lev Grossman", 0...0),
        Case(.titleSkipped, "HISTORIA CON NOMBRE DE MUJER", "Historia del arte con nombre de mujer", nil, 0.3...3),
        Case(.titleSkipped, "HISTORIA DEL ARTE CON NOMBRE", "Historia del arte con nombre de mujer", nil, 0...0),
        Case(.titleBroken, "ELOGIO AMBER DE LA LENTITUD", "Elogio de la lentitud", nil, 0.1...3),
        Case(.titleBroken, "ELOGIO DE LA LENTITUD AMBER", "Elogio de la lentitud", nil, 0...0),
        Case(.otherPerson, "EMMA ALICE MUNRO", "Emma", "Jane Austen", 1...1),
        Case(.otherPerson, "EMMA JANE AUSTEN", "Emma", "Jane Austen", 0...0),
        Case(.figures, "COMEDIAS II", "Comedias II", nil, 1...1),
        Case(.figures, "COMEDIAS 2", "Comedias II", nil, 1...1),
        Case(.figures, "COMEDIAS 3", "Comedias II", nil, -1...(-1)),
        Case(.fullCoverage, "THE MAGICIANS", "The Magicians: a novel of Fillory", nil, 0.1...0.8),
        Case(.plainRatio, "THE MAGICIANS LEV GROSSMAN", "The Magicians", "Lev Grossman", 1...1),
        Case(.plainRatio, "LEV GROSSMAN THE MAGICIANS", "The Magicians", "Lev Grossman", 1...1),
        Case(.authorsNamed, "GOOD OMENS GAIMAN", "Good Omens", "Terry Pratchett, Neil Gaiman", 0.5...0.5),
    ]

    @Test("Features measure what their names say", arguments: cases)
    func value(_ example: Case) throws {
        let value = try features(example.text, record(example.title, by: example.author))[example.feature]
        #expect(example.range.contains(value), "\(value)")
    }

    @Test(
        "Features other than order do not depend on the order of words",
        arguments: [
            MatchFeature.titleCoverage, .authorCoverage, .explained, .sortedRatio, .titleMass, .unexplainedMass,
        ])
    func wordOrder(_ feature: MatchFeature) throws {
        let book = record("The Lies of Locke Lamora", by: "Scott Lynch")
        let texts = ["THE LIES OF LOCKE LAMORA SCOTT LYNCH ORION", "LYNCH ORION LAMORA THE LOCKE SCOTT OF LIES"]
        let values = try texts.map { try features($0, book)[feature] }
        #expect(abs(values[0] - values[1]) < 1e-9)
    }

    @Test("Features fall with every misread letter and never below zero")
    func misreads() throws {
        let book = record("Prisoners of Geography", by: "Tim Marshall")
        var letters = Array("PRISONERS OF GEOGRAPHY TIM MARSHALL")
        var last = 1.01
        for place in [2, 5, 14, 17, 20, 28, 31] {
            let ratio = try features(String(letters), book)[.plainRatio]
            #expect(ratio < last && ratio >= 0)
            last = ratio
            letters[place] = "#"
        }
    }

    @Test("A measure with a lead is compared with the best other candidate")
    func leads() throws {
        let weights = WordWeights(catalog: InMemoryCatalog(records: MatchingTests.shelf))
        let spine = try SpineWords([ReadText(text: "EMMA", score: 1)], weights: weights)
        var candidates = try library.enumerated().map {
            MatchFeatures(spine, try RecordWords($1, weights: weights), rank: $0)
        }
        MatchFeatures.compare(&candidates)
        #expect(candidates.allSatisfy { $0.values.count == MatchFeature.allCases.count })
        #expect(candidates.allSatisfy { $0.values.allSatisfy(\.isFinite) })
        let evidence = candidates.map { $0[.evidence] }.sorted(by: >)
        #expect(candidates.map { $0[.evidenceLead] }.max() == evidence[0] - evidence[1])
    }

    @Test(
        "Call numbers are found beside classes and kinds",
        arguments: [
            ("796.51(46.71) Fue CAMINS", ["fue"]), ("Ariel P 841B Pla", ["pla"]), ("1(Kri) Ser humano", ["kri"]),
            ("Mol 371.2", ["mol"]), ("THE SEA 12", []), ("Zen and the Art", []), ("JN Gal Liberinto", ["gal"]),
        ])
    func callNumbers(_ text: String, _ letters: [String]) {
        #expect(CallNumber.find(in: text).letters == letters)
    }
}

@Suite("Letters compared")
struct LetterAlignmentTests {
    @Test(
        "The longest common subsequence has the length counted by hand",
        arguments: [
            ("abcde", "ace", 3), ("abc", "abc", 3), ("abc", "xyz", 0), ("", "abc", 0), ("abc", "", 0),
            ("magicians", "magcians", 8), ("aab", "aba", 2),
        ])
    func common(_ a: String, _ b: String, _ length: Int) {
        #expect(LetterAlignment(Array(a.utf8)).commonLength(with: Array(b.utf8)) == length)
    }

    @Test("Texts longer than a machine word compare like short ones", arguments: [1, 63, 64, 65, 127, 128, 129, 300])
    func long(_ count: Int) {
        let text = (0..<count).map { UInt8($0 * 7 % 26) + 97 }
        let other = text.enumerated().filter { $0.offset % 5 != 0 }.map(\.element)
        #expect(LetterAlignment(text).commonLength(with: text) == count)
        #expect(LetterAlignment(text).commonLength(with: other) == other.count)
        #expect(LetterAlignment(other).commonLength(with: text) == other.count)
    }

    @Test(
        "The best alignment inside a text is found",
        arguments: [
            ("magicians", "themagicianslev", 1.0), ("magicians", "magcians", 1 - 1.0 / 9), ("abc", "", 0.0),
            ("abc", "zzz", 0.0), ("abcd", "xxabxdxx", 0.75),
        ])
    func partial(_ needle: String, _ text: String, _ ratio: Double) {
        #expect(abs(LetterAlignment.partialRatio(of: Array(needle.utf8), in: Array(text.utf8)) - ratio) < 1e-9)
    }
}
