import ArgumentParser
import Bibliography
import Catalog
import Foundation
import Identification
import Terminal

struct CatalogMatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match",
        abstract: "Match the text of spines to books.",
        discussion: """
            Reads one JSON object a line from stdin, {"id": …, "text": "KUANG BABEL"} or {"id": …, "lines": [{"text": \
            "KUANG", "score": 0.98}, …]}, and prints one for each as soon as it is found: {"id": …, "matches": \
            [{"title", "subtitle", "author", "isbn", "confidence", "source"}]}, best first, at most 50. The confidence \
            of the first is the probability that it is the book.

            Malformed lines are reported on stderr with their numbers; the others are not affected.

            Examples:
              echo '{"id": 1, "text": "KUANG BABEL harper Voyager"}' | shelflist catalog match
              shelflist catalog match --catalog my-books.csv < spines.ndjson > matches.ndjson
            """)

    @Option(
        help: ArgumentHelp(
            "A catalog file, or a list of books: CSV with a header (title, author, isbn …). May be repeated for lists. "
                + "(default: catalog.sqlite in the data directory)", valueName: "file"), completion: .file())
    var catalog: [String] = []

    @Option(help: "Input and output format.")
    var format = Format.ndjson

    @Option(help: "Maximum number of matches per spine, 1 to 50.")
    var limit = 50

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case ndjson
    }

    func validate() throws {
        guard (1...50).contains(limit) else { throw ValidationError("--limit is \(limit). Choose 1 to 50.") }
    }

    func run() async throws {
        let limit = limit
        let records: any RecordSearch = try await reportingErrors {
            // Without a name, the data directory's catalog, which must then exist.
            if catalog.isEmpty { return try Catalog(existingAt: CatalogOptions.parse([]).file()) }
            return try CatalogFiles.search(named: catalog)
        }
        let failures = try await runCatalogWork {
            try SpineMatching(matcher: SpineMatcher(catalog: records), limit: limit).run()
        }
        if failures > 0 { throw ExitCode.failure }
    }
}
