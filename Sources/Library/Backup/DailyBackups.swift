package import Foundation
import Storage

/// Writes a backup to a folder each day and deletes the oldest.
package struct DailyBackups: Sendable {
    /// Must exist: a folder that is missing may be a disk that is not mounted.
    package var folder: URL
    /// The number of backups that are kept.
    package var kept: Int
    package var passphrase: String?

    package init(folder: URL, kept: Int, passphrase: String? = nil) {
        (self.folder, self.kept, self.passphrase) = (folder, kept, passphrase)
    }

    /// Writes the backup of the day of `now`, in UTC, unless it exists, then deletes the oldest beyond `kept`.
    ///
    /// One server at a time may write to the folder.
    ///
    /// Only files with the names that this type gives are deleted, and never the one just written.
    ///
    /// - Returns: the file written; `nil` if there was one.
    /// - Throws: `LibraryError`, `StorageError`, `CancellationError`; backups are deleted only after a new one is complete.
    package func run(_ library: LibraryStore, now: Date) async throws -> URL? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw StorageError.file(
                folder.path, reason: "The folder for backups does not exist. Create it, or mount its disk.")
        }
        let day = now.formatted(.iso8601.year().month().day())
        let names = ["\(Self.prefix)\(day).tar", "\(Self.prefix)\(day).tar.age"]
        guard !names.contains(where: { FileManager.default.fileExists(atPath: folder.appending(path: $0).path) }) else {
            return nil
        }
        let file = folder.appending(path: passphrase == nil ? names[0] : names[1])
        // The file of a backup that was killed is replaced, so that there is never more than one.
        try await library.backUp(
            to: file, passphrase: passphrase, by: folder.appending(path: ".\(Self.prefix)daily.tmp"))
        try deleteOldest(keeping: file, day: day)
        return file
    }

    /// - Parameter day: today. Backups of later days were made while the clock was wrong, and count as the oldest.
    private func deleteOldest(keeping written: URL, day: String) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { Self.isBackup($0) && $0 != written.lastPathComponent }
        let (past, later) = (files.filter { Self.day(of: $0) <= day }, files.filter { Self.day(of: $0) > day })
        for name in (past.sorted(by: >) + later.sorted(by: >)).dropFirst(kept - 1) {
            let file = folder.appending(path: name)
            guard unlink(file.path) == 0 || errno == ENOENT else { throw StorageError(errno, writing: file) }
        }
    }

    private static let prefix = "shelflist-"

    private static func day(of name: String) -> String { String(name.dropFirst(prefix.count).prefix(10)) }

    /// Whether it is a name such as `shelflist-2026-11-22.tar`.
    private static func isBackup(_ name: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let rest = name.dropFirst(prefix.count)
        let day = rest.prefix(10)
        guard [".tar", ".tar.age"].contains(rest.dropFirst(10)) else { return false }
        return day.enumerated().allSatisfy { index, letter in
            index == 4 || index == 7 ? letter == "-" : letter.isASCII && letter.isNumber
        }
    }
}
