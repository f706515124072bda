import Bibliography
import Catalog
import DelimitedText
import Foundation
import Testing

/// Compares a commercial OCR's text of a public library's spines with that library's catalog.
///
/// The lists belong to their owners and are not part of the repository; without them the test is skipped.
@Suite("Candidates for spine text")
struct SpineTextTests {
    private static let folder = URL(
        filePath: ProcessInfo.processInfo.environment["SHELFLIST_SHARED"]
            ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared").standardized.path
    ).appending(path: "bench")

    private static var isAvailable: Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: "spine_text.csv").path)
    }

    @Test(
        "The right book is among the first 50 candidates for at least 98.5 %",
        .enabled(if: isAvailable, "the folder shared/bench is not beside the checkout"))
    func topFifty() throws {
        let folder = try CatalogFolder()
        let list = Self.folder.appending(path: "catalog/library_books.csv")
        let report = try folder.catalog.importFiles([list.path])
        #expect(!report.hasFailures)

        var asked = 0
        var found = 0
        for query in try queries() {
            asked += 1
            let words = TextNormalisation.words(query.text)
            let candidates = try folder.catalog.candidates(forWords: words, limit: 50)
            if candidates.contains(where: { isRight($0, query) }) { found += 1 }
        }
        #expect(asked > 3000)
        #expect(Double(found) / Double(asked) >= 0.985, "\(found) of \(asked)")
    }

    private struct SpineQuery {
        var text: String
        var title: [String]
        var author: Set<String>
    }

    /// Returns the queries whose book is in the list.
    private func queries() throws -> [SpineQuery] {
        var parser = CSVParser()
        var queries: [SpineQuery] = []
        let add = { (row: CSVParser.Row) in
            guard row.fields.count == 5, row.fields[4] == "yes" else { return }
            let surname = row.fields[3].split(separator: ",").first.map(String.init) ?? ""
            queries.append(
                SpineQuery(
                    text: row.fields[1], title: TextNormalisation.words(row.fields[2]),
                    author: Set(TextNormalisation.words(surname).filter { $0.count > 2 })))
        }
        try parser.parse(Data(contentsOf: Self.folder.appending(path: "spine_text.csv")), onRow: add)
        try parser.finish(onRow: add)
        return queries
    }

    /// Applies the rule of `evaluate_matching.py`: the same title and subtitle, and a word of the author's surname.
    private func isRight(_ record: BookRecord, _ query: SpineQuery) -> Bool {
        let title = TextNormalisation.words([record.title, record.subtitle ?? ""].joined(separator: " "))
        let authors = Set(record.authors.flatMap(TextNormalisation.words))
        return title == query.title && (query.author.isEmpty || !authors.isDisjoint(with: query.author))
    }
}
