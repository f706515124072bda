import Bibliography
import Foundation
import GRDB

extension LibraryStore {
    /// Adds a book by hand: verified, because a person says so.
    ///
    /// Where the library has it already, or one of nearly the same title, the question whether both are one is asked.
    ///
    /// - Throws: `LibraryError.invalid`.
    package func add(_ book: BookDetails, entry: EntryDetails = EntryDetails()) async throws -> LibraryEntry {
        let book = try book.cleaned()
        let entry = try entry.cleaned()
        return try await write { change in
            let work = try change.insertWork(book, status: .verified)
            let id = try change.insertEntry(ofWork: work, book, entry)
            let key = BookKey(book)
            try change.ask(
                whether: id, isOneOf: try change.duplicates(of: book, key: key, except: work), key: key,
                near: try SimilarTitles(change.db))
            return try change.db.entry(id)
        }
    }

    /// Another copy of a work that is in the library.
    ///
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    package func addCopy(of work: RowID<Work>, entry: EntryDetails = EntryDetails()) async throws -> LibraryEntry {
        let entry = try entry.cleaned()
        return try await write { change in
            _ = try change.db.work(work.rawValue)
            let edition = try Int64.fetchOne(
                change.db, sql: "SELECT edition FROM entry WHERE work = ? AND edition IS NOT NULL ORDER BY id",
                arguments: [work.rawValue])
            let id = try change.insertEntry(ofWork: work.rawValue, edition: edition, entry, addedAt: nil)
            try change.touch(work: work.rawValue)
            return try change.db.entry(id)
        }
    }

    /// Replaces what the user says about a copy.
    ///
    /// - Parameter ifRevision: the revision the caller saw; nil overwrites whatever is there.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid`.
    package func update(
        _ id: RowID<LibraryEntry>, to details: EntryDetails, ifRevision: Int? = nil
    ) async throws -> LibraryEntry {
        let details = try details.cleaned()
        return try await write { change in
            try change.db.check(ifRevision, against: try change.db.entry(id.rawValue).revision, "entry \(id)")
            try change.checkShelf(details.shelf)
            try change.execute(
                """
                UPDATE entry SET ownership = ?, lentTo = ?, reading = ?, rating = ?, startedOn = ?, finishedOn = ?,
                    notes = ?, shelf = ?, revision = revision + 1 WHERE id = ?
                """, details.arguments + [id.rawValue])
            try change.replaceTags(of: id.rawValue, details.tags)
            return try change.db.entry(id.rawValue)
        }
    }

    /// Takes a copy out of the library, and its work with the last one.
    ///
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`.
    package func remove(_ id: RowID<LibraryEntry>, ifRevision: Int? = nil) async throws {
        try await write { change in
            let entry = try change.db.entry(id.rawValue)
            try change.db.check(ifRevision, against: entry.revision, "entry \(id)")
            let action = try change.beginAction(.remove, works: [entry.work.rawValue])
            try change.deleteEntry(id.rawValue, ofWork: entry.work.rawValue, detections: .removed)
            try change.finish(action)
        }
    }

    /// Everything about one copy.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func entry(_ id: RowID<LibraryEntry>) async throws -> EntryDetail {
        try await read { db in
            let entry = try db.entry(id.rawValue)
            return EntryDetail(
                entry: entry, work: try db.work(entry.work.rawValue),
                edition: try entry.edition.map { try db.edition($0.rawValue) },
                shelf: try entry.details.shelf.flatMap { try db.shelf($0.rawValue) },
                detections: try db.detections("entry = ? ORDER BY id DESC", [id.rawValue]),
                copies: try Int64.fetchAll(
                    db, sql: "SELECT id FROM entry WHERE work = ? ORDER BY id", arguments: [entry.work.rawValue]
                ).map { RowID($0) },
                duplicateQuestions: try db.questions("q.entry = ?", [id.rawValue]))
        }
    }

    /// - Throws: `LibraryError.notFound`.
    package func work(_ id: RowID<Work>) async throws -> Work { try await read { try $0.work(id.rawValue) } }

    /// What a correction of the copy would start from.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func book(_ id: RowID<LibraryEntry>) async throws -> BookDetails {
        try await read { try $0.book(ofEntry: id.rawValue) }
    }

    /// Authors of the library by family name.
    package func authors() async throws -> [Author] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT author.id, name, count(*) AS works FROM author JOIN workAuthor ON author = author.id
                    GROUP BY author.id ORDER BY sortName, name
                    """
            ).map { Author(id: RowID($0["id"]), name: $0["name"], works: $0["works"]) }
        }
    }
}

extension Change {
    func insertEntry(
        ofWork work: Int64, _ book: BookDetails, _ entry: EntryDetails, addedAt: Date? = nil
    ) throws -> Int64 {
        let edition = try edition(ofWork: work, book, current: nil)
        return try insertEntry(ofWork: work, edition: edition, entry, addedAt: addedAt)
    }

    func insertEntry(ofWork work: Int64, edition: Int64?, _ entry: EntryDetails, addedAt: Date?) throws -> Int64 {
        try checkShelf(entry.shelf)
        let id = try insert(
            """
            INSERT INTO entry (ownership, lentTo, reading, rating, startedOn, finishedOn, notes, shelf, work, edition,
                addedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, entry.arguments + [work, edition, (addedAt ?? now).milliseconds])
        try replaceTags(of: id, entry.tags)
        return id
    }

    func replaceTags(of entry: Int64, _ tags: [String]) throws {
        try execute("DELETE FROM tag WHERE entry = ?", [entry])
        for (position, tag) in tags.enumerated() {
            try execute("INSERT INTO tag (entry, position, name) VALUES (?, ?, ?)", [entry, position, tag])
        }
    }

    func checkShelf(_ shelf: RowID<Shelf>?) throws {
        if let shelf, try db.shelf(shelf.rawValue) == nil { throw LibraryError.notFound("shelf \(shelf)") }
    }

    /// Takes a copy away; its detections get `outcome`, and the work goes with its last copy.
    func deleteEntry(_ entry: Int64, ofWork work: Int64, detections outcome: Detection.Outcome) throws {
        try execute("UPDATE detection SET entry = NULL, outcome = ? WHERE entry = ?", [outcome.rawValue, entry])
        try execute("DELETE FROM entry WHERE id = ?", [entry])
        try deleteIfWithoutCopies(work: work)
    }

    func deleteIfWithoutCopies(work: Int64) throws {
        let copies = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry WHERE work = ?", arguments: [work]) ?? 0
        guard copies == 0 else { return try touch(work: work) }
        // A detection that waited because of this work waits for nothing now: it becomes a copy of its own.
        try releaseDetections(waitingFor: work)
        try execute("DELETE FROM workWords WHERE rowid = ?", [work])
        try execute("DELETE FROM work WHERE id = ?", [work])
    }
}

extension EntryDetails {
    /// In the order: ownership, lentTo, reading, rating, startedOn, finishedOn, notes, shelf.
    var arguments: StatementArguments {
        [
            ownership.rawValue, lentTo, reading?.rawValue, rating, startedOn?.rawValue, finishedOn?.rawValue, notes,
            shelf?.rawValue,
        ]
    }
}
