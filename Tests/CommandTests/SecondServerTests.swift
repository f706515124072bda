import Fixtures
import Foundation
import Reading
import TestSupport
import Testing

struct SecondServerTests {
    /// The first server starts with a damaged file, so that one start serves both.
    @Test("A second server on a folder names the first, which runs with damaged settings of providers and says so")
    func second() async throws {
        let runner = try CommandRunner()
        let data = runner.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        let file = data.appending(path: "services.json")
        try Data("{".utf8).write(to: file)
        let first = try runner.launch(["serve", "--port", "0", "--data", "data"])
        try await eventually { try !first.isRunning || first.errorsSoFar().contains("Shelflist is at") }
        #expect(try first.errorsSoFar().contains("services.json is damaged. "))
        let second = try runner.run("serve", "--port", "0", "--data", "data")
        #expect(second.status == 1)
        #expect(second.errors.contains("Another server runs on the data folder"), "\(second.errors)")
        #expect(second.errors.contains(": http://127.0.0.1:"), "\(second.errors)")
        // Commands work beside the first.
        #expect(try runner.run("library", "list", "--data", "data").status == 0)
        let health = try runner.run("health", "--data", "data")
        #expect(health.status == 0 && health.output.contains("at http://127.0.0.1:"), "\(health)")
        first.interrupt()
        _ = try first.outcome()
        #expect(try Data(contentsOf: file) == Data("{".utf8), "the damaged file is left as it is")
    }

    @Test("A server ends with an error if its models are missing or damaged", arguments: ["missing", "damaged"])
    func models(state: String) async throws {
        let runner = try CommandRunner()
        let resources = runner.folder.appending(path: "resources", directoryHint: .isDirectory)
        for folder in ["models", "fonts"] {
            try FileManager.default.createDirectory(
                at: resources.appending(path: folder), withIntermediateDirectories: true)
        }
        let installation = Installation(resources: resources)
        try FileManager.default.copyItem(at: SpineFont.dejaVuSans.file, to: installation.labelFont)
        for file in installation.modelFiles where state == "damaged" { try Data("damaged".utf8).write(to: file) }
        let server = try runner.launch(
            ["serve", "--port", "0", "--data", "data"],
            environment: [
                "SHELFLIST_RESOURCES": resources.path, "SHELFLIST_CACHE": runner.folder.appending(path: "cache").path,
            ])
        try await eventually { !server.isRunning }
        let outcome = try server.outcome()
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("could not load \(installation.models.path)"), "\(outcome.errors)")
    }
}
