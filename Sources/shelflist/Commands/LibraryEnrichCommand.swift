import ArgumentParser
import Library
import Lookup
import ShelflistAPI
import Terminal

struct LibraryEnrichCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "enrich",
        abstract: "Look up books that lack a cover, publisher, year or pages: all, or those with the given numbers.",
        discussion: """
            Queries the catalog and the enabled providers ('shelflist providers'). Existing values and everything you \
            edited are kept.
            """)

    @Argument(help: "The books' numbers.") var ids: [RowID<LibraryEntry>] = []
    @Flag(help: "Query only the catalog on this machine.") var offline = false
    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "The server looks books up by itself"

    func run(_ store: LibraryStore) async throws {
        try await withCatalogs(options.folder, offline: offline) { catalogs in
            _ = try catalogs.sources()
            let books = try await ids.isEmpty ? store.incompleteBooks() : store.incompleteBooks(among: ids)
            let report = try await catalogs.enrich(books, in: store)
            options.show(report) { Self.lines(report) }
        }
    }

    private static func lines(_ report: LibraryEnrichment.Report) -> [String] {
        let counts = [
            (report.found, "found"), (report.unknown, "not found"),
            (report.notAsked, "not found, but some sources were unavailable; try again later"),
        ]
        let parts = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return [parts.isEmpty ? "Nothing is missing." : "Looked up: " + parts.joined(separator: ", ") + "."]
    }
}

extension CatalogSession {
    /// Fills the gaps of books, with a progress bar on a terminal; outages are reported on standard error.
    func enrich(_ books: [EntryBook], in store: LibraryStore) async throws -> LibraryEnrichment.Report {
        let report = try await LibraryEnrichment(lookup: lookup, library: store, covers: covers(for: store)).complete(
            books
        ) {
            ProgressBar.show($0, of: $1, label: "looking up")
        }
        ProgressBar.clear()
        for failure in report.failures { StandardStream.warn(failure.message) }
        return report
    }
}
