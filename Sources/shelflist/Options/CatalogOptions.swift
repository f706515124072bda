import ArgumentParser
import Concurrency
import Foundation
import Reading
import Terminal

/// The catalog to use and the output format.
struct CatalogOptions: ParsableArguments, PrintsDocuments {
    @Option(name: .customLong("catalog"), help: "The catalog file (default: catalog.sqlite in the data directory).")
    var path: String?

    @Option(help: "Output format.")
    var format = OutputFormat.table

    /// Returns the path of the file; creates its folder if `creating`.
    func file(creating: Bool = false) throws -> String {
        if let path { return path }
        if creating {
            try FileManager.default.createDirectory(atPath: DataFolder.current, withIntermediateDirectories: true)
        }
        return DataFolder.current + "/catalog.sqlite"
    }
}

/// Runs blocking `work` off the cooperative pool and reports its failure as every command does.
func runCatalogWork<Result: Sendable>(_ work: @Sendable () throws -> Result) async throws -> Result {
    try await reportingErrors { try await BlockingExecutor.interactive.run(work) }
}
