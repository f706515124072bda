import Foundation
import TestSupport
import Testing

struct SecondServerTests {
    @Test("A second server on a folder names the first and does not start; commands work beside the first")
    func second() async throws {
        let runner = try CommandRunner()
        let first = try runner.launch(["serve", "--port", "0", "--data", "data"])
        try await eventually { try !first.isRunning || first.errorsSoFar().contains("Shelflist is at") }
        let second = try runner.run("serve", "--port", "0", "--data", "data")
        #expect(second.status == 1)
        #expect(second.errors.contains("Another server runs on the data folder"), "\(second.errors)")
        #expect(second.errors.contains(": http://127.0.0.1:"), "\(second.errors)")
        #expect(try runner.run("library", "list", "--data", "data").status == 0)
        #expect(try runner.run("health", "--data", "data").status == 0)
        first.interrupt()
        _ = try first.outcome()
    }

    @Test("A server starts with damaged settings of providers, says so, and leaves the file as it is")
    func damagedSettings() async throws {
        let runner = try CommandRunner()
        let data = runner.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let file = data.appending(path: "services.json")
        try Data("{".utf8).write(to: file)
        let server = try runner.launch(["serve", "--port", "0", "--data", "data"])
        try await eventually { try !server.isRunning || server.errorsSoFar().contains("Shelflist is at") }
        #expect(try server.errorsSoFar().contains("services.json is damaged. "))
        #expect(try runner.run("health", "--data", "data").status == 0)
        server.interrupt()
        _ = try server.outcome()
        #expect(try Data(contentsOf: file) == Data("{".utf8))
    }
}
