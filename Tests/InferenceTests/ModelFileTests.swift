import Foundation
import Inference
import Testing

@Suite("Files of models")
struct ModelFileTests {
    private static let budget = ComputeBudget(streams: 1, threads: 2)

    @Test("A missing file is named in the error")
    func missing() throws {
        let path = URL(filePath: "/nowhere/missing.onnx")
        let error = try #require(throws: InferenceError.self) {
            try Model(contentsOf: path, budget: Self.budget)
        }
        #expect("\(error)".contains(path.path) && "\(error)".contains("missing"))
    }

    @Test("A damaged file is named in the error", arguments: [0, 1, 100, 5_000_000])
    func damaged(_ length: Int) throws {
        try withTemporaryFile(try Data(contentsOf: file("detection.onnx")).prefix(length)) { (copy: URL) throws in
            let error = try #require(throws: InferenceError.self) {
                try Model(contentsOf: copy, budget: Self.budget)
            }
            #expect("\(error)".contains(copy.path))
        }
    }

    @Test("A file that is not a model is named in the error")
    func noModel() throws {
        try withTemporaryFile(Data("Call me Ishmael.".utf8)) { (copy: URL) throws in
            let error = try #require(throws: InferenceError.self) {
                try Model(contentsOf: copy, budget: Self.budget)
            }
            #expect("\(error)".contains(copy.path))
        }
        let folder = try file("detection.onnx").deletingLastPathComponent()
        #expect(throws: InferenceError.self) { try Model(contentsOf: folder, budget: Self.budget) }
    }

    @Test("A budget of nothing is one thread")
    func budget() {
        #expect(ComputeBudget(streams: 0, threads: -3) == ComputeBudget(streams: 1, threads: 1))
    }
}
