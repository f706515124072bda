import GRDB
import ShelflistAPI
import Storage

/// The reason why a library operation failed, described for the user.
package enum LibraryError: ReportedError, Equatable {
    /// The item does not exist, or not any more: `work 17`.
    case notFound(String)
    /// Another client changed the item; `current` is its revision now, if it has revisions.
    case changedMeanwhile(String, current: Int?)
    /// An invalid value: the field, and the problem with it.
    case invalid(field: String, reason: String)
    /// The action is not possible in the current state.
    case notPossible(String)
    case alreadyUndone
    /// A newer version of Shelflist wrote the database.
    case newerSchema(String)
    case damaged(String)
    /// The table of the database has no number for another row.
    case numbersUsedUp(String, table: String)
    /// Another process holds the data folder.
    case inUse(String)

    package var problemCode: String {
        switch self {
        case .notFound: "not_found"
        case .changedMeanwhile: "edit_conflict"
        case .invalid: "invalid_field"
        case .notPossible: "not_possible"
        case .alreadyUndone: "already_undone"
        case .inUse: "library_in_use"
        case .numbersUsedUp: "library_numbers_used_up"
        case .newerSchema, .damaged: "library_unavailable"
        }
    }

    package var field: String? { if case .invalid(let field, _) = self { field } else { nil } }

    package var description: String {
        switch self {
        case .notFound(let what): "There is no \(what). It may have been removed; reload the list."
        case .changedMeanwhile(let what, let current):
            "Another client changed \(what)"
                + (current.map { " (it is at revision \($0) now)" } ?? "") + ". Load it again, then repeat the change."
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .notPossible(let reason): reason
        case .alreadyUndone: "This action has already been undone."
        case .newerSchema(let path):
            "\(path) was written by a newer Shelflist. Install that version or a later one; nothing was changed."
        case .damaged(let reason): reason
        case .numbersUsedUp(let path, let table):
            "\(path) has used up its numbers for “\(table)”, so nothing was changed. Make a backup and restore it, which "
                + "frees them."
        case .inUse(let folder):
            "Another Shelflist is using \(folder). Stop it (for example 'shelflist serve'), then try again."
        }
    }

}

extension DatabaseError {
    /// Returns the `LibraryError` or `StorageError` that describes an error of SQLite to the user.
    func described(path: String) -> any Error {
        switch resultCode.primaryResultCode {
        case .SQLITE_FULL: StorageError.diskFull(path)
        case .SQLITE_NOTADB:
            LibraryError.damaged(
                "\(path) is damaged (\(message ?? "SQLite cannot read it")). Restore a backup: shelflist restore FILE.")
        case .SQLITE_CORRUPT:
            // SQLite's code of a read that failed, too.
            StorageError.file(
                path,
                reason: "The file is damaged or its disk fails (\(message ?? "SQLite cannot read it")). Try again. "
                    + "If it fails again, restore a backup: shelflist restore FILE.")
        case .SQLITE_BUSY, .SQLITE_LOCKED: LibraryError.inUse(path)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            StorageError.file(
                path, reason: "It cannot be opened for writing. Check the folder's permissions and the disk.")
        case .SQLITE_IOERR:
            StorageError.file(
                path, reason: "The disk reported an error (\(message ?? "I/O")). Check it, then try again.")
        default: LibraryError.damaged("\(path): \(message ?? "SQLite error \(resultCode.rawValue)").")
        }
    }
}
