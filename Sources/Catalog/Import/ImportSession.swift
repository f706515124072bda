import Foundation
import GRDB

/// One call of `Catalog.importFiles` or `importDumps`.
struct ImportSession {
    private let database: any DatabaseWriter
    private let path: String
    private let shouldStop: @Sendable () -> Bool
    private var filter = EditionFilter()
    private var isDownload = false
    private var report = ImportReport()
    private var rows = 0
    private var editions = 0
    private var needsRebuild = false
    private var newDocuments = CatalogWriter.NewDocuments()
    /// Nil once rows were replaced; the tables then have to be counted, which is slow in a large catalog.
    private var added: CatalogWriter.Added? = .init()
    private var bytesBefore = 0
    private var totalBytes = 0

    /// Rows between commits: bounds the loss in a crash and the size of the write-ahead log.
    private static let rowsPerCommit = 400_000
    /// Indexes are dropped for imports above this size and an eighth of the catalog's.
    private static let bulkSize = 32 << 20
    /// The number of skipped lines per file that are reported with a message.
    private static let messageLimit = 10

    init(catalog: Catalog, shouldStop: @escaping @Sendable () -> Bool) {
        database = catalog.database
        path = catalog.path
        self.shouldStop = shouldStop
    }

    mutating func run(_ paths: [String], progress: (ImportProgress) -> Void) throws -> ImportReport {
        try checkAfterCrash()
        return try run(openAll(paths), progress)
    }

    mutating func run(
        _ dumps: [ImportFile], keeping filter: EditionFilter, previous: String?, progress: (ImportProgress) -> Void
    ) throws -> ImportReport {
        try checkAfterCrash()
        (self.filter, isDownload) = (filter, true)
        editions = try database.read { db in try CatalogSchema.count(db, "edition") }
        report.files = dumps.map { ImportReport.File(path: $0.path, format: $0.format.rawValue) }
        totalBytes = dumps.reduce(0) { $0 + $1.size }
        return try run(Array(dumps.enumerated()), previous: previous, progress)
    }

    private mutating func run(
        _ files: [(offset: Int, element: ImportFile)], previous: String? = nil, _ progress: (ImportProgress) -> Void
    ) throws -> ImportReport {
        let editionsBefore = try database.read { db in try CatalogSchema.count(db, "edition") }
        let stateBefore = try database.read(CatalogSchema.indexState)
        let size = try database.read { db in
            try (Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0) * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
        }
        try database.write { db in
            for table in ["author", "work", "edition"] {
                try CatalogSchema.set(db, "count of \(table)", String(CatalogSchema.count(db, table)))
            }
        }
        try beginBulk(dropsIndexes: totalBytes > max(Self.bulkSize, size / 8))
        for (index, file) in files where !shouldStop() {
            try importFile(file, reportIndex: index, progress)
            bytesBefore += file.size
            // The rest of a download is useless without this file.
            if isDownload, report.hasFailures { break }
        }
        do {
            if shouldStop() || isDownload && report.hasFailures { throw CancellationError() }
            if isDownload { try copyOtherBooks(from: previous) }
            try index(stateBefore, progress)
        } catch is CancellationError {
            report.wasStopped = shouldStop()
        }
        try database.write { db in try countRows(db, added: added) }
        try endBulk()
        report.newEditions = try database.read { db in try CatalogSchema.count(db, "edition") } - editionsBefore
        return report
    }

    /// Checks all files first, so that a misspelt name is reported before an hour of work.
    private mutating func openAll(_ paths: [String]) -> [(offset: Int, element: ImportFile)] {
        var files: [(offset: Int, element: ImportFile)] = []
        for path in paths {
            var found = ImportReport.File(path: path)
            do {
                let file = try ImportFile(path: path)
                found.format = file.format.rawValue
                files.append((report.files.count, file))
                totalBytes += file.size
            } catch {
                found.failure = String(describing: error)
            }
            report.files.append(found)
        }
        return files
    }

    /// Stores the number of rows, so that it does not have to be counted.
    private func countRows(_ db: Database, added: CatalogWriter.Added?) throws {
        for (table, new) in [("author", added?.authors), ("work", added?.works), ("edition", added?.editions)] {
            let count =
                if let new {
                    try CatalogSchema.integer(db, "count of \(table)") + new
                } else {
                    try CatalogSchema.countAnew(db, table)
                }
            try CatalogSchema.set(db, "count of \(table)", String(count))
        }
    }

    // MARK: - Safety

    /// Starts a bulk import, which does not sync to disk: a killed process does no harm, but a power failure may
    /// damage the file.
    ///
    /// A flag makes the next import check the file.
    private func beginBulk(dropsIndexes: Bool) throws {
        try database.writeWithoutTransaction { db in
            try CatalogSchema.set(db, "bulk", "running")
            try db.execute(sql: "PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 16384")
            if dropsIndexes { try db.execute(sql: CatalogSchema.dropEditionIndexes) }
        }
    }

    /// Syncs everything to disk and removes the flag.
    private func endBulk() throws {
        try database.writeWithoutTransaction { db in
            // A catalog that cannot be searched yet gets its indexes at the end of the import.
            if try CatalogSchema.indexState(db) != .none { try db.execute(sql: CatalogSchema.editionIndexes) }
            try db.execute(sql: "PRAGMA synchronous = FULL")
            try db.execute(sql: "DELETE FROM state WHERE key = 'bulk'")
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 1000; PRAGMA synchronous = NORMAL")
            // Active searches keep the log in use; it is then truncated later.
            _ = try? db.checkpoint(.truncate)
        }
    }

    private func checkAfterCrash() throws {
        guard try database.read({ db in try CatalogSchema.value(db, "bulk") }) != nil else { return }
        let result = try database.read { db in try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer" }
        if result != "ok" { throw ImportFailure.damagedCatalog(path: path, reason: result) }
    }

    private func index(_ before: CatalogSchema.IndexState, _ progress: (ImportProgress) -> Void) throws {
        let rows = rows
        let builder = IndexBuilder(database: database, shouldStop: shouldStop)
        try database.writeWithoutTransaction { db in try db.execute(sql: CatalogSchema.editionIndexes) }
        if needsRebuild || before != .current {
            try builder.rebuild { done, total in
                let fraction = Double(done) / Double(max(1, total))
                progress(ImportProgress(stage: .indexing, path: nil, fraction: fraction, rows: rows))
            }
        } else {
            try database.write { db in try IndexBuilder.add(newDocuments, in: db) }
        }
    }

    /// Keeps the user's own lists when the catalog is replaced by this one.
    private mutating func copyOtherBooks(from previous: String?) throws {
        let copied = try database.read { db in try CatalogSchema.value(db, CatalogSchema.copiedGenerationKey) }
        let generation = try previous.map { try CatalogSchema.copyOtherBooks(from: $0, into: database) }
        guard generation != copied else { return }
        needsRebuild = true
        added = nil
        try database.write { db in
            if let generation {
                try CatalogSchema.set(db, CatalogSchema.copiedGenerationKey, generation)
            } else {
                try db.execute(
                    sql: "DELETE FROM state WHERE key = ?", arguments: [CatalogSchema.copiedGenerationKey])
            }
            // After a crash the copied rows are not in the index.
            if try CatalogSchema.indexState(db) == .current { try CatalogSchema.setIndexState(db, .stale) }
        }
    }

    // MARK: - One file

    private mutating func importFile(
        _ file: ImportFile, reportIndex: Int, _ progress: (ImportProgress) -> Void
    ) throws {
        let known = try database.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM file WHERE fingerprint = ?", arguments: [file.fingerprint])
        }
        if let known, known["is_complete"] {
            report.files[reportIndex].wasKnown = true
            report.files[reportIndex].isComplete = true
            return
        }
        let resumed =
            !file.format.canResume
            ? ImportPosition()
            : ImportPosition(
                offset: known?["offset"] ?? 0, line: known?["line"] ?? 0, rows: known?["rows"] ?? 0,
                skipped: known?["skipped"] ?? 0)
        try database.writeWithoutTransaction { db in
            try consume(file, from: resumed, reportIndex, db, progress)
        }
    }

    private mutating func consume(
        _ file: ImportFile, from resumed: ImportPosition, _ reportIndex: Int, _ db: Database,
        _ progress: (ImportProgress) -> Void
    ) throws {
        let rowFilter = try RowFilter(filter, db)
        let writer = try CatalogWriter(db, replaces: file.format == .openLibrary)
        var position = resumed
        var rowsSinceCommit = 0
        var isComplete = false
        try db.execute(
            sql: "INSERT OR IGNORE INTO file VALUES (NULL, ?, ?, ?, ?, 0, 0, 0, 0, FALSE, ?)",
            arguments: [file.fingerprint, file.path, file.format.rawValue, file.size, Date()])
        try db.beginTransaction()
        do {
            try BoundedQueue<RowBatch>.run(capacity: 8) { queue in
                try ImportParser.parse(file, from: resumed, keeping: rowFilter, queue.send)
            } consume: { queue in
                while let batch = try queue.receive() {
                    try writer.write(batch)
                    position.advance(past: batch)
                    rows += batch.describedCount
                    editions += batch.editions.count
                    rowsSinceCommit += batch.rowCount
                    note(batch, of: file, reportIndex)
                    if rowsSinceCommit > Self.rowsPerCommit {
                        try record(position, of: file, isComplete: false, db)
                        try db.commit()
                        try db.beginTransaction()
                        rowsSinceCommit = 0
                    }
                    progress(
                        ImportProgress(
                            stage: .reading, path: file.path,
                            fraction: Double(bytesBefore + batch.filePosition) / Double(max(1, totalBytes)), rows: rows,
                            editions: editions))
                    if shouldStop() { break }
                }
                isComplete = !shouldStop()
                if isComplete, isDownload, position.line == position.skipped {
                    throw ImportFailure.unknownFormat(path: file.path)
                }
            }
        } catch let error as DatabaseError {
            try db.rollback()
            throw error
        } catch is CancellationError {
            // The download was stopped.
        } catch {
            // The rest of the file is damaged: the rows before it are kept and not read again.
            let place =
                switch error {
                case ImportFailure.cannotRead, ImportFailure.truncatedGzip, ImportFailure.brokenGzip:
                    // Their messages do not say where in the file they occurred.
                    position.line > 0 ? "after \(file.format.unit) \(position.line): " : ""
                default: ""
                }
            isComplete = false
            report.files[reportIndex].failure = "\(file.path): \(place)\(error)"
        }
        report.files[reportIndex].isComplete = isComplete
        if let new = writer.added { added? += new } else { added = nil }
        try record(position, of: file, isComplete: isComplete, db)
        if position.rows > resumed.rows { try markNew(writer, db) }
        try db.commit()
    }

    private mutating func note(_ batch: RowBatch, of file: ImportFile, _ reportIndex: Int) {
        report.files[reportIndex].rows += batch.describedCount
        report.files[reportIndex].skipped += batch.skippedCount
        func words(_ line: SkippedLine) -> String { "\(file.path), \(file.format.unit) \(line.line): \(line.reason)" }
        let room = Self.messageLimit - report.files[reportIndex].messages.count
        report.files[reportIndex].messages += batch.skipped.prefix(max(0, room)).map(words)
        let roomForRemarks = Self.messageLimit - report.files[reportIndex].remarks.count
        report.files[reportIndex].remarks += batch.remarks.prefix(max(0, roomForRemarks)).map(words)
    }

    private func record(_ position: ImportPosition, of file: ImportFile, isComplete: Bool, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE file SET offset = ?, line = ?, rows = ?, skipped = ?, is_complete = ? WHERE fingerprint = ?",
            arguments: [
                position.offset, position.line, position.rows, position.skipped, isComplete, file.fingerprint,
            ])
        // The index does not contain these rows until it is rebuilt, even after a crash.
        if try CatalogSchema.indexState(db) == .current { try CatalogSchema.setIndexState(db, .stale) }
    }

    private mutating func markNew(_ writer: CatalogWriter, _ db: Database) throws {
        guard let new = writer.newDocuments, !needsRebuild else {
            needsRebuild = true
            return
        }
        newDocuments.works += new.works
        newDocuments.editions += new.editions
        if newDocuments.editions.count > CatalogWriter.NewDocuments.limit { needsRebuild = true }
    }
}

/// How far a file has been read.
struct ImportPosition: Sendable {
    var offset = 0
    var line = 0
    var rows = 0
    var skipped = 0

    mutating func advance(past batch: RowBatch) {
        offset = batch.endOffset
        line = batch.endLine
        rows += batch.describedCount
        skipped += batch.skippedCount
    }
}
