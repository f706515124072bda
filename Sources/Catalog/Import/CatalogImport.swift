import GRDB

package struct ImportProgress: Sendable {
    package enum Stage: String, Sendable {
        /// Reading files into the tables; `fraction` is relative to the bytes of all files.
        case reading
        /// Building the word index; `fraction` is relative to the works and editions.
        case indexing
    }

    package var stage: Stage
    package var path: String?
    /// 0...1.
    package var fraction: Double
    /// Lines, records or rows read so far.
    package var rows: Int
    /// Editions read so far, with those of earlier parts of a resumed download.
    package var editions = 0
}

package struct ImportReport: Codable, Equatable, Sendable {
    package struct File: Codable, Equatable, Sendable {
        package var path: String
        package var format: String?
        /// Lines, records or rows read that described a book (in dumps also a work or an author).
        package var rows = 0
        /// Malformed lines or records that were skipped.
        package var skipped = 0
        /// The first of their messages, with line and reason.
        package var messages: [String] = []
        /// The first remarks on unusual lines that were imported, with line and reason.
        package var remarks: [String] = []
        /// Whether the file had been imported before, and so was not read again.
        package var wasKnown = false
        /// Whether the whole file is in the catalog.
        package var isComplete = false
        /// Why the rest of the file could not be read.
        package var failure: String?
    }

    package var files: [File] = []
    /// Editions that are new in the catalog.
    package var newEditions = 0
    /// Whether the import was stopped; importing the same files again resumes it.
    package var wasStopped = false
    package var seconds = 0.0

    package var hasFailures: Bool { files.contains { $0.failure != nil } }
}

extension Catalog {
    /// Imports files: Open Library dumps (also gzipped; authors, works and editions in any order), MARC 21, MARCXML,
    /// CSV.
    ///
    /// Blocks until done, and uses two threads. Files that were imported before are not read again, and interrupted
    /// imports are resumed. A file that fails does not prevent the import of others.
    ///
    /// - Parameters:
    ///   - shouldStop: called often; once it returns true, the import ends, the rows read so far are kept, and the
    ///     report has `wasStopped` set.
    ///   - progress: called periodically on the calling thread.
    /// - Throws: `CatalogError.busy`, `.diskFull`; `ImportFailure.damagedCatalog`; `DatabaseError` if the catalog
    ///   cannot be written for another reason.
    package func importFiles(
        _ paths: [String], shouldStop: @escaping @Sendable () -> Bool = { false },
        progress: (ImportProgress) -> Void = { _ in }
    ) throws -> ImportReport {
        try withImport(shouldStop: shouldStop) { session in try session.run(paths, progress: progress) }
    }

    func withImport(
        shouldStop: @escaping @Sendable () -> Bool, _ run: (inout ImportSession) throws -> ImportReport
    ) throws -> ImportReport {
        let clock = ContinuousClock()
        let start = clock.now
        var session = ImportSession(catalog: self, shouldStop: shouldStop)
        do {
            var report = try run(&session)
            report.seconds = (clock.now - start) / .seconds(1)
            return report
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            throw CatalogError.busy(path: path)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
            throw CatalogError.diskFull(path: path)
        }
    }
}
