import Bibliography
package import GRDB
import ShelflistAPI

extension LibraryStore {
    /// Brings the books of an imported photo up to date with a later identification, as a part of a transaction.
    ///
    /// Changes only books that wait for review, or were verified automatically, and that no person has touched since
    /// the import. Each change is in the history and can be undone. Repeating an update changes nothing.
    ///
    /// - Parameters:
    ///   - scan: all books of the photo, named as imported. Its shelf is not used: books stay on the photo's.
    ///   - wanted: the names of the books that are imported if they are new.
    ///   - threshold: 0.40...0.90; `nil` uses the setting.
    /// - Throws: `LibraryError.invalid`, `StorageError`; nothing is written then.
    package func update(
        _ scan: ScanImport, importing wanted: Set<String>, threshold: Double? = nil, in db: Database
    ) throws {
        for book in scan.books { try book.check() }
        let threshold = try db.reviewThreshold(threshold)
        try change(db) {
            guard
                let photo = try RowID<Photo>.fetchOne(
                    db, sql: "SELECT photo FROM scanPhoto WHERE job = ? AND position = ?",
                    arguments: [scan.job, scan.position])
            else { return }
            let updating = ScanUpdating(db: db, job: scan.job, photo: photo, threshold: threshold)
            try updating.withdraw(except: Set(scan.books.map(\.id)))
            var scan = scan
            scan.stored = nil
            scan.shelf = try db.shelf(ofPhoto: photo)
            // A photo that was taken off its shelf since stays so.
            if scan.shelf == nil { scan.labels = [] }
            scan.signs = []
            if let lines = scan.looseLines { try db.setLooseLines(lines, of: photo) }
            var importing = try ScanImporting(db: db, scan: scan, threshold: threshold, duplicates: nil)
            for book in scan.books {
                let isWanted = wanted.contains(book.id) && scan.edits[book.id]?.isRejected != true
                try updating.update(to: book, scan.edits[book.id], &importing, isWanted: isWanted)
            }
        }
    }
}

/// The update of one photo, inside its transaction.
private struct ScanUpdating {
    let db: Database
    let job: String
    let photo: RowID<Photo>
    let threshold: Double

    /// A detection whose copy no person has touched.
    private struct Untouched {
        var detection: Detection
        var entry: LibraryEntry
        var work: Work
        /// Whether the copy is shown by this detection only.
        var isAlone: Bool
    }

    // MARK: Books that are gone

    /// Removes the unverified books that are not in the photo any more.
    func withdraw(except names: Set<String>) throws {
        let gone = try db.detections("job = ? AND photo = ? AND outcome = 'entry' ORDER BY id", [job, photo])
            .filter { !names.contains($0.book) }
        for detection in gone {
            guard let book = try untouched(detection), book.isAlone, book.work.reviewStatus == .needsReview else {
                continue
            }
            let action = try db.beginAction(.identify)
            try db.note(.withdrawn, book.entry.id, before: try db.book(ofEntry: book.entry.id), after: nil, action)
            try db.deleteEntry(book.entry.id, ofWork: book.work.id, detections: .removed)
            try db.finish(action)
        }
    }

    // MARK: Books that are identified otherwise

    func update(
        to book: DetectedBook, _ edit: ScanBookEdit?, _ importing: inout ScanImporting, isWanted: Bool
    ) throws {
        let known = try db.detections("job = ? AND photo = ? AND book = ?", [job, photo, book.id]).first
        guard let known else {
            guard isWanted else { return }
            let action = try db.beginAction(.addScan)
            _ = try importing.take(book, edit, action)
            return try db.finish(action)
        }
        guard known.outcome == .entry, let current = try untouched(known) else { return }
        var new = known
        try new.read(Detection(book, job: job, photo: photo))
        guard new != known else { return }
        let isUnsure = new.readTitle == nil || book.status(threshold: threshold) == .needsReview
        let before = try db.book(ofEntry: current.entry.id)
        let details = try new.details()
        let wasUnsure = current.work.reviewStatus == .needsReview
        let isSameName = details.title == before.title && details.authors.map(\.name) == before.authors.map(\.name)
        if isUnsure == wasUnsure, isSameName, details.isbn == nil || details.isbn == before.isbn {
            // The book is the same to a person; only confidence, place or matches differ.
            return try db.replace(known.id, with: new)
        }

        let key = BookKey(details)
        let candidates = try db.duplicates(of: details, key: key, except: current.work.id)
        let sure = current.isAlone ? candidates.first { $0.kind.isSure } : nil
        let treatment = try sure.map { try importing.treatment(of: $0, key, isUnsure: isUnsure) } ?? .add
        let action = try db.beginAction(wasUnsure && treatment.keepsCopy ? .lookUp : .identify)
        try db.note(.identified, current.entry.id, before: before, after: details, source: book.source, action)
        try db.replace(known.id, with: new)
        let isMerged = try sure.map { try merge(current, into: $0, treatment, key) } ?? false
        if !isMerged {
            try rewrite(current, as: details, before: before, isUnsure: isUnsure)
            // Questions about the former name do not hold any more.
            try db.execute("DELETE FROM duplicateQuestion WHERE entry = ?", [current.entry.id])
            for candidate in try importing.offers(candidates, for: new, key, except: current.work.id) {
                try db.ask(copy: current.entry.id, candidate, key: key)
            }
        }
        try db.finish(action)
        if case .existing(let entry, _) = treatment { importing.show(entry) }
    }

    /// Applies the import's rules for duplicates to a copy.
    ///
    /// - Returns: false if the book stays a work of its own.
    private func merge(
        _ book: Untouched, into sure: DuplicateCandidate, _ treatment: ScanImporting.DuplicateTreatment, _ key: BookKey
    ) throws -> Bool {
        let (entry, work) = (book.entry.id, book.work.id)
        switch treatment {
        case .add: return false
        case .skip: try db.deleteEntry(entry, ofWork: work, detections: .skipped)
        case .existing(let copy, _):
            try db.execute("UPDATE detection SET entry = ? WHERE entry = ?", [copy, entry])
            try db.fulfil(copy, with: book.entry.details)
            try db.deleteEntry(entry, ofWork: work, detections: .removed)
            try db.touch(work: sure.work)
        case .addCopy: try db.move(entry: entry, fromWork: work, toWork: sure.work)
        case .ask:
            try db.deleteEntry(entry, ofWork: work, detections: .pending)
            try db.ask(about: book.detection.id, sure, key: key)
        }
        return true
    }

    /// Gives a book another title, author or edition, or another status.
    private func rewrite(_ book: Untouched, as details: BookDetails, before: BookDetails, isUnsure: Bool) throws {
        var after = details
        if BookKey(after).agreement(with: BookKey(before)) == .same {
            let isSameEdition = after.isbn == nil || before.isbn == nil || after.isbn == before.isbn
            after.fillGaps(from: before, sameEdition: isSameEdition)
        }
        try db.updateWork(book.work.id, after, status: isUnsure ? .needsReview : .verified)
        let edition = try db.edition(ofWork: book.work.id, after, current: book.entry.edition)
        try db.dropCover(ofEdition: edition, before: before, after: after)
        try db.execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, book.entry.id])
        try db.execute(
            "UPDATE detection SET automaticRevision = (SELECT revision FROM work WHERE id = ?) WHERE id = ?",
            [book.work.id, book.detection.id])
    }

    // MARK: What a person has touched

    /// Returns the copy of a detection, if no person has touched it since the import.
    ///
    /// Actions of review and edits raise the revision of the work or of the copy. Reports on a reading and answers to
    /// questions do not, and are looked up.
    private func untouched(_ detection: Detection) throws -> Untouched? {
        guard let id = detection.entry else { return nil }
        let entry = try db.entry(id)
        let work = try db.work(entry.work)
        let automatic = try Int.fetchOne(
            db, sql: "SELECT automaticRevision FROM detection WHERE id = ?", arguments: [detection.id])
        guard entry.revision == 1, work.revision == automatic ?? 1,
            work.reviewStatus == .needsReview || automatic != nil, try db.copies(ofWork: work.id) == [id],
            try !hasAnswer(about: detection)
        else { return nil }
        let shown = try db.detections("entry = ?", [id])
        return Untouched(detection: detection, entry: entry, work: work, isAlone: shown.count == 1)
    }

    private func hasAnswer(about detection: Detection) throws -> Bool {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT EXISTS (SELECT 1 FROM feedback WHERE detection = d.id OR (job = d.job AND book = d.book))
                    OR EXISTS (SELECT 1 FROM duplicateDecision
                        WHERE bookKey = d.bookKey AND decidedAt >= d.createdAt)
                FROM detection d WHERE d.id = ?
                """, arguments: [detection.id]) ?? true
    }
}

extension ScanImporting.DuplicateTreatment {
    /// Whether a copy that is in the library stays there.
    fileprivate var keepsCopy: Bool {
        switch self {
        case .add, .addCopy: true
        case .skip, .existing, .ask: false
        }
    }
}

extension Detection {
    /// Takes over what was read.
    fileprivate mutating func read(_ other: Detection) {
        (boundingBox, quad, text) = (other.boundingBox, other.quad, other.text)
        (readTitle, readAuthor, readISBN) = (other.readTitle, other.readAuthor, other.readISBN)
        (confidence, checked, matches) = (other.confidence, other.checked, other.matches)
    }
}
