import ArgumentParser
import Terminal

/// How the program ends at an error, or at a request for help or its version.
package struct CommandEnd {
    package let status: Int32
    /// What is printed on standard output.
    package let output: String
    /// What is printed on standard error.
    package let errors: String

    /// An invalid command line exits with 2 in place of the 64 of `AsyncParsableCommand.main()`.
    init(_ error: any Error) {
        let code = Shelflist.exitCode(for: error)
        let message = Shelflist.fullMessage(for: error)
        let text = message.isEmpty ? "" : TerminalText.safeLines(message) + "\n"
        status = code == .validationFailure ? 2 : code.rawValue
        (output, errors) = code.isSuccess ? (text, "") : ("", text)
    }

    /// Parses a command line without running the command, unless that is the parser's own: `--help`.
    ///
    /// - Returns: nil for a command that would run.
    package init?(parsing arguments: [String]) {
        do {
            var command = try Shelflist.parseAsRoot(arguments)
            guard !(command is any AsyncParsableCommand || command is DecodePhotosCommand) else { return nil }
            try command.run()
            return nil
        } catch {
            self.init(error)
        }
    }
}
