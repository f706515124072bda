package import Foundation
import Synchronization

/// A program that a test runs beside itself.
///
/// Takes the place of Foundation's `Process`, whose `run()` reads past a directory entry and ends the tests with a
/// segmentation fault where more than a thousand files are open (swift-corelibs-foundation, pull request 5472, later
/// than Swift 6.3.1). The package swift-subprocess only runs programs from asynchronous code, and most tests here
/// are not.
package final class ChildProcess: Sendable {
    package let id: pid_t
    private let status = Mutex<Int32?>(nil)

    /// Starts a program, in a process group of its own.
    ///
    /// - Parameters:
    ///   - words: the program, looked up in the `PATH` of `environment`, and its arguments.
    ///   - environment: nil for that of the tests.
    ///   - input: nil for nothing to read; so for `output` and `errors`, which are then thrown away.
    /// - Throws: `POSIXError` where it cannot be started.
    package init(
        _ words: [String], in folder: URL? = nil, environment: [String: String]? = nil, input: FileHandle? = nil,
        output: FileHandle? = nil, errors: FileHandle? = nil
    ) throws {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #else
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }

        for (number, handle) in [input, output, errors].enumerated() {
            let source = (handle ?? .nullDevice).fileDescriptor
            posix_spawn_file_actions_adddup2(&actions, source, Int32(number))
        }
        // A pipe that another program inherited would never come to its end.
        for file in 3..<min(getdtablesize(), 1 << 14) { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }

        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        let variables = environment ?? ProcessInfo.processInfo.environment
        var started: pid_t = 0
        let problem = withCStrings(["env"] + (folder.map { ["-C", $0.path] } ?? []) + words) { arguments in
            withCStrings(variables.map { "\($0)=\($1)" }) {
                posix_spawn(&started, "/usr/bin/env", &actions, &attributes, arguments, $0)
            }
        }
        guard problem == 0 else { throw POSIXError(POSIXErrorCode(rawValue: problem) ?? .EINVAL) }
        id = started
    }

    /// Runs a program to its end.
    ///
    /// - Returns: its status and what it printed; its errors are thrown away.
    package static func output(of words: [String]) throws -> (status: Int32, text: String) {
        let pipe = Pipe()
        let process = try ChildProcess(words, output: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return (process.waitUntilExit(), text)
    }

    package var isRunning: Bool { end(WNOHANG) == nil }

    /// Waits for the end.
    ///
    /// - Returns: the exit status, or the number of the signal that ended the program.
    @discardableResult
    package func waitUntilExit() -> Int32 {
        while true { if let status = end(0) { return status } }
    }

    /// Sends a signal; an ended program gets none.
    package func send(_ signal: Int32) {
        status.withLock { if $0 == nil { kill(id, signal) } }
    }

    private func end(_ options: Int32) -> Int32? {
        status.withLock { status in
            var word: Int32 = 0
            if status == nil, waitpid(id, &word, options) == id {
                status = word & 0x7f == 0 ? word >> 8 & 0xff : word & 0x7f
            }
            return status
        }
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
}
