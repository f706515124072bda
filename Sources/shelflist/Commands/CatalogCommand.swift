import ArgumentParser
import Bibliography
import Catalog
import Foundation

/// `shelflist catalog`: the list of all books that the reader can look up.
struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog",
        abstract: "Import, search and describe the catalog that books are identified with.",
        subcommands: [
            CatalogImportCommand.self, CatalogSearchCommand.self, CatalogMatchCommand.self, CatalogInfoCommand.self,
        ])
}

/// Which catalog a command means, and how it prints.
struct CatalogOptions: ParsableArguments {
    @Option(name: .customLong("catalog"), help: "The catalog file (default: catalog.sqlite in the data directory).")
    var path: String?

    @Option(help: "What to print.")
    var format = Format.table

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table
        case json
    }

    /// The file itself; its folder is made for `creating`.
    func file(creating: Bool = false) throws -> String {
        if let path { return path }
        let folder = DataFolder.path(environment: ProcessInfo.processInfo.environment)
        if creating {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        return folder + "/catalog.sqlite"
    }
}

/// Runs a blocking piece of work off the cooperative pool, and tells a failure as every command does.
func runCatalogWork<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    do {
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Swift.Result { try work() }) }
        }
    } catch {
        StandardStream.errors.write(Failure.line(for: nil, error))
        throw ExitCode.failure
    }
}
