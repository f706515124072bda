package import Bibliography
package import Foundation
import GRDB
import ShelflistAPI

/// The local catalog: works, editions and authors from imported files, in one SQLite file that can be rebuilt.
///
/// A value around connections to a database: any number of threads may search while one imports.
package struct Catalog: Sendable {
    /// The path of the file, or the name that messages use for a catalog in memory.
    package let path: String
    /// The source of its records: `local`, or the name of the provider that returned them.
    package let source: String
    let database: any DatabaseWriter
    let readers: CatalogReaders

    /// Opens a catalog, and creates it if it does not exist.
    ///
    /// - Throws: `CatalogError.newerVersion`, `.notACatalog`; `DatabaseError` if the file cannot be opened.
    package init(path: String, source: String = BookRecord.localSource) throws {
        self.path = path
        self.source = source
        readers = CatalogReaders(source: source)
        do {
            database = try DatabasePool(path: path, configuration: Self.configuration)
            try CatalogSchema.prepare(database, at: path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
            throw CatalogError.notACatalog(path: path)
        }
    }

    /// Imports lists of books into a catalog in memory, which is discarded with the value.
    ///
    /// Reads the same formats as `importFiles`. Uses about 1 kB of memory per book.
    ///
    /// - Throws: `ListFailure` for the first file that cannot be imported completely; `DatabaseError`.
    package init(lists paths: [String]) throws {
        path = paths.joined(separator: ", ")
        source = BookRecord.localSource
        readers = CatalogReaders(source: source)
        database = try DatabaseQueue(configuration: Self.configuration)
        try CatalogSchema.prepare(database, at: path)
        if let failure = try importFiles(paths).files.lazy.compactMap(\.failure).first {
            throw ListFailure(description: failure)
        }
    }

    /// Indexes records in memory, as they are; they are discarded with the value.
    ///
    /// Uses about 1 kB of memory and 0.1 ms per record.
    ///
    /// - Parameters:
    ///   - name: names the records in messages.
    ///   - isbns: all of each record's book.
    /// - Throws: `DatabaseError`.
    package init(
        _ records: some Sequence<(record: BookRecord, isbns: [ISBN])>, source: String, name: String
    ) throws {
        path = name
        self.source = source
        readers = CatalogReaders(source: source)
        database = try DatabaseQueue(configuration: Self.configuration)
        try CatalogSchema.prepare(database, at: path)
        var batch = RowBatch()
        for (record, isbns) in records { batch.append(record, isbns: isbns) }
        try database.write { try Self.add(batch, in: $0) }
    }

    /// Returns the name that a catalog with this record gives its work (`BookRecord.work`).
    package static func workName(of record: BookRecord) -> String { Identity.name(work: RowBatch.work(of: record)) }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "catalog"
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { db in
            // 64 MB for each connection; the operating system caches the rest of the file.
            try db.execute(sql: "PRAGMA cache_size = -65536; PRAGMA temp_store = FILE")
        }
        return configuration
    }

    /// Opens an existing catalog.
    ///
    /// - Throws: `CatalogError.missing`, and the errors of `init(path:)`.
    package init(existingAt path: String, source: String = BookRecord.localSource) throws {
        guard FileManager.default.fileExists(atPath: path) else { throw CatalogError.missing(path: path) }
        try self.init(path: path, source: source)
    }
}

/// A list of books that could not be imported.
package struct ListFailure: ReportedError {
    package var problemCode: String { "catalog_list_unreadable" }

    /// Names the file, what is wrong with it, and what to do.
    package let description: String
}

package enum CatalogError: ReportedError, Equatable {
    case missing(path: String)
    case notACatalog(path: String)
    case newerVersion(path: String, version: Int)
    /// An import is running, or was stopped before the word index was built.
    case notIndexed(path: String)
    /// Another process is importing.
    case busy(path: String)
    case diskFull(path: String)

    package var problemCode: String {
        switch self {
        case .missing: "catalog_missing"
        case .notACatalog: "not_a_catalog"
        case .newerVersion: "catalog_newer"
        case .notIndexed: "catalog_not_ready"
        case .busy: "catalog_busy"
        case .diskFull: "catalog_disk_full"
        }
    }

    package var description: String {
        switch self {
        case .missing(let path):
            "There is no catalog at \(path). Create one with: shelflist catalog import FILE..."
        case .notACatalog(let path):
            "\(path) is not a Shelflist catalog. Choose another file."
        case .newerVersion(let path, let version):
            "\(path) was written by a newer Shelflist (catalog version \(version)). Update Shelflist, or delete the file "
                + "and import again."
        case .notIndexed(let path):
            "\(path) is not ready to be searched: an import is running or was stopped. Wait for it, or resume it with: "
                + "shelflist catalog import, with the same files."
        case .busy(let path):
            "Another import is writing to \(path). Wait until it is done, then try again."
        case .diskFull(let path):
            "The disk of \(path) is full. Free some space, then repeat the import; it resumes where it stopped."
        }
    }
}

/// The contents of a catalog; see `Catalog.info()`.
package struct CatalogInfo: Codable, Equatable, Sendable {
    /// A file that was imported completely or partly.
    package struct File: Codable, Equatable, Sendable {
        package var path: String
        package var format: String
        /// The size of the file on disk, in bytes.
        package var size: Int
        package var isComplete: Bool
        /// Lines, records or rows of the file that described a book (in dumps also a work or an author).
        package var rows: Int
        /// Malformed lines or records that were skipped.
        package var skipped: Int
        package var importedAt: Date
    }

    package var path: String
    package var version: Int
    package var works: Int
    package var editions: Int
    package var authors: Int
    /// The number of distinct words in the index.
    package var words: Int
    /// Bytes on disk.
    package var size: Int
    /// Whether the word index covers everything imported.
    package var isIndexed: Bool
    package var files: [File]
}

extension Catalog {
    /// Returns the bytes on disk of the catalog at a path; 0 if there is none.
    package static func size(at path: String) -> Int {
        ["", "-wal"].reduce(0) { sum, suffix in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)  // nil if missing
            return sum + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    /// Returns the contents of the catalog and the imported files with their dates.
    package func info() throws -> CatalogInfo {
        try database.read { db in
            let files = try Row.fetchAll(db, sql: "SELECT * FROM file ORDER BY imported_at, id").map { row in
                CatalogInfo.File(
                    path: row["path"], format: row["format"], size: row["size"], isComplete: row["is_complete"],
                    rows: row["rows"], skipped: row["skipped"], importedAt: row["imported_at"])
            }
            return CatalogInfo(
                path: path, version: CatalogSchema.version, works: try CatalogSchema.count(db, "work"),
                editions: try CatalogSchema.count(db, "edition"), authors: try CatalogSchema.count(db, "author"),
                words: try Int.fetchOne(db, sql: "SELECT max(id) FROM vocabulary") ?? 0, size: Self.size(at: path),
                isIndexed: try CatalogSchema.indexState(db) == .current, files: files)
        }
    }
}
