import Foundation
import TestSupport
import Testing
import shelflist

@Suite(.blocks) struct Checkups {
    @Test("Each finding is printed with its fix")
    func findings() {
        let checkup = Checkup(
            version: "1.2.3",
            checks: [
                .init("models", .ok, "in /m"),
                .init("data folder", .warning, "0.5 GB free", remedy: "free some space."),
                .init("HEIC", .broken, "does not decode", remedy: "run 'make setup'."),
            ])
        #expect(checkup.isBroken)
        #expect(
            checkup.lines(width: nil, colors: false).joined(separator: "\n") == """
                shelflist 1.2.3

                ✓ models       in /m
                ! data folder  0.5 GB free
                               Fix: free some space.
                ✗ HEIC         does not decode
                               Fix: run 'make setup'.

                Something is broken: see the fixes above.
                """)
    }

    @Test("A warning does not fail the checkup")
    func warning() {
        let checkup = Checkup(version: "1", checks: [.init("data folder", .warning, "0.5 GB free", remedy: "tidy up.")])
        #expect(!checkup.isBroken)
        #expect(checkup.lines(width: nil, colors: false).last == "Everything is in place.")
    }

    @Test(
        "The data folder is taken from the environment",
        arguments: [
            (["SHELFLIST_DATA": "/data", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/data"),
            (["SHELFLIST_DATA": "", "XDG_DATA_HOME": "/x", "HOME": "/h"], "/x/shelflist"),
            (["XDG_DATA_HOME": "relative", "HOME": "/h"], "/h/.local/share/shelflist"),
            (["HOME": "/h"], "/h/.local/share/shelflist"),
        ])
    func dataFolder(environment: [String: String], folder: String) {
        #expect(DataFolder.path(environment: environment) == folder)
    }

    @Test("The checkup passes in this checkout")
    func passes() throws {
        let command = try CommandRunner()
        let outcome = try command.run("doctor")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        for name in ["models", "OpenVINO", "label font", "JPEG", "PNG", "WebP", "HEIC", "data folder"] {
            #expect(outcome.output.contains("✓ \(name) "), "\(outcome.output)")
        }
    }

    private struct Report: Decodable {
        struct Check: Decodable {
            var name: String
            var status: String
            var remedy: String?
        }
        var checks: [Check]
    }

    /// The findings of `shelflist doctor` that are not ok, but for the catalog: there is none in these folders.
    private func complaints(_ command: borrowing CommandRunner, _ environment: [String: String]) throws -> [Report
        .Check]
    {
        let outcome = try command.run("doctor", "--format", "json", environment: environment)
        #expect(outcome.status == 1)
        return try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)).checks.filter {
            $0.status != "ok" && $0.name != "catalog"
        }
    }

    @Test("Missing or damaged models and a missing font are found")
    func missingModels() throws {
        let command = try CommandRunner()
        let models = command.folder.appending(path: "models")
        let environment = ["SHELFLIST_RESOURCES": command.folder.path]
        #expect(try complaints(command, environment).map(\.name) == ["models"])

        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        #expect(try complaints(command, environment).map(\.name) == ["models", "label font"])

        for name in ["detection.onnx", "recognition.onnx"] { try command.write([1, 2, 3], to: "models/\(name)") }
        let damaged = try complaints(command, environment)
        #expect(damaged.map(\.name) == ["OpenVINO", "label font"])
        #expect(damaged.allSatisfy { $0.remedy?.contains("make setup") == true })
    }

    @Test("A data folder that cannot be created is found")
    func unwritableFolder() throws {
        let command = try CommandRunner()
        try command.write([1], to: "file")
        let complaints = try complaints(command, ["SHELFLIST_DATA": command.folder.appending(path: "file/data").path])
        #expect(complaints.map(\.name) == ["data folder"])
        #expect(complaints[0].remedy?.contains("SHELFLIST_DATA") == true)
    }
}
