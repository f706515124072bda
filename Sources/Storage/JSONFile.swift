package import Foundation

/// A small file with one JSON value, which is replaced as a whole.
package struct JSONFile<Content: Codable & Sendable>: Sendable {
    package let url: URL
    private let kind: DurableFile.Kind
    private let fix: String

    /// - Parameter fix: what to do about a damaged file, as a sentence.
    package init(_ url: URL, as kind: DurableFile.Kind = .data, fix: String) {
        (self.url, self.kind, self.fix) = (url, kind, fix)
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
            throw .damaged(url.path, fix: fix)
        }
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
        try DurableFile.write(data, to: url, as: kind)
    }
}
