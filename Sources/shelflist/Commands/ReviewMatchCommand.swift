import ArgumentParser
import Bibliography
import Foundation
package import Library
import Lookup

struct ReviewMatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match", abstract: "Search for what a book is, and take over one record.",
        discussion: """
            The catalog is searched, and the providers that are turned on ('shelflist providers'). One that does not \
            answer is named, which is not the same as "nothing found".

            Without --take the records are listed, with numbers. With --take, what will change is shown, and changed only \
            with --yes or after you agree. Your notes, status, tags, shelf and dates stay. Its cover is fetched.
            """)

    @Argument(help: "The number of the book.") var id: RowID<LibraryEntry>
    @Argument(help: "What to search for. (default: the book's title)") var query: [String] = []
    @Option(help: "Where to look: all, title, author or isbn.") var scope = MatchScope.all
    @Option(help: "The number of the record to take over.") var take: Int?
    @Flag(help: "Do not ask.") var yes = false
    @Flag(help: "Search the catalog of this machine only.") var offline = false
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        try await options.withLibrary { store in
            try await withCatalogs(options, offline: offline) { desk in try await match(store, desk) }
        }
    }

    private func match(_ store: LibraryStore, _ desk: CatalogDesk) async throws {
        let item = try await store.reviewItem(id)
        let words = query.isEmpty ? item.title : query.joined(separator: " ")
        let results = await MatchSearch(try desk.sources()).results(for: words, in: scope)
        for failure in results.failures {
            StandardStream.errors.write("shelflist: \(TerminalText.safe(failure.message))\n")
        }
        guard let take else { return options.show(results) { ReviewMatch.lines(results) } }
        guard results.offers.indices.contains(take - 1) else {
            throw LibraryError.notPossible("There is no record \(take); the search found \(results.offers.count).")
        }
        let offer = results.offers[take - 1]
        let preview = try await store.previewMatch(id, with: offer.record)
        if !yes {
            StandardStream.errors.write(ReviewMatch.changes(preview, cover: offer.coverURL).map { $0 + "\n" }.joined())
            guard ReviewMatch.agrees() else { throw ExitCode.failure }
        }
        let work = try await ReviewMatch.take(offer, preview, store, desk)
        options.show(work) { ["Matched: \(TerminalText.safe(work.title))."] }
    }
}

/// What the command and the session share.
enum ReviewMatch {
    /// Takes the record over, with its cover.
    static func take(
        _ offer: MatchOffer, _ preview: MatchPreview, _ store: LibraryStore, _ desk: CatalogDesk
    ) async throws -> Work {
        let work = try await store.applyMatch(preview.entry, with: preview.record, ifRevision: preview.revision)
        if let url = offer.coverURL {
            let covers = desk.covers(for: store)
            await covers.fetch(url, for: preview.entry, onlyMissing: false)
            await covers.finish()
        }
        return work
    }

    static func lines(_ results: MatchResults) -> [String] {
        if results.offers.isEmpty, !results.failures.isEmpty {
            // Where somebody could not be asked, nobody knows.
            return ["Nothing found by those who could be asked."]
        }
        return lines(results.offers)
    }

    static func lines(_ offers: [MatchOffer]) -> [String] {
        guard !offers.isEmpty else { return ["Nothing found. Try other words, or --scope author."] }
        return TerminalTable(
            columns: [
                .init("#", isRightAligned: true), .init("title", room: .flexible(atLeast: 18)),
                .init("author", room: .flexible(atLeast: 10)), .init("year", dropped: 2), .init("ISBN", dropped: 1),
                .init("source", dropped: 3),
            ],
            rows: offers.enumerated().map { index, offer in
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

    static func changes(_ preview: MatchPreview, cover: URL?) -> [String] {
        let table = TerminalTable(
            columns: [
                .init("field"), .init("now", room: .flexible(atLeast: 10)), .init("then", room: .flexible(atLeast: 10)),
            ],
            rows: preview.changes.map { [.init($0.field, .dim), .init($0.before ?? "–"), .init($0.after ?? "–")] })
        return (preview.changes.isEmpty ? ["Nothing changes."] : table.onTerminal())
            + (cover.map { ["Cover: from \($0.host() ?? "the provider")."] } ?? [])
            + (preview.stays.isEmpty ? [] : ["Stays: \(preview.stays.joined(separator: ", "))."])
    }

    /// Only a yes is a yes.
    static func agrees() -> Bool {
        StandardStream.errors.write("Change it? [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }
}

extension MatchScope: ExpressibleByArgument {}
