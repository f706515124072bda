import Bibliography
import GRDB
import ShelflistAPI

extension Database {
    /// Returns the copies of the same book, in any edition: by ISBN, or by title and author.
    func copies(sameAs book: BookDetails) throws -> [LibraryBook] {
        let works = try duplicates(of: book, key: BookKey(book), except: nil).filter(\.kind.isSure).map(\.work)
        guard !works.isEmpty else { return [] }
        var query = EntryQuery()
        query.works = works
        return try entries(query).entries
    }
}

extension BookIdentity {
    /// Reads a row with title, subtitle, series and author names of a work.
    fileprivate init(_ row: Row) {
        self.init(
            title: row["title"], subtitle: row["subtitle"], series: row["series"],
            authors: AuthorNames.list(row["authorNames"]))
    }
}

extension LibraryStore {
    /// Returns, for each of some books, the copy that the library has of it; nil where it has none, or only wishes for it.
    package func owned(_ books: [BookDetails]) async throws -> [RowID<LibraryEntry>?] {
        try await read { db in
            let copy = try db.cachedStatement(
                sql: "SELECT min(id) FROM entry WHERE work = ? AND ownership <> 'wishlist' HAVING count(*) > 0")
            return try books.map { book in
                for same in try db.duplicates(of: book, key: BookKey(book), except: nil) where same.kind.isSure {
                    if let entry = try RowID<LibraryEntry>.fetchOne(copy, arguments: [same.work]) { return entry }
                }
                return nil
            }
        }
    }
}

/// A work that a book may be a duplicate of.
struct DuplicateCandidate: Equatable {
    var work: RowID<Work>
    var kind: DuplicateKind
    /// Whether the work says everything that the book says, so that nothing distinguishes them.
    var isIdentical = false

    fileprivate var certainty: Int { (kind.isSure ? 1 : 0) + (isIdentical ? 1 : 0) }
}

extension DuplicateKind {
    /// Whether the two are the same book unless the user decides otherwise; if `false`, the question is only offered.
    var isSure: Bool { self == .isbn || self == .titleAndAuthor }
}

extension Database {
    /// Returns the works that are the same book, by ISBN or by title and author, most certain first, without those
    /// that the user called different.
    func duplicates(of details: BookDetails, key: BookKey, except work: RowID<Work>?) throws -> [DuplicateCandidate] {
        // Most books have no candidate to compare.
        lazy var identity = BookIdentity(details)
        let isbn = details.isbn?.isbn13
        let columns = "work.id, title, subtitle, \(LibrarySchema.seriesText) AS series, authorNames"
        var found: [DuplicateCandidate] = []
        if let isbn {
            let statement = try cachedStatement(
                sql: """
                    SELECT DISTINCT \(columns) FROM work JOIN edition ON work = work.id WHERE isbn = ? ORDER BY work.id
                    """)
            for row in try Row.fetchAll(statement, arguments: [isbn]) {
                let sharesNumber = identity.sharesNumber(with: BookIdentity(row))
                found.append(
                    DuplicateCandidate(
                        work: row["id"], kind: sharesNumber ? .isbn : .similar, isIdentical: sharesNumber))
            }
        }
        let statement = try cachedStatement(
            sql: "SELECT \(columns) FROM work WHERE titleKey = ? ORDER BY id LIMIT 500")
        for row in try Row.fetchAll(statement, arguments: [key.title]) {
            let id: RowID<Work> = row["id"]
            switch identity.agreement(with: BookIdentity(row)) {
            case .identical:
                let isIdentical = try isbn.map { try !hasOtherISBN(work: id, than: $0) } ?? true
                found.append(DuplicateCandidate(work: id, kind: .titleAndAuthor, isIdentical: isIdentical))
            case .same: found.append(DuplicateCandidate(work: id, kind: .titleAndAuthor))
            case .similar: found.append(DuplicateCandidate(work: id, kind: .similar))
            case .none: break
            }
        }
        var works: Set<RowID<Work>> = []
        return try found.sorted { $0.certainty > $1.certainty }.filter { candidate in
            guard candidate.work != work, works.insert(candidate.work).inserted else { return false }
            return try decision(key: key.text, work: candidate.work) != .different
        }
    }

    /// Whether all known editions of a work have other ISBNs.
    private func hasOtherISBN(work: RowID<Work>, than isbn: String) throws -> Bool {
        let statement = try cachedStatement(
            sql: "SELECT count(*) > 0 AND max(isbn = ?) = 0 FROM edition WHERE work = ? AND isbn IS NOT NULL")
        return try Bool.fetchOne(statement, arguments: [isbn, work]) ?? false
    }

    /// Returns works of nearly the same title, without those that the user has judged already and those deleted since
    /// the titles were compared.
    func offers(_ works: [RowID<Work>], for key: BookKey) throws -> [DuplicateCandidate] {
        let standing = try cachedStatement(sql: "SELECT 1 FROM work WHERE id = ?")
        return try works.filter { work in
            try decision(key: key.text, work: work) == nil && Int.fetchOne(standing, arguments: [work]) != nil
        }.map {
            DuplicateCandidate(work: $0, kind: .similar)
        }
    }

    /// Returns the work to which the user corrected the same text before, if its title differs.
    func readBefore(_ detection: Detection, key: BookKey, except work: RowID<Work>) throws -> [DuplicateCandidate] {
        let works = try RowID<Work>.fetchAll(
            self,
            sql: """
                SELECT DISTINCT work.id FROM detection JOIN entry ON entry.id = detection.entry
                JOIN work ON work.id = entry.work
                WHERE detection.bookKey = ? AND reviewStatus = 'userEdited' AND work.id <> ?
                """, arguments: [key.text, work])
        return try works.filter { try decision(key: key.text, work: $0) == nil }.map {
            DuplicateCandidate(work: $0, kind: .readBefore)
        }
    }

    func decision(key: String, work: RowID<Work>) throws -> DuplicateDecision? {
        let statement = try cachedStatement(
            sql: "SELECT decision FROM duplicateDecision WHERE bookKey = ? AND work = ?")
        return try DuplicateDecision.fetchOne(statement, arguments: [key, work])
    }

    func remember(_ decision: DuplicateDecision, key: String, work: RowID<Work>) throws {
        try execute(
            """
            INSERT INTO duplicateDecision (bookKey, work, decision, decidedAt) VALUES (?, ?, ?, ?)
            ON CONFLICT (bookKey, work) DO UPDATE SET decision = excluded.decision, decidedAt = excluded.decidedAt
            """, [key, work, decision, milliseconds])
    }

    /// Asks whether a detection, or a copy, belongs to a work.
    func ask(
        about detection: RowID<Detection>? = nil, copy entry: RowID<LibraryEntry>? = nil,
        _ candidate: DuplicateCandidate, key: BookKey
    ) throws {
        try execute(
            """
            INSERT OR IGNORE INTO duplicateQuestion (detection, entry, work, kind, bookKey, askedAt)
            VALUES (?, ?, ?, ?, ?, ?)
            """, [detection, entry, candidate.work, candidate.kind, key.text, milliseconds])
    }

    /// Asks whether a copy belongs to one of these works, or, if there are none, to a work of nearly the same title.
    func ask(
        whether entry: RowID<LibraryEntry>, isOneOf candidates: [DuplicateCandidate], key: BookKey,
        near: @autoclosure () throws -> SimilarTitles
    ) throws {
        let offered = try candidates.isEmpty ? offers(near().similar(to: key), for: key) : candidates
        for candidate in offered.prefix(3) { try ask(copy: entry, candidate, key: key) }
    }

    /// Returns the copies of the work, those on `shelf` first.
    func copies(ofWork work: RowID<Work>, shelf: RowID<Shelf>?) throws -> [RowID<LibraryEntry>] {
        try RowID.fetchAll(
            self, sql: "SELECT id FROM entry WHERE work = ? ORDER BY shelf IS NOT ?, id",
            arguments: [work, shelf])
    }

    func copy(ofWork work: RowID<Work>, standingOn shelf: RowID<Shelf>, except seen: Set<RowID<LibraryEntry>>) throws
        -> RowID<LibraryEntry>?
    {
        try RowID<LibraryEntry>.fetchAll(
            self, sql: "SELECT id FROM entry WHERE work = ? AND shelf IN \(Self.inside("?")) ORDER BY id",
            arguments: [work, shelf]
        ).first { !seen.contains($0) }
    }

    /// Inserts another copy of a work that a photo shows, of the edition that the details describe.
    func insertCopy(ofWork work: RowID<Work>, _ details: BookDetails, shelf: RowID<Shelf>?) throws
        -> RowID<LibraryEntry>
    {
        var edition = try edition(ofWork: work, isbn: details.isbn)
        if edition == nil, details.isbn != nil { edition = try self.edition(ofWork: work, details, current: nil) }
        let entry = try insertEntry(ofWork: work, edition: edition, EntryDetails(shelf: shelf), from: .photo)
        try touch(work: work)
        return entry
    }
}

/// An index that finds works whose titles differ from a book's by a few letters.
///
/// It is built once per import from the keys in the database.
struct SimilarTitles {
    private struct Entry {
        var work: RowID<Work>
        var title: String
        var authorNames: String
    }

    private var works: [Entry] = []
    /// For each trigram, the indices of the works that contain it.
    private var postings: [UInt32: [Int32]] = [:]

    init(_ db: Database) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT id, titleKey, authorNames FROM work ORDER BY id")
        while let row = try rows.next() { add(Entry(work: row[0], title: row[1], authorNames: row[2])) }
    }

    mutating func add(work: RowID<Work>, _ details: BookDetails, _ key: BookKey) {
        let names = details.authors.map(\.name).joined(separator: AuthorNames.separator)
        add(Entry(work: work, title: key.title, authorNames: names))
    }

    private mutating func add(_ entry: Entry) {
        for trigram in Spelling.trigrams(of: entry.title) {
            postings[trigram, default: []].append(Int32(works.count))
        }
        works.append(entry)
    }

    /// The lowest likeness, 0...1 (one minus the edit distance over the length): `pride and prejudise` has 0.95.
    private static let minimum = 0.85

    /// Returns at most three works, best first, that share an author with the book, or where one of the two has no
    /// author.
    ///
    /// One letter may always differ if the author is the same: `hobit` matches `hobbit`.
    func similar(to key: BookKey, minimum: Double = Self.minimum) -> [RowID<Work>] {
        // In shorter titles, a misread letter cannot be distinguished from another title.
        guard key.title.utf8.count >= 5, !works.isEmpty else { return [] }
        let trigrams = Spelling.trigrams(of: key.title)
        var shared = [UInt8](repeating: 0, count: works.count)
        for trigram in trigrams.prefix(200) {
            for place in postings[trigram] ?? [] { shared[Int(place)] += 1 }
        }
        // Each edited letter changes up to three trigrams, and one edit is always allowed.
        let runs = Double(min(200, trigrams.count))
        let needed = max(1, min((2 * minimum - 1.2) * runs, runs - 3))
        var found: [(work: RowID<Work>, likeness: Double)] = []
        for place in shared.indices where Double(shared[place]) >= needed {
            let likeness = likeness(of: works[place], to: key, minimum: minimum)
            if likeness > 0 { found.append((works[place].work, likeness)) }
        }
        return found.sorted { ($1.likeness, $0.work) < ($0.likeness, $1.work) }.prefix(3).map(\.work)
    }

    /// Returns the likeness, 0...1; 0 if it is too low or the work is certainly another book.
    private func likeness(of entry: Entry, to key: BookKey, minimum: Double) -> Double {
        guard entry.title != key.title else { return 0 }
        let mine = Self.withoutStrayNumber(key.title, beside: entry.title)
        let other = Self.withoutStrayNumber(entry.title, beside: key.title)
        // Volumes of a set differ only by a number.
        guard Self.numbers(mine) == Self.numbers(other) else { return 0 }
        let theirs = BookKey(title: entry.title, authors: AuthorNames.list(entry.authorNames))
        let isBySame = key.sharesAuthor(with: theirs)
        guard isBySame || key.authors.isEmpty || theirs.authors.isEmpty else { return 0 }
        let oneLetter = 1 - 1 / Double(max(mine.count, other.count))
        let needed = isBySame ? min(minimum, oneLetter - 1e-9) : minimum
        let likeness = Spelling.similarity(mine, other, minimum: needed)
        return likeness >= needed ? likeness : 0
    }

    /// Removes a number before the title, as in `1 buddenbrooks` beside `buddenbrooks`: a shelf mark that was read as
    /// the title's first word.
    private static func withoutStrayNumber(_ title: String, beside other: String) -> String {
        let words = title.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].allSatisfy(\.isNumber), other.first?.isNumber == false else { return title }
        return String(words[1])
    }

    private static func numbers(_ title: String) -> [Substring] {
        title.split(whereSeparator: { !$0.isASCII || !$0.isNumber })
    }
}
