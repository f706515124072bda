import Bibliography
import Fixtures
import Testing

@Suite("Catalog in memory")
struct InMemoryCatalogTests {
    private let catalog = InMemoryCatalog(records: [
        BookRecord(id: "1", title: "Babel", subtitle: "Or the necessity of violence", authors: ["R. F. Kuang"]),
        BookRecord(id: "2", title: "The poppy war", authors: ["Kuang, R. F."]),
        BookRecord(id: "3", title: "Prisoners of Geography", authors: ["Tim Marshall"]),
        BookRecord(id: "4", title: "Dune", authors: ["Frank Herbert"], isbn: "9780441172719"),
        BookRecord(id: "5", title: "DUNE", authors: ["Herbert, Frank"], isbn: "9780340960196"),
        BookRecord(id: "6", title: "Psicología clínica", authors: ["Labrador, Francisco"]),
        BookRecord(id: "7", title: "La", authors: []),
    ])

    @Test(
        "The catalog finds the book that a spine names",
        arguments: [
            ("KUANG BABEL harper Voyager", "1"),
            ("Frank Herbert DUNE", "4"),
            ("PrisonersofGeography", "3"),
            ("MARSHAL GEOGRAPHV", "3"),
            ("ICOLOGÍA CLÍNIA", "6"),
            ("GEO GRAPHY pris oners", "3"),
            ("poppy war", "2"),
        ])
    func finds(_ spine: String, _ id: String) throws {
        #expect(try catalog.candidates(forWords: TextNormalisation.words(spine), limit: 3).first?.id == id)
    }

    @Test("Editions of one work count once")
    func works() throws {
        #expect(catalog.workCount == 6)
        #expect(try catalog.candidates(forWords: ["dune"], limit: 10).map(\.id) == ["4"])
        #expect(catalog.documentFrequency(of: "kuang") == 2)
        #expect(catalog.documentFrequency(of: "nothing") == 0)
    }

    @Test("An empty query has no results", arguments: ["", " ", "xqzzyx", String(repeating: "x", count: 10_000)])
    func nothing(_ word: String) throws {
        let words = [word]
        #expect(try catalog.candidates(forWords: words, limit: 10).isEmpty)
        #expect(try catalog.candidates(forWords: ["dune"], limit: 0).isEmpty)
        #expect(try InMemoryCatalog(records: []).candidates(forWords: ["dune"], limit: 5).isEmpty)
    }

    @Test(
        "Similarity measures how alike words are",
        arguments: [
            ("stand", "stand", 1.0), ("stand", "stond", 0.8), ("lehrer", "1ehrer", 11.0 / 12), ("abc", "xyz", 0),
            ("", "", 0),
        ] as [(String, String, Double)])
    func similarity(_ a: String, _ b: String, _ expected: Double) {
        #expect(abs(Spelling.similarity(a, b) - expected) < 1e-9)
    }
}
