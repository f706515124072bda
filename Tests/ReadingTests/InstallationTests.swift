import Foundation
import Inference
import Reading
import SpineReading
import TestSupport
import Testing

@Suite("Installation") struct InstallationTests {
    /// A folder that holds empty folders of models at the given places.
    private func withModels(in places: [String], _ body: (URL) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let root = folder.url
        for place in places {
            try FileManager.default.createDirectory(
                at: root.appending(path: place).appending(path: "models"), withIntermediateDirectories: true)
        }
        try body(root)
    }

    @Test(
        "The installation is found beside the program",
        arguments: [
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
    func besideProgram(places: [String], program: String, expected: String) throws {
        try withModels(in: places) { root in
            let found = try Installation.locate(from: root.appending(path: program), environment: [:])
            let resources = root.appending(path: expected)
            #expect(found.models.path == resources.appending(path: "models").path)
            #expect(found.labelFont.path == resources.appending(path: "fonts/label.otf").path)
        }
    }

    @Test("SHELFLIST_RESOURCES overrides the installation's folder")
    func environment() throws {
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

    @Test("SHELFLIST_CACHE names a cache for all data folders; without it, each has its own")
    func cache() throws {
        try withModels(in: ["opt/share/shelflist"]) { (root: URL) throws in
            let program = root.appending(path: "opt/bin/shelflist")
            let data = root.appending(path: "data")
            func cache(_ environment: [String: String]) throws -> String {
                try Installation.locate(from: program, environment: environment).cache(for: data).path
            }
            #expect(try cache([:]) == data.path + "/cache")
            #expect(try cache(["SHELFLIST_CACHE": ""]) == data.path + "/cache")
            #expect(try cache(["SHELFLIST_CACHE": "/var/cache/shelflist"]) == "/var/cache/shelflist")
        }
    }

    @Test("SHELFLIST_PRECISION overrides the choice by the processor; unknown words are an error")
    func precision() throws {
        try withModels(in: ["opt/share/shelflist"]) { root in
            let program = root.appending(path: "opt/bin/shelflist")
            func located(_ word: String) throws -> Installation {
                try Installation.locate(from: program, environment: ["SHELFLIST_PRECISION": word])
            }
            for precision in ReadingPrecision.allCases {
                #expect(try located(precision.rawValue).readingPrecision() == precision)
            }
            #expect(try located("").namedPrecision == nil)
            let error = try #require(throws: InstallationError.self) { try located("int4") }
            #expect(error.description.contains("'int4'") && error.description.contains("'int8'"))
        }
    }

    @Test("Missing models are an error that names the file")
    func missingModels() throws {
        let nowhere = Installation(resources: URL(filePath: "/nowhere/shelflist"))
        let error = try #require(throws: (any Error).self) { try PhotoScanner(installation: nowhere) }
        #expect("\(error)".contains("/nowhere/shelflist/models/"))
        #expect(error is InferenceError)
    }

    @Test("A missing installation is reported with what to do")
    func missing() throws {
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
