package import Foundation
import Library

/// The address under which the server last ran, stored for commands that print it.
package enum ServerAddress {
    private struct Document: Codable {
        var url: String
    }

    private static func file(in folder: URL) -> URL { folder.appending(path: "server.json") }

    /// - Throws: `LibraryError` if the file cannot be written.
    package static func store(_ url: String, in folder: URL) throws {
        try DurableFile.write(try JSONEncoder().encode(Document(url: url)), to: file(in: folder))
    }

    /// - Returns: `nil` if no server has run, or if the file is not valid.
    package static func stored(in folder: URL) -> String? {
        (try? Data(contentsOf: file(in: folder))).flatMap { try? JSONDecoder().decode(Document.self, from: $0) }?.url
    }
}
