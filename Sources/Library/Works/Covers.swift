import Foundation
import GRDB

extension LibraryStore {
    /// Uses a stored cover for a copy's edition, or none.
    ///
    /// Revisions do not grow, so an edit in progress does not conflict with a new cover. The file of the previous cover
    /// is kept, so that it can be chosen again.
    ///
    /// - Parameter file: the name of a file in the folder `covers`; `nil` removes the cover.
    /// - Throws: `LibraryError.notFound`.
    package func setCover(_ entry: RowID<LibraryEntry>, toStored file: String?) async throws {
        if let file, !hasCover(named: file) { throw LibraryError.notFound("cover \(file)") }
        try await write { db in
            try db.execute("UPDATE edition SET cover = ? WHERE id = ?", [file, try db.editionMade(ofEntry: entry)])
        }
    }

    /// Whether the folder `covers` has a file of this name.
    package func hasCover(named file: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.covers.appending(path: file).path)
    }
}
