import Fixtures
import Foundation
import TestSupport
import Testing

/// The built program on a terminal of its own, as its user sits before one.
final class PseudoTerminal {
    private let process: ChildProcess
    private let ours: Int32
    /// What came since the last key.
    private var shown = ""

    /// - Parameter columns: of the terminal; it has 50 lines.
    init(_ arguments: [String], in folder: URL, environment: [String: String], columns: Int = 80) throws {
        var (ours, theirs): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 50, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&ours, &theirs, nil, nil, &size) == 0, "no pseudo-terminal")
        self.ours = ours
        _ = fcntl(ours, F_SETFL, O_NONBLOCK)
        let handle = FileHandle(fileDescriptor: theirs, closeOnDealloc: true)
        process = try ChildProcess(
            [CommandRunner.program.path] + arguments, in: folder,
            environment: CommandRunner.environment.merging(["TERM": "xterm-256color"]) { $1 }.merging(environment) {
                $1
            },
            input: handle, output: handle, errors: handle)
    }

    deinit {
        process.send(SIGTERM)
        process.waitUntilExit()
        close(ours)
    }

    /// Waits until the program waits for a key, presses it, and waits for what it shows then.
    @discardableResult
    func press(_ key: String, until text: String) async throws -> String {
        try await wait(for: "a key to be wanted") { !isReadingLines }
        return try await type(key, until: text)
    }

    /// Waits until the program asks for a line, and answers.
    @discardableResult
    func answer(_ line: String, until text: String) async throws -> String {
        try await wait(for: "a line to be wanted") { isReadingLines }
        return try await type(line + "\n", until: text)
    }

    /// Waits until the text is on the screen.
    ///
    /// - Returns: all that came since the last key.
    @discardableResult
    func screen(showing text: String) async throws -> String {
        try await wait(for: "“\(text)”") {
            readMore()
            return shown.contains(text)
        }
        return shown
    }

    /// Presses a key that ends the program.
    ///
    /// - Returns: its exit status.
    func quit(_ key: String) async throws -> Int32 {
        try await wait(for: "a key to be wanted") { !isReadingLines }
        send(key)
        return try await end()
    }

    /// Waits until the program ends by itself.
    ///
    /// - Returns: its exit status.
    func end() async throws -> Int32 {
        try await wait(for: "the end") {
            readMore()
            return !process.isRunning
        }
        return process.waitUntilExit()
    }

    private func type(_ text: String, until expected: String) async throws -> String {
        readMore()
        shown = ""
        send(text)
        return try await screen(showing: expected)
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(ours, $0.baseAddress, $0.count) }
    }

    /// Whether the terminal passes on whole lines, as it does when no single key is waited for.
    private var isReadingLines: Bool {
        var settings = termios()
        guard tcgetattr(ours, &settings) == 0 else { return true }
        return settings.c_lflag & tcflag_t(ICANON) != 0
    }

    /// Whether the terminal shows and gathers what is typed, as a shell wants it.
    var isAsItWas: Bool {
        var settings = termios()
        let wanted = tcflag_t(ICANON | ECHO | ISIG)
        return tcgetattr(ours, &settings) == 0 && settings.c_lflag & wanted == wanted
    }

    private func readMore() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(ours, &buffer, buffer.count)
            guard count > 0 else { return }
            shown += String(decoding: buffer[..<count], as: UTF8.self)
        }
    }

    private func wait(for what: String, _ isThere: () -> Bool) async throws {
        do {
            try await eventually { isThere() }
        } catch {
            Issue.record("Waited for \(what); the screen shows: \(shown)")
            throw error
        }
    }
}
