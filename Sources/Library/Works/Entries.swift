import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Adds a book by hand, as verified.
    ///
    /// If the library has the book already, or one of nearly the same title, a duplicate question is opened. A book that
    /// was only wished for becomes the owned copy.
    ///
    /// - Parameter source: how it was named.
    /// - Throws: `LibraryError.invalid`.
    package func add(
        _ book: BookDetails, entry: EntryDetails = EntryDetails(), from source: EntrySource = .hand
    ) async throws -> LibraryEntry {
        let book = try book.cleaned()
        let entry = try entry.cleaned()
        return try await write { try $0.add(book, entry, from: source) }
    }

    /// Adds a book by hand, as verified, unless the library has it in any edition.
    ///
    /// A book that was only wished for becomes the owned copy.
    ///
    /// - Parameter source: how it was named.
    /// - Returns: the copy, or those that the library has already.
    /// - Throws: `LibraryError.invalid`.
    package func addUnlessOwned(
        _ book: BookDetails, entry: EntryDetails = EntryDetails(), from source: EntrySource = .hand
    ) async throws -> (added: LibraryEntry?, owned: [LibraryBook]) {
        let book = try book.cleaned()
        let entry = try entry.cleaned()
        return try await write { db in
            let owned = try db.copies(sameAs: book).filter {
                $0.ownership != .wishlist || entry.ownership == .wishlist
            }
            return (owned.isEmpty ? try db.add(book, entry, from: source) : nil, owned)
        }
    }

    /// Changes the user's data about a copy.
    ///
    /// - Parameters:
    ///   - edition: an edition of its work; `nil` keeps the copy's edition.
    ///   - ifRevision: the revision that the caller saw; `nil` changes any.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid`, the errors of `change`.
    package func update(
        _ id: RowID<LibraryEntry>, edition: RowID<Edition>? = nil, ifRevision: Int? = nil,
        _ change: @escaping @Sendable (inout EntryDetails) throws -> Void
    ) async throws -> LibraryEntry {
        try await write { db in
            let entry = try db.entry(id)
            try db.check(ifRevision, against: entry.revision, "entry \(id)")
            var details = entry.details
            try change(&details)
            if let edition, try db.edition(edition).work != entry.work {
                throw LibraryError.invalid(field: "editionId", reason: "It is an edition of another work.")
            }
            let action = try db.beginAction(.edit)
            try db.update(entry, to: try details.cleaned(), edition: edition)
            try db.finish(action)
            return try db.entry(id)
        }
    }

    /// Changes the user's data about copies as one action; deleted copies are skipped.
    ///
    /// - Returns: the number of copies that were changed.
    /// - Throws: `LibraryError.notFound` if all were deleted, `.invalid`, the errors of `change`; nothing is changed then.
    package func updateAll(
        _ ids: [RowID<LibraryEntry>], _ change: @escaping @Sendable (inout EntryDetails) throws -> Void
    ) async throws -> Int {
        try await forEach(ids, .edit) { db, entry in
            var details = entry.details
            try change(&details)
            try db.update(entry, to: try details.cleaned())
        }
    }

    /// Removes copies as one action, and works with their last copies; deleted copies are skipped.
    ///
    /// - Returns: the number of copies that were removed.
    /// - Throws: `LibraryError.notFound` if all were deleted.
    package func removeAll(_ ids: [RowID<LibraryEntry>]) async throws -> Int {
        try await forEach(ids, .remove) { db, entry in
            try db.deleteEntry(entry.id, ofWork: entry.work, detections: .removed)
        }
    }

    private func forEach(
        _ ids: [RowID<LibraryEntry>], _ kind: ReviewActionKind,
        _ change: @escaping @Sendable (Database, LibraryEntry) throws -> Void
    ) async throws -> Int {
        try await write { db in
            let action = try db.beginAction(kind)
            var (done, gone): (Set<RowID<LibraryEntry>>, LibraryError?) = ([], nil)
            for id in ids where !done.contains(id) {
                let entry: LibraryEntry
                do {
                    entry = try db.entry(id)
                } catch let error as LibraryError {
                    gone = error
                    continue
                }
                try change(db, entry)
                done.insert(id)
            }
            if done.isEmpty, let gone { throw gone }
            try db.finish(action)
            return done.count
        }
    }

    /// Removes a copy from the library, and its work with the last copy.
    ///
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`.
    package func remove(_ id: RowID<LibraryEntry>, ifRevision: Int? = nil) async throws {
        try await write { db in
            let entry = try db.entry(id)
            try db.check(ifRevision, against: entry.revision, "entry \(id)")
            let action = try db.beginAction(.remove)
            try db.deleteEntry(id, ofWork: entry.work, detections: .removed)
            try db.finish(action)
        }
    }

    /// Returns all data of one copy.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func entry(_ id: RowID<LibraryEntry>) async throws -> EntryDetail {
        try await read { try $0.detail(of: id) }
    }

    /// Returns all data of each copy of a work; empty if there is no such work.
    package func copies(of work: RowID<Work>) async throws -> [EntryDetail] {
        try await read { db in try db.copies(ofWork: work).map { try db.detail(of: $0) } }
    }

    /// - Throws: `LibraryError.notFound`.
    package func work(_ id: RowID<Work>) async throws -> Work { try await read { try $0.work(id) } }

    /// Returns the current values for a correction of the copy.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func book(_ id: RowID<LibraryEntry>) async throws -> BookDetails {
        try await read { try $0.book(ofEntry: id) }
    }
}

extension Database {
    fileprivate func add(_ book: BookDetails, _ entry: EntryDetails, from source: EntrySource) throws -> LibraryEntry {
        let action = try beginAction(.addBook)
        let key = BookKey(book)
        let candidates = try duplicates(of: book, key: key, except: nil)
        if entry.ownership != .wishlist, let same = candidates.first(where: \.kind.isSure),
            let wish = try wish(ofWork: same.work)
        {
            try fulfil(wish, with: entry, book)
            try finish(action)
            return try self.entry(wish)
        }
        let work = try insertWork(book, status: .verified)
        let id = try insertEntry(ofWork: work, book, entry, from: source)
        try ask(whether: id, isOneOf: candidates, key: key, near: try SimilarTitles(self))
        try finish(action)
        return try self.entry(id)
    }

    fileprivate func detail(of id: RowID<LibraryEntry>) throws -> EntryDetail {
        let entry = try entry(id)
        return EntryDetail(
            entry: entry, work: try work(entry.work), edition: try entry.edition.map { try edition($0) },
            shelf: try entry.details.shelf.map { try shelf($0) },
            detections: try detections("entry = ? ORDER BY id DESC", [id]), copies: try copies(ofWork: entry.work),
            duplicateQuestions: try questions("q.entry = ?", [id]),
            pastLoans: try PastLoan.fetchAll(
                self,
                sql: """
                    SELECT borrower AS "to", lentOn AS since, dueOn AS due, returnedOn AS returned
                    FROM pastLoan WHERE entry = ? ORDER BY id DESC
                    """, arguments: [id]))
    }

    /// Replaces the user's data about a copy.
    ///
    /// A loan without a first day begins today, and a copy that becomes missing is so from now on.
    func update(_ entry: LibraryEntry, to details: EntryDetails, edition: RowID<Edition>? = nil) throws {
        try checkShelf(details.shelf)
        try endLoan(of: entry, to: details)
        var details = details
        if details.lentTo != nil, details.lentTo != entry.details.lentTo, details.lentOn == nil {
            details.lentOn = PartialDate(try transactionDate)
        }
        if entry.details.missingSince == nil, details.missingSince != nil { details.missingSince = try transactionDate }
        try check(barcode: details.barcode, of: entry.id)
        let columns = details.columns.map { "\($0.name) = ?" }.joined(separator: ", ")
        try execute(
            "UPDATE entry SET \(columns), edition = coalesce(?, edition), revision = revision + 1 WHERE id = ?",
            StatementArguments(details.columns.map(\.value)) + [edition, entry.id])
        if entry.details.ownership == .lent, details.ownership == .owned {
            try noteSeen([entry.id], on: nil, by: .returned)
        }
        if entry.details.tags != details.tags { try replaceTags(of: entry.id, details.tags) }
    }

    /// Records a loan that a change ends: the book came back, or is lent to another person.
    private func endLoan(of entry: LibraryEntry, to details: EntryDetails) throws {
        guard let borrower = entry.details.lentTo, borrower != details.lentTo else { return }
        try execute(
            "INSERT INTO pastLoan (entry, borrower, lentOn, dueOn, returnedOn) VALUES (?, ?, ?, ?, ?)",
            [entry.id, borrower, entry.details.lentOn, entry.details.dueOn, PartialDate(try transactionDate)])
    }

    func copies(ofWork work: RowID<Work>) throws -> [RowID<LibraryEntry>] {
        let statement = try cachedStatement(sql: "SELECT id FROM entry WHERE work = ? ORDER BY id")
        return try RowID.fetchAll(statement, arguments: [work])
    }

    func insertEntry(
        ofWork work: RowID<Work>, _ book: BookDetails, _ entry: EntryDetails, from source: EntrySource,
        addedAt: Date? = nil
    ) throws -> RowID<LibraryEntry> {
        let edition = try edition(ofWork: work, book, current: nil)
        return try insertEntry(ofWork: work, edition: edition, entry, from: source, addedAt: addedAt)
    }

    func insertEntry(
        ofWork work: RowID<Work>, edition: RowID<Edition>?, _ entry: EntryDetails, from source: EntrySource,
        addedAt: Date? = nil
    ) throws -> RowID<LibraryEntry> {
        try checkShelf(entry.shelf)
        try check(barcode: entry.barcode, of: nil)
        let columns = entry.columns
        let id: RowID<LibraryEntry> = try insert(
            """
            INSERT INTO entry (\(columns.map(\.name).joined(separator: ", ")), work, edition, addedFrom, addedAt)
            VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")), ?, ?, ?, ?)
            """,
            StatementArguments(columns.map(\.value))
                + [work, edition, source, addedAt?.milliseconds ?? milliseconds])
        try replaceTags(of: id, entry.tags)
        return id
    }

    /// Returns the copy with a barcode of its own; nil if there is none.
    func copy(barcode: String) throws -> RowID<LibraryEntry>? {
        try RowID.fetchOne(
            cachedStatement(sql: "SELECT id FROM entry WHERE barcode = ?"), arguments: [barcode])
    }

    /// - Throws: `LibraryError.invalid` if another copy has the barcode.
    private func check(barcode: String?, of entry: RowID<LibraryEntry>?) throws {
        guard let barcode, let other = try copy(barcode: barcode), other != entry else { return }
        let title = try work(self.entry(other).work).title
        throw LibraryError.invalid(
            field: "barcode", reason: "“\(barcode)” is the barcode of “\(title)” (\(other)). Use another one.")
    }

    func replaceTags(of entry: RowID<LibraryEntry>, _ tags: [String]) throws {
        try execute("DELETE FROM tag WHERE entry = ?", [entry])
        for (position, tag) in tags.enumerated() {
            try execute("INSERT INTO tag (entry, position, name) VALUES (?, ?, ?)", [entry, position, tag])
        }
    }

    /// - Throws: `LibraryError.notFound` for a shelf that does not exist.
    func checkShelf(_ shelf: RowID<Shelf>?) throws {
        guard let shelf else { return }
        let isKnown = try Bool.fetchOne(
            cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM shelf WHERE id = ?)"), arguments: [shelf])
        if isKnown != true { throw LibraryError.notFound("shelf \(shelf)") }
    }

    /// Deletes a copy; its detections get `outcome`, and the work is deleted with its last copy.
    func deleteEntry(_ entry: RowID<LibraryEntry>, ofWork work: RowID<Work>, detections outcome: Detection.Outcome)
        throws
    {
        try execute("UPDATE detection SET entry = NULL, outcome = ? WHERE entry = ?", [outcome, entry])
        try execute("DELETE FROM entry WHERE id = ?", [entry])
        try deleteIfWithoutCopies(work: work)
    }

    func deleteIfWithoutCopies(work: RowID<Work>) throws {
        let copies = try Int.fetchOne(self, sql: "SELECT count(*) FROM entry WHERE work = ?", arguments: [work]) ?? 0
        guard copies == 0 else { return try touch(work: work) }
        // A detection that waited because of this work becomes a separate copy.
        try releaseDetections(waitingFor: work)
        try execute("DELETE FROM workWords WHERE rowid = ?", [work])
        try execute("DELETE FROM work WHERE id = ?", [work])
    }
}

extension EntryDetails {
    /// The columns of a copy, with their values.
    fileprivate var columns: [(name: String, value: (any DatabaseValueConvertible)?)] {
        [
            ("ownership", ownership), ("lentTo", lentTo), ("lentOn", lentOn), ("dueOn", dueOn), ("reading", reading),
            ("rating", rating), ("startedOn", startedOn), ("finishedOn", finishedOn), ("notes", notes),
            ("callNumber", callNumber), ("shelf", shelf), ("missingSince", missingSince?.milliseconds),
            ("barcode", barcode), ("condition", condition?.rawValue), ("price", price), ("currency", currency),
            ("value", value), ("valueCurrency", valueCurrency), ("valuedOn", valuedOn), ("acquiredOn", acquiredOn),
            ("acquiredFrom", acquiredFrom), ("callNumberKey", callNumber.map(CallNumber.sortKey)),
        ]
    }
}
