import Bibliography
import Foundation

/// The lists of books that a scan looks its spines up in.
enum CatalogFiles {
    /// Larger lists are refused: 50 MB.
    static let sizeLimit = 50_000_000

    /// One catalog of all the lists; `nil` where none is named.
    ///
    /// - Throws: `CatalogFileError`, naming the file.
    static func catalog(of paths: [String]) throws(CatalogFileError) -> InMemoryCatalog? {
        guard !paths.isEmpty else { return nil }
        var records: [Record] = []
        for path in paths {
            do {
                records += try CatalogCSV.records(from: bytes(of: path))
            } catch {
                throw CatalogFileError(path: path, reason: reason(for: error))
            }
        }
        for index in records.indices { records[index].id = "\(index + 1)" }
        return InMemoryCatalog(records: records)
    }

    private static func bytes(of path: String) throws -> Data {
        let values = try URL(filePath: path).resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard values.isRegularFile ?? false else { throw CocoaError(.fileReadUnknown) }
        guard let size = values.fileSize, size <= sizeLimit else { throw TooLarge() }
        return try Data(contentsOf: URL(filePath: path))
    }

    private struct TooLarge: Error {}

    private static func reason(for error: any Error) -> String {
        switch error {
        case is TooLarge: "The list has more than \(sizeLimit / 1_000_000) MB. Split it, or import it into the catalog."
        case let error as CSVError: error.description
        default: "The list cannot be read. Name a CSV file with a header, for example title,author,isbn."
        }
    }
}

/// A list of books that cannot be used, and why.
struct CatalogFileError: Error, CustomStringConvertible {
    var path: String
    var reason: String

    var description: String { reason }
}
