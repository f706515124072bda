import ArgumentParser
import Foundation
import Terminal

/// The command `shelflist`, with one type per subcommand in `Commands/`.
struct Shelflist: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shelflist",
        abstract: "Reads photos of bookshelves and lists the books on them.",
        discussion: """
            Everything runs on this machine: no account, no key, no network, unless you turn a provider on, choose another \
            reader or name a server (--server).

            Exit codes: 0 done; 1 something failed, each failure named on stderr; 2 the command line was not \
            understood; 130 stopped by Ctrl-C.
            """,
        version: "shelflist \(Program.description)",
        subcommands: [
            ScanCommand.self, LibraryCommand.self, ReviewCommand.self, ServeCommand.self, WorkerCommand.self,
            WorkQueueCommand.self, CatalogCommand.self, ProvidersCommand.self, ReadersCommand.self,
            LoginCommand.self, LogoutCommand.self, WhoamiCommand.self, AppsCommand.self,
            ActivityCommand.self, BackupCommand.self, RestoreCommand.self,
            DoctorCommand.self, HealthCommand.self, DecodePhotosCommand.self,
        ])

    package static let currentVersion = "0.1.0"
}

@main
enum Main {
    /// Ends the process without the clean-up of exit(), which would run while other threads still load models or read.
    static func main() async {
        do {
            var command = try Shelflist.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            let end = CommandEnd(error)
            if !end.output.isEmpty { StandardStream.output.write(end.output) }
            if !end.errors.isEmpty { StandardStream.errors.write(end.errors) }
            _exit(end.status)
        }
        _exit(0)
    }
}
