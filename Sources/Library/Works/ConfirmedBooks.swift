package import Bibliography
import Foundation
import GRDB
import ShelflistAPI

/// A work whose title and authors a person confirmed or entered, or that a list brought.
///
/// Books that only a photo added are not confirmed: one misreading would confirm the next.
package struct ConfirmedBook: Hashable, Sendable {
    package var work: RowID<Work>
    package var title: String
    package var subtitle: String?
    package var series: String?
    /// In the order of the title page.
    package var authors: [String]
    /// Of all editions.
    package var isbns: [ISBN]
    /// The lines of the spines on which a person confirmed, corrected or matched the book.
    package var spines: [[String]] = []
}

/// Queries of identification, which run on threads that may block.
extension LibraryStore {
    private func blockingRead<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try pool.read(body)
        } catch {
            throw described(error)
        }
    }

    /// Returns a number that grows with every change of the library; blocks.
    ///
    /// - Throws: `LibraryError`, `StorageError`.
    package func currentRevision() throws -> Int {
        try blockingRead { try Int.fetchOne($0, sql: "SELECT revision FROM libraryState") ?? 0 }
    }

    /// Returns the confirmed books in a stable order; blocks.
    ///
    /// O(n) in the number of works, some milliseconds for five thousand.
    ///
    /// - Throws: `LibraryError`, `StorageError`.
    package func confirmedBooks() throws -> [ConfirmedBook] {
        try blockingRead { db in
            // A copy that a person or a list added is older than the first spine that shows it.
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    WITH decided AS (
                        SELECT work FROM reviewHistory JOIN reviewAction ON reviewAction.id = action
                        WHERE judgement IN ('verified', 'corrected', 'matched') AND undoneAt IS NULL)
                    SELECT id, title, subtitle, \(LibrarySchema.seriesText) AS series, authorNames,
                        (SELECT group_concat(isbn, ' ') FROM edition WHERE edition.work = work.id) AS isbns
                    FROM work WHERE reviewStatus <> 'needsReview' AND (reviewStatus = 'userEdited'
                        OR id IN (SELECT work FROM decided) OR id IN (SELECT work FROM importedRow)
                        OR EXISTS (SELECT 1 FROM entry WHERE entry.work = work.id AND NOT EXISTS (
                            SELECT 1 FROM detection WHERE entry = entry.id AND createdAt <= addedAt)))
                    ORDER BY id
                    """)
            let spines = try db.decidedSpines()
            var books: [ConfirmedBook] = []
            while let row = try rows.next() {
                let work: RowID<Work> = row["id"]
                let isbns = (row["isbns"] as String? ?? "").split(separator: " ").compactMap { ISBN(String($0)) }
                books.append(
                    ConfirmedBook(
                        work: work, title: row["title"], subtitle: row["subtitle"], series: row["series"],
                        authors: AuthorNames.list(row["authorNames"]), isbns: isbns, spines: spines[work] ?? []))
            }
            return books
        }
    }

    /// Returns the works of the copies that a photo of a shelf is expected to show, one for each copy; blocks.
    ///
    /// Those are the copies recorded there, and those whose latest photo is of this shelf, without lent and missing copies and wishes.
    ///
    /// - Returns: empty for a shelf that does not exist.
    /// - Throws: `LibraryError`, `StorageError`.
    package func expectedWorks(on shelf: RowID<Shelf>) throws -> [RowID<Work>] {
        try blockingRead { db in
            try RowID.fetchAll(
                db,
                sql: """
                    SELECT work FROM entry WHERE ownership = 'owned' AND missingSince IS NULL AND (shelf IN \(Database.inside(":shelf")) OR id IN (
                        SELECT entry FROM detection JOIN photo ON photo.id = photo
                        WHERE photo.shelf = :shelf AND NOT EXISTS (
                            SELECT 1 FROM detection later WHERE later.entry = detection.entry
                                AND later.id > detection.id)))
                    ORDER BY id
                    """, arguments: ["shelf": shelf])
        }
    }
}

extension Database {
    /// Returns the lines of the spines on whose books a person decided, by work, oldest first.
    fileprivate func decidedSpines() throws -> [RowID<Work>: [[String]]] {
        let rows = try Row.fetchCursor(
            self,
            sql: """
                SELECT DISTINCT entry.work, detection.id, detection.lines
                FROM reviewHistory JOIN reviewAction ON reviewAction.id = action
                    JOIN detection ON detection.id = reviewHistory.detection JOIN entry ON entry.id = entry
                WHERE judgement IN ('verified', 'corrected', 'matched') AND undoneAt IS NULL
                ORDER BY detection.id
                """)
        var spines: [RowID<Work>: [[String]]] = [:]
        while let row = try rows.next() {
            let lines = try JSONDecoder().decode([ReadText].self, from: Data((row["lines"] as String).utf8))
            spines[row["work"], default: []].append(lines.map(\.text))
        }
        return spines
    }

    /// Returns the works that a record of the library describes, those with an unseen copy on the shelf first, without
    /// those that the user called different.
    ///
    /// Their title and authors are those of the record, letter by letter: names with commas or `and` are not read again.
    ///
    /// - Parameter book: empty if none of its matches from the library gave its title and author.
    func works(
        recordOf book: DetectedBook, _ key: BookKey, on shelf: RowID<Shelf>?, except seen: Set<RowID<LibraryEntry>>
    ) throws -> [DuplicateCandidate] {
        guard let record = book.matches.record(title: book.title, author: book.author, isbn: book.isbn),
            record.source == BookRecord.librarySource
        else { return [] }
        let statement = try cachedStatement(
            sql: """
                SELECT id FROM work WHERE titleKey = ? AND title = ? AND subtitle IS ?
                    AND replace(authorNames, char(31), ', ') = ? ORDER BY id
                """)
        let works = try RowID<Work>.fetchAll(
            statement,
            arguments: [BookKey.titleKey(record.title), record.title, record.subtitle, record.author ?? ""]
        ).filter { try decision(key: key.text, work: $0) != .different }
        let expected = try works.filter { work in
            try shelf.map { try copy(ofWork: work, standingOn: $0, except: seen) != nil } ?? false
        }
        return (expected + works.filter { !expected.contains($0) })
            .map { DuplicateCandidate(work: $0, kind: .titleAndAuthor, isIdentical: true) }
    }
}

extension [DuplicateCandidate] {
    func without(_ others: [DuplicateCandidate]) -> [DuplicateCandidate] {
        filter { candidate in !others.contains { $0.work == candidate.work } }
    }
}
