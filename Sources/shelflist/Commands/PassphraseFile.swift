import Foundation
import Storage

/// The file with the passphrase of a backup: its first line.
enum PassphraseFile {
    /// The shortest passphrase, in characters; shorter ones are found by trying.
    private static let shortest = 10

    /// - Throws: `StorageError`.
    static func read(_ path: String) throws -> String {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw StorageError.file(path, reason: "It cannot be read. Name the file with the backup's passphrase.")
        }
        let line = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
        guard line.count >= shortest else {
            throw StorageError.file(
                path, reason: "Its first line is too short for a passphrase. Write at least \(shortest) characters.")
        }
        return String(line)
    }
}
