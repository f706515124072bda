import Fixtures
import Foundation
import Server
import TestSupport
import Testing

struct HealthCommandTests {
    /// The tests of second servers ask one that listens as usual.
    @Test("A running server is healthy, also with a certificate of its own and below a path")
    func running() async throws {
        let runner = try CommandRunner()
        let server = try runner.launch(["serve", "--port", "0", "--data", "data", "--lan", "--base-path", "/books"])
        try await eventually { try !server.isRunning || server.errorsSoFar().contains("Shelflist is at") }
        let healthy = try runner.run("health", "--data", "data")
        #expect(healthy.status == 0, "\(healthy.errors)")
        #expect(healthy.output.contains("at https://127.0.0.1:") && healthy.output.contains("/books/health"))
        server.interrupt()
        _ = try server.outcome()
        let stopped = try runner.run("health", "--data", "data")
        #expect(stopped.status == 1 && stopped.errors.contains("does not answer"))
    }

    @Test("Without a server, or with one that reports a failure, the check fails")
    func failing() throws {
        let runner = try CommandRunner()
        let none = try runner.run("health", "--data", "data")
        #expect(none.status == 1 && none.errors.contains("No server has run"))

        let data = runner.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let stub = try StubServer { _, _ in .answer(503) }
        try ServerAddress.store("https://192.0.2.9", local: stub.url.absoluteString, in: data)
        let failing = try runner.run("health", "--data", "data")
        #expect(failing.status == 1 && failing.errors.contains("is not healthy (status 503)"))
    }
}
