import Foundation

/// Standard output or standard error, written without a buffer so that nothing is lost when the process ends.
enum StandardStream: Sendable {
    case output
    case errors

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Columns of the terminal: `COLUMNS` where it is set, else what the terminal says; `nil` for a file or a pipe.
    var columns: Int? {
        if let named = ProcessInfo.processInfo.environment["COLUMNS"].flatMap({ Int($0) }), named > 0 { return named }
        var size = winsize()
        guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// A terminal on which a line can be drawn again.
    var isInteractive: Bool { isTerminal && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

    /// Colours are for terminals that can show them and users who have not declined them (no-color.org).
    var showsColors: Bool { isInteractive && ProcessInfo.processInfo.environment["NO_COLOR", default: ""].isEmpty }

    /// Writes all of `text`.
    ///
    /// A reader that has gone away ends the process by SIGPIPE, as usual for a command. Any other failure, such as
    /// a full disk, ends it with exit code 1, because there is nowhere left to put the result.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                bytes.removeFirst(written)
            } else if errno == EAGAIN {
                // Some programs leave a shared terminal or pipe non-blocking.
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, 1000)
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                if self == .output { Self.errors.write("shelflist: The results could not be written: \(reason).\n") }
                _exit(1)
            }
        }
    }

    private var descriptor: Int32 { self == .output ? STDOUT_FILENO : STDERR_FILENO }
}
