import Foundation

/// Reads single keys without waiting for a line.
package enum TerminalKey {
    /// Returns nil at the end of the input; Ctrl-C is U+0003.
    package static func read() -> Character? {
        var saved = termios()
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return nil }
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &saved) }
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count == 1 {
                // Keys without a character send an escape sequence; a lone Escape means Escape.
                return byte == 0x1B && skipsRest() ? "\0" : Character(Unicode.Scalar(byte))
            }
            if count == 0 || errno != EINTR { return nil }
        }
    }

    /// Discards the rest of an escape sequence; returns whether there was one.
    private static func skipsRest() -> Bool {
        var waiting = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 20) > 0 else { return false }
        tcflush(STDIN_FILENO, TCIFLUSH)
        return true
    }
}
