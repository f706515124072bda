package import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

/// The filter and order of a list of copies.
package struct EntryQuery: Hashable, Sendable {
    /// Words of title, author or ISBN, of which the last may be a prefix; or a whole barcode.
    ///
    /// Accents, case and punctuation make no difference.
    package var text: String?
    /// Limits the list to copies on this shelf and on those inside it.
    package var shelf: RowID<Shelf>?
    /// Limits the list to copies on this shelf itself.
    var home: RowID<Shelf>?
    package var tag: String?
    package var series: RowID<Series>?
    package var ownership: Ownership?
    /// Limits the list to loans that should have ended before today.
    package var isOverdue = false
    package var reading: ReadingStatus?
    package var reviewStatus: ReviewStatus?
    /// Limits the list to copies whose edition has no cover.
    package var isMissingCover = false
    /// Limits the list to copies that are missing.
    package var isMissing = false
    package var barcode: String?
    package var condition: CopyCondition?
    package var sort = LibraryQuery.Sort.title
    package var descending = false
    /// Limits the list to copies of these works.
    var works: [RowID<Work>]?
    /// Limits the list to these copies.
    var ids: [RowID<LibraryEntry>]?
    package var limit: Int?
    package var offset = 0

    /// The number of words of `text` that are searched for.
    package static let wordLimit = 64

    package init(text: String? = nil, sort: LibraryQuery.Sort = .title, limit: Int? = nil) {
        (self.text, self.sort, self.limit) = (text, sort, limit)
    }
}

extension LibraryStore {
    /// Returns a page of the library, and the total number of copies.
    package func entries(
        _ query: EntryQuery = EntryQuery()
    ) async throws -> (entries: [LibraryBook], total: Int) {
        if query.sort == .shelf { try await compareChangedShelves() }
        return try await read { try $0.entries(query) }
    }
}

extension Database {
    func entries(_ query: EntryQuery) throws -> (entries: [LibraryBook], total: Int) {
        let (condition, arguments) = query.condition(today: PartialDate(try transactionDate))
        let order = query.sort == .shelf ? try shelvesInOrder().map(\.id).jsonArray() : "[]"
        let rows = try Row.fetchCursor(
            self, sql: query.statement(condition), arguments: [order] + arguments + [query.limit ?? -1, query.offset])
        let paths = try pathsOfShelves()
        var entries: [LibraryBook] = []
        while let row = try rows.next() { entries.append(try LibraryBook(row: row, paths: paths)) }
        let isWhole = query.limit == nil && query.offset == 0
        let total =
            isWhole
            ? entries.count
            : try Int.fetchOne(
                self, sql: "SELECT count(*) FROM entry JOIN work ON work.id = entry.work WHERE \(condition)",
                arguments: arguments) ?? 0
        return (entries, total)
    }
}

extension EntryQuery {
    fileprivate func condition(today: PartialDate) -> (String, StatementArguments) {
        var parts: [String] = []
        var arguments = StatementArguments()
        func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            parts.append(condition)
            arguments += [value]
        }
        if let text {
            // Text without letters or digits, such as one of emoji only, is searched for literally.
            let words = TextNormalisation.words(text)
            if words.isEmpty {
                add("instr(work.title, ?) > 0", text.trimmed)
            } else {
                // Each word makes the search slower.
                let pattern = words.prefix(Self.wordLimit).map { "\"\($0)\"" }.joined(separator: " ") + "*"
                parts.append("(work.id IN (SELECT rowid FROM workWords WHERE workWords MATCH ?) OR barcode = ?)")
                arguments += [pattern, text.trimmed]
            }
        }
        add("work.id IN (SELECT value FROM json_each(?))", works?.jsonArray())
        add("entry.id IN (SELECT value FROM json_each(?))", ids?.jsonArray())
        add("entry.shelf IN \(Database.inside("?"))", shelf)
        add("entry.shelf = ?", home)
        add("entry.id IN (SELECT entry FROM tag WHERE name = ?)", tag)
        add("work.seriesKey = (SELECT nameKey FROM series WHERE series.id = ?)", series)
        add("ownership = ?", ownership)
        // A month or a year is over when the next one begins.
        add("dueOn < substr(?, 1, length(dueOn))", isOverdue ? today : nil)
        add("reading = ?", reading)
        add("reviewStatus = ?", reviewStatus)
        add("barcode = ?", barcode?.trimmed)
        add("condition = ?", condition)
        if isMissing { parts.append("missingSince IS NOT NULL") }
        if isMissingCover {
            parts.append("NOT EXISTS (SELECT 1 FROM edition e WHERE e.id = entry.edition AND e.cover IS NOT NULL)")
        }
        return (parts.isEmpty ? "1" : parts.joined(separator: " AND "), arguments)
    }

    fileprivate func statement(_ condition: String) -> String {
        let direction = descending ? "DESC" : "ASC"
        let order =
            switch sort {
            case .title: "sortTitle \(direction), sortAuthor, entry.id"
            case .author: "sortAuthor \(direction), sortTitle, entry.id"
            case .added: "addedAt \(direction), entry.id \(direction)"
            case .year: "year IS NULL, year \(direction), sortTitle"
            case .rating: "rating IS NULL, rating \(direction), sortTitle"
            case .callNumber:
                "callNumberKey IS NULL, callNumberKey \(direction), callNumber, sortAuthor, sortTitle, entry.id"
            case .shelf:
                """
                place.rank IS NULL, place.rank \(direction), standing.board IS NULL, standing.board, standing.rank, (SELECT max(photo) FROM detection d WHERE d.entry = \
                entry.id), (SELECT x + width / 2 FROM detection d WHERE d.entry = entry.id ORDER BY photo DESC LIMIT 1), \
                sortTitle
                """
            }
        // As an integer, so that SQLite makes an index of the shelves.
        return """
            WITH place(id, rank) AS MATERIALIZED (SELECT CAST(value AS INTEGER), key FROM json_each(?))
            SELECT entry.id, work.id, title, subtitle, authorNames, isbn, year, cover, ownership, reading,
                rating, shelf.id, shelf.name, reviewStatus, addedAt, entry.revision,
                (SELECT group_concat(name, char(31)) FROM (SELECT name FROM tag WHERE entry = entry.id ORDER BY position)),
                CASE reviewStatus WHEN 'needsReview' THEN
                    (SELECT d.confidence FROM detection d WHERE d.entry = entry.id ORDER BY d.id DESC LIMIT 1) END,
                CASE reviewStatus WHEN 'needsReview' THEN
                    (SELECT d.checked FROM detection d WHERE d.entry = entry.id ORDER BY d.id DESC LIMIT 1) END,
                spine.id, CASE WHEN spine.id IS NULL THEN '' ELSE
                    printf('%.5f %.5f %.5f %.5f %s', spine.x, spine.y, spine.width, spine.height, spine.quad) END,
                lentTo, lentOn, dueOn, missingSince, barcode, condition, work.series, work.seriesNumber
            FROM entry JOIN work ON work.id = entry.work LEFT JOIN edition ON edition.id = entry.edition
            LEFT JOIN shelf ON shelf.id = entry.shelf LEFT JOIN place ON place.id = entry.shelf
            LEFT JOIN standing ON standing.entry = entry.id AND standing.shelf = entry.shelf
            LEFT JOIN detection spine ON spine.id = (SELECT max(d.id) FROM detection d JOIN photo p ON p.id = d.photo
                WHERE d.entry = entry.id AND coalesce(p.file, p.picture) IS NOT NULL)
            WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?
            """
    }
}

extension LibraryStore {
    /// Returns the call numbers of the copies that have one; lists of books have none.
    package func callNumbers() async throws -> [RowID<LibraryEntry>: String] {
        try await read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT id, callNumber FROM entry WHERE callNumber IS NOT NULL")
            return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension LibraryBook {
    /// Decodes by position instead of by name, which dominates the time of lists of thousands.
    ///
    /// - Parameter paths: of all shelves.
    fileprivate init(row: Row, paths: [RowID<Shelf>: String]) throws {
        let (id, work): (RowID<LibraryEntry>, RowID<Work>) = (row[0], row[1])
        self.init(
            id: "\(id)", workId: "\(work)", title: row[2], authors: AuthorNames.list(row[4]),
            ownership: try row.decode(atIndex: 8), addedAt: Date(milliseconds: row[14]),
            reviewStatus: try row.decode(atIndex: 13), etag: RevisionTag.of(row[15]))
        subtitle = row[3]
        isbn = (row[5] as String?).flatMap { Int($0) }.flatMap { ISBN(number: $0) }?.isbn13
        year = row[6]
        coverUrl = (row[7] as String?).map(CoverURL.of)
        readingStatus = try row.decode(ReadingStatus?.self, atIndex: 9)
        rating = row[10]
        shelf = (row[11] as RowID<Shelf>?).map { ShelfReference(id: "\($0)", name: row[12] ?? "", path: paths[$0]) }
        tags = (row[16] as String?).map { $0.split(separator: "\u{1F}").map(String.init) } ?? []
        confidence = row[17]
        checked = row[18]
        cropUrl = (row[19] as RowID<Detection>?).map { PictureURL.crop($0, outline: row[20]) }
        loan = (row[21] as String?).map { Loan(to: $0, since: row[22], due: row[23]) }
        missingSince = (row[24] as Int64?).map { Date(milliseconds: $0) }
        barcode = row[25]
        condition = (row[26] as String?).flatMap { CopyCondition(rawValue: $0) }
        (series, seriesNumber) = (row[27], row[28])
    }
}
