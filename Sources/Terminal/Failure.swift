import Foundation
import ShelflistAPI

/// Why a command cannot do what it is asked to do.
package struct CommandError: ReportedError {
    package var problemCode: String { "command_failed" }

    package let description: String
    /// The file or folder that the description does not name.
    package let path: String?

    package init(_ description: String, path: String? = nil) { (self.description, self.path) = (description, path) }
}

/// Formats a failure as `shelflist: WHERE: what happened and what to do`, on one line.
package enum Failure {
    package static func line(for subject: String?, _ error: any Error) -> String {
        let subject = subject.map { $0 + ": " } ?? ""
        return "shelflist: " + TerminalText.safe(subject + message(error)) + "\n"
    }

    /// Returns what happened and what to do.
    package static func message(_ error: any Error) -> String {
        switch error {
        case let error as CocoaError: fileMessage(error)
        case let error as any ReportedError: error.description
        default: (error as? any LocalizedError).flatMap(localizedMessage) ?? String(describing: error)
        }
    }

    private static func localizedMessage(_ error: any LocalizedError) -> String? {
        let parts = [error.errorDescription, error.recoverySuggestion].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    /// Replaces Foundation's messages, which are written for developers.
    private static func fileMessage(_ error: CocoaError) -> String {
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: "There is no such file or folder. Check the path."
        case .fileReadNoPermission, .fileWriteNoPermission:
            "You have no permission. Check the permissions of the file and its folder."
        case .fileWriteOutOfSpace: "The disk is full. Free some space, then try again."
        case .fileWriteVolumeReadOnly: "The disk is read-only. Choose another location."
        default: "\(error.localizedDescription) Check the path, the permissions and the disk."
        }
    }
}
