package import Bibliography
import Bounds
import Concurrency
package import DelimitedText
package import Foundation
import GRDB
package import ShelflistAPI

/// Looks up a book of a list.
///
/// An error means that no source was available; the row is imported as it is.
package typealias BookEnricher = @Sendable (BookDetails) async throws -> BookAnswer

/// The result of looking up a book of a list.
package enum BookAnswer: Hashable, Sendable {
    case found(BookRecord)
    /// No source has the book.
    case unknown
}

/// The result of importing a list.
package struct ListImportReport: Hashable, Codable, Sendable {
    package var format: BookListFormat
    /// Rows that are books in the library now, from this import or an earlier one.
    package var added = 0
    /// Rows that changed a copy, which has their barcode now.
    package var changed = 0
    /// Rows that a catalog matched.
    package var enriched = 0
    /// Rows that no catalog matched; the library has them as the list describes them.
    package var notFound = 0
    /// Rows that were not added because the library has the book, with the reason; importing the list again with
    /// another decision adds them.
    package var duplicates: [ListImport.FailedRow] = []
    /// Rows that an earlier import of the same file imported.
    package var alreadyImported = 0
    /// Rows for which no catalog was available.
    package var notAsked = 0
    /// Rows that were added without a value that could not be read.
    package var incomplete: [ListImport.FailedRow] = []
    /// Columns with content that nothing was read from.
    package var unusedColumns: [String] = []
    package var encoding = TextEncoding.utf8
    /// Another encoding that is almost as plausible.
    package var otherEncoding: TextEncoding?
    /// Rows that were skipped, with the reason; the first `FailedRow.limit` are in the review queue.
    package var problems: [ListImport.FailedRow] = []
}

extension LibraryStore {
    /// The number of rows per transaction.
    static let rowsAtOnce = 50

    /// Imports a list: Shelflist's own CSV, an export of Goodreads, LibraryThing or StoryGraph, or any CSV with
    /// titles.
    ///
    /// Encoding, delimiter and kind are detected. An invalid row is reported with its line and skipped. A row is a
    /// duplicate only if nothing distinguishes it from a book of the library, or from an earlier row; books that may be the same
    /// are added and become duplicate questions. Rows of one list are different books unless they are equal.
    ///
    /// A row with the barcode of a copy changes that copy. One with a new barcode is a copy of its own, or the copy of the
    /// same book that has no barcode.
    ///
    /// The user's list is right: its books are verified, whether a catalog has them or not.
    ///
    /// Each transaction imports several rows and records their lines, so that an interrupted import continues where it
    /// stopped when it is repeated. Rows that were not added are not recorded.
    ///
    /// - Parameters:
    ///   - name: the name of the file, for messages.
    ///   - duplicates: what to do with books that are in the library; `different` adds them as books of their own, `nil`
    ///     adds them and asks.
    ///   - enrich: looks up rows, several concurrently. Values of the list are kept and gaps are filled. Rows of
    ///     Shelflist's own lists are not looked up, so that they are restored unchanged.
    ///   - mapping: the fields of columns by name, where they differ from those in `BookListPreview`; `nil` ignores
    ///     the column.
    ///   - encoding: that of the file, instead of the detected one.
    ///   - shelf: the shelf of the books, which overrides the list.
    ///   - onCover: receives the cover address of a book that was found, once the book is in the library.
    ///   - progress: receives the number of rows done, their total number, and the report so far.
    /// - Throws: `CSVError`, `LibraryError`, `CancellationError` while the list is read and between transactions.
    package func importBooks(
        _ file: [UInt8], name: String, duplicates: DuplicateDecision? = .skip,
        mapping: [String: BookListField?] = [:], encoding: TextEncoding? = nil, shelf: RowID<Shelf>? = nil,
        enrich: BookEnricher? = nil,
        onCover: @Sendable (RowID<LibraryEntry>, URL) async -> Void = { _, _ in },
        progress: @Sendable (Int, Int, ListImportReport) -> Void = { _, _, _ in }
    ) async throws -> ListImportReport {
        let list = try await BlockingExecutor.lists.run {
            try BookList(file, mapping: mapping, encoding: encoding)
        }
        let hash = Self.identity(of: file, mapping, encoding)
        let name = CleanText.oneLine(String(name.suffix(200)))
        let done = Set(
            try await read {
                try Int.fetchAll($0, sql: "SELECT line FROM importedRow WHERE file = ?", arguments: [hash])
            })
        try await keep(list.problems, ofFile: hash, named: name)
        var report = ListImportReport(format: list.format, problems: list.problems)
        report.unusedColumns = list.unusedColumns
        (report.encoding, report.otherEncoding) = (list.encoding, list.otherEncoding)
        report.alreadyImported = list.rows.count { done.contains($0.line) }
        let rows = list.rows.filter { !done.contains($0.line) }
        // Shelflist's own lists are complete, and the user's decisions in them are kept.
        let enrich = list.format == .shelflist ? nil : enrich
        let repeats = Self.repeats(in: list.rows)
        // Only works that existed before are compared: similar rows of one list are not duplicates of each other.
        let near = try await read { try SimilarTitles($0) }
        for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
            try Task.checkCancellation()
            let batch = Array(rows[start..<min(start + Self.rowsAtOnce, rows.count)])
            let looked = try await Self.lookUp(batch, enrich)
            let sofar = report
            let covers: [(RowID<LibraryEntry>, URL)]
            (report, covers) = try await write { db in
                var importing = ListImporting(
                    db: db, file: hash, name: name, duplicates: duplicates, shelf: shelf, near: near,
                    repeats: repeats, report: sofar)
                let action = try db.beginAction(.addList)
                for (row, answer) in zip(batch, looked) { try importing.take(row, answer) }
                try db.finish(action)
                return (importing.report, importing.covers)
            }
            for (entry, url) in covers { await onCover(entry, url) }
            progress(start + batch.count, rows.count, report)
        }
        return report
    }

    /// Returns a token for the import of a list, which is the same when an interrupted import is continued.
    package static func undoToken(
        ofList file: [UInt8], mapping: [String: BookListField?] = [:], encoding: TextEncoding? = nil
    ) -> UndoToken {
        UndoToken(rawValue: "list-\(identity(of: file, mapping, encoding).prefix(32))")
    }

    /// Identifies a file together with its mapping and encoding, because others make other books of its rows.
    private static func identity(
        of file: [UInt8], _ mapping: [String: BookListField?], _ encoding: TextEncoding?
    ) -> String {
        var words = mapping.map { "\n\($0.key)=\($0.value?.rawValue ?? "")" }.sorted()
        if let encoding { words.append("\n\(encoding.rawValue)") }
        return LibraryStore.fingerprint(words.isEmpty ? file : file + words.flatMap(\.utf8))
    }

    /// Returns the lines of rows that are equal to an earlier row, with its line.
    ///
    /// Lists of ours name their works instead.
    private static func repeats(in rows: [BookListRow]) -> [Int: Int] {
        var first: [BookDetails: Int] = [:]
        var repeats: [Int: Int] = [:]
        for row in rows where row.work == nil {
            if let line = first[row.book] { repeats[row.line] = line } else { first[row.book] = row.line }
        }
        return repeats
    }

    /// A failure if no source was available; `nil` without a catalog.
    fileprivate typealias Answer = Result<BookAnswer, any Error>?

    /// Returns the answers in the order of the rows.
    private static func lookUp(_ rows: [BookListRow], _ enrich: BookEnricher?) async throws -> [Answer] {
        guard let enrich else { return rows.map { _ in nil } }
        return try await rows.map(maxConcurrent: 8) { row in
            do {
                return .success(try await enrich(row.book))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// The import of some rows, inside their transaction.
private struct ListImporting {
    let db: Database
    let file: String
    let name: String
    let duplicates: DuplicateDecision?
    let shelf: RowID<Shelf>?
    let near: SimilarTitles
    let repeats: [Int: Int]
    var report: ListImportReport
    var room = ShelfRoom()
    /// The cover addresses of the new entries.
    var covers: [(RowID<LibraryEntry>, URL)] = []

    mutating func take(_ row: BookListRow, _ answer: LibraryStore.Answer) throws {
        var book = row.book
        var cover: URL?
        switch answer {
        case .success(.found(let found)):
            book = try book.filled(from: found)
            cover = found.coverURL
            report.enriched += 1
        case .success(.unknown): report.notFound += 1
        case .failure: report.notAsked += 1
        case nil: break
        }
        var entry = row.entry
        entry.shelf = try shelf ?? row.shelf.map { try db.shelf(at: PlacePath($0), room: &room).id }
        if let barcode = entry.barcode, let copy = try db.copy(barcode: barcode) {
            return try change(copy, to: entry, row)
        }
        if let copyOf = try workOfSameList(row) {
            _ = try db.insertEntry(ofWork: copyOf, book, entry, from: .list, addedAt: row.addedAt)
            return try record(row, as: copyOf)
        }
        let key = BookKey(book)
        // What a catalog added does not make the row another book.
        var candidates = try db.duplicates(of: row.book, key: key, except: nil)
        if repeats[row.line] == nil { candidates = try candidates.filter { try !isOfThisList($0.work) } }
        let decided = try candidates.first { try $0.kind.isSure && db.decision(key: key.text, work: $0.work) != nil }
        if let known = decided ?? candidates.first(where: \.isIdentical) {
            if entry.ownership != .wishlist, let wish = try db.wish(ofWork: known.work) {
                try db.fulfil(wish, with: entry, book)
                return try record(row, as: known.work)
            }
            if entry.barcode != nil, let copy = try db.copyWithoutBarcode(ofWork: known.work, near: entry.shelf) {
                return try change(copy, to: entry, row)
            }
            let remembered = try db.decision(key: key.text, work: known.work)
            switch entry.barcode == nil ? remembered ?? duplicates : .addCopy {
            case .skip, .existing:
                return try skip(row, because: known)
            case .addCopy:
                _ = try db.insertEntry(ofWork: known.work, book, entry, from: .list, addedAt: row.addedAt)
                try db.touch(work: known.work)
                return try record(row, as: known.work)
            case .different:
                for candidate in candidates { try db.remember(.different, key: key.text, work: candidate.work) }
                candidates = []
            case nil: break
            }
        }
        let work = try db.insertWork(book, status: row.reviewStatus ?? .verified)
        let id = try db.insertEntry(ofWork: work, book, entry, from: .list, addedAt: row.addedAt)
        for _ in Range(from: 1, upTo: row.copies) {
            entry.barcode = nil
            _ = try db.insertEntry(ofWork: work, book, entry, from: .list, addedAt: row.addedAt)
        }
        if let cover { covers.append((id, cover)) }
        try db.ask(whether: id, isOneOf: candidates, key: key, near: near)
        if let name = row.work {
            try db.execute(
                """
                INSERT INTO importedWork (file, name, work) VALUES (?, ?, ?)
                ON CONFLICT (file, name) DO UPDATE SET work = excluded.work
                """, [file, name, work])
        }
        try record(row, as: work)
    }

    /// Changes a copy to what the list says of it; what the list does not say stays.
    private mutating func change(_ id: RowID<LibraryEntry>, to list: EntryDetails, _ row: BookListRow) throws {
        let copy = try db.entry(id)
        var details = copy.details
        details.takeOver(list)
        if details != copy.details { try db.update(copy, to: details) }
        try record(row, as: copy.work, isNew: false)
    }

    private mutating func record(_ row: BookListRow, as work: RowID<Work>, isNew: Bool = true) throws {
        try db.execute("INSERT INTO importedRow (file, line, work) VALUES (?, ?, ?)", [file, row.line, work])
        if isNew { report.added += 1 } else { report.changed += 1 }
        guard !row.unread.isEmpty else { return }
        report.incomplete.append(
            ListImport.FailedRow(
                line: row.line, reason: "It was kept without \(row.unread.joined(separator: ", ")).",
                beginning: row.book.title))
    }

    private mutating func skip(_ row: BookListRow, because known: DuplicateCandidate) throws {
        let reason: String
        if let line = repeats[row.line] {
            reason = "It is the same as line \(line)."
        } else {
            let work = try db.work(known.work)
            let authors = work.authors.isEmpty ? "" : " by \(work.authors.map(\.name).joined(separator: ", "))"
            reason = "The library has it: “\(work.title)”\(authors)."
        }
        let content = ([row.book.title] + [row.book.authorLine].compactMap(\.self)).joined(separator: ", ")
        report.duplicates.append(
            ListImport.FailedRow(line: row.line, reason: reason, beginning: content))
    }

    /// Returns the work of an earlier row of this list, if the list marks both rows as copies of one work.
    private func workOfSameList(_ row: BookListRow) throws -> RowID<Work>? {
        guard let name = row.work else { return nil }
        return try RowID.fetchOne(
            db, sql: "SELECT work FROM importedWork JOIN work ON work.id = work WHERE file = ? AND name = ?",
            arguments: [file, name])
    }

    private func isOfThisList(_ work: RowID<Work>) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM importedRow WHERE work = ? AND file = ?")
        return try Int.fetchOne(statement, arguments: [work, file]) != nil
    }
}

extension Database {
    /// Returns a copy without a barcode, if possible on this shelf; nil if there is none.
    fileprivate func copyWithoutBarcode(
        ofWork work: RowID<Work>, near shelf: RowID<Shelf>?
    ) throws -> RowID<LibraryEntry>? {
        try RowID.fetchOne(
            self,
            sql: """
                SELECT id FROM entry WHERE work = ? AND barcode IS NULL AND ownership <> 'wishlist'
                ORDER BY shelf IS NOT ?, id LIMIT 1
                """, arguments: [work, shelf])
    }
}

extension EntryDetails {
    /// Replaces what a list gives.
    ///
    /// Lists do not say that a copy is owned, so a loan ends only by hand.
    fileprivate mutating func takeOver(_ list: EntryDetails) {
        if list.ownership == .lent {
            (ownership, lentTo) = (.lent, list.lentTo ?? lentTo)
            (lentOn, dueOn) = (list.lentOn ?? lentOn, list.dueOn ?? dueOn)
        }
        reading = list.reading ?? reading
        rating = list.rating ?? rating
        startedOn = list.startedOn ?? startedOn
        finishedOn = list.finishedOn ?? finishedOn
        notes = list.notes ?? notes
        callNumber = list.callNumber ?? callNumber
        if !list.tags.isEmpty { tags = list.tags }
        shelf = list.shelf ?? shelf
        missingSince = list.missingSince ?? missingSince
        barcode = list.barcode ?? barcode
        condition = list.condition ?? condition
        paid = list.paid ?? paid
        worth = list.worth ?? worth
        valuedOn = list.valuedOn ?? valuedOn
        acquiredOn = list.acquiredOn ?? acquiredOn
        acquiredFrom = list.acquiredFrom ?? acquiredFrom
    }
}

extension BookDetails {
    /// Returns this description with its gaps filled from a record of the same book.
    ///
    /// - Throws: `LibraryError.invalid` for a record that cannot be stored.
    func filled(from record: BookRecord) throws -> BookDetails {
        let other = BookDetails(record)
        var book = self
        book.fillGaps(from: other, sameEdition: isbn == nil || isbn == other.isbn)
        return try book.cleaned()
    }
}
