import Foundation

/// Asks for lines of text on standard error, and reads them from standard input.
package enum TerminalPrompt {
    package static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

    /// - Returns: nil at the end of the input.
    package static func line(_ question: String) -> String? {
        StandardStream.errors.write("\(question): ")
        return readLine()
    }

    /// Reads a line that the terminal does not show.
    package static func secret(_ question: String) -> String? {
        var saved = termios()
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return readLine() }
        var hidden = saved
        hidden.c_lflag &= ~tcflag_t(ECHO)
        let original = saved
        // Ctrl-C must not leave the terminal without its echo.
        let interruption = Interruption { signal in
            var settings = original
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            StandardStream.errors.write("\n")
            _exit(128 + signal)
        }
        defer { withExtendedLifetime(interruption) {} }
        tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden)
        StandardStream.errors.write("\(question): ")
        defer {
            tcsetattr(STDIN_FILENO, TCSADRAIN, &saved)
            StandardStream.errors.write("\n")
        }
        return readLine()
    }
}
