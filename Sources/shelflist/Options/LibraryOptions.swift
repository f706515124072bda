import ArgumentParser
import Foundation
import Library
import ShelflistClient
import Terminal

/// The location of the library, on this machine or on a server.
struct PlaceOptions: ParsableArguments {
    @OptionGroup var data: DataOptions
    @OptionGroup var server: ServerOptions

    func validate() throws { _ = try address() }

    /// The address of the server; nil for the library of this machine.
    ///
    /// - Throws: `ValidationError`.
    func address() throws -> URL? { try server.address(unless: data.data) }

    /// Runs `work` with a client of the library; reports errors as every command does.
    func withClient<Result>(_ work: (ShelflistClient) async throws -> Result) async throws -> Result {
        try await reportingErrors {
            guard let address = try address() else { return try await withLocalClient(of: data.folder, work) }
            return try await work(try await server.connect(to: address).0.client)
        }
    }
}

/// The location of the library and the output format.
struct LibraryOptions: ParsableArguments, PrintsDocuments {
    @OptionGroup var place: PlaceOptions

    @Option(help: "Output format.")
    var format = OutputFormat.table

    var data: DataOptions { place.data }
    var folder: LibraryFolder { data.folder }
}

/// A command that works with the library of this machine or of a server.
protocol UsesLibrary: AsyncParsableCommand {
    var options: LibraryOptions { get }
    func run(_ client: ShelflistClient) async throws
}

extension UsesLibrary {
    func run() async throws { try await options.place.withClient { try await run($0) } }
}
