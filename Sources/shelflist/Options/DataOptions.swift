import ArgumentParser
import Foundation
import Library
import Reading
import Terminal

/// The location of the library.
struct DataOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The data directory. (default: SHELFLIST_DATA, else the XDG data home)", valueName: "folder"),
        completion: .directory)
    var data: String?

    var folder: LibraryFolder { LibraryFolder(URL(filePath: data ?? DataFolder.current)) }

    /// Opens the library and runs `work`; reports errors as every command does.
    func withLibrary<Result>(_ work: (LibraryStore) async throws -> Result) async throws -> Result {
        try await reportingErrors { try await work(try LibraryStore(folder: folder)) }
    }
}

/// The location of the data directory and the output format.
struct DocumentOptions: ParsableArguments, PrintsDocuments {
    @OptionGroup var data: DataOptions

    @Option(help: "Output format.")
    var format = OutputFormat.table

    var folder: LibraryFolder { data.folder }
}

/// The location of a library of this machine, and the output format.
struct LocalLibraryOptions: ParsableArguments, PrintsDocuments {
    @OptionGroup var data: DataOptions
    /// Refused with what to do instead.
    @OptionGroup(visibility: .hidden) var server: ServerOptions

    @Option(help: "Output format.")
    var format = OutputFormat.table

    var folder: LibraryFolder { data.folder }

    /// - Parameter instead: what to do with the library of a server.
    /// - Throws: `ExitCode` after a message if the command is to use a server.
    func checkIsLocal(instead: String) throws {
        guard let address = try server.address(unless: data.data) else { return }
        StandardStream.warn(
            "This command does not work with a server (\(address)). \(instead). For the library of this machine, name its "
                + "folder with --data.")
        throw ExitCode(2)
    }
}

/// A command that works with the library of this machine only.
protocol UsesLocalLibrary: AsyncParsableCommand {
    var options: LocalLibraryOptions { get }
    /// What to do with the library of a server instead.
    static var onServers: String { get }
    func run(_ store: LibraryStore) async throws
}

extension UsesLocalLibrary {
    static var onServers: String { "Run it on the server's machine" }

    func run() async throws {
        try options.checkIsLocal(instead: Self.onServers)
        try await options.data.withLibrary { try await run($0) }
    }
}
