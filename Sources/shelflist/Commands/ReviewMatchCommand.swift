import ArgumentParser
import Bibliography
import Foundation
import Library
import Lookup
import ShelflistAPI
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

    func run(_ library: any LibraryAccess) async throws {
        let words = query.isEmpty ? nil : query.joined(separator: " ")
        let results = try await library.records(for: id, words, in: scope, offline: offline)
        for failure in results.failures { StandardStream.warn(failure.message) }
        guard let take else { return options.show(results) { ReviewMatch.lines(results) } }
        guard results.offers.indices.contains(take - 1) else {
            throw LibraryError.notPossible("There is no record \(take). List the records without --take.")
        }
        let match = try await library.prepareMatch(of: id, with: results.offers[take - 1])
        if !yes {
            StandardStream.errors.write(
                ReviewMatch.lines(match.changes, stays: match.stays, cover: match.cover).map { $0 + "\n" }.joined())
            guard StandardStream.confirms("Change it?") else { throw ExitCode.failure }
        }
        let book = try await match.apply()
        options.show(book) { ["Matched: \(TerminalText.safe(book.title))."] }
    }
}

/// Used by the command and by the session.
enum ReviewMatch {
    /// Applies the record and fetches its cover.
    static func take(
        _ offer: MatchOffer, _ preview: MatchPreview, _ store: LibraryStore, _ catalogs: CatalogSession
    ) async throws -> Work {
        let work = try await store.applyMatch(preview.entry, with: preview.record, ifRevision: preview.revision)
        if let url = offer.record.coverURL {
            let covers = catalogs.covers(for: store)
            await covers.fetch(url, for: preview.entry, onlyMissing: false)
            await covers.finish()
        }
        return work
    }

    static func lines(_ results: MatchResults) -> [String] {
        guard !results.offers.isEmpty else {
            // If a source could not be reached, the book may exist there.
            return [
                results.failures.isEmpty
                    ? "Nothing found. Try other words, or --scope author."
                    : "Nothing found in the sources that responded."
            ]
        }
        return TerminalTable(
            columns: [
                .init("#", isRightAligned: true), .init("title", atLeast: 18), .init("author", atLeast: 10),
                .init("year", dropped: 2), .init("ISBN", dropped: 1), .init("source", dropped: 3),
            ],
            rows: results.offers.enumerated().map { index, offer in
                let record = offer.record
                return [
                    .init(String(index + 1), .dim),
                    .init([record.title, record.subtitle].compactMap { $0 }.joined(separator: ": ")),
                    .init(record.authors.joined(separator: "; ")), .init(record.year.map { String($0) } ?? "", .dim),
                    .init(record.isbn ?? "", .dim), .init(offer.sources.joined(separator: ", "), .dim),
                ]
            }
        ).onTerminal()
    }

    static func lines(_ changes: [MatchChanges.Field], stays: [String], cover: URL?) -> [String] {
        let table = TerminalTable(
            columns: [.init("field"), .init("now", atLeast: 10), .init("then", atLeast: 10)],
            rows: changes.map { [.init($0.field, .dim), .init($0.from ?? "–"), .init($0.to ?? "–")] })
        return (changes.isEmpty ? ["Nothing changes."] : table.onTerminal())
            + (cover.map { ["Cover: from \($0.host() ?? "the provider")."] } ?? [])
            + (stays.isEmpty ? [] : ["Stays: \(stays.joined(separator: ", "))."])
    }
}
