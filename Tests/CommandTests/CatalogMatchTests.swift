import Foundation
import TestSupport
import Testing
import shelflist

@Suite("catalog match", .blocks)
struct CatalogMatchTests {
    private static let list = """
        title,author,isbn
        Babel,R. F. Kuang,9780063021426
        The Magicians,Lev Grossman,
        Emma,Jane Austen,9780141439587
        """

    private struct Answer: Decodable {
        struct Match: Decodable {
            var title: String
            var author: String?
            var isbn: String?
            var confidence: Double
            var source: String
        }

        var id: String
        var matches: [Match]
    }

    /// Runs the command with this input; `catalog` is the list of books.
    private func match(_ input: String, catalog: String = list, _ options: [String] = []) throws -> Outcome {
        let runner = try CommandRunner()
        try runner.write(Array(catalog.utf8), to: "books.csv")
        try runner.write(Array(input.utf8), to: "input.ndjson")
        return try runner.launch(
            ["catalog", "match", "--catalog", "books.csv"] + options,
            through: ["/bin/sh", "-c", #"exec "$0" "$@" < input.ndjson"#]
        ).outcome()
    }

    private func answers(_ outcome: Outcome) throws -> [Answer] {
        try outcome.output.split(separator: "\n").map { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)) }
    }

    @Test("Text and lines are answered in order, each with its id")
    func order() throws {
        let outcome = try match(
            """
            {"id": "a", "text": "KUANG BABEL harper Voyager"}
            {"id": "b", "lines": [{"text": "THE MAGICIANS", "score": 0.97}, {"text": "LEV GROSSMAN", "score": 0.9}]}

            {"id": "c", "text": ""}
            """)
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        let found = try answers(outcome)
        #expect(found.map(\.id) == ["a", "b", "c"])
        #expect(found.map { $0.matches.first?.title } == ["Babel", "The Magicians", nil])
        let match = try #require(found.first?.matches.first)
        #expect(match.author == "R. F. Kuang" && match.isbn == "9780063021426")
        #expect(match.source == "local" && (0...1).contains(match.confidence))
    }

    @Test("A question is answered before the next one is sent", .endsHangs)
    func answersAtOnce() throws {
        let runner = try CommandRunner()
        try runner.write(Array(Self.list.utf8), to: "books.csv")
        let script = #"""
            mkfifo in out; "$0" "$@" < in > out & exec 3> in 4< out; echo '{"id": "a", "text": "EMMA"}' >&3
            read answer <&4 && echo answered; exec 3>&-; wait
            """#
        let outcome = try runner.launch(
            ["catalog", "match", "--catalog", "books.csv"], through: ["/bin/sh", "-c", script]
        ).outcome()
        #expect(outcome.output == "answered\n")
    }

    @Test("Numeric ids stay numeric")
    func numbers() throws {
        #expect(try match(#"{"id": 7, "text": "EMMA"}"#).output.contains(#""id":7"#))
    }

    @Test("A malformed or too long line is named by its number and does not affect the others")
    func malformed() throws {
        func long(_ length: Int) -> String {
            #"{"id": "x", "text": ""# + String(repeating: "a", count: length) + #""}"#
        }
        let lines = [
            ("nonsense", "not a JSON object"), ("[1]", "another type"), (#"{"text": "EMMA"}"#, "“id” is missing"),
            (#"{"id": "x"}"#, "“text” is missing"), (#"{"id": "x", "lines": [{"text": "A", "score": 7}]}"#, "0 to 1"),
            (#"{"id": "x", "text": 3}"#, "“text”"), (long(300_000), "256 kB"), (long(2_000_000), "256 kB"),
        ]
        let good = lines.indices.map { #"{"id": "\#($0)", "text": "EMMA"}"# }
        let pairs = zip(good, lines).map { good, line in "\(good)\n\(line.0)\n" }
        let outcome = try match(pairs.joined() + #"{"id": "end", "text": "BABEL"}"# + "\n")
        #expect(try answers(outcome).map(\.id) == lines.indices.map { "\($0)" } + ["end"] && outcome.status == 1)
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors.count == lines.count, "\(outcome.errors)")
        for (index, (error, line)) in zip(errors, lines).enumerated() {
            #expect(error.hasPrefix("shelflist: line \(2 * index + 2): ") && error.contains(line.1), "\(error)")
        }
    }

    @Test("No more matches than requested are returned")
    func limit() throws {
        let outcome = try match(#"{"id": "1", "text": "EMMA BABEL MAGICIANS"}"#, ["--limit", "2"])
        #expect(try #require(answers(outcome).first).matches.count == 2)
        #expect(CommandEnd(parsing: ["catalog", "match", "--catalog", "books.csv", "--limit", "0"])?.status == 2)
    }

    @Test("A missing catalog is reported")
    func noCatalog() throws {
        let outcome = try CommandRunner().run("catalog", "match", "--catalog", "missing.sqlite")
        #expect(outcome.status == 1 && outcome.errors.contains("missing.sqlite"))
    }
}
