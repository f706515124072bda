import ArgumentParser
import Foundation
package import Library

struct LibraryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "library",
        abstract: "List, find, add, import and export the books of the library.",
        subcommands: [
            LibraryListCommand.self, LibraryShowCommand.self, LibraryFindCommand.self, LibraryAddCommand.self,
            LibraryEditCommand.self, LibraryRemoveCommand.self, LibraryImportCommand.self, LibraryExportCommand.self,
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

/// The location of the library and the output format.
struct LibraryOptions: ParsableArguments, PrintsDocuments {
    @OptionGroup var data: DataOptions

    @Option(help: "Output format.")
    var format = OutputFormat.table

    var folder: LibraryFolder { data.folder }
}

/// A command that works with the library.
protocol UsesLibrary: AsyncParsableCommand {
    var options: LibraryOptions { get }
    func run(_ store: LibraryStore) async throws
}

extension UsesLibrary {
    func run() async throws { try await options.data.withLibrary { try await run($0) } }
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

extension LibraryStore {
    /// Returns the shelf with this name.
    ///
    /// - Throws: `LibraryError.notFound` with the names of the existing shelves.
    func existingShelf(named name: String) async throws -> Shelf {
        let shelves = try await shelves()
        if let shelf = shelves.first(where: { $0.name.compare(name, options: .caseInsensitive) == .orderedSame }) {
            return shelf
        }
        let names = shelves.map(\.name).joined(separator: ", ")
        throw LibraryError.notPossible(
            "There is no shelf “\(name)”. " + (names.isEmpty ? "There are none yet." : "There are: \(names)."))
    }
}
