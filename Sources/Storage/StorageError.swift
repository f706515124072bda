package import Foundation
import ShelflistAPI

/// The reason why a file could not be read, written or locked, described for the user.
package enum StorageError: ReportedError, Hashable {
    case diskFull(String)
    /// The content is not what the program writes; with what to do about it.
    case damaged(String, fix: String)
    /// The system refused to write or lock the file.
    case cannotWrite(String, reason: String)
    case cannotRead(String, reason: String)
    /// Another reason, as sentences.
    case file(String, reason: String)

    package var description: String { [cause, fix].compactMap(\.self).joined(separator: " ") }

    /// What is wrong with which file, as a sentence.
    package var cause: String {
        switch self {
        case .diskFull(let path): "The disk with \(path) is full."
        case .damaged(let path, _): "\(path) is damaged."
        case .cannotWrite(let path, let reason): "\(path): It could not be written: \(reason)."
        case .cannotRead(let path, let reason): "\(path): It cannot be read: \(reason)."
        case .file(let path, let reason): "\(path): \(reason)"
        }
    }

    /// What to do about it, as a sentence; nil if the cause says so.
    package var fix: String? {
        switch self {
        case .diskFull: "Nothing was changed; free some space, then try again."
        case .damaged(_, let fix): fix
        case .cannotWrite: "Check the folder and the disk."
        case .cannotRead: "Check its permissions."
        case .file: nil
        }
    }

    package var problemCode: String {
        switch self {
        case .diskFull: "library_disk_full"
        case .cannotWrite: "storage_not_saved"
        case .damaged: "file_damaged"
        case .cannotRead, .file: "library_unavailable"
        }
    }

    /// Describes a failed call of the system.
    ///
    /// - Parameter code: the call's `errno`.
    package init(_ code: Int32, writing file: URL) {
        switch code {
        case ENOSPC, EDQUOT: self = .diskFull(file.path)
        default: self = .cannotWrite(file.path, reason: String(errno: code))
        }
    }

    /// Describes a failed call of the system.
    ///
    /// - Parameter code: the call's `errno`.
    package init(_ code: Int32, reading file: URL) {
        self = .cannotRead(file.path, reason: String(errno: code))
    }
}

extension String {
    /// The system's description of an error.
    package init(errno code: Int32) { self.init(cString: strerror(code)) }
}
