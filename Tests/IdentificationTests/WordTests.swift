import Bibliography
import Identification
import Testing

@Suite("Words that a machine read")
struct WordTests {
    @Test(
        "Similarity is the share of letters that agree, and short words must be equal",
        arguments: [
            ("babel", "babel", 1), ("babel", "babei", 0.8), ("babel", "bapei", 0), ("emma", "enma", 0.75),
            ("emma", "enna", 0),
            ("emma", "emm", 0), ("the", "tho", 0), ("the", "the", 1), ("of", "or", 0),
            ("magicians", "magicans", 8.0 / 9),
            ("prejudice", "prejudlce", 8.0 / 9), ("geographer", "geognaphen", 0.8), ("geographer", "geagnaphan", 0.0),
            ("wuthering", "heights", 0), ("", "", 1), ("", "babel", 0),
        ] as [(String, String, Double)])
    func similarity(_ a: String, _ b: String, _ expected: Double) {
        #expect(abs(WordSimilarity.similarity(Array(a.utf8), Array(b.utf8)) - expected) < 1e-9)
        #expect(abs(WordSimilarity.similarity(Array(b.utf8), Array(a.utf8)) - expected) < 1e-9)
    }

    @Test(
        "The edit distance is counted up to the limit",
        arguments: [
            ("kitten", "sitting", 3, 3), ("kitten", "sitting", 2, nil), ("", "abc", 3, 3), ("", "abc", 2, nil),
            ("same", "same", 0, 0), ("ab", "ba", 2, 2), ("abcdef", "abdef", 1, 1), ("", "", 0, 0),
        ] as [(String, String, Int, Int?)])
    func distance(_ a: String, _ b: String, _ limit: Int, _ expected: Int?) {
        #expect(WordSimilarity.distance(Array(a.utf8), Array(b.utf8), atMost: limit) == expected)
        #expect(WordSimilarity.distance(Array(b.utf8), Array(a.utf8), atMost: limit) == expected)
    }

    @Test(
        "Words are found inside longer text",
        arguments: [
            ("babel", "rfkuangbabel", 1), ("babel", "babelrfkuang", 1), ("babel", "xxbabilxx", 0.8), ("babel", "", 0),
            ("", "babel", 0), ("abc", "xyz", 0), ("emma", "janeausten", 0.5), ("emma", "em", 0.5),
        ] as [(String, String, Double)])
    func partialRatio(_ needle: String, _ text: String, _ expected: Double) {
        #expect(abs(LetterAlignment.partialRatio(of: Array(needle.utf8), in: Array(text.utf8)) - expected) < 1e-9)
    }

    @Test(
        "A record's title ends where the subtitle begins",
        arguments: [
            ("Babel", "Babel", nil), ("Flu: The Story of a Pandemic", "Flu", "The Story of a Pandemic"),
            ("Las Pseudociencias : ¡vaya timo!", "Las Pseudociencias", "¡vaya timo!"),
            ("Dune (Dune Chronicles, #1)", "Dune", "Dune Chronicles, #1)"),
            ("2001: A Space Odyssey", "2001", "A Space Odyssey"),
            ("Half a King / Joe Abercrombie", "Half a King", "Joe Abercrombie"),
            ("Sapiens – A Brief History", "Sapiens", "A Brief History"), ("Spider-Man", "Spider-Man", nil),
            ("3:10 to Yuma", "3:10 to Yuma", nil), (": no title", ": no title", nil), ("", "", nil),
        ] as [(String, String, String?)])
    func subtitle(_ title: String, _ main: String, _ rest: String?) {
        let parts = RecordWords.split(title)
        #expect(parts.main == main && parts.rest == rest)
    }

    @Test(
        "Publishers' names are recognized",
        arguments: [
            "PENGUIN", "Penguin Books", "penguin classics", "Gallimard", "GALIMARD", "Klett-Cotta", "Diogenes Verlag",
            "Anagrama",
            "Editorial Anagrama", "No Starch Press", "Le Livre de Poche", "Carl Hanser Verlag", "Verlag",
            "Vintage International", "Harbourpress", "paperbooks", "Sportverlag", "Little & Brown", "blanvalit",
        ])
    func publisher(_ text: String) {
        #expect(Publishers.isPublisher(TextNormalisation.words(text)))
    }

    @Test(
        "Other text is not a publisher's name",
        arguments: [
            "", "Emma", "Jane Austen", "The Penguin History of the World", "Wuthering Heights", "The", "War and Peace",
            "Gallimard: a life", "WordPress", "Cookbooks", "Empress",
        ])
    func noPublisher(_ text: String) {
        #expect(!Publishers.isPublisher(TextNormalisation.words(text)))
    }

    @Test(
        "Numbering is recognized",
        arguments: [
            "", "12", "3rd Edition", "Second Edition", "Vol. 2", "Band 3", "796.332 Luc", "001 Bel",
            "New York Times bestselling author",
        ])
    func numbering(_ text: String) {
        #expect(Numbering.isNumbering(TextNormalisation.words(text)))
    }

    @Test(
        "Text with more than numbers is not numbering",
        arguments: [
            "Emma", "Catch-22", "Fahrenheit 451", "The Second Sex", "Part of the Family", "New York", "Time",
            "Book Lovers",
        ])
    func noNumbering(_ text: String) {
        #expect(!Numbering.isNumbering(TextNormalisation.words(text)))
    }

    @Test(
        "Capitals are converted to title case, and other text is unchanged",
        arguments: [
            ("THE TIME MACHINE", "The Time Machine"), ("WAR AND PEACE", "War and Peace"),
            ("LES MISÉRABLES", "Les Misérables"),
            ("MOBY-DICK", "Moby-Dick"), ("Moby-Dick", "Moby-Dick"), ("DON'T LOOK NOW", "Don't Look Now"),
            ("R.F. KUANG", "R.F. Kuang"),
            ("J.R.R. TOLKIEN", "J.R.R. Tolkien"), ("H. G. WELLS", "H. G. Wells"), ("IT", "IT"), ("USA", "USA"),
            ("iPhone in Action", "iPhone in Action"), ("1984", "1984"), ("WAR  AND PEACE", "War  and Peace"), ("", ""),
        ])
    func casing(_ printed: String, _ settled: String) {
        #expect(Casing.settled(printed) == settled)
    }

    @Test(
        "The number of a first volume is not part of the title, other numbers are",
        arguments: [
            ("1 Buddenbrooks", "Buddenbrooks"), ("1. Buddenbrooks", "Buddenbrooks"), ("1984", "1984"), ("1", "1"),
            ("12 Rules for Life", "12 Rules for Life"), ("1 2 3", "1 2 3"), ("1Q84", "1Q84"),
        ])
    func firstVolume(_ text: String, _ title: String) {
        #expect(Numbering.withoutFirstVolume(text) == title)
    }
}
