import ArgumentParser
import Bibliography
import Catalog
import Foundation
import Lookup
import Reading
import ShelflistAPI
import ShelflistClient
import Terminal

struct CatalogSearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the catalog.",
        discussion: """
            Words may be misspelt and in any order. An ISBN may have hyphens, and ten or thirteen digits.

            With --online, the enabled providers ('shelflist providers') are queried as well. Providers that cannot be \
            reached are named on stderr; the results of the others are printed.

            With --server, that server's catalog and providers are searched.
            """)

    @Argument(help: "What to search for.")
    var query: [String]

    @Option(help: "The fields to search.")
    var scope = SearchScope.all

    @Option(help: "Maximum number of books, 1 to 1000.")
    var limit = 20

    @Flag(help: "Also query the enabled online providers.")
    var online = false

    @OptionGroup var options: CatalogOptions
    @OptionGroup var server: ServerOptions

    func validate() throws {
        if options.path != nil, server.server != nil { throw ValidationError("Choose --catalog or --server.") }
        guard (1...1000).contains(limit) else { throw ValidationError("--limit is \(limit). Choose 1 to 1000.") }
        if scope == .isbn, ISBN(query.joined(separator: " ")) == nil {
            throw ValidationError(
                "“\(query.joined(separator: " "))” is not a valid ISBN. It has 10 or 13 digits; the last is a check digit."
            )
        }
    }

    func run() async throws {
        if options.path == nil, let address = try server.address() { return try await search(at: address) }
        let path = try options.file()
        let (query, scope, limit) = (query.joined(separator: " "), scope, limit)
        var results = Results()
        if !online || FileManager.default.fileExists(atPath: path) {
            (results.records, results.seconds) = try await runCatalogWork {
                let catalog = try Catalog(existingAt: path)
                let start = ContinuousClock.now
                return (
                    try catalog.search(query, scope: scope, limit: limit), (ContinuousClock.now - start) / .seconds(1)
                )
            }
        }
        if online { try await reportingErrors { try await askProviders(query, &results) } }
        show(results)
    }

    /// Searches a server's catalog, and its providers with `--online`.
    private func search(at address: URL) async throws {
        let found = try await reportingErrors {
            let (server, _) = try await server.connect(to: address)
            guard limit <= 100 else {
                throw CommandError("--limit is \(limit). With a server, choose 1 to 100.")
            }
            return try await server.client.search(
                query.joined(separator: " "), in: scope, sources: online ? .all : .local, limit: limit)
        }
        guard found.hasSources else {
            StandardStream.warn("the server has no catalog. Download or import one there.")
            throw ExitCode.failure
        }
        let outages = found.unavailable
        for outage in outages { StandardStream.warn(outage.message) }
        show(Results(records: found.items.map(\.record), outages: outages))
    }

    private func show(_ results: Results) {
        options.show(results) {
            guard results.records.isEmpty else { return table(results.records) }
            // If a source could not be reached, the book may exist there.
            return [results.outages.isEmpty ? "Nothing found." : "Nothing found in the sources that responded."]
        }
    }

    private func askProviders(_ query: String, _ results: inout Results) async throws {
        try await OnlineServices.with(data: URL(filePath: DataFolder.current, directoryHint: .isDirectory)) { online in
            let sources: [any RecordSource] = online.providers.map { ProviderSource($0) }
            guard !sources.isEmpty else {
                StandardStream.warn("no provider is turned on; for example: shelflist providers on openlibrary")
                throw ExitCode.failure
            }
            let (scope, limit) = (scope, limit)
            let answers = await sources.answers(within: 60) { try await $0.search(query, scope: scope, limit: limit) }
            for (source, answer) in zip(sources, answers) {
                switch answer {
                case .success(let records): results.records += records
                case .failure(let outage): results.outages.append(outage)
                case nil:
                    results.outages.append(
                        UnavailableSource(source: source.name, message: "\(source.title) did not answer in time."))
                }
            }
        }
        for outage in results.outages { StandardStream.warn(outage.message) }
    }

    private struct Results: Encodable {
        var records: [BookRecord] = []
        /// Duration of the search in the local catalog, in seconds.
        var seconds: Double?
        var outages: [UnavailableSource] = []
    }

    private func table(_ records: [BookRecord]) -> [String] {
        let rows = records.map { record in
            [
                [record.title, record.subtitle].compactMap { $0 }.joined(separator: ": "),
                record.authors.joined(separator: "; "), record.year.map { String($0) } ?? "", record.isbn ?? "",
                record.source,
            ].map { TerminalTable.Cell($0) }
        }
        return TerminalTable(
            columns: [
                .init("Title", atLeast: 20), .init("Author", atLeast: 12), .init("Year", dropped: 1),
                .init("ISBN", dropped: 2), .init("From", dropped: 3),
            ], rows: rows
        ).onTerminal()
    }
}
