import Bibliography
import Fixtures
import Identification
import ShelflistAPI
import Testing

/// A catalog that has Russian books in Latin letters only, as the Library of Congress writes them; all invented.
@Suite("Records in Latin letters of spines in Cyrillic ones") struct TransliteratedRecordTests {
    private static let catalog =
        MatchingTests.shelf + [
            record("Master i gavan\u{2B9}", by: "Bulavin, Mikhail"), record("Solianye dorogi", by: "Lesnaia, Mariia"),
            record("Khranitel\u{2B9} maiaka", by: nil), record("The Keeper of the Lighthouse", by: "Oleg Riabinin"),
        ]

    private func matches(_ lines: [String], _ records: [BookRecord] = TransliteratedRecordTests.catalog) throws
        -> [BookMatch]
    {
        try SpineMatcher(catalog: InMemoryCatalog(records: records))
            .matches(for: lines.map { ReadText(text: $0, score: 0.97) })
    }

    @Test(
        "A book is found by the transliteration of its title and author",
        arguments: [
            (["МАСТЕР И ГАВАНЬ", "БУЛАВИН"], "Master i gavan\u{2B9}"),
            (["Мария Лесная", "Соляные дороги"], "Solianye dorogi"),
        ])
    func found(lines: [String], title: String) throws {
        let book = try #require(try identify(standing([lines]), knowing: Self.catalog).books.first)
        #expect(book.title == title && book.confidence >= 0.6)
    }

    @Test("Without the author it is not sure", arguments: [["СОЛЯНЫЕ ДОРОГИ"], ["ХРАНИТЕЛЬ МАЯКА"]])
    func withoutAuthor(lines: [String]) throws {
        let best = try #require(try matches(lines).first)
        #expect(best.confidence < 0.6)
        let books = try identify(standing([lines]), knowing: Self.catalog).books
        #expect(!books.isEmpty && books.allSatisfy { $0.confidence < 0.6 })
    }

    @Test("A translated title is not found")
    func translation() throws {
        let books = try identify(standing([["ХРАНИТЕЛЬ МАЯКА", "ОЛЕГ РЯБИНИН"]]), knowing: Self.catalog).books
        #expect(books.allSatisfy { $0.title != "The Keeper of the Lighthouse" || $0.confidence < 0.6 })
    }

    @Test("A record in the spine's letters comes first")
    func original() throws {
        let original = record("Соляные дороги", by: "Мария Лесная")
        let best = try #require(try matches(["Мария Лесная", "Соляные дороги"], Self.catalog + [original]).first)
        #expect(best.title == "Соляные дороги" && best.confidence >= 0.6)
    }

    @Test("A spine in Latin letters does not find records in Cyrillic ones")
    func latin() throws {
        let records = MatchingTests.shelf + [record("Соляные дороги", by: "Мария Лесная")]
        #expect(
            try matches(["Solianye dorogi", "Mariia Lesnaia"], records).allSatisfy { $0.title != "Соляные дороги" })
    }
}
