public import ArgumentParser
import Foundation
public import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the whole library as CSV, for Goodreads, as JSON or BibTeX.",
        discussion:
            "csv is lossless and can be imported again; goodreads has the columns of Goodreads.")

    @Option(name: .customLong("as"), help: "The format.") var kind = ListFormat.csv
    @Option(name: .shortAndLong, help: "The file to write. (default: standard output)", completion: .file())
    var output: String?
    @OptionGroup var place: PlaceOptions
    @Option(help: ArgumentHelp("json is the same as --as json.", visibility: .hidden)) var format: ListFormat?

    func run() async throws {
        try await place.withClient { client in
            guard let output else {
                return try await client.lists.export(format ?? kind) {
                    StandardStream.output.write(bytes: [UInt8]($0))
                }
            }
            let list = try await client.lists.export(format ?? kind)
            try await reportingErrors(output) { try list.write(to: URL(filePath: output), options: .atomic) }
        }
    }
}

extension ListFormat: ExpressibleByArgument {}
