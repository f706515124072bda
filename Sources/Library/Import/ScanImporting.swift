import Bibliography
package import GRDB
import Imaging
package import ShelflistAPI

extension LibraryStore {
    /// Imports the books of one photo and records the activity, in one transaction.
    ///
    /// Books below the threshold and books that were not checked go to the review queue; the others are verified. A duplicate is handled by a
    /// remembered decision, otherwise by `duplicates`, and otherwise becomes a question. Importing the same photo of
    /// the same scan again adds nothing.
    ///
    /// A book that the user edited is added as edited; one that the user rejected is not added.
    ///
    /// - Parameters:
    ///   - threshold: 0.40...0.90; `nil` uses the setting.
    ///   - duplicates: the decision for all duplicates; `nil` asks.
    /// - Throws: `LibraryError.invalid`, `StorageError`; nothing is written then.
    package func importScan(
        _ scan: ScanImport, threshold: Double? = nil, duplicates: DuplicateDecision? = nil
    ) async throws -> ScanImportReport {
        try await writeUnseen { try importScan(scan, threshold: threshold, duplicates: duplicates, in: $0) }
    }

    /// Imports the books of one photo as a part of a transaction.
    package func importScan(
        _ scan: ScanImport, threshold: Double? = nil, duplicates: DuplicateDecision? = nil, in db: Database
    ) throws -> ScanImportReport {
        try change(db) {
            try db.importScan(scan, threshold: db.reviewThreshold(threshold), duplicates: duplicates)
        }
    }
}

extension Database {
    func importScan(
        _ scan: ScanImport, threshold: Double, duplicates: DuplicateDecision?
    ) throws -> ScanImportReport {
        for book in scan.books { try book.check() }
        let action = try beginAction(.addScan)
        var importing = try ScanImporting(db: self, scan: scan, threshold: threshold, duplicates: duplicates)
        let wanted = scan.books.filter { scan.edits[$0.id]?.isRejected != true }
        let report = ScanImportReport(books: try wanted.map { try importing.take($0, scan.edits[$0.id], action) })
        for spine in scan.repeated { try importing.note(spine) }
        try ask(importing.labelled.questions, about: report, photo: importing.photo)
        if let lines = scan.looseLines { try setLooseLines(lines, of: importing.photo) }
        if importing.isNew || report.addsBooks {
            try record(
                .bookshelfScanCompleted(
                    photos: 1, books: report.books.count, needsReview: report.count(.needsReview)))
        }
        try finish(action)
        return report
    }
}

extension ScanImportReport {
    fileprivate var addsBooks: Bool { books.contains { ![.alreadyImported, .rejectedBefore].contains($0.outcome) } }
}

/// The import of one photo, inside its transaction.
struct ScanImporting {
    private let db: Database
    private let job: String
    /// The shelf that was chosen for the photo, and that of the book in progress.
    private let chosen: RowID<Shelf>?
    private var shelf: RowID<Shelf>?
    /// Of the book in progress.
    private var callNumber: String?
    let labelled: LabelledRows
    let photo: RowID<Photo>
    /// Whether the scan did not have this photo before.
    let isNew: Bool
    private let threshold: Double
    private let policy: DuplicateDecision?
    private var near: SimilarTitles
    /// The detections already stored for this photo.
    private let earlier: [Detection]
    /// The copies this scan has shown so far, so that two spines are not matched to the same copy.
    private var seen: Set<RowID<LibraryEntry>>
    /// The copies that other photos of the job show.
    ///
    /// A spine that two photos show is imported with one of them, so a spine of the same work is rather another copy.
    private let shownBeside: Set<RowID<LibraryEntry>>

    init(db: Database, scan: ScanImport, threshold: Double, duplicates: DuplicateDecision?) throws {
        self.db = db
        job = scan.job
        (chosen, shelf) = (scan.shelf, scan.shelf)
        self.threshold = threshold
        policy = duplicates
        try db.checkShelf(scan.shelf)
        labelled = try LabelledRows(scan, in: db)
        (photo, isNew) = try db.photoRow(of: scan, on: labelled.photo)
        near = try SimilarTitles(db)
        earlier = try db.detections("photo = ? ORDER BY id", [photo])
        seen = Set(
            try RowID.fetchAll(
                db, sql: "SELECT entry FROM detection WHERE job = ? AND entry IS NOT NULL", arguments: [scan.job]
            ))
        // "0" is the character after "/".
        shownBeside = try RowID.fetchSet(
            db,
            sql: """
                SELECT entry FROM detection
                WHERE job > :scan || '/' AND job < :scan || '0' AND job <> :job AND entry IS NOT NULL
                """, arguments: ["scan": ScanName.scan(scan.job), "job": scan.job])
    }

    /// Stores where the photo shows a book of an earlier photo.
    func note(_ spine: RepeatedSpine) throws {
        let box = spine.boundingBox
        try db.execute(
            """
            INSERT INTO repeatedSpine (detection, photo, x, y, width, height, quad)
            SELECT id, ?, ?, ?, ?, ?, ? FROM detection WHERE job = ? AND book = ? ORDER BY id LIMIT 1
            ON CONFLICT (detection, photo) DO NOTHING
            """,
            [photo, box.x, box.y, box.width, box.height, try StoredJSON.text(spine.quad), spine.job, spine.book])
    }

    /// Adds a book, or finds it in the library.
    ///
    /// - Parameter edit: what the user made of it before.
    mutating func take(_ book: DetectedBook, _ edit: ScanBookEdit?, _ action: ReviewAction) throws -> ImportedBook {
        if let known = entryBook(book) { return known }
        shelf = labelled.shelves[book.id] ?? chosen
        callNumber = try CleanText.line(book.callNumber, field: "callNumber of book \(book.id)")
        var detection = try Detection(book, job: job, photo: photo)
        let read = try detection.details()
        let edited = try edit?.applied(to: read)
        let details = edited ?? read
        let key = BookKey(details)
        let isUnsure =
            edited == nil && (detection.readTitle == nil || book.status(threshold: threshold) == .needsReview)
        let recorded = edited == nil ? try db.works(recordOf: book, key, on: shelf, except: seen) : []
        let candidates = try recorded + db.duplicates(of: details, key: key, except: nil).without(recorded)
        let sure = candidates.first { $0.kind.isSure }

        if let sure {
            switch try treatment(of: sure, key, isUnsure: isUnsure) {
            case .skip(let remember):
                return try keep(&detection, .skipped, as: .skipped, of: sure, remember: remember, key)
            case .existing(let entry, let remember):
                return try keep(&detection, .entry, entry: entry, as: .existing, of: sure, remember: remember, key)
            case .addCopy:
                let entry = try db.insertCopy(ofWork: sure.work, details, shelf: shelf)
                return try keep(&detection, .entry, entry: entry, as: .copy, of: sure, remember: true, key)
            case .ask:
                if let edited {
                    // The answer may make it a book of its own.
                    detection.edited = edited
                    detection.editedTitle = edited.title
                    detection.editedAuthor = edited.authorLine
                }
                let result = try keep(&detection, .pending, as: .needsDecision, of: sure, remember: false, key)
                try db.ask(about: detection.id, sure, key: key)
                return result
            case .add: break
            }
        }
        let added = try add(&detection, details, key, isUnsure: isUnsure, candidates: candidates)
        if let edited, let entry = added.entry {
            try db.apply(edited, before: read, to: entry, .corrected, action)
            try db.record(.reviewQueueCorrectionSaved(read, edited))
        }
        return added
    }

    /// What becomes of a book that is the same as a work of the library.
    enum DuplicateTreatment {
        case skip(remember: Bool)
        /// The book is this copy.
        case existing(RowID<LibraryEntry>, remember: Bool)
        case addCopy
        /// The user decides.
        case ask
        /// A new work.
        case add
    }

    func treatment(of sure: DuplicateCandidate, _ key: BookKey, isUnsure: Bool) throws -> DuplicateTreatment {
        if !isUnsure, let wish = try db.wish(ofWork: sure.work) { return .existing(wish, remember: false) }
        let unseen = try db.copies(ofWork: sure.work, shelf: shelf).filter { !seen.contains($0) }
        let copies = unseen.filter { !shownBeside.contains($0) } + unseen.filter(shownBeside.contains)
        // A spine on the recorded shelf of a copy is that copy.
        let shelved = try shelf.flatMap {
            try db.copy(ofWork: sure.work, standingOn: $0, except: seen.union(shownBeside))
                ?? db.copy(ofWork: sure.work, standingOn: $0, except: seen)
        }
        let remembered = try db.decision(key: key.text, work: sure.work)
        // A decision for the whole batch does not apply to an unconfirmed reading.
        switch remembered ?? (shelved != nil ? .existing : isUnsure ? nil : policy) {
        case .skip: return .skip(remember: remembered == nil)
        case .existing:
            let entry = try shelved ?? copies.first ?? db.copies(ofWork: sure.work, shelf: shelf)[0]
            return .existing(entry, remember: remembered == nil && shelved == nil)
        case .addCopy where remembered != nil && !copies.isEmpty: return .existing(copies[0], remember: false)
        case .addCopy where remembered == nil: return .addCopy
        case .different: return .add
        case .addCopy, nil: return isUnsure ? .add : .ask
        }
    }

    /// Returns the works that a book may duplicate but need not, best first.
    func offers(
        _ candidates: [DuplicateCandidate], for detection: Detection, _ key: BookKey, except work: RowID<Work>
    ) throws -> [DuplicateCandidate] {
        var offered = candidates
        if offered.isEmpty {
            offered = try db.offers(near.similar(to: key).filter { $0 != work }, for: key)
        }
        if offered.isEmpty { offered = try db.readBefore(detection, key: key, except: work) }
        return Array(offered.prefix(3))
    }

    /// Adds a new work, with a duplicate question if there is a candidate.
    private mutating func add(
        _ detection: inout Detection, _ details: BookDetails, _ key: BookKey, isUnsure: Bool,
        candidates: [DuplicateCandidate]
    ) throws -> ImportedBook {
        let work = try db.insertWork(details, status: isUnsure ? .needsReview : .verified)
        let entry = try db.insertEntry(ofWork: work, details, EntryDetails(shelf: shelf), from: .photo)
        let offered = try offers(candidates, for: detection, key, except: work)
        for candidate in offered { try db.ask(copy: entry, candidate, key: key) }
        near.add(work: work, details, key)
        var result = try keep(
            &detection, .entry, entry: entry, as: isUnsure ? .needsReview : .verified, of: nil, remember: false, key)
        result.duplicateOf = offered.first?.work
        return result
    }

    /// Notes that this scan shows a copy that it did not show before.
    mutating func show(_ entry: RowID<LibraryEntry>) { seen.insert(entry) }

    private mutating func keep(
        _ detection: inout Detection, _ outcome: Detection.Outcome, entry: RowID<LibraryEntry>? = nil,
        as reported: ImportedBook.Outcome, of duplicate: DuplicateCandidate?, remember: Bool, _ key: BookKey
    ) throws -> ImportedBook {
        detection.id = try db.insert(detection, outcome: outcome, entry: entry, key: key)
        if let entry {
            seen.insert(entry)
            try db.fulfil(entry)
            // A copy without a shelf gets this one; a copy with another shelf keeps it until the user decides.
            if let shelf {
                try db.execute(
                    "UPDATE entry SET shelf = ? WHERE id = ? AND shelf IS NULL", [shelf, entry])
            }
            if let callNumber {
                try db.execute(
                    "UPDATE entry SET callNumber = ?, callNumberKey = ? WHERE id = ? AND callNumber IS NULL",
                    [callNumber, CallNumber.sortKey(callNumber), entry])
            }
        }
        if let duplicate, remember, let policy {
            try db.remember(policy, key: key.text, work: duplicate.work)
        }
        return ImportedBook(
            id: detection.book, outcome: reported, detection: detection.id, entry: entry,
            duplicateOf: duplicate?.work)
    }

    /// Returns the result if this job, or this position in the same photo, was imported before.
    private func entryBook(_ book: DetectedBook) -> ImportedBook? {
        earlier.spine(of: book.id, in: job, at: book.boundingBox).map {
            ImportedBook(
                id: book.id, outcome: $0.outcome == .rejected ? .rejectedBefore : .alreadyImported,
                detection: $0.id, entry: $0.entry)
        }
    }
}
