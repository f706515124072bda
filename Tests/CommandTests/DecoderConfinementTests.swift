import Foundation
import Imaging
import TestSupport
import Testing

/// What the process that decodes photos may do and has inherited.
@Suite("Confinement of the decoding process", .blocks)
struct DecoderConfinementTests {
    private static let hasSeccomp = FileManager.default.fileExists(atPath: "/proc/sys/kernel/seccomp/actions_avail")

    @Test(
        "Files, sockets, processes, programs and signals are refused",
        .enabled(if: hasSeccomp, "The kernel has no seccomp."))
    func refused() throws {
        let outcome = try CommandRunner().run("decode-photos", "--check")
        #expect(
            outcome.output == """
                seccomp: on
                file: refused
                socket: refused
                process: refused
                program: refused
                signal: refused
                files: 0

                """)
    }

    @Test("The environment has no keys")
    func environment() throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "environment")
        var settings = DecoderProcesses.Settings()
        let words = [try CommandRunner.program.path] + settings.arguments
        settings.program = "/bin/sh"
        settings.arguments = ["-c", #"env > '\#(file.path)'; exec "$@""#, "sh"] + words
        let processes = DecoderProcesses(settings)
        try processes.prepare()
        processes.close()
        let names = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
            .compactMap { $0.split(separator: "=").first.map(String.init) }
        // The last three are the shell's.
        let expected: Set = [
            "PATH", "LD_LIBRARY_PATH", "SWIFT_BACKTRACE", "MALLOC_ARENA_MAX", "GLIBC_TUNABLES", "PWD", "SHLVL", "_",
        ]
        #expect(Set(names).isSubset(of: expected), "\(names)")
        #expect(names.contains("SWIFT_BACKTRACE"))
    }

    #if os(Linux)
        @Test("The server's process is confined, and ends with the server", arguments: [true, false])
        func server(inOrder: Bool) async throws {
            let runner = try CommandRunner()
            let server = try runner.launch(["serve", "--port", "0", "--data", "data"])
            try await eventually { try !server.isRunning || server.errorsSoFar().contains("Shelflist is at") }
            let children = try Self.children(of: server.id)
            let process = try #require(children.first)
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1"))
            if Self.hasSeccomp { #expect(status.contains("Seccomp:\t2")) }
            if inOrder { server.interrupt() } else { server.kill() }
            let outcome = try server.outcome()
            #expect(!outcome.errors.contains("does not confine") || !Self.hasSeccomp)
            try await eventually { !FileManager.default.fileExists(atPath: "/proc/\(process)") }
        }

        /// Only the thread that started a process lists it.
        private static func children(of process: pid_t) throws -> [pid_t] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task").flatMap { thread in
                let path = "/proc/\(process)/task/\(thread)/children"
                // A thread may have ended.
                let text = try? String(contentsOfFile: path, encoding: .utf8)
                return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
            }
        }
    #endif
}
