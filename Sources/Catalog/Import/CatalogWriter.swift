import GRDB

final class CatalogWriter {
    private let author: RawStatement
    private let work: RawStatement
    private let edition: RawStatement
    private let otherISBN: RawStatement
    private let db: Database
    /// New works to be indexed one by one; nil once there are too many for that.
    private(set) var newDocuments: NewDocuments?

    /// Works and editions that are not in the word index yet.
    struct NewDocuments {
        var works: [Int64] = []
        var editions: [Int64] = []

        /// Above this, rebuilding the index is not slower.
        static let limit = 200_000
    }

    /// New rows; nil if rows are replaced, because SQLite does not distinguish these from new ones.
    private(set) var added: Added?

    struct Added {
        var authors = 0
        var works = 0
        var editions = 0

        static func += (sum: inout Added, other: Added) {
            sum.authors += other.authors
            sum.works += other.works
            sum.editions += other.editions
        }
    }

    /// - Parameter replaces: whether rows replace older ones with the same number (a newer dump) or keep them.
    init(_ db: Database, replaces: Bool) throws {
        self.db = db
        let insert = "INSERT OR \(replaces ? "REPLACE" : "IGNORE") INTO"
        author = try RawStatement(db, "\(insert) author VALUES (?, ?)")
        work = try RawStatement(db, "\(insert) work VALUES (?, ?, ?, ?)")
        edition = try RawStatement(db, "\(insert) edition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        otherISBN = try RawStatement(db, "INSERT OR IGNORE INTO other_isbn VALUES (?, ?)")
        newDocuments = replaces ? nil : NewDocuments()
        added = replaces ? nil : Added()
    }

    /// - Throws: `DatabaseError`.
    func write(_ batch: RowBatch) throws {
        try batch.text.withUnsafeBufferPointer { text in
            for row in batch.authors {
                author.bind(1, row.id)
                author.bind(2, row.name, of: text)
                try author.run()
                added?.authors += db.changesCount
            }
            for row in batch.works {
                work.bind(1, row.id)
                work.bind(2, row.title, of: text)
                work.bind(3, row.subtitle, of: text)
                work.bind(4, row.authors, of: text)
                try work.run()
                added?.works += db.changesCount
                if newDocuments != nil, db.changesCount > 0 { newDocuments?.works.append(row.id) }
            }
            for row in batch.editions {
                bind(row, text)
                try edition.run()
                added?.editions += db.changesCount
                if newDocuments != nil, db.changesCount > 0 { newDocuments?.editions.append(row.id) }
            }
            for row in batch.otherISBNs {
                otherISBN.bind(1, Int64(row.isbn))
                otherISBN.bind(2, row.edition)
                try otherISBN.run()
            }
        }
        if let new = newDocuments, new.editions.count > NewDocuments.limit { newDocuments = nil }
    }

    private func bind(_ row: EditionRow, _ text: UnsafeBufferPointer<UInt8>) {
        edition.bind(1, row.id)
        edition.bind(2, row.work)
        edition.bind(3, orNull: row.isbn)
        edition.bind(4, row.title, of: text)
        edition.bind(5, row.subtitle, of: text)
        edition.bind(6, row.authors, of: text)
        edition.bind(7, row.series, of: text)
        edition.bind(8, row.publisher, of: text)
        edition.bind(9, orNull: row.year)
        edition.bind(10, orNull: row.pages)
        edition.bind(11, row.language, of: text)
        edition.bind(12, orNull: row.cover)
    }
}
