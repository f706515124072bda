import GRDB

/// How far an import has come.
public struct ImportProgress: Sendable {
    public enum Stage: String, Sendable {
        /// Reading files into the tables; `fraction` is of the bytes of all files.
        case reading
        /// Making what was read searchable; `fraction` is of the works and editions.
        case indexing
    }

    public var stage: Stage
    /// The file being read.
    public var path: String?
    /// 0...1.
    public var fraction: Double
    /// Lines, records or rows read so far.
    public var rows: Int
}

/// What an import did.
public struct ImportReport: Codable, Equatable, Sendable {
    public struct File: Codable, Equatable, Sendable {
        public var path: String
        public var format: String?
        /// Lines, records or rows read that described a book (in dumps also a work or an author).
        public var rows = 0
        /// Lines or records left out because they are malformed.
        public var skipped = 0
        /// The first of them, with line and reason.
        public var messages: [String] = []
        /// What is odd about lines that were imported all the same, with line and reason; the first of them.
        public var remarks: [String] = []
        /// Whether the catalog had this file already, so that it was not read again.
        public var wasKnown = false
        /// Whether the whole file is in the catalog.
        public var isComplete = false
        /// Why the rest of the file could not be read.
        public var failure: String?
    }

    public var files: [File] = []
    /// Editions in the catalog that were not there before.
    public var newEditions = 0
    /// Whether the import was stopped; importing the same files again goes on from there.
    public var wasStopped = false
    public var seconds = 0.0

    public var hasFailures: Bool { files.contains { $0.failure != nil } }
}

extension Catalog {
    /// Imports files: Open Library dumps (also gzipped; authors, works and editions in any order), MARC 21, MARCXML, CSV.
    ///
    /// Blocks for as long as it takes, on two threads. A file that was imported before is not read again; one whose
    /// import was stopped is read on from there. A file that fails does not keep the others from being imported.
    ///
    /// - Parameters:
    ///   - shouldStop: asked often; once true, what was read is kept, the catalog is left valid, and the report says so.
    ///   - progress: called now and then, on the calling thread.
    /// - Throws: `CatalogError.busy`, `.diskFull`; `ImportFailure.damagedCatalog`; `DatabaseError` where the catalog cannot
    ///   be written for another reason.
    public func importFiles(
        _ paths: [String], shouldStop: @escaping @Sendable () -> Bool = { false },
        progress: (ImportProgress) -> Void = { _ in }
    ) throws -> ImportReport {
        let clock = ContinuousClock()
        let start = clock.now
        var session = ImportSession(catalog: self, shouldStop: shouldStop)
        do {
            var report = try session.run(paths, progress: progress)
            report.seconds = (clock.now - start) / .seconds(1)
            return report
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw CatalogError.busy(path: path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw CatalogError.diskFull(path: path)
        }
    }
}
