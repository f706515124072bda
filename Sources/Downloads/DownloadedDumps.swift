package import Catalog
package import Foundation

/// Which dumps a catalog was downloaded from; stored with the catalog.
package struct DownloadedDumps: Codable, Equatable, Sendable {
    package var filter: EditionFilter
    package var files: [RemoteFile]
    /// Nil while the download is not complete.
    package var finishedAt: Date?

    private static let note = "downloaded dumps"

    init(filter: EditionFilter, files: [RemoteFile]) { (self.filter, self.files) = (filter, files) }

    /// Reads them from a catalog; nil if it was not downloaded.
    package init?(of catalog: Catalog) throws {
        guard let text = try catalog.note(Self.note) else { return nil }
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    /// The date in the files' names, or the server's date of the first file.
    package var date: String? {
        files.first.flatMap { file in
            file.name.firstMatch(of: /\d{4}-\d{2}-\d{2}/).map { String($0.output) } ?? file.lastModified
        }
    }

    func store(in catalog: Catalog) throws {
        try catalog.setNote(Self.note, String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
    }

    /// Whether a download of both gives the same catalog.
    func isSame(as other: DownloadedDumps) -> Bool {
        filter == other.filter && files.count == other.files.count
            && zip(files, other.files).allSatisfy { $0.isSame(as: $1) }
    }
}
