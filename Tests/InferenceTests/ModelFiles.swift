import Fixtures
import Foundation

/// A model that set-up puts into the checkout.
func file(_ model: String) throws -> URL {
    try ExamplePhoto.folder().deletingLastPathComponent().appending(path: ".deps/models").appending(path: model)
}

/// Lends a file with this content and removes it.
func withTemporaryFile(_ content: Data, _ body: (URL) throws -> Void) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "shelflist-\(UUID().uuidString).onnx")
    try content.write(to: file)
    defer {
        // Nothing hangs on a file left behind in the folder for temporary ones.
        try? FileManager.default.removeItem(at: file)
    }
    try body(file)
}
