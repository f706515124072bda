import ArgumentParser
import Catalog
import Downloads
import Foundation
import Terminal

enum DownloadableCatalog: String, CaseIterable, ExpressibleByArgument {
    case openlibrary
}

/// A property that editions can be required to have.
enum RequiredField: String, CaseIterable, ExpressibleByArgument {
    case isbn
}

struct CatalogGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Download a catalog and import it.",
        discussion: """
            Downloads the current dumps of Open Library (about 15 GB) and imports them while they arrive; they are not \
            stored. The current catalog stays in use until the new one is complete. Your own lists in it are kept.

            Ctrl-C stops; the same command resumes. Complete files are not downloaded again.

            Examples:
              shelflist catalog get openlibrary
              shelflist catalog get openlibrary --languages eng,ger --with isbn
            """)

    @Argument(help: "The catalog: openlibrary.")
    var source: DownloadableCatalog

    @Option(
        help: ArgumentHelp(
            "Keep editions in these languages, and those whose language is unknown; codes with commas.",
            valueName: "codes"))
    var languages: String?

    @Option(name: .customLong("with"), help: "Keep editions that have one: isbn.")
    var required: RequiredField?

    @Flag(help: "Do not ask before the download.") var yes = false

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let names = languages?.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let filter: EditionFilter
        do {
            filter = try EditionFilter(languages: names ?? [], needsISBN: required == .isbn)
        } catch {
            throw ValidationError("\(error)")
        }
        let path = try options.file(creating: true)
        try await reportingErrors {
            try await CatalogDownload.with(catalog: path) { download in
                try await DownloadRun(download: download, options: options).run(filter, asking: !yes)
            }
        }
    }
}

struct CatalogUpdateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Replace a downloaded catalog if there are newer dumps.",
        discussion: """
            Uses the languages and fields that the catalog was downloaded with. Does nothing if the dumps are the same. \
            Does not ask, so it can run from a timer; Open Library publishes dumps monthly.
            """)

    @OptionGroup var options: CatalogOptions

    func run() async throws {
        let path = try options.file()
        try await reportingErrors {
            try await CatalogDownload.with(catalog: path) { download in
                guard let current = try download.current() else {
                    throw CommandError(
                        "There is no downloaded catalog at \(path). Get one with: shelflist catalog get openlibrary")
                }
                try await DownloadRun(download: download, options: options).run(current.filter, asking: false)
            }
        }
    }
}
