package import Foundation
import Storage

/// The address under which the server last ran, stored for commands that print or use it.
package enum ServerAddress {
    private struct Document: Codable {
        var url: String
        /// The address on the server's own machine.
        var local: String?
    }

    private static func file(in folder: URL) -> JSONFile<Document> {
        JSONFile(folder.appending(path: "server.json"), fix: "Start the server again.")
    }

    /// - Parameter local: the address on this machine, if it is known.
    /// - Throws: `StorageError`.
    package static func store(_ url: String, local: String? = nil, in folder: URL) throws {
        try file(in: folder).save(Document(url: url, local: local))
    }

    /// - Returns: `nil` if no server has run, or if the file is not valid.
    package static func stored(in folder: URL) -> String? { document(in: folder)?.url }

    /// Returns the address on this machine, `nil` as for `stored`.
    package static func local(in folder: URL) -> String? { document(in: folder)?.local }

    private static func document(in folder: URL) -> Document? { try? file(in: folder).load() }
}
