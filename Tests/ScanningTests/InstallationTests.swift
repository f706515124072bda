import Foundation
import Scanning
import Testing

@Suite struct `The installation` {
    /// A folder that holds empty folders of models at the given places.
    private func withModels(in places: [String], _ body: (URL) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "installation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: root) } }
        for place in places {
            try FileManager.default.createDirectory(
                at: root.appending(path: place).appending(path: "models"), withIntermediateDirectories: true)
        }
        try body(root)
    }

    @Test(arguments: [
        // installed
        (["opt/share/shelflist"], "opt/bin/shelflist", "opt/share/shelflist"),
        // in a checkout, for the program and for its tests
        (["src/.deps"], "src/.build/release/shelflist", "src/.deps"),
        (["src/.deps"], "src/.build/x86_64-unknown-linux-gnu/release/tests.xctest", "src/.deps"),
        // the nearest checkout, when one lies in another
        ([".deps", "src/.deps"], "src/.build/release/shelflist", "src/.deps"),
        // installed below a checkout
        (["src/.deps", "src/out/share/shelflist"], "src/out/bin/shelflist", "src/out/share/shelflist"),
    ])
    func `is found beside the program`(places: [String], program: String, expected: String) throws {
        try withModels(in: places) { root in
            let found = try Installation.locate(from: root.appending(path: program), environment: [:])
            let resources = root.appending(path: expected)
            #expect(found.models.path == resources.appending(path: "models").path)
            #expect(found.labelFont.path == resources.appending(path: "fonts/label.otf").path)
        }
    }

    @Test func `is where SHELFLIST_RESOURCES says, and nowhere else`() throws {
        try withModels(in: ["opt/share/shelflist", "mine"]) { root in
            let program = root.appending(path: "opt/bin/shelflist")
            let mine = root.appending(path: "mine").path
            let found = try Installation.locate(from: program, environment: ["SHELFLIST_RESOURCES": mine])
            #expect(found.models.path == mine + "/models")

            let wrong = root.appending(path: "wrong").path
            #expect(throws: InstallationError.namedFolderHasNoModels(wrong)) {
                try Installation.locate(from: program, environment: ["SHELFLIST_RESOURCES": wrong])
            }
        }
    }

    @Test func `is told how to come by where there is none`() throws {
        try withModels(in: []) { root in
            let program = root.appending(path: "bin/shelflist")
            let error = try #require(throws: InstallationError.self) {
                try Installation.locate(from: program, environment: ["SHELFLIST_RESOURCES": ""])
            }
            #expect(error == .notFound(besides: program.path))
            #expect(error.description.contains("make setup"))
        }
    }
}
