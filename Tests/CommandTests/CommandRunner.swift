import Fixtures
import Foundation
import TestSupport
import Testing

/// What a run of the built program left behind.
struct Outcome {
    var status: Int32
    var output: String
    var errors: String
}

/// Runs the built program as its user does, in a folder of its own and with an environment of its own.
struct CommandRunner: ~Copyable {
    private let temporary: TemporaryFolder
    var folder: URL { temporary.url }

    init() throws { temporary = try TemporaryFolder() }

    /// The program that was built together with these tests.
    static var program: URL {
        get throws {
            let own = URL(filePath: Bundle.main.executablePath ?? CommandLine.arguments[0]).resolvingSymlinksInPath()
            let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../.build/release")
            return try #require(
                [own.deletingLastPathComponent(), checkout].map { $0.appending(path: "shelflist") }
                    .first { FileManager.default.isExecutableFile(atPath: $0.path) })
        }
    }

    static var example: URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Examples/shelf.jpg").standardized
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try launch(arguments, environment: environment).outcome()
    }

    /// Runs `doctor` without the models, which it would load, and returns what it prints.
    func checkup(_ options: String..., environment: [String: String] = [:]) throws -> String {
        let resources = ["SHELFLIST_RESOURCES": folder.path]
        let outcome = try launch(["doctor"] + options, environment: resources.merging(environment) { $1 }).outcome()
        // The models are missing.
        try #require(outcome.status == 1 && outcome.output.contains("✗ models"), "\(outcome)")
        return outcome.output
    }

    /// Starts the program without waiting for it.
    func launch(
        _ arguments: [String], environment: [String: String] = [:], through launcher: [String] = []
    ) throws -> RunningCommand {
        let words = launcher + [try Self.program.path] + arguments
        return try RunningCommand(
            words, in: folder,
            environment: Self.environment.merging(["HOME": folder.path]) { $1 }.merging(environment) { $1 })
    }

    /// The variables of every run.
    static let environment = ["PATH": "/usr/bin:/bin", "SHELFLIST_CACHE": SharedCache.folder.path]
}

/// A run that has not ended.
///
/// Its output goes to files, which never fill up as a pipe does.
struct RunningCommand {
    private let process: ChildProcess
    private let output: URL
    private let errors: URL

    init(_ words: [String], in folder: URL, environment: [String: String]) throws {
        let name = UUID().uuidString
        output = folder.appending(path: ".\(name).out")
        errors = folder.appending(path: ".\(name).err")
        for file in [output, errors] { try Data().write(to: file) }
        process = try ChildProcess(
            words, in: folder, environment: environment, output: FileHandle(forWritingTo: output),
            errors: FileHandle(forWritingTo: errors))
    }

    var id: pid_t { process.id }
    var isRunning: Bool { process.isRunning }

    func send(_ signal: Int32) { process.send(signal) }

    /// As Ctrl-C does.
    func interrupt() { send(SIGINT) }

    /// As a loss of power does: without a chance to tidy up.
    func kill() { send(SIGKILL) }

    func errorsSoFar() throws -> String { String(decoding: try Data(contentsOf: errors), as: UTF8.self) }

    /// Waits for the end.
    func outcome() throws -> Outcome {
        Outcome(
            status: process.waitUntilExit(), output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            errors: try errorsSoFar())
    }
}
