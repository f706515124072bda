public import ArgumentParser
import Foundation
public import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the library as CSV, for Goodreads, as JSON, BibTeX, RIS, CSL-JSON or MARCXML.",
        discussion: """
            csv is lossless and can be imported again; goodreads has the columns of Goodreads. bibtex, ris and csl \
            (CSL-JSON) are for reference managers, with a reference for each edition. marcxml is for library systems: a \
            record for each edition, with the place of each copy.
            """)

    @Option(name: .customLong("as"), help: "The format.") var kind = ListFormat.csv
    @Option(name: .shortAndLong, help: "The file to write. (default: standard output)", completion: .file())
    var output: String?
    @Option(name: .customLong("copy"), help: "The number of a copy; may be repeated. (default: all)")
    var copies: [String] = []
    @OptionGroup var place: PlaceOptions
    @Option(help: ArgumentHelp("json is the same as --as json.", visibility: .hidden)) var format: ListFormat?

    func run() async throws {
        try await place.withClient { client in
            let chosen = copies.isEmpty ? nil : copies
            guard let output else {
                return try await client.lists.export(format ?? kind, of: chosen) {
                    StandardStream.output.write(bytes: [UInt8]($0))
                }
            }
            let list = try await client.lists.export(format ?? kind, of: chosen)
            try await reportingErrors(output) { try list.write(to: URL(filePath: output), options: .atomic) }
        }
    }
}

extension ListFormat: ExpressibleByArgument {}
