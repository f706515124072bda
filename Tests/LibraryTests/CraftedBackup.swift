import Fixtures
import Foundation
import Library
import Testing

/// Writes backups without the library's code, as an earlier version or an attacker may have.
enum CraftedBackup {
    /// Returns a backup of a database of this version.
    ///
    /// - Parameter rows: SQL statements that add rows, or change the schema.
    static func make(in folder: URL, rows: String) throws -> URL {
        try make(in: folder, [(LibraryHistory.steps.last ?? "", rows)])
    }

    /// Returns a backup of a database as it was after the last of these steps.
    static func make(in folder: URL, _ rows: [(step: String, sql: String)]) throws -> URL {
        let source = LibraryFolder(folder.appending(path: "source"))
        try LibraryHistory.make(source, rows)
        let step = rows.last?.step ?? ""
        let database = [UInt8](try Data(contentsOf: source.database))
        let manifest = """
            {"madeAt": "2026-01-02T03:04:05Z", "schema": "\(step)", "works": 1, "entries": 1, "files": [
                {"name": "library.sqlite", "size": \(database.count), "sha256": "\(LibraryStore.fingerprint(database))"}
            ]}
            """
        try Data(manifest.utf8).write(to: source.url.appending(path: "manifest.json"))
        let file = folder.appending(path: "crafted.tar")
        let (status, text) = try ChildProcess.output(
            of: [
                "tar", "--format=ustar", "-C", source.url.path, "-cf", file.path, "library.sqlite", "manifest.json",
            ])
        try #require(status == 0, "\(text)")
        return file
    }

    /// Returns a file of a tar archive with a valid checksum and this text as its size.
    static func entry(size: String) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put("library.sqlite", at: 0)
        put(size, at: 124)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", at: 148)
        return header + [UInt8](repeating: 0, count: 2048)
    }
}
