import Bibliography
import Foundation
import GRDB
import ShelflistAPI

/// Pages of the library: first the IDs of their copies, from indexes as far as possible, then the rows of these only.
///
/// What a page costs beyond its own rows are numbers and keys of the copies before it.
extension Database {
    func entries(_ query: EntryQuery) throws -> (entries: [LibraryBook], total: Int) {
        let page = query.sort == .shelf ? try pageByShelf(query) : try page(query)
        return (try books(page.ids), page.total)
    }

    private func page(_ query: EntryQuery) throws -> (ids: [RowID<LibraryEntry>], total: Int) {
        let (condition, arguments) = query.condition(today: PartialDate(try transactionDate))
        // The whole library is read in the order of an index of works; what a filter selects is put in order.
        let isInOrder = condition == "1" && (query.sort == .title || query.sort == .author)
        let tables =
            isInOrder
            ? "work CROSS JOIN entry ON entry.work = work.id" : "entry JOIN work ON work.id = entry.work"
        let ids = try RowID<LibraryEntry>.fetchAll(
            self,
            sql: """
                SELECT entry.id FROM \(tables)
                \(query.sort == .year ? "LEFT JOIN edition ON edition.id = entry.edition" : "")
                WHERE \(condition) ORDER BY \(query.order) LIMIT ? OFFSET ?
                """, arguments: arguments + [query.limit ?? -1, query.offset])
        if query.limit == nil && query.offset == 0 { return (ids, ids.count) }
        let total = try Int.fetchOne(
            self, sql: "SELECT count(*) FROM \(query.tables) WHERE \(condition)", arguments: arguments)
        return (ids, total ?? 0)
    }

    /// Counts the copies of each shelf, and puts only those of the shelves on the page in order.
    private func pageByShelf(_ query: EntryQuery) throws -> (ids: [RowID<LibraryEntry>], total: Int) {
        let (condition, arguments) = query.condition(today: PartialDate(try transactionDate))
        let rows = try Row.fetchAll(
            self, sql: "SELECT entry.shelf, count(*) FROM \(query.tables) WHERE \(condition) GROUP BY entry.shelf",
            arguments: arguments)
        let counts = Dictionary(
            rows.map { ($0[0] as RowID<Shelf>?, $0[1] as Int) }, uniquingKeysWith: { first, _ in first })
        let ordered = try ShelfOrder(self).ids
        let end = query.limit.map { query.offset + $0 } ?? .max
        var (shelves, before, total) = ([RowID<Shelf>?](), 0, 0)
        // Copies without a shelf come last, in either direction.
        for shelf in (query.descending ? ordered.reversed() : ordered) + [nil] {
            guard let count = counts[shelf] else { continue }
            if total + count <= query.offset {
                before += count
            } else if total < end {
                shelves.append(shelf)
            }
            total += count
        }
        let named = shelves.map { $0?.description ?? "null" }.joined(separator: ",")
        // The copies of each shelf are found by the index of shelves.
        let ids = try RowID<LibraryEntry>.fetchAll(
            self,
            sql: """
                SELECT entry.id FROM json_each(?) AS page CROSS JOIN entry ON entry.shelf IS page.value
                JOIN work ON work.id = entry.work
                LEFT JOIN standing ON standing.shelf = entry.shelf AND standing.entry = entry.id
                WHERE \(condition) ORDER BY page.key, standing.board IS NULL, standing.board, standing.rank,
                    (SELECT max(photo) FROM detection d WHERE d.entry = entry.id),
                    (SELECT x + width / 2 FROM detection d WHERE d.entry = entry.id ORDER BY photo DESC LIMIT 1),
                    sortTitle, entry.id
                LIMIT ? OFFSET ?
                """, arguments: ["[\(named)]"] + arguments + [query.limit ?? -1, query.offset - before])
        return (ids, total)
    }

    /// Returns these copies in this order.
    private func books(_ ids: [RowID<LibraryEntry>]) throws -> [LibraryBook] {
        var paths = ShelfPaths(self)
        let statement = try cachedStatement(sql: Self.rowsOfCopies)
        var books: [LibraryBook] = []
        books.reserveCapacity(ids.count)
        // In parts, so that SQLite keeps the order of each in memory.
        for start in stride(from: 0, to: ids.count, by: 500) {
            let part = ids[start..<min(start + 500, ids.count)]
            let rows = try Row.fetchCursor(statement, arguments: [part.jsonArray()])
            while let row = try rows.next() { books.append(try LibraryBook(row: row, &paths)) }
        }
        return books
    }

    private static let rowsOfCopies = """
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
        FROM json_each(?) AS page CROSS JOIN entry ON entry.id = page.value JOIN work ON work.id = entry.work
        LEFT JOIN edition ON edition.id = entry.edition LEFT JOIN shelf ON shelf.id = entry.shelf
        LEFT JOIN detection spine ON spine.id = (SELECT max(d.id) FROM detection d JOIN photo p ON p.id = d.photo
            WHERE d.entry = entry.id AND coalesce(p.file, p.picture) IS NOT NULL)
        ORDER BY page.key
        """
}

extension EntryQuery {
    /// The tables of the condition.
    fileprivate var tables: String { isOfWorks ? "entry JOIN work ON work.id = entry.work" : "entry" }

    /// By what the list is sorted, other than by shelf.
    fileprivate var order: String {
        let direction = descending ? "DESC" : "ASC"
        return switch sort {
        case .title, .shelf: "sortTitle \(direction), sortAuthor, entry.id"
        case .author: "sortAuthor \(direction), sortTitle, entry.id"
        case .added: "addedAt \(direction), entry.id \(direction)"
        case .year: "year IS NULL, year \(direction), sortTitle, entry.id"
        case .rating: "rating IS NULL, rating \(direction), sortTitle, entry.id"
        case .callNumber:
            "callNumberKey IS NULL, callNumberKey \(direction), callNumber, sortAuthor, sortTitle, entry.id"
        }
    }
}

extension LibraryStore {
    /// Returns the call numbers of those of these copies that have one; lists of books have none.
    package func callNumbers(of copies: [RowID<LibraryEntry>]) async throws -> [RowID<LibraryEntry>: String] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT id, callNumber FROM entry
                    WHERE id IN (SELECT value FROM json_each(?)) AND callNumber IS NOT NULL
                    """, arguments: [copies.jsonArray()])
            return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        }
    }
}

extension LibraryBook {
    /// Decodes by position instead of by name, which dominates the time of lists of thousands.
    fileprivate init(row: Row, _ paths: inout ShelfPaths) throws {
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
        shelf = try (row[11] as RowID<Shelf>?).map {
            ShelfReference(id: "\($0)", name: row[12] ?? "", path: try paths.path(of: $0))
        }
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
