import ArgumentParser
import Foundation
package import Library

struct LibraryExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the whole library as CSV, for Goodreads, as JSON or BibTeX.",
        discussion:
            "csv is lossless and can be imported again; goodreads has the columns of Goodreads.")

    @Option(name: .customLong("as"), help: "The format.") var kind = ExportFormat.csv
    @Option(name: .shortAndLong, help: "The file to write. (default: standard output)", completion: .file())
    var output: String?
    @OptionGroup var options: DataOptions
    @Option(help: ArgumentHelp("json is the same as --as json.", visibility: .hidden)) var format: ExportFormat?

    func run() async throws {
        try await options.withLibrary { store in
            guard let output else {
                return try await store.export(format ?? kind) { StandardStream.output.write($0) }
            }
            try await reportingErrors(output) {
                let text = try await store.exported(format ?? kind)
                try Data(text.utf8).write(to: URL(filePath: output), options: .atomic)
            }
        }
    }
}

extension ExportFormat: ExpressibleByArgument {}
