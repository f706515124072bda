import Bibliography
import Catalog
import Foundation
import Lookup

/// The catalog or lists that a scan matches spines against.
enum CatalogFiles {
    /// Larger lists are rejected: 50 MB.
    static let sizeLimit = 50_000_000

    /// Returns the records of the data directory.
    ///
    /// A catalog that is not ready is skipped and reported on stderr, because the user did not name it.
    static func localRecords(in data: URL, starterList: URL) -> LocalRecords {
        let path = url(in: data).path
        var catalog: CatalogFile?
        if exists(in: data) {
            do {
                _ = try imported(path)
                catalog = CatalogFile(URL(filePath: path))
            } catch {
                StandardStream.warn("the catalog is not used: \(error)")
            }
        }
        return LocalRecords(data: data, catalog: catalog, starterList: starterList) { StandardStream.warn($0) }
    }

    /// Whether the data directory has a catalog, whatever its state.
    static func exists(in data: URL) -> Bool { FileManager.default.fileExists(atPath: url(in: data).path) }

    private static func url(in data: URL) -> URL { data.appending(path: "catalog.sqlite") }

    /// Returns the named catalog: one that was imported, or lists of books.
    ///
    /// - Throws: `CatalogFileError`, naming the file.
    static func search(named paths: [String]) throws(CatalogFileError) -> any RecordSearch {
        let catalogs = paths.filter(isImported)
        if catalogs.isEmpty { return try lists(paths) }
        guard paths.count == 1 else {
            throw CatalogFileError(
                path: catalogs[0],
                reason: "A catalog is used alone. Import the lists into it: shelflist catalog import --catalog "
                    + "\(catalogs[0]) FILE...")
        }
        do {
            return try imported(catalogs[0])
        } catch {
            throw CatalogFileError(path: catalogs[0], reason: "\(error)")
        }
    }

    /// SQLite files start with the name of their format.
    private static func isImported(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        let start = try? file.read(upToCount: 15)  // read errors are reported when the list is read
        return start == Data("SQLite format 3".utf8)
    }

    private static func imported(_ path: String) throws -> Catalog {
        let catalog = try Catalog(existingAt: path)
        try catalog.checkReady()
        return catalog
    }

    /// Imports all lists into one catalog in memory.
    private static func lists(_ paths: [String]) throws(CatalogFileError) -> Catalog {
        for path in paths { try checkSize(path) }
        do {
            return try Catalog(lists: paths)
        } catch {
            throw CatalogFileError(path: nil, reason: "\(error)")
        }
    }

    private static func checkSize(_ path: String) throws(CatalogFileError) {
        // A file that cannot be examined fails when it is imported.
        let size = (try? URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
        guard size > sizeLimit else { return }
        throw CatalogFileError(
            path: path,
            reason: "The list has more than \(sizeLimit / 1_000_000) MB. Split it, or import it into the catalog.")
    }
}

/// Why a list of books cannot be used.
struct CatalogFileError: Error, CustomStringConvertible {
    /// Nil where the reason names the file.
    var path: String?
    var reason: String

    var description: String { reason }
}
