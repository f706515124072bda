import Bibliography
import Foundation
import GRDB

extension LibraryStore {
    /// Adds a book by hand, as verified.
    ///
    /// If the library has the book already, or one of nearly the same title, a duplicate question is opened.
    ///
    /// - Throws: `LibraryError.invalid`.
    package func add(_ book: BookDetails, entry: EntryDetails = EntryDetails()) async throws -> LibraryEntry {
        let book = try book.cleaned()
        let entry = try entry.cleaned()
        return try await write { db in
            let action = try db.beginAction(.addBook)
            let work = try db.insertWork(book, status: .verified)
            let id = try db.insertEntry(ofWork: work, book, entry)
            let key = BookKey(book)
            try db.ask(
                whether: id, isOneOf: try db.duplicates(of: book, key: key, except: work), key: key,
                near: try SimilarTitles(db))
            try db.finish(action)
            return try db.entry(id)
        }
    }

    /// Replaces the user's data about a copy.
    ///
    /// - Parameters:
    ///   - edition: an edition of its work; `nil` keeps the copy's edition.
    ///   - ifRevision: the revision that the caller saw; `nil` overwrites any.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid`.
    package func update(
        _ id: RowID<LibraryEntry>, to details: EntryDetails, edition: RowID<Edition>? = nil, ifRevision: Int? = nil
    ) async throws -> LibraryEntry {
        let details = try details.cleaned()
        return try await write { db in
            let entry = try db.entry(id)
            try db.check(ifRevision, against: entry.revision, "entry \(id)")
            if let edition, try db.edition(edition).work != entry.work {
                throw LibraryError.invalid(field: "editionId", reason: "It is an edition of another work.")
            }
            try db.checkShelf(details.shelf)
            let action = try db.beginAction(.edit)
            try db.execute(
                """
                UPDATE entry SET ownership = ?, lentTo = ?, reading = ?, rating = ?, startedOn = ?, finishedOn = ?,
                    notes = ?, shelf = ?, edition = coalesce(?, edition), revision = revision + 1 WHERE id = ?
                """, details.arguments + [edition, id])
            if entry.details.tags != details.tags { try db.replaceTags(of: id, details.tags) }
            try db.finish(action)
            return try db.entry(id)
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

    /// Returns the authors of the library by family name.
    package func authors() async throws -> [Author] {
        try await read { db in
            try Author.fetchAll(
                db,
                sql: """
                    SELECT author.id, name, count(*) AS works FROM author JOIN workAuthor ON author = author.id
                    GROUP BY author.id ORDER BY sortName, name
                    """)
        }
    }
}

extension Database {
    fileprivate func detail(of id: RowID<LibraryEntry>) throws -> EntryDetail {
        let entry = try entry(id)
        return EntryDetail(
            entry: entry, work: try work(entry.work), edition: try entry.edition.map { try edition($0) },
            shelf: try entry.details.shelf.map { try shelf($0) },
            detections: try detections("entry = ? ORDER BY id DESC", [id]), copies: try copies(ofWork: entry.work),
            duplicateQuestions: try questions("q.entry = ?", [id]))
    }

    func copies(ofWork work: RowID<Work>) throws -> [RowID<LibraryEntry>] {
        let statement = try cachedStatement(sql: "SELECT id FROM entry WHERE work = ? ORDER BY id")
        return try RowID.fetchAll(statement, arguments: [work])
    }

    func insertEntry(
        ofWork work: RowID<Work>, _ book: BookDetails, _ entry: EntryDetails, addedAt: Date? = nil
    ) throws -> RowID<LibraryEntry> {
        let edition = try edition(ofWork: work, book, current: nil)
        return try insertEntry(ofWork: work, edition: edition, entry, addedAt: addedAt)
    }

    func insertEntry(ofWork work: RowID<Work>, edition: RowID<Edition>?, _ entry: EntryDetails, addedAt: Date?) throws
        -> RowID<LibraryEntry>
    {
        try checkShelf(entry.shelf)
        let id: RowID<LibraryEntry> = try insert(
            """
            INSERT INTO entry (ownership, lentTo, reading, rating, startedOn, finishedOn, notes, shelf, work, edition,
                addedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, entry.arguments + [work, edition, addedAt?.milliseconds ?? milliseconds])
        try replaceTags(of: id, entry.tags)
        return id
    }

    func replaceTags(of entry: RowID<LibraryEntry>, _ tags: [String]) throws {
        try execute("DELETE FROM tag WHERE entry = ?", [entry])
        for (position, tag) in tags.enumerated() {
            try execute("INSERT INTO tag (entry, position, name) VALUES (?, ?, ?)", [entry, position, tag])
        }
    }

    func checkShelf(_ shelf: RowID<Shelf>?) throws {
        if let shelf { _ = try self.shelf(shelf) }
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
    /// The values in the order: ownership, lentTo, reading, rating, startedOn, finishedOn, notes, shelf.
    var arguments: StatementArguments {
        [ownership, lentTo, reading, rating, startedOn, finishedOn, notes, shelf]
    }
}
