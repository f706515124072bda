package import Foundation

/// A small file with one JSON value, which is replaced as a whole.
package struct JSONFile<Content: Codable & Sendable>: Sendable {
    /// Writes the file durably, as `DurableFile.write` does.
    package typealias Writer = @Sendable (Data, URL, DurableFile.Kind) throws(StorageError) -> Void

    package let url: URL
    private let kind: DurableFile.Kind
    private let keepsVersions: Bool
    private let fix: String
    private let write: Writer?

    /// - Parameters:
    ///   - keepsVersions: whether `NAME.1` and `NAME.2` are the versions before the last two changes.
    ///   - fix: what to do about a damaged file of which there is no version, as a sentence.
    ///   - write: nil for `DurableFile.write`; tests pass one that fails.
    package init(
        _ url: URL, as kind: DurableFile.Kind = .data, keepsVersions: Bool = false, fix: String, write: Writer? = nil
    ) {
        (self.url, self.kind, self.keepsVersions, self.fix, self.write) = (url, kind, keepsVersions, fix, write)
    }

    /// - Returns: nil if there is no file.
    /// - Throws: `StorageError`.
    package func load() throws(StorageError) -> Content? {
        if access(url.path, F_OK) != 0, [ENOENT, ENOTDIR].contains(errno) { return nil }
        let file = try OpenFile(url)
        let bytes = try file.read(try file.size)
        do {
            return try JSONDecoder().decode(Content.self, from: Data(bytes))
        } catch {
            throw .damaged(url.path, fix: versionAdvice + fix)
        }
    }

    /// Waits until no other process changes the file; creates its folder if it does not exist.
    ///
    /// - Throws: `StorageError`.
    package func lock() throws(StorageError) -> FileLock {
        try DurableFile.createFolder(of: url)
        return try FileLock(url.appendingPathExtension("lock"))
    }

    private var versionAdvice: String {
        let version = DurableFile.version(1, of: url)
        guard keepsVersions, FileManager.default.fileExists(atPath: version.path) else { return "" }
        return "Replace it with \(version.lastPathComponent), its version before the last change. "
    }

    /// Writes the file durably; creates its folder, accessible to this user only, if it does not exist.
    ///
    /// - Throws: `StorageError`; the file is then unchanged.
    package func save(_ content: Content) throws(StorageError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(content)
        } catch {
            throw .cannotWrite(url.path, reason: "\(error)")
        }
        try DurableFile.createFolder(of: url)
        if let write { return try write(data, url, kind) }
        try DurableFile.write(data, to: url, as: kind, keepsVersions: keepsVersions)
    }
}
