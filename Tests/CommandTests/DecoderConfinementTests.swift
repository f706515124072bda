import Foundation
import Imaging
import TestSupport
import Testing

/// What the process that decodes photos may do and has inherited.
@Suite("Confinement of the decoding process", .blocks)
struct DecoderConfinementTests {
    private static let hasSeccomp = FileManager.default.fileExists(atPath: "/proc/sys/kernel/seccomp/actions_avail")

    /// Whether `refusingSeccomp` runs here.
    private static let canRefuseSeccomp: Bool = {
        #if arch(x86_64) || arch(arm64)
            let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
            return hasSeccomp && folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/python3") }
        #else
            return false
        #endif
    }()

    @Test(
        "Everything is confined, also below limits that the service or the user set",
        .enabled(if: hasSeccomp, "The kernel has no seccomp."),
        arguments: ["true", "ulimit -t 3000", "ulimit -v 1200000"])
    func refused(limit: String) throws {
        let runner = try CommandRunner()
        let launcher = ["/bin/bash", "-c", #"\#(limit); exec "$0" "$@""#]
        #expect(try runner.launch(["decode-photos", "--check"], through: launcher).outcome().output == "confined\n")
    }

    @Test(
        "Where seccomp is refused, the other parts hold, doctor names it, and a server that requires it does not start",
        .enabled(if: canRefuseSeccomp, "The test requires seccomp, python3, and x86-64 or ARM64."))
    func missing() throws {
        let runner = try CommandRunner()
        try runner.write(Array(Self.refusingSeccomp.utf8), to: "refusing.py")
        let launcher = ["python3", runner.folder.appending(path: "refusing.py").path]
        func run(_ words: String..., environment: [String: String] = [:]) throws -> Outcome {
            try runner.launch(words, environment: environment, through: launcher).outcome()
        }
        let gap = "filter of system calls (the container or service does not allow seccomp)"
        let lines = try run("decode-photos", "--check").output.split(separator: "\n").map(String.init)
        #expect(lines.first == "missing: \(gap)")
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("it can ") } && lines.contains("it can open files"))

        // Without the models, which the checkup would load.
        let doctor = try run("doctor", environment: ["SHELFLIST_RESOURCES": runner.folder.path]).output
            .replacing(/\s+/, with: " ")
        #expect(doctor.contains("! confinement") && doctor.contains(gap), "\(doctor)")

        let serve = ["serve", "--port", "0", "--data", "data"]
        for (words, environment) in [
            (serve + ["--require-confinement"], [:]), (serve, ["SHELFLIST_REQUIRE_CONFINEMENT": "true"]),
        ] {
            let refused = try runner.launch(words, environment: environment, through: launcher).outcome()
            #expect(refused.status == 1)
            #expect(refused.errors.contains("Missing: \(gap)."), "\(refused.errors)")
        }
    }

    /// Runs a program for which the system call `seccomp` fails with EPERM, as in a container that does not allow it.
    private static let refusingSeccomp = """
        import ctypes, os, platform, struct, sys

        number = {"x86_64": 317, "aarch64": 277}[platform.machine()]
        rules = [(0x20, 0, 0, 0), (0x15, 0, 1, number), (0x06, 0, 0, 0x00050001), (0x06, 0, 0, 0x7FFF0000)]
        memory = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *rule) for rule in rules))

        class Program(ctypes.Structure):
            _fields_ = [("length", ctypes.c_ushort), ("rules", ctypes.c_void_p)]

        program = Program(len(rules), ctypes.cast(memory, ctypes.c_void_p))
        library = ctypes.CDLL(None)
        assert library.prctl(38, 1, 0, 0, 0) == 0
        assert library.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
        os.execv(sys.argv[1], sys.argv[1:])

        """

    @Test(
        "Reasons are in words",
        arguments: [
            (Confinement.Gap(.memory, code: ENOENT), "memory limit (/proc is not mounted)"),
            (Confinement.Gap(.filter, code: ENOSYS), "filter of system calls (this system has no seccomp filters)"),
            (Confinement.Gap(.processor, code: EPERM), "processor time limit (Operation not permitted)"),
        ])
    func reasons(gap: Confinement.Gap, text: String) {
        #expect(gap.description == text)
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
        enum End: CaseIterable {
            case inOrder, killed
            /// Killed while the process does not answer, so that it cannot notice that its socket was closed.
            case killedWhileStopped
        }

        @Test("The server's process is confined, and ends with the server", arguments: End.allCases)
        func server(_ end: End) async throws {
            let runner = try CommandRunner()
            let server = try runner.launch(["serve", "--port", "0", "--data", "data"])
            try await eventually { try !server.isRunning || server.errorsSoFar().contains("Shelflist is at") }
            let children = try Self.children(of: server.id)
            let process = try #require(children.first)
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            #expect(status.contains("NoNewPrivs:\t1"))
            if Self.hasSeccomp { #expect(status.contains("Seccomp:\t2")) }
            if end == .killedWhileStopped { #expect(kill(process, SIGSTOP) == 0) }
            if end == .inOrder { server.interrupt() } else { server.kill() }
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
