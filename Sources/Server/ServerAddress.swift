package import Foundation
import Library

/// The address under which the server last ran, stored for commands that print or use it.
package enum ServerAddress {
    private struct Document: Codable {
        var url: String
        /// The address on the server's own machine.
        var local: String?
    }

    private static func file(in folder: URL) -> URL { folder.appending(path: "server.json") }

    /// - Parameter local: the address on this machine, if it is known.
    /// - Throws: `LibraryError` if the file cannot be written.
    package static func store(_ url: String, local: String? = nil, in folder: URL) throws {
        try DurableFile.write(try JSONEncoder().encode(Document(url: url, local: local)), to: file(in: folder))
    }

    /// - Returns: `nil` if no server has run, or if the file is not valid.
    package static func stored(in folder: URL) -> String? { document(in: folder)?.url }

    /// Returns the address on this machine, `nil` as for `stored`.
    package static func local(in folder: URL) -> String? { document(in: folder)?.local }

    private static func document(in folder: URL) -> Document? {
        (try? Data(contentsOf: file(in: folder))).flatMap { try? JSONDecoder().decode(Document.self, from: $0) }
    }
}
