import Foundation
import Library
import Storage

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
    /// - Throws: `LibraryError.newerSchema` for a newer one, `StorageError`; nothing is changed then.
    static func check(_ folder: URL) throws {
        let file = JSONFile<Document>(
            folder.appending(path: "format.json"),
            fix: "Remove it, if no newer Shelflist has used the folder.")
        if let format = try file.load()?.format {
            guard format <= current else { throw LibraryError.newerSchema(folder.path) }
            // A later version that has just upgraded the folder: older ones must not open it again.
            guard format < current else { return }
        }
        try file.save(Document(format: current))
    }
}
