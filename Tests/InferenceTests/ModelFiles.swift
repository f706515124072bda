import Fixtures
import Foundation
import Inference
import TestSupport

/// A model that set-up puts into the checkout.
func file(_ model: String) throws -> URL {
    try ExamplePhoto.folder().deletingLastPathComponent().appending(path: ".deps/models").appending(path: model)
}

/// Runs `body` with a file of this content.
func withTemporaryFile(_ content: Data, _ body: (URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "model.onnx")
    try content.write(to: file)
    try body(file)
}

func values(of model: Model, _ input: Tensor) async throws -> [Float] {
    try await model.run(input) { Array($0.values) }
}

func blank(_ shape: [Int]) -> Tensor {
    Tensor(shape: shape, values: [Float](repeating: 0, count: shape.reduce(1, *)))
}

/// - Parameter step: the distance of random values; the others are zero.
func noise(_ shape: [Int], seed: UInt64, step: Int = 1) -> Tensor {
    var random = SeededGenerator(seed: seed)
    var values = [Float](repeating: 0, count: shape.reduce(1, *))
    for index in stride(from: 0, to: values.count, by: step) { values[index] = .random(in: -1...1, using: &random) }
    return Tensor(shape: shape, values: values)
}
