import GRDB

/// Builds the word index from the tables.
struct IndexBuilder {
    let database: any DatabaseWriter
    let shouldStop: @Sendable () -> Bool

    /// Rebuilds the index of all works and editions.
    ///
    /// - Parameter progress: called with the number of works and editions read so far, and the total.
    /// - Throws: `CancellationError`; the catalog then has no index.
    func rebuild(progress: (Int, Int) -> Void) throws {
        try database.writeWithoutTransaction { db in
            try db.inTransaction {
                try CatalogSchema.setIndexState(db, .none)
                try db.execute(sql: CatalogSchema.dropWordTables + CatalogSchema.wordTables)
                return .commit
            }
            // Segments as large as memory allows, merged once at the end.
            try setOption(db, "hashsize", 64 << 20)
            try setOption(db, "automerge", 0)
            try setOption(db, "crisismerge", 1999)
            try indexAll(db, progress)
            try db.inTransaction {
                try db.execute(sql: "INSERT INTO words (words) VALUES ('optimize')")
                try setOption(db, "automerge", 4)
                try setOption(db, "crisismerge", 16)
                try setOption(db, "hashsize", 1 << 20)
                return .commit
            }
            try VocabularyBuilder(db: db, shouldStop: shouldStop).rebuild()
            try db.inTransaction {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO state SELECT 'works', CAST(count(*) AS TEXT) FROM work")
                try CatalogSchema.setIndexState(db, .current)
                return .commit
            }
        }
    }

    /// Adds new documents to the index, within a transaction.
    static func add(_ new: CatalogWriter.NewDocuments, in db: Database) throws {
        let reader = try DocumentReader(db, single: true)
        var batch = DocumentBatch()
        let insert = try RawStatement(db, insertion)
        let vocabulary = VocabularyBuilder(db: db, shouldStop: { false })
        var words: [String: Int] = [:]
        func flush() throws {
            try Self.insert(batch, with: insert)
            vocabulary.count(batch, in: &words)
            batch = DocumentBatch()
        }
        for work in new.works.sorted() {
            _ = try reader.readWorks(after: work, into: &batch)
            if batch.isFull { try flush() }
        }
        for edition in new.editions.sorted() {
            _ = try reader.readEditions(after: edition, into: &batch)
            if batch.isFull { try flush() }
        }
        try flush()
        try vocabulary.add(words)
        try CatalogSchema.set(db, "works", String(CatalogSchema.integer(db, "works") + new.works.count))
        try CatalogSchema.setIndexState(db, .current)
    }

    private static let insertion = "INSERT INTO words (rowid, title, author) VALUES (?, ?, ?)"

    /// Reads and folds on one thread and indexes on this one.
    ///
    /// A catalog in memory has only one connection, so both run on this thread.
    private func indexAll(_ db: Database, _ progress: (Int, Int) -> Void) throws {
        let total =
            try Int.fetchOne(db, sql: "SELECT (SELECT count(*) FROM work) + (SELECT count(*) FROM edition)") ?? 0
        let insert = try RawStatement(db, Self.insertion)
        guard let pool = database as? DatabasePool else {
            let reader = try DocumentReader(db)
            return try db.inTransaction {
                for next in [DocumentReader.readWorks, DocumentReader.readEditions] {
                    var position: Int64? = Int64.min
                    while let start = position {
                        var batch = DocumentBatch()
                        position = try next(reader)(start, &batch)
                        try Self.insert(batch, with: insert)
                    }
                }
                return .commit
            }
        }
        var done = 0
        var sinceCommit = 0
        try BoundedQueue<DocumentBatch>.run(capacity: 8) { queue in
            try Self.read(pool, queue, DocumentReader.readWorks)
            try Self.read(pool, queue, DocumentReader.readEditions)
        } consume: { queue in
            try db.beginTransaction()
            do {
                while let batch = try queue.receive() {
                    try Self.insert(batch, with: insert)
                    done += batch.readCount
                    sinceCommit += batch.documents.count
                    // Each commit writes a segment; too few commits would let the write-ahead log grow.
                    if sinceCommit > 2_000_000 {
                        try db.commit()
                        try db.beginTransaction()
                        sinceCommit = 0
                    }
                    progress(done, total)
                    if shouldStop() { throw CancellationError() }
                }
                try db.commit()
            } catch {
                try db.rollback()
                throw error
            }
        }
    }

    /// Reads in many short transactions, so that no old snapshot prevents the write-ahead log from being reused.
    private static func read(
        _ pool: DatabasePool, _ queue: BoundedQueue<DocumentBatch>,
        _ next: (DocumentReader) -> (Int64, inout DocumentBatch) throws -> Int64?
    ) throws {
        var position: Int64? = Int64.min
        while position != nil {
            position = try pool.read { db in
                let reader = try DocumentReader(db)
                var position = position
                for _ in 0..<64 {
                    guard let start = position else { break }
                    var batch = DocumentBatch()
                    position = try next(reader)(start, &batch)
                    if position != nil, !queue.send(batch) { throw CancellationError() }
                }
                return position
            }
        }
    }

    private static func insert(_ batch: DocumentBatch, with statement: RawStatement) throws {
        try batch.text.withUnsafeBufferPointer { text in
            for document in batch.documents {
                statement.bind(1, document.id)
                statement.bind(2, document.title, of: text)
                statement.bind(3, document.author, of: text)
                try statement.run()
            }
        }
    }

    private func setOption(_ db: Database, _ name: String, _ value: Int) throws {
        try db.execute(sql: "INSERT INTO words (words, rank) VALUES (?, ?)", arguments: [name, value])
    }
}
