package import Bibliography
import Concurrency
package import struct Bibliography.Record  // GRDB has a Record of its own
package import Foundation
import GRDB
package import ShelflistAPI

/// Looks up a book of a list.
///
/// An error means that no source was available; the row is imported as it is.
package typealias BookEnricher = @Sendable (BookDetails) async throws -> BookAnswer

/// The result of looking up a book of a list.
package enum BookAnswer: Hashable, Sendable {
    case found(Record)
    /// No source has the book; the reason is shown in the review queue.
    case unknown(reason: String = "No catalog knows a book of this title and author.")
}

/// The result of importing a list.
package struct ListImportReport: Hashable, Codable, Sendable {
    package var format: BookListFormat
    /// Rows that are books in the library now, from this import or an earlier one.
    package var added = 0
    /// Rows that a catalog matched.
    package var enriched = 0
    /// Rows that no catalog matched; they are in the review queue.
    package var failedEnrichments = 0
    /// Rows skipped because the library has the book already.
    package var duplicates = 0
    /// Rows that an earlier import of the same file imported.
    package var alreadyImported = 0
    /// Rows for which no catalog was available.
    package var notAsked = 0
    /// Rows that were skipped, with the reason; the first `FailedRow.limit` are in the review queue.
    package var problems: [RowProblem] = []
}

extension LibraryStore {
    /// The number of rows per transaction.
    static let rowsAtOnce = 50

    /// Imports a list: Shelflist's own CSV, an export of Goodreads, LibraryThing or StoryGraph, or any CSV with
    /// titles.
    ///
    /// Encoding, delimiter and kind are detected. An invalid row is reported with its line and skipped. Books with
    /// nearly the same title as a book in the library become duplicate questions. Each transaction imports several
    /// rows and records their lines, so that an interrupted import continues where it stopped when it is repeated.
    ///
    /// - Parameters:
    ///   - name: the name of the file, for messages.
    ///   - duplicates: what to do with books that are in the library; `nil` adds them and asks.
    ///   - enrich: looks up rows, several concurrently. Values of the list are kept and gaps are filled. Rows of
    ///     Shelflist's own lists are not looked up, so that they are restored unchanged.
    ///   - mapping: the fields of columns by name, where they differ from those in `BookListPreview`; `nil` ignores
    ///     the column.
    ///   - shelf: the shelf of the books, which overrides the list.
    ///   - onCover: receives the cover address of a book that was found, once the book is in the library.
    ///   - progress: receives the number of rows done, their total number, and the report so far.
    /// - Throws: `CSVError`, `LibraryError`, `CancellationError` between transactions.
    package func importBooks(
        _ file: [UInt8], name: String, duplicates: DuplicateDecision? = .skip,
        mapping: [String: BookListField?] = [:], shelf: RowID<Shelf>? = nil, enrich: BookEnricher? = nil,
        onCover: @Sendable (RowID<LibraryEntry>, URL) async -> Void = { _, _ in },
        progress: @Sendable (Int, Int, ListImportReport) -> Void = { _, _, _ in }
    ) async throws -> ListImportReport {
        let list = try BookList(file, mapping: mapping)
        let hash = Self.identity(of: file, mapping)
        let name = CleanText.withoutControls(String(name.suffix(200)))
        let done = Set(
            try await read {
                try Int.fetchAll($0, sql: "SELECT line FROM importedRow WHERE file = ?", arguments: [hash])
            })
        try await keep(list.problems, ofFile: hash, named: name)
        var report = ListImportReport(format: list.format, problems: list.problems)
        report.alreadyImported = list.rows.count { done.contains($0.line) }
        let rows = list.rows.filter { !done.contains($0.line) }
        // Shelflist's own lists are complete, and the user's decisions in them are kept.
        let enrich = list.format == .shelflist ? nil : enrich
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
                    report: sofar)
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
    package static func undoToken(ofList file: [UInt8], mapping: [String: BookListField?] = [:]) -> UndoToken {
        UndoToken(rawValue: "list-\(identity(of: file, mapping).prefix(32))")
    }

    /// Identifies a file together with its mapping, because another mapping makes other books of its rows.
    private static func identity(of file: [UInt8], _ mapping: [String: BookListField?]) -> String {
        let words = mapping.map { "\n\($0.key)=\($0.value?.rawValue ?? "")" }.sorted()
        return LibraryStore.fingerprint(words.isEmpty ? file : file + words.flatMap(\.utf8))
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
    var report: ListImportReport
    /// The cover addresses of the new entries.
    var covers: [(RowID<LibraryEntry>, URL)] = []

    mutating func take(_ row: BookListRow, _ answer: LibraryStore.Answer) throws {
        var book = row.book
        var failure: String?
        var cover: URL?
        switch answer {
        case .success(.found(let found)):
            book = try book.filled(from: found)
            cover = found.coverURL
            report.enriched += 1
        case .success(.unknown(let reason)): failure = reason
        case .failure: report.notAsked += 1
        case nil: break
        }
        var entry = row.entry
        entry.shelf = try shelf ?? row.shelf.map { try db.shelf(named: $0) }
        try db.execute("INSERT INTO importedRow (file, line) VALUES (?, ?)", [file, row.line])
        if let copyOf = try workOfSameList(row) {
            _ = try db.insertEntry(ofWork: copyOf, book, entry, addedAt: row.addedAt)
            report.added += 1
            return
        }
        let key = BookKey(book)
        let candidates = try db.duplicates(of: book, key: key, except: nil).filter {
            // A list of ours names its works: rows with different names are different books.
            try row.work == nil || !isOfSameList($0.work)
        }
        let known = candidates.first { $0.kind.isSure }
        if let known {
            let decision = try db.decision(key: key.text, work: known.work) ?? duplicates
            switch decision {
            case .skip, .existing:
                report.duplicates += 1
                return
            case .addCopy:
                _ = try db.insertEntry(ofWork: known.work, book, entry, addedAt: row.addedAt)
                try db.touch(work: known.work)
                report.added += 1
                return
            case .different, nil: break
            }
        }
        let status = failure == nil ? row.reviewStatus ?? .verified : .needsReview
        let work = try db.insertWork(book, status: status)
        let id = try db.insertEntry(ofWork: work, book, entry, addedAt: row.addedAt)
        if let cover { covers.append((id, cover)) }
        if let failure {
            try db.execute(
                "INSERT INTO failedEnrichment (entry, file, line, reason) VALUES (?, ?, ?, ?)",
                [id, name, row.line, failure])
            report.failedEnrichments += 1
        }
        try db.ask(whether: id, isOneOf: candidates, key: key, near: near)
        if let name = row.work {
            try db.execute(
                """
                INSERT INTO importedWork (file, name, work) VALUES (?, ?, ?)
                ON CONFLICT (file, name) DO UPDATE SET work = excluded.work
                """, [file, name, work])
        }
        report.added += 1
    }

    /// Returns the work of an earlier row of this list, if the list marks both rows as copies of one work.
    private func workOfSameList(_ row: BookListRow) throws -> RowID<Work>? {
        guard let name = row.work else { return nil }
        return try RowID.fetchOne(
            db, sql: "SELECT work FROM importedWork JOIN work ON work.id = work WHERE file = ? AND name = ?",
            arguments: [file, name])
    }

    private func isOfSameList(_ work: RowID<Work>) throws -> Bool {
        try Int.fetchOne(
            db, sql: "SELECT 1 FROM importedWork WHERE file = ? AND work = ?", arguments: [file, work]) != nil
    }
}

extension BookDetails {
    /// Returns this description with its gaps filled from a record of the same book.
    ///
    /// - Throws: `LibraryError.invalid` for a record that cannot be stored.
    func filled(from record: Record) throws -> BookDetails {
        let other = BookDetails(record)
        var book = self
        book.fillGaps(from: other, sameEdition: isbn == nil || isbn == other.isbn)
        return try book.cleaned()
    }
}
