public import ArgumentParser
public import Bibliography
import Catalog
import Foundation

struct CatalogSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the catalog.",
        discussion: "Words may be misspelt and in any order. An ISBN may have hyphens, and ten or thirteen digits.")

    @Argument(help: "What to search for.")
    var query: [String]

    @Option(help: "Where to look.")
    var scope = SearchScope.all

    @Option(help: "How many books to print at most, 1 to 1000.")
    var limit = 20

    @OptionGroup var options: CatalogOptions

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is from 1 to 1000, not \(limit)") }
        if scope == .isbn, ISBN(query.joined(separator: " ")) == nil {
            throw ValidationError(
                "“\(query.joined(separator: " "))” is no ISBN: it needs 10 or 13 digits, the last of which checks the others"
            )
        }
    }

    func run() async throws {
        let path = try options.file()
        let (query, scope, limit) = (query.joined(separator: " "), scope, limit)
        let records = try await runCatalogWork {
            try Catalog(existingAt: path).search(query, scope: scope, limit: limit)
        }
        switch options.format {
        case .json:
            StandardStream.output.write(JSONText.document(Results(records: records)))
        case .table:
            if records.isEmpty {
                StandardStream.output.write("Nothing found.\n")
            } else {
                StandardStream.output.write(table(records).joined(separator: "\n") + "\n")
            }
        }
    }

    private struct Results: Encodable {
        var records: [Record]
    }

    private func table(_ records: [Record]) -> [String] {
        let rows = records.map { record in
            [
                [record.title, record.subtitle].compactMap { $0 }.joined(separator: ": "),
                record.authors.joined(separator: "; "), record.year.map { String($0) } ?? "", record.isbn ?? "",
            ].map { TerminalTable.Cell($0) }
        }
        return TerminalTable(
            columns: [
                .init("Title", room: .flexible(atLeast: 20)), .init("Author", room: .flexible(atLeast: 12)),
                .init("Year", dropped: 1), .init("ISBN", dropped: 2),
            ], rows: rows
        ).lines(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
    }
}

extension SearchScope: ExpressibleByArgument {}
