import Concurrency
import Dispatch
import Fixtures
import Foundation
import Inference
import TestSupport
import Testing

@Suite("Models", .readsPhotos)
struct ModelTests {
    private static let budget = ComputeBudget(streams: 1, threads: 2)

    @Test("The detector returns a probability for each pixel", arguments: [(64, 96), (160, 32)])
    func detection(_ height: Int, _ width: Int) async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        try await model.run(blank([1, 3, height, width])) { output in
            #expect(output.shape == [1, 1, height, width])
            #expect(output.values.count == height * width)
            #expect(output.values.allSatisfy { (0...1).contains($0) })
        }
    }

    @Test(
        "The recognizer returns probabilities of 18,710 classes for each eighth pixel", arguments: [(1, 160), (3, 320)])
    func recognition(_ lines: Int, _ width: Int) async throws {
        let model = try Model(contentsOf: file("recognition.onnx"), budget: ModelTests.budget)
        try await model.run(blank([lines, 3, 48, width])) { output in
            #expect(output.shape == [lines, width / 8, 18_710])
            for row in 0..<(lines * width / 8) {
                let sum = output.values[(row * 18_710)..<((row + 1) * 18_710)].reduce(0, +)
                #expect(abs(sum - 1) < 0.01)
            }
        }
    }

    @Test("Several threads can run one model, and each gets its own result")
    func concurrent() async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: ComputeBudget(streams: 2, threads: 2))
        let inputs = (0..<6).map { i in
            Tensor(shape: [1, 3, 64, 64], values: noise(count: 3 * 64 * 64, seed: UInt64(i)))
        }
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
        let model = try Model(contentsOf: file("recognition.onnx"), budget: ModelTests.budget)
        let error = try await #require(throws: InferenceError.self) { try await model.run(blank(shape)) { _ in } }
        #expect("\(error)".contains("recognition.onnx") && "\(error)".contains("\(shape)"))
        #expect(!error.reason.isEmpty)
        #expect(try await model.run(blank([1, 3, 48, 64])) { $0.shape } == [1, 8, 18_710])
    }

    @Test("An error of the caller is passed on unchanged")
    func ownError() async throws {
        struct Own: Error {}
        let model = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        await #expect(throws: Own.self) { try await model.run(blank([1, 3, 32, 32])) { _ in throw Own() } }
        #expect(try await model.run(blank([1, 3, 32, 32])) { $0.shape } == [1, 1, 32, 32])
    }

    @Test("A running model is canceled and can run again", arguments: [10, 40, 80])
    func cancelled(_ milliseconds: Int) async throws {
        // Takes many times as long as is waited here: a task that was only stopped between two runs would end one.
        let input = Tensor(shape: [1, 3, 1440, 1920], values: noise(count: 3 * 1440 * 1920, seed: 3))
        let model = try Model(contentsOf: file("detection.onnx"), shape: input.shape, budget: ModelTests.budget)
        let expected = try await values(of: model, input)
        let isRunning = DispatchSemaphore(value: 0)
        let running = Task {
            isRunning.signal()
            try await model.run(input) { _ in _ = Issue.record("the run went on to its end") }
        }
        // The threads that tasks share may all be busy with other tests' runs.
        Thread.detachNewThread {
            isRunning.wait()
            Thread.sleep(forTimeInterval: Double(milliseconds) / 1000)
            running.cancel()
        }
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(try await values(of: model, input) == expected)
    }

    @Test("Canceling a model of open sizes does not interrupt its run")
    func cancelledOpen() async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        let small = Tensor(shape: [1, 3, 64, 64], values: noise(count: 3 * 64 * 64, seed: 3))
        let expected = try await values(of: model, small)
        var wasCanceledInItsMiddle = false
        // One attempt is enough unless the task is canceled before its run begins.
        for _ in 0..<20 where !wasCanceledInItsMiddle {
            let isRunning = DispatchSemaphore(value: 0)
            let running = Task {
                isRunning.signal()
                return try await model.run(blank([1, 3, 960, 1280])) { ($0.shape, Task.isCancelled) }
            }
            Thread.detachNewThread {
                isRunning.wait()
                Thread.sleep(forTimeInterval: 0.02)
                running.cancel()
            }
            do {
                let (shape, isCanceled) = try await running.value
                #expect(shape == [1, 1, 960, 1280])
                wasCanceledInItsMiddle = isCanceled
            } catch is CancellationError {}
            #expect(try await values(of: model, small) == expected)
        }
        #expect(wasCanceledInItsMiddle, "no run went on to its end after it was canceled")
    }

    @Test("A task that is already canceled runs nothing")
    func cancelledBefore() async throws {
        let model = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        let running = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await model.run(blank([1, 3, 64, 64])) { _ in _ = Issue.record("it ran") }
        }
        await #expect(throws: CancellationError.self) { try await running.value }
    }

    @Test("Canceling one of many runs does not affect the others")
    func cancelledAmongOthers() async throws {
        let shape = [1, 3, 96, 96]
        let model = try Model(
            contentsOf: file("detection.onnx"), shape: shape, budget: ComputeBudget(streams: 2, threads: 2))
        let inputs = (0..<4).map { Tensor(shape: shape, values: noise(count: 3 * 96 * 96, seed: UInt64($0))) }
        var expected: [[Float]] = []
        for input in inputs { expected.append(try await values(of: model, input)) }
        var random = SeededGenerator(seed: 11)
        for _ in 0..<40 {
            let runs = inputs.map { input in Task { try await values(of: model, input) } }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...20_000, using: &random)))
            let cut = Int.random(in: 0..<runs.count, using: &random)
            runs[cut].cancel()
            for (index, run) in runs.enumerated() {
                do {
                    #expect(try await run.value == expected[index])
                } catch is CancellationError {
                    #expect(index == cut)
                }
            }
        }
    }

    @Test("A missing file is named in the error")
    func missing() throws {
        let path = URL(filePath: "/nowhere/missing.onnx")
        let error = try #require(throws: InferenceError.self) {
            try Model(contentsOf: path, budget: ModelTests.budget)
        }
        #expect("\(error)".contains(path.path) && "\(error)".contains("missing"))
    }

    @Test("A damaged file is named in the error", arguments: [0, 1, 100, 5_000_000])
    func damaged(_ length: Int) throws {
        try withTemporaryFile(try Data(contentsOf: file("detection.onnx")).prefix(length)) { (copy: URL) throws in
            let error = try #require(throws: InferenceError.self) {
                try Model(contentsOf: copy, budget: ModelTests.budget)
            }
            #expect("\(error)".contains(copy.path))
        }
    }

    @Test("A file that is not a model is named in the error")
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

    @Test("A model compiled for one shape gives the same result")
    func fixedShape() async throws {
        let input = Tensor(shape: [1, 3, 64, 96], values: noise(count: 3 * 64 * 96, seed: 7))
        let open = try Model(contentsOf: file("detection.onnx"), budget: ModelTests.budget)
        let fixed = try Model(contentsOf: file("detection.onnx"), shape: input.shape, budget: ModelTests.budget)
        let expected = try await values(of: open, input)
        let values = try await values(of: fixed, input)
        #expect(zip(values, expected).allSatisfy { abs($0 - $1) < 0.05 })
        await #expect(throws: InferenceError.self) { try await fixed.run(blank([1, 3, 96, 64])) { _ in } }
    }

    @Test("A shape that the model cannot take is an error that names the file")
    func impossibleShape() throws {
        let error = try #require(throws: InferenceError.self) {
            try Model(contentsOf: file("detection.onnx"), shape: [1, 4, 64, 64], budget: ModelTests.budget)
        }
        #expect("\(error)".contains("detection.onnx"))
    }

    @Test("A model that has freed its memory gives the same result, also while others use and free it")
    func releasedMemory() async throws {
        let input = Tensor(shape: [1, 3, 64, 96], values: noise(count: 3 * 64 * 96, seed: 11))
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
        func model(_ side: Int) throws -> Model { try cache.model(for: [1, 3, side, side], budget: ModelTests.budget) }
        let (small, large) = (try model(32), try model(64))
        #expect(small !== large)
        #expect(try model(32) === small)
        _ = try model(96)
        #expect(try model(32) === small, "used later than 64")
        #expect(try model(64) !== large, "dropped for 96")
        #expect(try await model(64).run(blank([1, 3, 64, 64])) { $0.shape } == [1, 1, 64, 64])
    }

    @Test("A budget of nothing is one thread")
    func budget() {
        #expect(ComputeBudget(streams: 0, threads: -3) == ComputeBudget(streams: 1, threads: 1))
    }

    private func values(of model: Model, _ input: Tensor) async throws -> [Float] {
        try await model.run(input) { Array($0.values) }
    }

    private func blank(_ shape: [Int]) -> Tensor {
        Tensor(shape: shape, values: [Float](repeating: 0, count: shape.reduce(1, *)))
    }

    private func noise(count: Int, seed: UInt64) -> [Float] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }
}
