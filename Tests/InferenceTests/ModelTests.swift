import Concurrency
import Fixtures
import Foundation
import Inference
import TestSupport
import Testing

extension Reading { @Suite("Models", .whenReadingChanges) struct ModelTests {} }

extension Reading.ModelTests {
    private static let budget = ComputeBudget(streams: 1, threads: 2)

    @Test("The detector returns a probability for each pixel", arguments: [(64, 96), (160, 32)])
    func detection(_ height: Int, _ width: Int) async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: Self.budget)
        try await model.run(blank([1, 3, height, width])) { output in
            #expect(output.shape == [1, 1, height, width])
            #expect(output.values.count == height * width)
            #expect(output.values.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test(
        "The recognizer returns probabilities of 18,710 classes for each eighth pixel", arguments: [(1, 160), (3, 320)])
    func recognition(_ lines: Int, _ width: Int) async throws {
        let model = try Model(contentsOf: file("recognition.onnx"), budget: Self.budget)
        try await model.run(blank([lines, 3, 48, width])) { output in
            #expect(output.shape == [lines, width / 8, 18_710])
            for row in 0..<(lines * width / 8) {
                let sum = output.values[(row * 18_710)..<((row + 1) * 18_710)].reduce(0, +)
                #expect(abs(sum - 1) < 0.01)
            }
        }
    }

    @Test("Single precision differs from the processor's own where that is bfloat16, and nowhere else")
    func singlePrecision() async throws {
        let input = noise([1, 3, 64, 64], seed: 1)
        func values(_ floats: FloatPrecision) async throws -> [Float] {
            let model = try Model(contentsOf: file("detection.onnx"), budget: Self.budget, floats: floats)
            return try await model.run(input) { Array($0.values) }
        }
        let (native, single) = (try await values(.native), try await values(.single))
        #expect(try (native != single) == Runtime.capabilities().contains("BF16"))
    }

    @Test("Several threads can run one model, and each gets its own result")
    func concurrent() async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: ComputeBudget(streams: 2, threads: 2))
        let inputs = (0..<6).map { noise([1, 3, 64, 64], seed: $0) }
        var alone: [[Float]] = []
        for input in inputs { alone.append(try await values(of: model, input)) }
        let together = try await withThrowingTaskGroup(of: (Int, [Float]).self) { group in
            for (i, input) in inputs.enumerated() { group.addTask { (i, try await values(of: model, input)) } }
            return try await group.reduce(into: [Int: [Float]]()) { $0[$1.0] = $1.1 }
        }
        for (i, values) in alone.enumerated() { #expect(together[i] == values) }
        #expect(Set(alone.map { $0.reduce(0, +) }).count == inputs.count, "the inputs do not differ in their results")
    }

    @Test(
        "A tensor that does not fit is an error that names the model and the shape",
        arguments: [[1, 1, 48, 160], [1, 3, 160], [3, 48, 160], [1, 4, 48, 160]])
    func mismatch(_ shape: [Int]) async throws {
        let model = try Model(contentsOf: file("recognition.onnx"), budget: Self.budget)
        let error = try await #require(throws: InferenceError.self) { try await model.run(blank(shape)) { _ in } }
        #expect("\(error)".contains("recognition.onnx") && "\(error)".contains("\(shape)"))
        #expect(!error.reason.isEmpty)
        #expect(try await model.run(blank([1, 3, 48, 64])) { $0.shape } == [1, 8, 18_710])
    }

    @Test("An error of the caller is passed on unchanged")
    func ownError() async throws {
        struct Own: Error {}
        let model = try Model(contentsOf: file("detection.onnx"), budget: Self.budget)
        await #expect(throws: Own.self) { try await model.run(blank([1, 3, 32, 32])) { _ in throw Own() } }
        #expect(try await model.run(blank([1, 3, 32, 32])) { $0.shape } == [1, 1, 32, 32])
    }

    @Test("A model compiled for one shape gives the same result")
    func fixedShape() async throws {
        let input = noise([1, 3, 64, 96], seed: 7)
        let open = try Model(contentsOf: file("detection.onnx"), budget: Self.budget)
        let fixed = try Model(contentsOf: file("detection.onnx"), shape: input.shape, budget: Self.budget)
        let expected = try await values(of: open, input)
        let found = try await values(of: fixed, input)
        #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 0.05 })
        await #expect(throws: InferenceError.self) { try await fixed.run(blank([1, 3, 96, 64])) { _ in } }
    }

    @Test("A shape that the model cannot take is an error that names the file")
    func impossibleShape() throws {
        let error = try #require(throws: InferenceError.self) {
            try Model(contentsOf: file("detection.onnx"), shape: [1, 4, 64, 64], budget: Self.budget)
        }
        #expect("\(error)".contains("detection.onnx"))
    }

    @Test("A model that has freed its memory gives the same result, also while others use and free it")
    func releasedMemory() async throws {
        let input = noise([1, 3, 64, 96], seed: 11)
        let model = try Model(
            contentsOf: file("detection.onnx"), shape: input.shape, budget: ComputeBudget(streams: 2, threads: 2))
        let expected = try await values(of: model, input)
        model.releaseMemory()
        model.releaseMemory()
        #expect(try await values(of: model, input) == expected)
        let results = try await (0..<16).map(maxConcurrent: 4) { _ in
            defer { model.releaseMemory() }
            return try await values(of: model, input)
        }
        #expect(results.allSatisfy { $0 == expected })
    }

    @Test("The cache keeps the most recently used shapes")
    func cache() async throws {
        let cache = ModelCache(contentsOf: try file("detection.onnx"), capacity: 2)
        func model(_ side: Int) throws -> Model { try cache.model(for: [1, 3, side, side], budget: Self.budget) }
        let (small, large) = (try model(32), try model(64))
        #expect(small !== large)
        #expect(try model(32) === small)
        _ = try model(96)
        #expect(try model(32) === small, "used later than 64")
        #expect(try model(64) !== large, "dropped for 96")
        #expect(try await model(64).run(blank([1, 3, 64, 64])) { $0.shape } == [1, 1, 64, 64])
    }
}
