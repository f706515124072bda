package import Foundation

/// A folder of its own for a test, deleted at the end of the variable's scope or with the object that holds it.
package struct TemporaryFolder: ~Copyable, Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "shelflist-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: url) } catch { print("Could not delete \(url.path): \(error)") }
    }
}

extension URL {
    /// Dates a file as if it had been written so many seconds ago.
    package func setAge(_ age: TimeInterval) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
    }
}
