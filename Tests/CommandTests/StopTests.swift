import Fixtures
import Foundation
import Reading
import TestSupport
import Testing

/// Stops a server while it reads a file that does not end.
@Suite(.blocks, .endsHangs) struct StopTests {
    @Test("SIGTERM and Ctrl-C end a server whose models are still being loaded", arguments: [SIGTERM, SIGINT])
    func loading(signal: Int32) async throws {
        let runner = try CommandRunner()
        let resources = runner.folder.appending(path: "resources", directoryHint: .isDirectory)
        for folder in ["models", "fonts"] {
            try FileManager.default.createDirectory(
                at: resources.appending(path: folder), withIntermediateDirectories: true)
        }
        let installation = Installation(resources: resources)
        try FileManager.default.copyItem(at: SpineFont.dejaVuSans.file, to: installation.labelFont)
        let models = try EndlessFiles(installation.modelFiles)
        let server = try runner.launch(
            ["serve", "--port", "0", "--data", "data"],
            environment: [
                "SHELFLIST_RESOURCES": resources.path, "SHELFLIST_CACHE": runner.folder.appending(path: "cache").path,
            ])
        try await models.waitForReader(server)
        try await eventually { try !server.isRunning || server.errorsSoFar().contains("Shelflist is at") }
        try await end(server, by: signal)
    }

    @Test("SIGTERM and Ctrl-C end a server that is still starting", arguments: [SIGTERM, SIGINT])
    func starting(signal: Int32) async throws {
        let runner = try CommandRunner()
        let (certificate, key) = (runner.folder.appending(path: "cert.pem"), runner.folder.appending(path: "key.pem"))
        let files = try EndlessFiles([certificate, key])
        let server = try runner.launch([
            "serve", "--port", "0", "--data", "data", "--tls-cert", certificate.path, "--tls-key", key.path,
        ])
        try await files.waitForReader(server)
        try await end(server, by: signal)
        #expect(try !server.errorsSoFar().contains("Shelflist is at"))
    }

    private func end(_ server: RunningCommand, by signal: Int32) async throws {
        // One that does not end would outlive the tests.
        defer { server.kill() }
        server.send(signal)
        try await eventually { !server.isRunning }
        let outcome = try server.outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }
}

/// Pipes in place of files: reading them waits for the test.
private final class EndlessFiles {
    private let files: [URL]
    private var writer: Int32 = -1

    init(_ files: [URL]) throws {
        self.files = files
        for file in files where mkfifo(file.path, 0o600) != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Returns once a program reads one of the files, and holds it from then on.
    func waitForReader(_ program: RunningCommand) async throws {
        try await eventually {
            for file in files where writer < 0 { writer = open(file.path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
            return writer >= 0 || !program.isRunning
        }
    }

    deinit { if writer >= 0 { close(writer) } }
}
