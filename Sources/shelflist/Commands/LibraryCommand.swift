import ArgumentParser
import Foundation
package import Library
import Reading
import Terminal

struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "List, find, add, import and export the books of the library.",
        subcommands: [
            LibraryListCommand.self, LibraryShowCommand.self, LibraryFindCommand.self, LibraryAddCommand.self,
            LibraryEditCommand.self, LibraryLoansCommand.self, LibraryRemoveCommand.self, LibraryImportCommand.self,
            LibraryExportCommand.self,
            LibraryDuplicatesCommand.self, LibraryShelvesCommand.self, LibraryInventoryCommand.self,
            LibraryEnrichCommand.self, LibraryCleanUpCommand.self, LibrarySettingsCommand.self,
            LibraryCheckCommand.self,
        ], defaultSubcommand: LibraryListCommand.self)
}

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

/// The location of the library, on this machine or on a server.
struct PlaceOptions: ParsableArguments {
    @OptionGroup var data: DataOptions
    @OptionGroup var server: ServerOptions

    func validate() throws { _ = try address() }

    /// The address of the server; nil for the library of this machine.
    ///
    /// - Throws: `ValidationError`.
    func address() throws -> URL? { try server.address(unless: data) }

    /// Opens the library and runs `work`; reports errors as every command does.
    func withLibrary<Result>(_ work: (any LibraryAccess) async throws -> Result) async throws -> Result {
        guard let address = try address() else {
            return try await data.withLibrary { try await work(LocalLibrary(store: $0)) }
        }
        return try await reportingErrors {
            try await work(ServerLibrary(client: try await server.connect(to: address).0.client))
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
        guard let address = try server.address(unless: data) else { return }
        StandardStream.warn(
            "This command does not work with a server (\(address)). \(instead). For the library of this machine, name its "
                + "folder with --data.")
        throw ExitCode(2)
    }
}

/// A command that works with the library of this machine or of a server.
protocol UsesLibrary: AsyncParsableCommand {
    var options: LibraryOptions { get }
    func run(_ library: any LibraryAccess) async throws
}

extension UsesLibrary {
    func run() async throws { try await options.place.withLibrary { try await run($0) } }
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

/// Reports errors on standard error and exits with 1; `subject` is the file concerned.
func reportingErrors<Result>(_ subject: String? = nil, _ work: () async throws -> Result) async throws -> Result {
    do {
        return try await work()
    } catch let code as ExitCode {
        throw code
    } catch is CancellationError {
        throw ExitCode(130)
    } catch {
        StandardStream.errors.write(Failure.line(for: subject ?? (error as? CommandError)?.path, error))
        throw ExitCode.failure
    }
}

extension TerminalTable {
    /// The table at the terminal's width and with its colours.
    func onTerminal() -> [String] {
        lines(width: StandardStream.output.columns, colors: StandardStream.output.showsColors)
    }
}

extension Int {
    func checkAsLimit() throws {
        if self < 1 { throw ValidationError("--limit is \(self). Choose 1 or more.") }
    }
}

extension RowID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
