import Bibliography
import Foundation
import GRDB
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite struct Migrations {
    /// The rows that each version wrote; never changed once released.
    static let rows = [
        "1 books": """
        INSERT INTO shelf (id, name, nameKey) VALUES (1, 'Hall', 'hall');
        INSERT INTO author (id, name, sortName, nameKey) VALUES (1, 'Jane Austen', 'austen jane', 'jane austen');
        INSERT INTO work (id, title, authorNames, sortTitle, sortAuthor, titleKey, reviewStatus, createdAt, changedAt)
            VALUES (1, 'Emma', 'Jane Austen', 'emma', 'austen jane', 'emma', 'needsReview', 1000, 1000);
        INSERT INTO workAuthor VALUES (1, 0, 1, 'author');
        INSERT INTO edition (id, work, isbn, year) VALUES (1, 1, '9780141439587', 2003);
        INSERT INTO entry (id, work, edition, shelf, ownership, reading, rating, notes, addedAt)
            VALUES (1, 1, 1, 1, 'owned', 'read', 4.5, 'Ann''s', 1000);
        INSERT INTO tag VALUES (1, 0, 'gift');
        INSERT INTO workWords (rowid, title, author, isbn) VALUES (1, 'emma', 'jane austen', '9780141439587');
        """,
        "2 photos and review": """
        INSERT INTO photo (id, sha256, width, height, shelf, addedAt)
            VALUES (1, '\(String(repeating: "0", count: 64))', 400, 300, 1, 1000);
        INSERT INTO detection (id, job, photo, book, entry, outcome, x, y, width, height, readTitle, confidence, lines,
            matches, bookKey, createdAt)
            VALUES (1, 'j', 1, 'b', 1, 'entry', 0.1, 0.1, 0.1, 0.5, 'Emma', 0.4,
            '[{"score":0.9,"text":"EMMA"}]',
            '[{"title":"Emma","author":"Jane Austen","confidence":0.4,"source":"local"}]', 'emma|austen', 1000);
        """,
        "3 activity and enrichment": """
        INSERT INTO activity (at, name, data) VALUES (1000, 'review_queue_viewed', '{"queue_count":1}');
        """,
        "4 scans in their order": "INSERT INTO scanPhoto (job, position, photo, at) VALUES ('k', 0, 1, 2000);",
        "5 checked books": "UPDATE detection SET checked = 0;",
        "6 automatic changes": """
        UPDATE detection SET automaticRevision = 1;
        INSERT INTO reviewAction (id, kind, at) VALUES (1, 'identify', 1000);
        INSERT INTO reviewHistory (id, action, judgement, work, detection, readTitle, finalTitle, titleChanged,
            authorChanged, confidence, at) VALUES (1, 1, 'identified', 1, 1, 'Ema', 'Emma', 1, 0, 0.4, 1000);
        """,
        "7 seen changes": "UPDATE reviewHistory SET source = 'openlibrary';",
        "8 shelf pictures": "INSERT INTO foundCopy (entry, shelf, at) VALUES (1, 1, 3000);",
        "9 reports": """
        INSERT INTO feedback (at, job, book, correct, problem, rightTitle)
            VALUES (3000, 'k', 'b', 0, 'wrongTitle', 'Emma');
        """,
        "10 undo of every action": """
        INSERT INTO reviewAction (id, kind, at, undoToken) VALUES (2, 'edit', 1000, 'token');
        INSERT INTO undoChange (action, operation, tableName, rowKey, columnName, value)
            VALUES (2, 'update', 'entry', '[1]', 'notes', NULL);
        """,
        "12 repeated spines": """
        INSERT INTO repeatedSpine (detection, photo, x, y, width, height, quad)
            VALUES (1, 1, 0.1, 0.1, 0.1, 0.5, '[[0.1,0.1],[0.2,0.1],[0.2,0.6],[0.1,0.6]]');
        """,
        "13 lists and loans": """
        INSERT INTO importedRow (file, line, work) VALUES ('g', 3, 1);
        INSERT INTO pastLoan (entry, borrower, lentOn, returnedOn) VALUES (1, 'Bea', '2024-05', '2024-06-01');
        """,
        "11 inbox": """
        INSERT INTO failedRow (file, line, name, reason, content, at) VALUES ('f', 2, 'a.csv', 'no title', 'x', 1000);
        INSERT INTO missingCopy (shelf, entry, detection, scannedAt) VALUES (1, 1, 1, 1000);
        """,
    ]

    @Test("Each old library is migrated to the newest schema", arguments: LibraryHistory.steps)
    func migrates(step: String) async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let index = try #require(LibraryHistory.steps.firstIndex(of: step))
        let rows = try LibraryHistory.steps[...index].map { try #require(Self.rows[$0]) }.joined(separator: "\n")
        try LibraryHistory.make(folder, upTo: step, rows: rows)

        let store = try LibraryStore(folder: folder)
        let problems = try await store.problems()
        #expect(problems == [])
        let item = try #require(try await store.reviewQueue().first)
        #expect(item.title == "Emma")
        // That version did not write values that a match does not have.
        let matches = [BookMatch(title: "Emma", author: "Jane Austen", confidence: 0.4, source: "local")]
        #expect(item.detection?.matches == (index == 0 ? nil : matches))
        #expect(item.tier == (index < 4 ? .needsReview : .notChecked))
        let detail = try await store.entry(item.id)
        #expect(detail.entry.details.tags == ["gift"])
        #expect(detail.edition?.isbn == ISBN("9780141439587"))
        let hall = try #require(try await store.shelves().first)
        if index >= 1 {
            let latest = try await store.latestScan(of: hall.id)
            #expect(latest == (index >= 3 ? "k" : "j"))
        }
        let changes = try await store.automaticChanges().changes
        #expect(changes.map(\.readTitle) == (index >= 5 ? ["Ema"] : []))
        #expect(changes.map(\.source) == (index >= 6 ? ["openlibrary"] : index == 5 ? [nil] : []))
        #expect(changes.allSatisfy { !$0.isSeen && !$0.isUndoable })
        // The migrated library accepts changes.
        _ = try await store.verify(item.id)
        _ = try await store.importScan(Scan.of([Scan.book("Dune", 0.9, place: 3)], job: "new", photo: "a"))
        #expect(try await store.titles() == ["Dune", "Emma"])
        #expect(try await store.undo()?.kind == .verify)
    }

    @Test("Books of lists that waited because no catalog has them are verified, and those of photos still wait")
    func unknownRows() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let steps = LibraryHistory.steps.prefix { $0 != "13 lists and loans" }
        var rows = try steps.map { try #require(Self.rows[$0]) }
        rows.append(
            """
            INSERT INTO work (id, title, authorNames, sortTitle, sortAuthor, titleKey, reviewStatus, createdAt,
                changedAt) VALUES (2, 'My Diary', '', 'my diary', '', 'my diary', 'needsReview', 1000, 1000);
            INSERT INTO entry (id, work, ownership, reading, addedAt) VALUES (2, 2, 'owned', NULL, 1000);
            INSERT INTO workWords (rowid, title, author, isbn) VALUES (2, 'my diary', '', '');
            INSERT INTO failedEnrichment VALUES (1, 'a.csv', 2, 'unknown'), (2, 'a.csv', 3, 'unknown');
            INSERT INTO undoChange (action, operation, tableName, rowKey, columnName, value)
                VALUES (2, 'insert', 'failedEnrichment', '[2]', NULL, NULL);
            """)
        try LibraryHistory.make(folder, upTo: try #require(steps.last), rows: rows.joined(separator: "\n"))
        let store = try LibraryStore(folder: folder)
        #expect(try await store.reviewQueue().map(\.title) == ["Emma"])
        let statuses = try await store.entries().entries.map(\.reviewStatus)
        #expect(statuses == [.needsReview, .verified])
        #expect(try await store.problems() == [])
    }

    @Test("Reports of an earlier version are kept with the scan of their spine")
    func reports() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let steps = LibraryHistory.steps.prefix { $0 != "9 reports" }
        var rows = try steps.map { try #require(Self.rows[$0]) }
        rows.append(
            """
            INSERT INTO feedback (at, detection, correct, note, readTitle, crop)
                VALUES (1000, 1, 0, 'x', 'Ema', x'FFD8');
            INSERT INTO feedback (at, detection, correct) VALUES (2000, 99, 1);
            """)
        try LibraryHistory.make(folder, upTo: try #require(steps.last), rows: rows.joined(separator: "\n"))
        let reports = try await LibraryStore(folder: folder).feedback()
        #expect(reports.map(\.note) == ["x", nil])
        #expect(reports.map(\.readTitle) == ["Ema", nil])
        #expect(reports.map(\.job) == ["j", ""])
        #expect(reports.map(\.book) == ["b", ""])
        #expect(reports.map(\.crop) == [Data([0xFF, 0xD8]), nil])
    }

    @Test("Every migration has sample rows")
    func sampleRows() {
        #expect(Set(Self.rows.keys) == Set(LibraryHistory.steps))
    }

    @Test("Every table of books is recorded")
    func recordsTables() async throws {
        let library = try TestLibrary()
        let queue = try DatabaseQueue(path: library.folder.database.path)
        let (tables, recorded) = try await queue.read { db in
            (
                try String.fetchSet(
                    db,
                    sql: """
                        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
                            AND name NOT LIKE 'grdb_%' AND name NOT LIKE 'workWords%'
                        """),
                try String.fetchSet(db, sql: "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
            )
        }
        try queue.close()
        let others: Set = [
            "libraryState", "setting", "activity", "feedback", "reviewAction", "reviewHistory", "undoChange",
            "missingCopy", "shelfToCompare",
        ]
        #expect(tables.subtracting(recorded) == others)
    }

    @Test("A library of a newer version is refused and not changed")
    func newerVersion() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        do { _ = try await LibraryStore(folder: folder).add(BookDetails(title: "Emma")) }
        try LibraryHistory.addUnknownStep(folder)
        #expect(throws: LibraryError.newerSchema(folder.database.path)) { try LibraryStore(folder: folder) }
    }

    @Test("A file that is not a database is refused with what to do")
    func notADatabase() throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        try Data(repeating: 0x41, count: 8192).write(to: folder.database)
        let error = #expect(throws: LibraryError.self) { try LibraryStore(folder: folder) }
        #expect(error?.description.contains("Restore a backup") == true)
    }

    @Test(
        "The schema refuses invalid states",
        arguments: [
            "UPDATE work SET reviewStatus = 'both'", "UPDATE work SET title = ''", "DELETE FROM work",
            "UPDATE entry SET rating = 6", "UPDATE entry SET work = 99", "UPDATE entry SET lentTo = 'Bob'",
            "UPDATE detection SET confidence = 1.5", "UPDATE detection SET entry = NULL",
            "UPDATE detection SET outcome = 'skipped'",
            "UPDATE detection SET checked = 2", "UPDATE detection SET width = -1", "UPDATE edition SET isbn = '12'",
            "UPDATE edition SET year = 99",
            "INSERT INTO duplicateQuestion (work, kind, bookKey, askedAt) VALUES (1, 'isbn', '', 0)",
            "INSERT INTO entry (work, edition, ownership, addedAt) SELECT max(id) + 0, 1, 'owned', 0 FROM work",
        ])
    func constraints(statement: String) async throws {
        let library = try TestLibrary()
        var book = Scan.book("Emma", 0.4, isbn: "9780141439587", place: 0)
        book.id = "b"
        _ = try await library.store.importScan(Scan.of([book], job: "1", photo: "a"))
        _ = try await library.store.add(BookDetails(title: "Other"))
        let folder = library.folder
        #expect(throws: DatabaseError.self) { try LibraryHistory.force(statement, in: folder) }
    }
}
