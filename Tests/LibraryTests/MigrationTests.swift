import Bibliography
import Foundation
import GRDB
import Library
import ShelflistAPI
import Storage
import TestSupport
import Testing

@Suite struct Migrations {
    /// The rows that each version wrote, with every JSON column; never changed once released.
    static let rows = [
        "1": #"""
        INSERT INTO shelf (id, name, nameKey) VALUES (1, 'Hall', 'hall');
        INSERT INTO author (id, name, nameKey) VALUES (1, 'Jane Austen', 'jane austen');
        INSERT INTO work (id, title, authorNames, sortTitle, sortAuthor, titleKey, reviewStatus, createdAt, changedAt)
            VALUES (1, 'Emma', 'Jane Austen', 'emma', 'austen jane', 'emma', 'needsReview', 1000, 1000);
        INSERT INTO workAuthor (work, position, author, role) VALUES (1, 0, 1, 'author');
        INSERT INTO edition (id, work, isbn, year) VALUES (1, 1, '9780141439587', 2003);
        INSERT INTO entry (id, work, edition, shelf, ownership, reading, rating, startedOn, notes, addedAt)
            VALUES (1, 1, 1, 1, 'owned', 'read', 4.5, '2024-05', 'Ann''s', 1795314246212);
        INSERT INTO tag (entry, position, name) VALUES (1, 1, 'a, b'), (1, 0, 'gift');
        INSERT INTO pastLoan (entry, borrower, lentOn, returnedOn) VALUES (1, 'Bea', '2024-05', '2024-06-01');
        INSERT INTO workWords (rowid, title, author, isbn) VALUES (1, 'emma', 'jane austen', '9780141439587');
        INSERT INTO photo (id, width, height, shelf, addedAt) VALUES (1, 400, 300, 1, 1000);
        INSERT INTO scanPhoto (job, position, photo, at) VALUES ('k', 0, 1, 2000);
        INSERT INTO detection (id, job, photo, book, entry, outcome, x, y, width, height, quad, readTitle, confidence,
            lines, matches, bookKey, createdAt, checked, automaticRevision)
            VALUES (1, 'k', 1, 'b', 1, 'entry', 0.1, 0.1, 0.05, 0.8, '[[0.1,0.1],[0.15,0.11],[0.14,0.9],[0.1,0.89]]',
            'Ema', 0.4, '[{"score":0.91,"text":"JANE AUSTIN"},{"score":0.5,"text":"Enma / “A” \\ B"}]',
            '[{"author":"Jane Austen","confidence":0.4,"isbn":"9780141439587","source":"local","subtitle":"A Novel",' ||
            '"title":"Emma"},{"confidence":0.05,"source":"openlibrary","title":"Enmity"}]', 'emma|austen', 1000, 0, 1);
        INSERT INTO repeatedSpine (detection, photo, x, y, width, height, quad)
            VALUES (1, 1, 0.1, 0.1, 0.1, 0.5, '[[0.1,0.1],[0.2,0.1],[0.2,0.6],[0.1,0.6]]');
        INSERT INTO foundCopy (entry, shelf, at) VALUES (1, 1, 3000);
        INSERT INTO missingCopy (shelf, entry, detection, scannedAt) VALUES (1, 1, 1, 1000);
        INSERT INTO duplicateDecision (bookKey, work, decision, decidedAt) VALUES ('dune|herbert', 1, 'skip', 1000);
        INSERT INTO reviewAction (id, kind, at, undoToken) VALUES (1, 'identify', 1000, NULL), (2, 'edit', 1000, 'token');
        INSERT INTO undoChange (action, operation, tableName, rowKey, columnName, value)
            VALUES (2, 'update', 'entry', '[1]', 'notes', NULL);
        INSERT INTO reviewHistory (action, judgement, work, detection, readTitle, finalTitle, titleChanged,
            authorChanged, confidence, at, checked, source)
            VALUES (1, 'identified', 1, 1, 'Ema', 'Emma', 1, 0, 0.4, 1000, 0, 'openlibrary');
        INSERT INTO activity (at, name, data)
            VALUES (1000, 'review_queue_correction_saved', '{"had_author_change":true,"had_title_change":true}');
        INSERT INTO feedback (at, job, book, correct, problem, rightTitle, crop)
            VALUES (3000, 'k', 'b', 0, 'wrongTitle', 'Emma', x'FFD8');
        INSERT INTO importedRow (file, line, work) VALUES ('g', 3, 1);
        INSERT INTO importedWork (file, name, work) VALUES ('g', '7', 1);
        INSERT INTO failedRow (file, line, name, reason, content, at) VALUES ('f', 2, 'a.csv', 'no title', 'x', 1000);
        """#,
        "2": #"""
        INSERT INTO shelf (id, name, nameKey, parent, code, note) VALUES (2, 'Board 1', 'board 1', 1, 'SL-AAAAA', 'top');
        """#,
        "3": #"""
        UPDATE shelf SET sortRule = 'author' WHERE id = 1;
        UPDATE entry SET callNumber = '823 AUS' WHERE id = 1;
        INSERT INTO standing (shelf, entry, board, rank, detection, scannedAt, isGap) VALUES (1, 1, 0, 0, 1, 2000, 0);
        INSERT INTO orderDecision (entry, shelf, decision, at) VALUES (1, 1, 'ignored', 3000);
        """#,
        "4": #"""
        INSERT INTO spineText (rowid, text) VALUES (1, 'jane austin enma a b');
        """#,
        "5": #"""
        INSERT INTO labelQuestion (id, photo, kind, text, answeredAt) VALUES
            (1, 1, 'newCode', 'SL-9C4JV', NULL), (2, 1, 'sign', '820 ENGLISH', 2000);
        INSERT INTO labelledSpine (question, detection) VALUES (1, 1);
        INSERT INTO looseLine (id, photo, text, quad)
            VALUES (1, 1, 'ENGLISH NOVELS', '[[0.1,0.1],[0.2,0.1],[0.2,0.12],[0.1,0.12]]');
        """#,
        "6": #"""
        INSERT INTO stocktake (id, name, startedAt, startedBy) VALUES (1, 'Spring', 1000, 'Ann');
        INSERT INTO stocktakeItem (stocktake, entry) VALUES (1, 1);
        INSERT INTO stocktakeSeen (stocktake, entry, at, shelf, method, detection) VALUES (1, 1, 2000, 1, 'photo', 1);
        UPDATE entry SET missingSince = 3000 WHERE id = 1;
        """#,
        "7": #"""
        UPDATE entry SET barcode = '4711', condition = 'good', price = 1250, currency = 'EUR', value = 900,
            valueCurrency = 'USD', valuedOn = '2026', acquiredOn = '2025-01', acquiredFrom = 'Ann' WHERE id = 1;
        """#,
        "8": #"""
        INSERT INTO series (id, name, nameKey, volumes, isComplete) VALUES (1, 'Highbury', 'highbury', 3, 0);
        UPDATE work SET series = 'Highbury', seriesNumber = '2.5', seriesKey = 'highbury' WHERE id = 1;
        """#,
        "9": #"""
        UPDATE entry SET addedFrom = 'barcode' WHERE id = 1;
        """#,
        "10": #"""
        INSERT INTO stocktake (id, name, startedAt, startedBy, closedAt, expected, seen, misplaced, unseen, lent, missing)
            VALUES (2, 'Autumn', 1000, 'Ann', 2000, 1, 0, 0, 1, 0, 0);
        INSERT INTO stocktakePlace VALUES (2, 1, 1, 'Hall', 'Hall', 1, 0, 0, 1, 0, 0, 0);
        INSERT INTO stocktakeResult (stocktake, position, shelf, entry, title, author, state)
            VALUES (2, 0, 1, 1, 'Emma', 'Jane Austen', 'unseen');
        INSERT INTO undoSet (action, operation, tableName, columnNames, rows)
            VALUES (2, 'update', 'entry', '["missingSince"]', '{"[1]":[null]}');
        """#,
    ]

    @Test("A library of each version opens with its values, and accepts changes", arguments: LibraryHistory.steps)
    func opens(step: String) async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        try LibraryHistory.make(folder, Self.rows(upTo: step))

        let store = try LibraryStore(folder: folder)
        #expect(try await store.problems() == [])
        let item = try #require(try await store.booksInReview().first)
        #expect(item.title == "Emma")
        #expect(item.tier == .notChecked)
        let detail = try await store.entry(item.id)
        #expect(detail.work.authors == [AuthorCredit(name: "Jane Austen")])
        #expect(detail.edition?.isbn == ISBN("9780141439587"))
        #expect(detail.entry.details.tags == ["gift", "a, b"])
        #expect(detail.entry.details.startedOn == PartialDate(rawValue: "2024-05"))
        #expect(detail.entry.addedAt == Date(timeIntervalSince1970: 1_795_314_246.212))
        let detection = try #require(detail.detections.first)
        #expect(detection.text.map(\.text) == ["JANE AUSTIN", "Enma / “A” \\ B"])
        #expect(detection.text.map(\.score) == [0.91, 0.5])
        #expect(detection.matches.map(\.title) == ["Emma", "Enmity"])
        #expect(detection.matches.map(\.subtitle) == ["A Novel", nil])
        #expect(detection.boundingBox == UnitRect(x: 0.1, y: 0.1, width: 0.05, height: 0.8))
        #expect(detection.quad?.corners.map(\.x) == [0.1, 0.15, 0.14, 0.1])
        let hall = try #require(try await store.shelves().first)
        #expect(try await store.latestScan(of: hall.id) == "k")
        #expect(PlaceCode(hall.code) != nil && hall.path == "Hall" && hall.entries == 1)
        #expect(try await store.addShelf(at: PlacePath("Hall / Board 1")).path == "Hall / Board 1")
        let changes = try await store.automaticChanges().changes
        #expect(changes.map(\.before["title"]) == ["Ema"])
        #expect(changes.map(\.source) == ["openlibrary"])
        #expect(changes.allSatisfy { !$0.seen && !$0.undoable })
        let activity = try await store.activity()
        #expect(activity.last?.data == ["had_author_change": .flag(true), "had_title_change": .flag(true)])
        let reports = try await store.feedback()
        #expect(reports.map(\.crop) == [Data([0xFF, 0xD8])])

        #expect(try await store.findSpines("austin").spines.map(\.title) == ["Emma"])
        _ = try await store.verify(item.id)
        _ = try await store.importScan(Scan.of([Scan.book("Dune", 0.9, place: 3)], job: "new", photo: "a"))
        #expect(try await store.titles() == ["Dune", "Emma"])
        #expect(try await store.undo()?.kind == .verify)
        #expect(try await store.problems() == [])
    }

    /// The rows of a version and of those before it.
    static func rows(upTo step: String) throws -> [(step: String, sql: String)] {
        let index = try #require(LibraryHistory.steps.firstIndex(of: step))
        return try LibraryHistory.steps[...index].map { ($0, try #require(rows[$0])) }
    }

    @Test("The removal of a shelf that version 1 recorded can be undone")
    func removedShelf() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let rows = #"""
            INSERT INTO shelf (id, name, nameKey) VALUES (1, 'Hall', 'hall'), (2, 'Attic / left', 'attic left');
            INSERT INTO work (id, title, authorNames, sortTitle, sortAuthor, titleKey, reviewStatus, createdAt, changedAt)
                VALUES (1, 'Emma', '', 'emma', '', 'emma', 'verified', 1000, 1000);
            INSERT INTO edition (id, work) VALUES (1, 1);
            INSERT INTO entry (id, work, edition, shelf, ownership, addedAt) VALUES (1, 1, 1, 2, 'owned', 1000);
            INSERT INTO workWords (rowid, title, author, isbn) VALUES (1, 'emma', '', '');
            INSERT INTO photo (id, width, height, shelf, addedAt) VALUES (1, 400, 300, 2, 1000);
            INSERT INTO reviewAction (id, kind, at, undoToken) VALUES (1, 'removeShelf', 1000, 'token');
            UPDATE libraryState SET action = 1;
            UPDATE entry SET shelf = NULL, revision = revision + 1 WHERE shelf = 2;
            DELETE FROM shelf WHERE id = 2;
            UPDATE libraryState SET action = NULL;
            """#
        try LibraryHistory.make(folder, [("1", rows)])
        let store = try LibraryStore(folder: folder)
        _ = try await store.undo(UndoToken(rawValue: "token"))
        let shelves = try await store.shelves()
        #expect(shelves.map(\.path) == ["Attic/left", "Hall"])
        #expect(shelves.map(\.entries) == [1, 0])
        #expect(Set(shelves.compactMap { PlaceCode($0.code) }).count == 2)
        #expect(try await store.photos(of: shelves[0].id, limit: 5).total == 1)
        #expect(try await store.problems() == [])
    }

    @Test("Call numbers of earlier versions are in order")
    func callNumbers() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        try LibraryHistory.make(
            folder, try Self.rows(upTo: "3") + [("6", "UPDATE entry SET callNumber = 'Kinder 12' WHERE id = 1")])
        let store = try LibraryStore(folder: folder)
        var details = EntryDetails()
        details.callNumber = "Kinder 9"
        _ = try await store.add(BookDetails(title: "Dune"), entry: details)
        #expect(try await store.entries(EntryQuery(sort: .callNumber)).entries.map(\.title) == ["Dune", "Emma"])
    }

    @Test("Numbers in the names of series are split off, also when an earlier change is undone")
    func seriesNumbers() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let rows = #"""
            INSERT INTO work (id, title, series, authorNames, sortTitle, sortAuthor, titleKey, reviewStatus, createdAt,
                changedAt) VALUES
                (1, 'Shore', 'Earthsea, #1', '', 'shore', '', 'shore', 'verified', 1000, 1000),
                (2, 'Guards', 'Discus, #8; Patrol, #1', '', 'guards', '', 'guards', 'verified', 1000, 1000),
                (3, 'Emma', NULL, '', 'emma', '', 'emma', 'verified', 1000, 1000),
                (4, 'Gone', 'Earthsea ; 4', '', 'gone', '', 'gone', 'verified', 1000, 1000);
            INSERT INTO entry (id, work, ownership, addedAt) VALUES
                (1, 1, 'owned', 1000), (2, 2, 'owned', 1000), (3, 3, 'owned', 1000), (4, 4, 'owned', 1000);
            INSERT INTO reviewAction (id, kind, at, undoToken) VALUES
                (1, 'correct', 1000, 'one'), (2, 'correct', 1000, 'two'), (3, 'remove', 1000, 'three');
            UPDATE libraryState SET action = 1;
            UPDATE work SET series = 'Earthsea, #3' WHERE id = 1;
            UPDATE libraryState SET action = 2;
            UPDATE work SET series = 'Highbury, #2' WHERE id = 3;
            UPDATE libraryState SET action = 3;
            DELETE FROM entry WHERE id = 4;
            DELETE FROM work WHERE id = 4;
            UPDATE libraryState SET action = NULL;
            """#
        try LibraryHistory.make(folder, [("1", rows)])
        let store = try LibraryStore(folder: folder)
        func texts() async throws -> [String: [String?]] {
            let books = try await store.entries().entries
            return Dictionary(uniqueKeysWithValues: books.map { ($0.title, [$0.series, $0.seriesNumber]) })
        }
        var expected: [String: [String?]] = [
            "Shore": ["Earthsea", "3"], "Guards": ["Discus, #8; Patrol, #1", nil], "Emma": ["Highbury", "2"],
        ]
        #expect(try await texts() == expected)
        #expect(try await store.series().series.map(\.name) == ["Discus, #8; Patrol, #1", "Earthsea", "Highbury"])
        for token in ["one", "two", "three"] { _ = try await store.undo(UndoToken(rawValue: token)) }
        expected["Shore"] = ["Earthsea", "1"]
        expected["Emma"] = [nil, nil]
        expected["Gone"] = ["Earthsea", "4"]
        #expect(try await texts() == expected)
        #expect(try await store.series().series.first { $0.name == "Earthsea" }?.owned == 2)
    }

    @Test("How copies of earlier versions were added follows from their photos and lists")
    func sources() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let rows = #"""
            INSERT INTO work (id, title, authorNames, sortTitle, sortAuthor, titleKey, reviewStatus, createdAt, changedAt)
                VALUES (1, 'Read', '', 'read', '', 'read', 'verified', 1000, 1000),
                (2, 'Listed', '', 'listed', '', 'listed', 'verified', 1000, 1000),
                (3, 'Typed', '', 'typed', '', 'typed', 'verified', 1000, 1000),
                (4, 'Answered', '', 'answered', '', 'answered', 'verified', 1000, 1000);
            INSERT INTO entry (id, work, ownership, addedAt) VALUES
                (1, 1, 'owned', 2000), (2, 2, 'owned', 1000), (3, 3, 'owned', 1000), (4, 4, 'owned', 3000);
            INSERT INTO importedRow (file, line, work) VALUES ('g', 1, 2), ('g', 2, NULL);
            INSERT INTO photo (id, width, height, addedAt) VALUES (1, 400, 300, 2000);
            INSERT INTO detection (id, job, photo, book, entry, outcome, x, y, width, height, readTitle, lines, matches,
                bookKey, createdAt, checked) VALUES
                (1, 'k', 1, 'a', 1, 'entry', 0.1, 0.1, 0.05, 0.8, 'Read', '[]', '[]', 'read|', 2000, 1),
                (2, 'k', 1, 'b', 2, 'entry', 0.2, 0.1, 0.05, 0.8, 'Listed', '[]', '[]', 'listed|', 2000, 1),
                (3, 'k', 1, 'c', 3, 'entry', 0.3, 0.1, 0.05, 0.8, 'Typed', '[]', '[]', 'typed|', 2000, 1),
                (4, 'k', 1, 'd', 4, 'entry', 0.4, 0.1, 0.05, 0.8, 'Answered', '[]', '[]', 'answered|', 2000, 1);
            """#
        try LibraryHistory.make(folder, [("1", rows)])
        let stats = try await LibraryStore(folder: folder).stats()
        #expect(stats.bySource.map { "\($0.key) \($0.count)" } == ["photo 2", "hand 1", "list 1"])
        #expect(stats.scansByMonth == [])
    }

    @Test("The reports of stocktakes that version 9 closed are kept, and the closing is undone")
    func reports() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let report = #"""
            {"counts":{"expected":2,"seen":1,"misplaced":0,"unseen":1,"lent":0,"missing":0},
            "places":[{"shelf":{"id":"1","name":"Hall","path":"Hall"},"photographed":true,
            "counts":{"expected":2,"seen":1,"misplaced":0,"unseen":1,"lent":0,"missing":0}}],
            "copies":[{"entryId":"1","title":"Emma","author":"Jane Austen","shelf":{"id":"1","name":"Hall","path":"Hall"},
            "callNumber":"8 AUS","barcode":null,"price":{"amount":1250,"currency":"EUR"},"state":"seen","seenAt":1000,
            "seenBy":"photo","seenOn":{"id":"1","name":"Hall","path":"Hall"},"lastPhotoAt":1000,
            "photoUrl":"/api/v1/photos/7/image"},
            {"entryId":"9","title":"Gone","author":"","shelf":null,"callNumber":null,"barcode":"4711","price":null,
            "state":"unseen","seenAt":null,"seenBy":null,"seenOn":null,"lastPhotoAt":null,"photoUrl":null}]}
            """#
        let rows = """
            INSERT INTO stocktake (id, name, startedAt) VALUES (3, 'Autumn', 1000);
            INSERT INTO reviewAction (id, kind, at, undoToken) VALUES (8, 'closeStocktake', 5000, 'closing');
            UPDATE libraryState SET action = 8;
            UPDATE stocktake SET closedAt = 5000, report = '\(report)' WHERE id = 3;
            UPDATE libraryState SET action = NULL;
            """
        try LibraryHistory.make(folder, try Self.rows(upTo: "9") + [("9", rows)])
        let store = try LibraryStore(folder: folder)
        let closed = try await store.stocktake(RowID(3))
        #expect(closed.counts.values == [2, 1, 0, 1, 0, 0] && closed.places?.map(\.shelf?.path) == ["Hall"])
        let copies = try await store.copies(of: RowID<Stocktake>(3))
        #expect(copies.map(\.title) == ["Emma", "Gone"] && copies.map(\.shelf?.name) == ["Hall", nil])
        #expect(copies[0].photoUrl == "/api/v1/photos/7/image" && copies[0].price?.amount == 1250)
        #expect(copies[0].seenOn?.path == "Hall" && copies[0].seenAt == copies[0].lastPhotoAt)
        _ = try await store.undo(UndoToken(rawValue: "closing"))
        #expect(try await store.stocktake(RowID(3)).closedAt == nil)
        #expect(try await store.copies(of: RowID<Stocktake>(3)).isEmpty)
        #expect(try await store.problems() == [])
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
                            AND name NOT LIKE 'spineText%'
                        """),
                try String.fetchSet(db, sql: "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger'")
            )
        }
        try queue.close()
        let others: Set = [
            "libraryState", "setting", "activity", "feedback", "reviewAction", "reviewHistory", "undoChange",
            // Recorded as sets.
            "undoSet", "stocktakePlace", "stocktakeResult",
            "standing", "shelfToCompare", "textToIndex", "job", "jobPhoto", "jobEvent", "jobEnrichment", "jobEdit",
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

    @Test("A page that cannot be read may be the disk's fault, and is read again before a backup is restored")
    func unreadablePages() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        do { _ = try await LibraryStore(folder: folder).add(BookDetails(title: "Emma")) }
        var bytes = try Data(contentsOf: folder.database)
        bytes.replaceSubrange(16_384..., with: repeatElement(0x41, count: bytes.count - 16_384))
        try bytes.write(to: folder.database)
        let error = await #expect(throws: StorageError.self) { _ = try await LibraryStore(folder: folder).titles() }
        #expect(error?.description.contains("Try again. If it fails again, restore a backup") == true)
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
