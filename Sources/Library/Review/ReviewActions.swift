package import Bibliography
import GRDB
import ShelflistAPI

extension LibraryStore {
    /// Confirms a book: only its status changes.
    ///
    /// Edits stored on the detection are applied first, and make the work `userEdited`.
    ///
    /// - Parameters:
    ///   - ifRevision: the work's revision that the user saw.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`.
    package func verify(_ entry: RowID<LibraryEntry>, ifRevision: Int? = nil) async throws -> Work {
        try await write { db in
            let work = try db.workOf(entry, ifRevision: ifRevision)
            guard work.reviewStatus == .needsReview else { return work }
            let action = try db.beginAction(.verify)
            try db.verify(entry, action)
            try db.finish(action)
            return try db.work(work.id)
        }
    }

    /// Verifies every work of a tier, or of all tiers, with the edits stored on their detections.
    ///
    /// - Returns: the number of works that left the queue.
    @discardableResult
    package func verifyAll(tier: ConfidenceTier? = nil) async throws -> Int {
        try await write { db in
            let waiting = InboxFilter(kinds: [.detection], tier: tier)
            return try db.verifyAll(try db.inboxPage(waiting, limit: -1).rows.map { RowID($0.id) })
        }
    }

    /// Verifies some books as one action; those that do not wait for review stay as they are.
    ///
    /// - Returns: the number of works that left the queue.
    /// - Throws: `LibraryError.notFound`; nothing is verified then.
    @discardableResult
    package func verifyAll(_ entries: [RowID<LibraryEntry>]) async throws -> Int {
        try await write { try $0.verifyAll(entries) }
    }

    /// Stores an edit on the detection until it is verified.
    ///
    /// - Parameters:
    ///   - ifRevision: the work's revision that the user saw.
    ///   - change: changes the edited title and author; `nil` restores the text that was read.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.notPossible` for a copy that no photo shows, `.invalid`.
    @discardableResult
    package func keepEdit(
        _ entry: RowID<LibraryEntry>, ifRevision: Int? = nil,
        _ change: @escaping @Sendable (_ title: inout String?, _ author: inout String?) -> Void
    ) async throws -> ReviewItem {
        try await write { db in
            let work = try db.workOf(entry, ifRevision: ifRevision)
            guard var detection = try db.item(entry).detection else {
                throw LibraryError.notPossible("No photo shows this book; correct it instead.")
            }
            change(&detection.editedTitle, &detection.editedAuthor)
            let title = try CleanText.line(detection.editedTitle, field: "title")
            let author = try CleanText.line(detection.editedAuthor, field: "author")
            let action = try db.beginAction(.keepEdit)
            try db.execute(
                "UPDATE detection SET editedTitle = ?, editedAuthor = ? WHERE id = ?",
                [title, author, detection.id])
            try db.touch(work: work.id)
            try db.finish(action)
            return try db.item(entry)
        }
    }

    /// Corrects a book, or verifies it if nothing changes.
    ///
    /// The user's notes, status, tags, shelf and dates are kept. If the library already has the corrected book, a
    /// duplicate question is opened.
    ///
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid`, the errors of `change`.
    @discardableResult
    package func correct(
        _ entry: RowID<LibraryEntry>, ifRevision: Int? = nil,
        _ change: @escaping @Sendable (inout BookDetails) throws -> Void
    ) async throws -> Work {
        try await write { db in
            let work = try db.workOf(entry, ifRevision: ifRevision)
            let before = try db.book(ofEntry: entry)
            var book = before
            try change(&book)
            book = try book.cleaned()
            let action = try db.beginAction(.correct)
            if before == book {
                if work.reviewStatus == .needsReview { try db.markVerified(entry, before, action) }
            } else {
                try db.apply(book, before: before, to: entry, .corrected, action)
                try db.record(.reviewQueueCorrectionSaved(before, book))
            }
            try db.finish(action)
            return try db.work(work.id)
        }
    }

    /// Removes a detection that is not a book from the library; this position in this photo is not offered again.
    ///
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`.
    package func reject(_ entry: RowID<LibraryEntry>, ifRevision: Int? = nil) async throws {
        try await write { db in
            let work = try db.workOf(entry, ifRevision: ifRevision)
            let action = try db.beginAction(.reject)
            try db.reject(entry, ofWork: work.id, action)
            try db.finish(action)
        }
    }

    /// Removes detections that are not books as one action; repeated ones count once.
    ///
    /// - Returns: the number of copies removed.
    /// - Throws: `LibraryError.notFound`; nothing is removed then.
    @discardableResult
    package func rejectAll(_ entries: [RowID<LibraryEntry>]) async throws -> Int {
        let entries = Set(entries).sorted()
        return try await write { db in
            let action = try db.beginAction(.reject)
            for entry in entries { try db.reject(entry, ofWork: try db.entry(entry).work, action) }
            try db.finish(action)
            return entries.count
        }
    }
}

extension Database {
    fileprivate func reject(_ entry: RowID<LibraryEntry>, ofWork work: RowID<Work>, _ action: ReviewAction) throws {
        try note(.rejected, entry, before: try book(ofEntry: entry), after: nil, action)
        try deleteEntry(entry, ofWork: work, detections: .rejected)
    }

    /// Verifies the works of some copies as one action, each once.
    fileprivate func verifyAll(_ entries: [RowID<LibraryEntry>]) throws -> Int {
        var waiting: [RowID<Work>: RowID<LibraryEntry>] = [:]
        for entry in entries {
            let work = try workOf(entry, ifRevision: nil)
            if work.reviewStatus == .needsReview { waiting[work.id] = waiting[work.id] ?? entry }
        }
        guard !waiting.isEmpty else { return 0 }
        let action = try beginAction(.verifyAll)
        for entry in waiting.values.sorted() { try verify(entry, action) }
        try finish(action)
        return waiting.count
    }

    /// Removes a work from the queue, with the edits stored on its detection.
    fileprivate func verify(_ entry: RowID<LibraryEntry>, _ action: ReviewAction) throws {
        let before = try book(ofEntry: entry)
        var after = before
        if let detection = try item(entry).detection {
            if let title = detection.editedTitle { after.title = title }
            if let author = detection.editedAuthor { after.authors = AuthorCredit.list(author) }
        }
        after = try after.cleaned()
        if after == before {
            try markVerified(entry, before, action)
        } else {
            try apply(after, before: before, to: entry, .corrected, action)
            try record(.reviewQueueCorrectionSaved(before, after))
        }
    }

    fileprivate func markVerified(_ entry: RowID<LibraryEntry>, _ book: BookDetails, _ action: ReviewAction) throws {
        try note(.verified, entry, before: book, after: book, action)
        try setStatus(of: try self.entry(entry).work, to: .verified)
        try record(.reviewQueueVerifiedWithoutChanges)
    }

    /// Writes the user's version of the book, marks the work `userEdited` and removes it from the queue.
    func apply(
        _ book: BookDetails, before: BookDetails, to entry: RowID<LibraryEntry>, _ judgement: ReviewJudgement,
        _ action: ReviewAction
    ) throws {
        try note(judgement, entry, before: before, after: book, action)
        let copy = try self.entry(entry)
        let work = copy.work
        try updateWork(work, book, status: .userEdited)
        try rename(authorsOf: book)
        let edition = try edition(ofWork: work, book, current: copy.edition)
        if edition == copy.edition { try dropCover(ofEdition: edition, before: before, after: book) }
        if edition != copy.edition {
            try execute("UPDATE entry SET edition = ?, revision = revision + 1 WHERE id = ?", [edition, entry])
        }
        let authors = book.authorLine
        try execute(
            """
            UPDATE detection SET editedTitle = CASE WHEN readTitle IS ? THEN NULL ELSE ? END,
                editedAuthor = CASE WHEN readAuthor IS ? THEN NULL ELSE ? END WHERE entry = ?
            """, [book.title, book.title, authors, authors, entry])
        try askWhetherDuplicate(entry, work: work, book)
    }

    /// Removes the cover if the edition now describes another book, because a cover cannot be corrected as text can.
    func dropCover(ofEdition edition: RowID<Edition>?, before: BookDetails, after: BookDetails) throws {
        guard let edition, after.isbn != before.isbn || after.isbn == nil,
            BookKey(after).agreement(with: BookKey(before)) != .same
        else { return }
        try execute("UPDATE edition SET cover = NULL, source = NULL, sourceID = NULL WHERE id = ?", [edition])
    }

    private func askWhetherDuplicate(_ entry: RowID<LibraryEntry>, work: RowID<Work>, _ book: BookDetails) throws {
        try execute("DELETE FROM duplicateQuestion WHERE entry = ?", [entry])
        let key = BookKey(book)
        for candidate in try duplicates(of: book, key: key, except: work) where candidate.kind.isSure {
            try ask(copy: entry, candidate, key: key)
        }
    }

    /// - Throws: `LibraryError.changedMeanwhile` if the work has another revision.
    func workOf(_ entry: RowID<LibraryEntry>, ifRevision: Int?) throws -> Work {
        let work = try work(try self.entry(entry).work)
        try check(ifRevision, against: work.revision, "“\(work.title)”")
        return work
    }
}
