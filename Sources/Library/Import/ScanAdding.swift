package import Bibliography
package import Foundation
package import GRDB
package import ShelflistAPI

/// What became of a book that a person chose to add from a scan.
package struct AddedScanBook: Hashable, Sendable {
    /// The name of the photo as a scan, and of the book in it.
    package var scan: String
    package var book: String
    package var detection: RowID<Detection>?
    /// The question that has to be answered before the book is added.
    package var question: DuplicateQuestion?
    /// The copy; nil for a book that was skipped or waits for an answer.
    package var entry: RowID<LibraryEntry>?
    /// The status of the copy's work.
    package var reviewStatus: ReviewStatus?
    /// The address of a cover that the copy lacks.
    package var cover: URL?
}

extension LibraryStore {
    /// Adds the books of some photos as `importScan` does, and what is known of them, as a part of a transaction.
    ///
    /// - Parameters:
    ///   - threshold: 0.40...0.90; `nil` uses the setting.
    ///   - duplicates: the decision for all duplicates, also for questions from an earlier import; `nil` asks.
    /// - Returns: the books in the order of `scans`, without those that the user rejected.
    /// - Throws: `LibraryError.invalid`, `.diskFull`; nothing is written then.
    package func add(
        _ scans: [ScanImport], threshold: Double? = nil, duplicates: DuplicateDecision? = nil, in db: Database
    ) throws -> [AddedScanBook] {
        let threshold = try db.reviewThreshold(threshold)
        return try change(db) {
            try scans.flatMap { scan in
                let report = try db.importScan(scan, threshold: threshold, duplicates: duplicates)
                let covers = try db.complete(report.books, of: scan, isUndoable: undoToken != nil)
                let questions = try db.openQuestions(about: report.books, answering: duplicates)
                return try report.books.map { book in
                    var added = AddedScanBook(scan: scan.job, book: book.id, detection: book.detection)
                    added.question = questions.first { $0.detection != nil && $0.detection == book.detection }
                    if added.question == nil {
                        added.entry = try book.entry ?? book.detection.flatMap { try db.detection($0).entry }
                        added.reviewStatus = try added.entry.map { try db.work(try db.entry($0).work).reviewStatus }
                        added.cover = covers[book.id]
                    }
                    return added
                }
            }
        }
    }
}

extension Database {
    /// Fills the gaps of books that a scan added from the records that were found before.
    ///
    /// - Parameter isUndoable: whether it is undone with the addition, also in copies that the library had before.
    /// - Returns: the addresses of covers that the copies lack, by book.
    fileprivate func complete(
        _ books: [ImportedBook], of scan: ScanImport, isUndoable: Bool
    ) throws -> [String: URL] {
        let action = isUndoable ? try beginAction(.enrich) : nil
        var covers: [String: URL] = [:]
        for book in books {
            guard let entry = book.entry, let record = scan.records[book.id] else { continue }
            do {
                covers[book.id] = try enrich(entry, with: record)
            } catch LibraryError.invalid {
                // A source's record that cannot be stored does not keep the book out of the library.
            }
        }
        if let action { try finish(action) }
        return covers
    }

    /// Returns the questions about books that are open after `decision` was applied to them.
    fileprivate func openQuestions(
        about books: [ImportedBook], answering decision: DuplicateDecision?
    ) throws -> [DuplicateQuestion] {
        let detections = books.compactMap(\.detection).jsonArray()
        let condition = "q.detection IN (SELECT value FROM json_each(:detections))"
        let questions = try questions(condition, ["detections": detections])
        guard let decision, !questions.isEmpty else { return questions }
        try answer(questions, decision)
        return try self.questions(condition, ["detections": detections])
    }
}
