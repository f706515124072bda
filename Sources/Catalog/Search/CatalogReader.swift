import Bibliography
import Bounds
import GRDB

/// Reads documents and records through one connection, and caches them for later searches.
///
/// A reader is valid only for the catalog state in which it was created; `CatalogReaders` replaces it after a change.
final class CatalogReader {
    private let db: Database
    private let source: String
    let vocabulary: CatalogVocabulary
    /// Whether the catalog can be searched: it has a word index or is empty.
    let isReady: Bool
    /// The maximum number of postings that one search reads.
    let postingBudget: Int
    private var folded: [Int64: FoldedDocument] = [:]
    private var records: [Int64: BookRecord] = [:]
    private var postings: [String: [Int64]] = [:]
    private var postingCount = 0
    /// The candidates of the latest queries: a photo is identified again whenever another catalog has new records of it.
    private var candidates: [CandidateKey: [BookRecord]] = [:]
    private struct CandidateKey: Hashable {
        var words: [String]
        var limit: Int
    }
    /// The unused score table, kept because allocating one takes longer than most searches.
    private var scores: ScoreTable?
    /// The number of cached documents (about 200 bytes each), records (500 bytes) or postings (8 bytes) above which they
    /// are evicted.
    private static let documentCacheLimit = 50_000
    private static let postingCacheLimit = 1_000_000
    /// The number above which they are evicted at the end of an access.
    ///
    /// The next photo needs many of them again; all together are about 15 MB for each connection.
    private static let (retainedDocuments, retainedRecords) = (30_000, 10_000)
    private static let retainedPostings = 500_000
    /// The queries of a photo of 200 spines, about 10 MB.
    private static let retainedQueries = 1_500

    init(_ db: Database, source: String) throws {
        self.db = db
        self.source = source
        vocabulary = try CatalogVocabulary(db)
        let isEmpty = try Int.fetchOne(db, sql: "SELECT 1 FROM file LIMIT 1") == nil
        isReady = try isEmpty || CatalogSchema.indexState(db) != .none
        postingBudget = min(
            CandidateSearch.postingBudget,
            max(1000, Int(saturating: Double(vocabulary.workCount) * CandidateSearch.postingShare)))
    }

    /// Evicts large caches at the end of an access, because a server keeps several connections open.
    func evictIfNeeded() {
        vocabulary.evictIfNeeded()
        if folded.count > Self.retainedDocuments { folded = [:] }
        if records.count > Self.retainedRecords { records = [:] }
        if candidates.count > Self.retainedQueries { candidates = [:] }
        if postingCount > Self.retainedPostings || postings.count > Self.retainedRecords {
            (postings, postingCount) = ([:], 0)
        }
    }

    /// Returns an empty table with capacity for all documents of one search.
    func takeScores() -> ScoreTable {
        // The caller must own the table uniquely to change it in place.
        defer { scores = nil }
        return scores ?? ScoreTable(capacity: postingBudget + CandidateSearch.mostRankedDocuments)
    }

    func giveBack(_ empty: ScoreTable) { scores = empty }

    /// Returns what an earlier search for the same words found, or the result of `search`.
    func candidates(_ words: [String], limit: Int, search: () throws -> [BookRecord]) rethrows -> [BookRecord] {
        let key = CandidateKey(words: words, limit: limit)
        if let known = candidates[key] { return known }
        let found = try search()
        candidates[key] = found
        return found
    }

    // MARK: - Documents

    /// Calls `body` with the ID of each document that matches an FTS5 expression, until it returns false.
    func forEachDocument(matching expression: String, _ body: (Int64) -> Bool) throws {
        let statement = try matchingRows.get()
        var expression = expression
        try expression.withUTF8 { utf8 in
            statement.bind(1, utf8)
            while try statement.step() {
                guard body(statement.integer(0)) else { break }
            }
            statement.reset()
        }
    }

    /// Returns the IDs of all documents that match an FTS5 expression.
    func documents(matching expression: String) throws -> [Int64] {
        if let known = postings[expression] { return known }
        var found: [Int64] = []
        try forEachDocument(matching: expression) { document in
            found.append(document)
            return true
        }
        if postingCount + found.count > Self.postingCacheLimit { (postings, postingCount) = ([:], 0) }
        postings[expression] = found
        postingCount += found.count
        return found
    }

    /// Returns a term as an FTS5 expression with a column filter, which may be empty.
    ///
    /// Folded words do not contain quotes, so no escaping is needed.
    static func expression(_ term: CandidateQuery.Term, column: String) -> String {
        switch term.form {
        case .whole: "\(column)\"\(term.word)\""
        case .beginning: "\(column)\"\(term.word)\"*"
        case .beginningOfName: "author : \"\(term.word)\"*"
        }
    }

    // MARK: - Records

    private lazy var matchingRows = Result { try RawStatement(db, "SELECT rowid FROM words WHERE words MATCH ?") }
    private lazy var workRow = Result { try RawStatement(db, "SELECT title, subtitle, authors FROM work WHERE id = ?") }
    private lazy var authorRow = Result { try RawStatement(db, "SELECT name FROM author WHERE id = ?") }
    private lazy var editionRow = Result { try RawStatement(db, Self.editionColumns + "WHERE id = ?") }
    private lazy var editionsOfWork = Result {
        // Famous works have thousands of editions; those with an ISBN come first.
        try RawStatement(db, Self.editionColumns + "WHERE work = ? ORDER BY isbn IS NULL, id LIMIT ?")
    }

    private static let editionColumns = """
        SELECT id, work, isbn, title, subtitle, authors, series, publisher, year, pages, language, cover FROM edition

        """

    /// Returns the record of a document: that of an edition, or that of a work with its first edition.
    func record(ofDocument document: Int64) throws -> BookRecord? {
        if let known = records[document] { return known }
        let found = try read(document: document)
        if records.count >= Self.documentCacheLimit { records = [:] }
        records[document] = found
        return found
    }

    private func read(document: Int64) throws -> BookRecord? {
        if document & 1 == 1 {
            return try record(ofEdition: document >> 1)
        }
        let work = document >> 1
        let row = try workRow.get()
        row.bind(1, work)
        guard try row.step() else { return nil }
        let title = string(row.text(0)) ?? ""
        let subtitle = string(row.text(1))
        let authors = Array(AuthorIDs(row.text(2)))
        row.reset()
        var record =
            try editions(ofWork: work, limit: 1).first
            ?? BookRecord(id: Identity.name(work: work), title: title, source: source)
        // The search matched the work's title; the edition may be a translation.
        let isSameTitle = TextNormalisation.fold(record.title) == TextNormalisation.fold(title)
        record.subtitle = subtitle ?? (isSameTitle ? record.subtitle : nil)
        record.title = title
        record.work = Identity.name(work: work)
        if !authors.isEmpty { record.authors = try names(of: authors) }
        return record
    }

    /// Returns the editions of a work, those with an ISBN first.
    func editions(ofWork work: Int64, limit: Int) throws -> [BookRecord] {
        let statement = try editionsOfWork.get()
        statement.bind(1, work)
        statement.bind(2, Int64(limit))
        defer { statement.reset() }
        var records: [BookRecord] = []
        while try statement.step() { records.append(try record(from: statement)) }
        return records
    }

    func record(ofEdition edition: Int64) throws -> BookRecord? {
        let statement = try editionRow.get()
        statement.bind(1, edition)
        defer { statement.reset() }
        return try statement.step() ? record(from: statement) : nil
    }

    private func record(from row: RawStatement) throws -> BookRecord {
        let work = row.integer(1)
        var record = BookRecord(
            id: Identity.name(edition: row.integer(0)), work: Identity.name(work: work),
            title: string(row.text(3)) ?? "", subtitle: string(row.text(4)),
            authors: try names(of: Array(AuthorIDs(row.text(5)))), series: string(row.text(6)),
            isbn: row.integer(2) == 0 ? nil : String(row.integer(2)), publisher: string(row.text(7)),
            year: nonZero(row.integer(8)), pages: nonZero(row.integer(9)), language: string(row.text(10)),
            cover: nonZero(row.integer(11)), source: source)
        if record.title.isEmpty || record.authors.isEmpty { try complete(&record, work) }
        return record
    }

    /// Fills a missing title or missing authors of an edition from its work.
    private func complete(_ record: inout BookRecord, _ work: Int64) throws {
        let row = try workRow.get()
        row.bind(1, work)
        defer { row.reset() }
        guard try row.step() else { return }
        if record.title.isEmpty { record.title = string(row.text(0)) ?? "" }
        if record.authors.isEmpty { record.authors = try names(of: Array(AuthorIDs(row.text(2)))) }
    }

    /// The text by which a document is ranked.
    struct FoldedDocument {
        var work: Int64
        /// The folded title, then subtitle, series and authors; one text, because thousands are kept.
        var text: [UInt8]
        /// In bytes.
        var titleLength: Int
    }

    /// Returns a document's folded text; nil if the document does not exist.
    func folded(document: Int64) throws -> FoldedDocument? {
        if let known = folded[document] { return known }
        var title: [UInt8] = []
        var rest: [UInt8] = []
        guard let work = try fold(document: document, title: &title, rest: &rest) else { return nil }
        let found = FoldedDocument(work: work, text: title + rest, titleLength: title.count)
        if folded.count >= Self.documentCacheLimit { folded = [:] }
        folded[document] = found
        return found
    }

    private func fold(document: Int64, title: inout [UInt8], rest: inout [UInt8]) throws -> Int64? {
        guard document & 1 == 1 else {
            return try foldWork(document >> 1, title: &title, rest: &rest) ? document >> 1 : nil
        }
        let row = try editionRow.get()
        row.bind(1, document >> 1)
        defer { row.reset() }
        guard try row.step() else { return nil }
        let work = row.integer(1)
        TextNormalisation.fold(row.text(3), into: &title)
        append(row.text(4), to: &rest)
        append(row.text(6), to: &rest)
        try appendNames(row.text(5), to: &rest)
        if title.isEmpty || row.text(5).isEmpty {
            var workTitle: [UInt8] = []
            _ = try foldWork(work, title: &workTitle, rest: &rest)
            if title.isEmpty { title = workTitle }
        }
        return work
    }

    private func foldWork(_ work: Int64, title: inout [UInt8], rest: inout [UInt8]) throws -> Bool {
        let row = try workRow.get()
        row.bind(1, work)
        defer { row.reset() }
        guard try row.step() else { return false }
        TextNormalisation.fold(row.text(0), into: &title)
        append(row.text(1), to: &rest)
        try appendNames(row.text(2), to: &rest)
        return true
    }

    private func appendNames(_ authors: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) throws {
        let row = try authorRow.get()
        for id in AuthorIDs(authors) {
            row.bind(1, id)
            if try row.step() { append(row.text(0), to: &output) }
            row.reset()
        }
    }

    private func append(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        guard !text.isEmpty else { return }
        output.append(0x20)
        TextNormalisation.fold(text, into: &output)
    }

    private func names(of authors: [Int64]) throws -> [String] {
        let row = try authorRow.get()
        return try authors.compactMap { id in
            row.bind(1, id)
            defer { row.reset() }
            return try row.step() ? string(row.text(0)) : nil
        }
    }

    private func string(_ utf8: UnsafeBufferPointer<UInt8>) -> String? {
        utf8.isEmpty ? nil : String(decoding: utf8, as: UTF8.self)
    }

    private func nonZero(_ number: Int64) -> Int? { number == 0 ? nil : Int(number) }

    /// Returns the editions with an ISBN, the one in the original script before its romanisation.
    func editions(isbn: ISBN, limit: Int) throws -> [BookRecord] {
        let ids = try Int64.fetchAll(
            db,
            sql: """
                SELECT id FROM edition WHERE isbn = ? UNION SELECT edition FROM other_isbn WHERE isbn = ?
                ORDER BY 1 LIMIT ?
                """,
            arguments: [isbn.number, isbn.number, limit])
        return try ids.compactMap { try record(ofEdition: $0) }
    }
}
