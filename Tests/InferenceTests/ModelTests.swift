import Fixtures
import Foundation
import Inference
import Testing

@Suite("Models")
struct ModelTests {
    private static let budget = ComputeBudget(streams: 1, threads: 2)

    @Test("the detector gives a probability for each pixel", arguments: [(64, 96), (160, 32)])
    func detection(_ height: Int, _ width: Int) throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        try model.run(blank([1, 3, height, width])) { output in
            #expect(output.shape == [1, 1, height, width])
            #expect(output.values.count == height * width)
            #expect(output.values.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test(
        "the recogniser gives probabilities of 18,710 classes for each eighth pixel", arguments: [(1, 160), (3, 320)])
    func recognition(_ lines: Int, _ width: Int) throws {
        let model = try Model(contentsOf: file("recognition.onnx"), budget: ModelTests.budget)
        try model.run(blank([lines, 3, 48, width])) { output in
            #expect(output.shape == [lines, width / 8, 18_710])
            for row in 0..<(lines * width / 8) {
                let sum = output.values[(row * 18_710)..<((row + 1) * 18_710)].reduce(0, +)
                #expect(abs(sum - 1) < 0.01)
            }
        }
    }

    @Test("several threads may run one model, and each gets its own result")
    func concurrent() async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: ComputeBudget(streams: 2, threads: 2))
        let inputs = (0..<6).map { i in
            Tensor(shape: [1, 3, 64, 64], values: noise(count: 3 * 64 * 64, seed: UInt64(i)))
        }
        let alone = try inputs.map { try model.run($0) { Array($0.values) } }
        let together = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
            for (i, input) in inputs.enumerated() { group.addTask { (i, try model.run(input) { Array($0.values) }) } }
            return try await group.reduce(into: [Int: [Float]]()) { $0[$1.0] = $1.1 }
        }
        for (i, values) in alone.enumerated() { #expect(together[i] == values) }
        #expect(Set(alone.map { $0.reduce(0, +) }).count == inputs.count, "the inputs do not differ in their results")
    }

    @Test(
        "a tensor that does not fit is an error that names the model and the shape, and harms nothing",
        arguments: [[1, 1, 48, 160], [1, 3, 160], [3, 48, 160], [1, 4, 48, 160]])
    func mismatch(_ shape: [Int]) throws {
        let model = try Model(contentsOf: file("recognition.onnx"), budget: ModelTests.budget)
        let error = try #require(throws: InferenceError.self) { try model.run(blank(shape)) { _ in } }
        #expect("\(error)".contains("recognition.onnx") && "\(error)".contains("\(shape)"))
        #expect(!error.reason.isEmpty)
        #expect(try model.run(blank([1, 3, 48, 64])) { $0.shape } == [1, 8, 18_710])
    }

    @Test("an error of the caller's own comes out as it is")
    func ownError() throws {
        struct Own: Error {}
        let model = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        #expect(throws: Own.self) { try model.run(blank([1, 3, 32, 32])) { _ in throw Own() } }
        #expect(try model.run(blank([1, 3, 32, 32])) { $0.shape } == [1, 1, 32, 32])
    }

    @Test("a file that is not there is an error that names it")
    func missing() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "missing-\(UUID().uuidString).onnx")
        let error = try #require(throws: InferenceError.self) {
            try Model(contentsOf: path, budget: ModelTests.budget)
        }
        #expect("\(error)".contains(path.path) && "\(error)".contains("missing"))
    }

    @Test("a damaged file is an error that names it", arguments: [0, 1, 100, 5_000_000])
    func damaged(_ length: Int) throws {
        try withTemporaryFile(try Data(contentsOf: file("detection.onnx")).prefix(length)) { (copy: URL) throws in
            let error = try #require(throws: InferenceError.self) {
                try Model(contentsOf: copy, budget: ModelTests.budget)
            }
            #expect("\(error)".contains(copy.path))
        }
    }

    @Test("what is no model is an error that names it")
    func noModel() throws {
        try withTemporaryFile(Data("Call me Ishmael.".utf8)) { (copy: URL) throws in
            let error = try #require(throws: InferenceError.self) {
                try Model(contentsOf: copy, budget: ModelTests.budget)
            }
            #expect("\(error)".contains(copy.path))
        }
        let folder = try file("detection.onnx").deletingLastPathComponent()
        #expect(throws: InferenceError.self) { try Model(contentsOf: folder, budget: ModelTests.budget) }
    }

    @Test("a model compiled for one shape gives what the model for all shapes gives")
    func fixedShape() throws {
        let input = Tensor(shape: [1, 3, 64, 96], values: noise(count: 3 * 64 * 96, seed: 7))
        let open = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        let fixed = try Model(contentsOf: file("detection.onnx"), shape: input.shape, budget: ModelTests.budget)
        let expected = try open.run(input) { Array($0.values) }
        let values = try fixed.run(input) { Array($0.values) }
        #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 0.05 })
        #expect(throws: InferenceError.self) { try fixed.run(blank([1, 3, 96, 64])) { _ in } }
    }

    @Test("a shape that the model cannot take is an error that names the file")
    func impossibleShape() throws {
        let error = try #require(throws: InferenceError.self) {
            try Model(contentsOf: file("detection.onnx"), shape: [1, 4, 64, 64], budget: ModelTests.budget)
        }
        #expect("\(error)".contains("detection.onnx"))
    }

    @Test("a cache keeps the shapes used last")
    func cache() throws {
        let cache = ModelCache(contentsOf: try file("detection.onnx"), capacity: 2)
        func model(_ side: Int) throws -> Model { try cache.model(for: [1, 3, side, side], budget: ModelTests.budget) }
        let (small, large) = (try model(32), try model(64))
        #expect(small !== large)
        #expect(try model(32) === small)
        _ = try model(96)
        #expect(try model(32) === small, "used later than 64")
        #expect(try model(64) !== large, "dropped for 96")
        #expect(try model(64).run(blank([1, 3, 64, 64])) { $0.shape } == [1, 1, 64, 64])
    }

    @Test("a budget of nothing is one thread")
    func budget() {
        #expect(ComputeBudget(streams: 0, threads: -3) == ComputeBudget(streams: 1, threads: 1))
    }

    private func blank(_ shape: [Int]) -> Tensor {
        Tensor(shape: shape, values: [Float](repeating: 0, count: shape.reduce(1, *)))
    }

    private func noise(count: Int, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }
}
