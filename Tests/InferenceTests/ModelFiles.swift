import Fixtures
import Foundation
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
