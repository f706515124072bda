import Bibliography
import Catalog
import Foundation
import Library
import Lookup
import Reading
import Terminal

/// The catalog or lists that a scan matches spines against.
enum CatalogFiles {
    /// Larger lists are rejected: 50 MB.
    static let sizeLimit = 50_000_000

    /// Returns the records of the data directory.
    ///
    /// A catalog that is not ready is skipped and reported on stderr, because the user did not name it.
    ///
    /// - Parameter library: that of the directory; nil if there is none.
    static func localRecords(
        in data: URL, library: LibraryStore?, of installation: Installation
    ) -> LocalRecords {
        var catalog: CatalogFile? = file(in: data)
        do {
            try catalog?.catalog()?.checkReady()
        } catch {
            StandardStream.warn("the catalog is not used: \(error)")
            catalog = nil
        }
        return LocalRecords(
            data: data, library: library, catalog: catalog, starterList: installation.starterList,
            cache: installation.cache(for: data)
        ) { StandardStream.warn($0) }
    }

    /// Whether the data directory has a catalog, whatever its state.
    static func exists(in data: URL) -> Bool { file(in: data).exists }

    private static func file(in data: URL) -> CatalogFile { CatalogFile(data.appending(path: "catalog.sqlite")) }

    /// Returns the named catalog: one that was imported, or lists of books.
    ///
    /// - Throws: `CommandError`, naming the file.
    static func search(named paths: [String]) throws -> any RecordSearch {
        let catalogs = paths.filter(isImported)
        if catalogs.isEmpty { return try lists(paths) }
        guard paths.count == 1 else {
            throw CommandError(
                "A catalog is used alone. Import the lists into it: shelflist catalog import --catalog "
                    + "\(catalogs[0]) FILE...", path: catalogs[0])
        }
        do {
            let catalog = try Catalog(existingAt: catalogs[0])
            try catalog.checkReady()
            return catalog
        } catch {
            throw CommandError("\(error)", path: catalogs[0])
        }
    }

    /// SQLite files start with the name of their format.
    private static func isImported(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path) else { return false }
        let start = try? file.read(upToCount: 15)  // read errors are reported when the list is read
        return start == Data("SQLite format 3".utf8)
    }

    /// Imports all lists into one catalog in memory.
    private static func lists(_ paths: [String]) throws -> Catalog {
        for path in paths {
            // A file that cannot be examined fails when it is imported.
            let size = (try? URL(filePath: path).resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0
            guard size > sizeLimit else { continue }
            throw CommandError(
                "The list has more than \(sizeLimit / 1_000_000) MB. Split it, or import it into the catalog.",
                path: path)
        }
        return try Catalog(lists: paths)
    }
}
