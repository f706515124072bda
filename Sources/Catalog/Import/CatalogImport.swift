import GRDB

/// How far an import has come.
package struct ImportProgress: Sendable {
    package enum Stage: String, Sendable {
        /// Reading files into the tables; `fraction` is of the bytes of all files.
        case reading
        /// Making what was read searchable; `fraction` is of the works and editions.
        case indexing
    }

    package var stage: Stage
    /// The file being read.
    package var path: String?
    /// 0...1.
    package var fraction: Double
    /// Lines, records or rows read so far.
    package var rows: Int
}

/// What an import did.
package struct ImportReport: Codable, Equatable, Sendable {
    package struct File: Codable, Equatable, Sendable {
        package var path: String
        package var format: String?
        /// Lines, records or rows read that described a book (in dumps also a work or an author).
        package var rows = 0
        /// Lines or records left out because they are malformed.
        package var skipped = 0
        /// The first of them, with line and reason.
        package var messages: [String] = []
        /// What is odd about lines that were imported all the same, with line and reason; the first of them.
        package var remarks: [String] = []
        /// Whether the catalog had this file already, so that it was not read again.
        package var wasKnown = false
        /// Whether the whole file is in the catalog.
        package var isComplete = false
        /// Why the rest of the file could not be read.
        package var failure: String?
    }

    package var files: [File] = []
    /// Editions in the catalog that were not there before.
    package var newEditions = 0
    /// Whether the import was stopped; importing the same files again goes on from there.
    package var wasStopped = false
    package var seconds = 0.0

    package var hasFailures: Bool { files.contains { $0.failure != nil } }
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
    package func importFiles(
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
