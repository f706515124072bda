import Foundation
import Library

/// A settings file that may contain keys, so only its owner can read it, and backups exclude it.
struct OwnerFile<Content: Codable & Sendable>: Sendable {
    let url: URL
    /// Of a file that does not exist.
    let initial: Content

    /// - Throws: `OwnerFileError.unreadable`.
    func read() throws(OwnerFileError) -> Content {
        guard FileManager.default.fileExists(atPath: url.path) else { return initial }
        do {
            return try JSONDecoder().decode(Content.self, from: Data(contentsOf: url))
        } catch {
            throw .unreadable(url.path)
        }
    }

    /// - Throws: `OwnerFileError.notWritten`; the file is then unchanged.
    func write(_ content: Content) throws(OwnerFileError) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try DurableFile.write(try encoder.encode(content), to: url, permissions: 0o600)
        } catch {
            throw .notWritten(url.path)
        }
    }
}

package enum OwnerFileError: Error, Hashable, CustomStringConvertible {
    case unreadable(String)
    case notWritten(String)

    package var description: String {
        switch self {
        case .unreadable(let path): "\(path) cannot be read as settings. Delete it and choose them again."
        case .notWritten(let path): "\(path) cannot be written. Check the folder's permissions and the disk."
        }
    }
}
