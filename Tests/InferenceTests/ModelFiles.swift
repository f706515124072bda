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

func noise(_ shape: [Int], seed: UInt64) -> Tensor {
    var random = SeededGenerator(seed: seed)
    return Tensor(shape: shape, values: (0..<shape.reduce(1, *)).map { _ in Float.random(in: -1...1, using: &random) })
}
