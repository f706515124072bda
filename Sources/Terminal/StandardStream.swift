import Foundation

/// Standard output or standard error, unbuffered so that nothing is lost when the process ends.
package enum StandardStream: Sendable {
    case output
    case errors

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal: `COLUMNS` if it is set, otherwise the terminal's width; `nil` for a file or a pipe.
    package var columns: Int? {
        if let named = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), named > 0 { return named }
        var size = winsize()
        guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether this is a terminal on which a line can be redrawn.
    package var isInteractive: Bool { isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Colours are used on terminals that support them, unless the user has disabled them (no-color.org).
    package var showsColors: Bool {
        isInteractive && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty
    }

    /// Writes all of `text`.
    ///
    /// If the reader has closed the pipe, the process ends by SIGPIPE, as usual for a command. Any other failure,
    /// such as a full disk, ends it with exit code 1, because the result cannot be written anywhere.
    package func write(_ text: String) { write(bytes: Array(text.utf8)) }

    /// Writes all bytes, as `write(_:)` does.
    package func write(bytes: [UInt8]) {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                bytes.removeFirst(written)
            } else if errno == EAGAIN {
                // Some programs leave a shared terminal or pipe in non-blocking mode.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, 1000)
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                if self == .output { Self.errors.write("shelflist: The results could not be written: \(reason).\n") }
                _exit(1)
            }
        }
    }

    /// Prints a message of one line to standard error.
    package static func warn(_ message: String) { errors.write("shelflist: \(TerminalText.safe(message))\n") }

    /// Asks for confirmation; anything but y is a no.
    package static func confirms(_ question: String) -> Bool {
        errors.write("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    private var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
}
