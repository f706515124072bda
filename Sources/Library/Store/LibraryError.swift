import Foundation
import GRDB

/// The reason why a library operation failed, described for the user.
package enum LibraryError: Error, Equatable, CustomStringConvertible, LocalizedError {
    /// The item does not exist, or not any more: `work 17`.
    case notFound(String)
    /// Another client changed the item; `current` is its revision now, if it has revisions.
    case changedMeanwhile(String, current: Int?)
    /// An invalid value: the field, and the problem with it.
    case invalid(field: String, reason: String)
    /// The action is not possible in the current state.
    case notPossible(String)
    case diskFull(String)
    /// A newer version of Shelflist wrote the database.
    case newerSchema(String)
    case damaged(String)
    /// Another process holds the data folder.
    case inUse(String)
    case file(String, reason: String)

    package var description: String {
        switch self {
        case .notFound(let what): "There is no \(what). It may have been removed; reload the list."
        case .changedMeanwhile(let what, let current):
            "Another client changed \(what)"
                + (current.map { " (it is at revision \($0) now)" } ?? "") + ". Load it again, then repeat the change."
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .notPossible(let reason): reason
        case .diskFull(let path):
            "The disk with \(path) is full. Nothing was changed; free some space, then try again."
        case .newerSchema(let path):
            "\(path) was written by a newer Shelflist. Install that version or a later one; nothing was changed."
        case .damaged(let reason): reason
        case .inUse(let folder):
            "Another Shelflist is using \(folder). Stop it (for example 'shelflist serve'), then try again."
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }

    package var errorDescription: String? { description }

    /// Translates an error of SQLite.
    init(_ error: DatabaseError, path: String) {
        switch error.resultCode.primaryResultCode {
        case .SQLITE_FULL: self = .diskFull(path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self = .damaged(
                "\(path) is damaged (\(error.message ?? "SQLite cannot read it")). Restore a backup: shelflist restore FILE."
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .inUse(path)
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            self = .file(path, reason: "It cannot be opened for writing. Check the folder's permissions and the disk.")
        case .SQLITE_IOERR:
            self = .file(
                path, reason: "The disk reported an error (\(error.message ?? "I/O")). Check it, then try again.")
        default: self = .damaged("\(path): \(error.message ?? "SQLite error \(error.resultCode.rawValue)").")
        }
    }
}
