import ArgumentParser
import Foundation

/// The command `shelflist`: one small type for each subcommand in `Commands/`.
struct Shelflist: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelflist",
        abstract: "Takes photos of bookshelves and lists the books that stand on them.",
        discussion: """
            Everything runs on this machine: no account, no key, no network, unless you turn a provider on.

            Exit codes: 0 done; 1 something failed, each failure named on stderr; 2 the command line was not \
            understood; 130 stopped by Ctrl-C.
            """,
        version: "shelflist \(currentVersion)",
        subcommands: [
            ScanCommand.self, LibraryCommand.self, ReviewCommand.self, ServeCommand.self, CatalogCommand.self,
            ProvidersCommand.self, ActivityCommand.self, BackupCommand.self, RestoreCommand.self, DoctorCommand.self,
        ])

    package static let currentVersion = "0.1.0"
}

@main
enum Main {
    /// As `AsyncParsableCommand.main()`, but a command line that is not understood ends with 2, not with 64.
    static func main() async {
        do {
            var command = try Shelflist.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let code = Shelflist.exitCode(for: error)
            let message = Shelflist.fullMessage(for: error)
            if !message.isEmpty {
                let stream = code.isSuccess ? StandardStream.output : .errors
                stream.write(TerminalText.safeLines(message) + "\n")
            }
            exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}
