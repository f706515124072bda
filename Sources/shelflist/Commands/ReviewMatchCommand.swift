import ArgumentParser
import Bibliography
import Library
import ShelflistAPI
import ShelflistClient
import Terminal

struct ReviewMatchCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Search for a book and apply one of the records found.",
        discussion: """
            Searches the catalog and the enabled providers ('shelflist providers'). Providers that do not respond are \
            named.

            Without --take, lists the records with numbers. With --take, shows the changes, and applies them with --yes or \
            after you confirm. Your notes, status, tags, shelf and dates are kept. The cover is fetched.
            """)

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Argument(help: "What to search for. (default: the book's title)") var query: [String] = []
    @Option(help: "The fields to search: all, title, author or isbn.") var scope = SearchScope.all
    @Option(help: "The number of the record to apply.") var take: Int?
    @Flag(help: "Do not ask for confirmation.") var yes = false
    @Flag(help: "Query only the catalog, no providers.") var offline = false
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let title = try await client.library.book("\(id)").title
        let results = try await client.records(
            for: query.isEmpty ? title : query.joined(separator: " "), in: scope, sources: offline ? .local : .all)
        for outage in results.unavailable { StandardStream.warn(outage.message) }
        guard let take else { return options.show(results) { RecordLines.lines(results) } }
        guard results.items.indices.contains(take - 1) else {
            throw CommandError("There is no record \(take). List the records without --take.")
        }
        let record = results.items[take - 1]
        let preview = try await client.review.previewMatch(id.item, with: record)
        if !yes {
            StandardStream.errors.write(RecordLines.lines(preview, of: record).map { $0 + "\n" }.joined())
            guard StandardStream.confirms("Change it?") else { throw ExitCode.failure }
        }
        try await client.review.match(id.item, with: record, ifMatch: preview.etag)
        let book = try await client.library.book("\(id)")
        options.show(book) { ["Matched: \(TerminalText.safe(book.title))."] }
    }
}
