import Lookup
import Providers
import ShelflistAPI
import Testing

@Suite("Queries for a spine")
struct SpineQueriesTests {
    private func queries(_ lines: [(String, Double)], title: String? = nil, author: String? = nil) -> [WordQuery] {
        SpineQueries(text: lines.map { ReadText(text: $0.0, score: $0.1) }, title: title, author: author).queries
    }

    @Test("Title and surname come first, then the title, then fewer words of sure lines")
    func order() {
        let found = queries(
            [("F. SCOTT FITZGERALD", 0.99), ("The Great Gatsby", 0.98), ("PENGUIN CLASSICS", 0.99)],
            title: "The Great Gatsby", author: "F. Scott Fitzgerald")
        #expect(
            found == [
                WordQuery(anywhere: ["great", "gatsby", "fitzgerald"]), WordQuery(title: ["great", "gatsby"]),
                WordQuery(anywhere: ["scott", "fitzgerald"]), WordQuery(anywhere: ["fitzgerald", "gatsby"]),
                WordQuery(anywhere: ["gatsby", "scott"]),
            ])
    }

    @Test("A misread word is left out of some query")
    func misread() {
        let found = queries(
            [("Lumlnaries", 0.91), ("ELEANOR CATTON", 0.99)], title: "Lumlnaries", author: "Eleanor Catton")
        #expect(found.contains { !$0.anywhere.isEmpty && !($0.title + $0.anywhere).contains("lumlnaries") })
    }

    @Test("Publishers, numbers, function words and unsure lines are not searched for")
    func leftOut() {
        let words = queries(
            [
                ("823.912", 0.99), ("University Press", 0.99), ("der Steppenwolf und die Anderen", 0.97),
                ("Hxrmqnn Hzsse", 0.55), ("Vlntoge", 0.7),
            ]
        ).flatMap { $0.title + $0.author + $0.anywhere }
        #expect(Set(words) == ["steppenwolf", "anderen"])
    }

    @Test("There are at most five queries of at most eight words, each once")
    func limits() {
        let words = (0..<40).map { "wordnumber\(String(repeating: "a", count: $0))" }
        let lines = words.map { ($0 + " " + $0 + "x", 0.99) }
        let found = queries(lines, title: words.joined(separator: " "), author: "Jane Austen")
        #expect(found.count == SpineQueries.limit)
        #expect(Set(found).count == found.count)
        #expect(found.allSatisfy { ($0.title + $0.author + $0.anywhere).count <= 8 })
    }

    @Test("A short title is searched for only with its author")
    func shortTitle() {
        #expect(queries([("IT", 0.99)], title: "It").isEmpty)
        #expect(queries([("IT", 0.99)], title: "It", author: "Stephen King") == [WordQuery(anywhere: ["it", "king"])])
    }

    @Test("Nothing is searched for without words", arguments: [[], [("", 1.0)], [("—", 0.99)], [("1984", 0.9)]])
    func empty(_ lines: [(String, Double)]) {
        #expect(queries(lines).isEmpty)
    }

    @Test("Titles in scripts without spaces are searched for")
    func otherScripts() {
        #expect(queries([("紅樓夢", 0.95)], title: "紅樓夢").contains(WordQuery(title: ["紅", "樓", "夢"])))
    }
}
