import Foundation
import Library

/// The format of the data folder as a whole, stored in `format.json`.
///
/// The databases refuse versions that are older than themselves by their migrations. The other files (accounts, keys
/// of apps, settings of providers) have none: an older version would drop the fields that it does not know.
enum DataFormat {
    private struct Document: Codable {
        var format: Int
    }

    /// Raised with the first version whose files an older one cannot keep.
    static let current = 1

    /// Checks that this version knows the folder's format, and stores it in a new folder.
    ///
    /// - Throws: `LibraryError.newerSchema` for a newer one, `.damaged`, `.file`; nothing is changed then.
    static func check(_ folder: URL) throws {
        let file = folder.appending(path: "format.json")
        guard FileManager.default.fileExists(atPath: file.path) else {
            return try DurableFile.write(try JSONEncoder().encode(Document(format: current)), to: file)
        }
        let stored: Document
        do {
            stored = try JSONDecoder().decode(Document.self, from: Data(contentsOf: file))
        } catch is DecodingError {
            throw LibraryError.damaged("\(file.path) is damaged. Restore it from a backup, or remove it.")
        }
        guard stored.format <= current else { throw LibraryError.newerSchema(folder.path) }
        // A later version that has just upgraded the folder: older ones must not open it again.
        guard stored.format < current else { return }
        try DurableFile.write(try JSONEncoder().encode(Document(format: current)), to: file)
    }
}
