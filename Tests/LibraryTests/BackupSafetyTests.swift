import Foundation
import GRDB
import Library
import TestSupport
import Testing

@Suite struct BackupSafety {
    private static let hash = String(repeating: "0", count: 64)

    private func expectDamaged(_ file: URL, saying text: String) throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let error = #expect(throws: LibraryError.self) { try LibraryStore.restore(file, to: folder) }
        guard case .damaged(let reason) = error else {
            Issue.record("not refused as damaged: \(String(describing: error))")
            return
        }
        #expect(reason.contains(text), "\(reason)")
        #expect(!FileManager.default.fileExists(atPath: folder.database.path))
    }

    @Test(
        "A backup whose rows name a picture outside of its folder is refused",
        arguments: ["../accounts.json", "../tls/ca.key", "/etc/hostname", "a/b.jpg", ".hidden", "a b.jpg", ""])
    func outsideNames(name: String) throws {
        let statements = [
            """
            INSERT INTO photo (file, sha256, width, height, addedAt) VALUES ('\(name)', '\(Self.hash)', 4, 3, 1000)
            """,
            """
            INSERT INTO photo (picture, sha256, width, height, addedAt) VALUES ('\(name)', '\(Self.hash)', 4, 3, 1000)
            """,
            "UPDATE edition SET cover = '\(name)'",
        ]
        let books = try Migrations.rows(upTo: try #require(LibraryHistory.steps.last))
        for statement in statements {
            let temporary = try TemporaryFolder()
            var rows = books
            rows[rows.count - 1].sql += statement
            let file = try CraftedBackup.make(in: temporary.url, rows)
            try expectDamaged(file, saying: "names a picture")
        }
    }

    @Test(
        "A backup with a trigger, view or table of another program is refused",
        arguments: [
            "CREATE TRIGGER other AFTER INSERT ON activity BEGIN UPDATE edition SET cover = '../x'; END",
            "CREATE VIEW other AS SELECT * FROM photo", "CREATE TABLE other (x)",
        ])
    func foreignObjects(statement: String) throws {
        let temporary = try TemporaryFolder()
        let file = try CraftedBackup.make(in: temporary.url, rows: statement)
        try expectDamaged(file, saying: "“other”")
    }

    @Test(
        "A backup in which a view or another kind of table has the name of a table is refused",
        arguments: [
            "DROP TABLE pastLoan; CREATE VIEW pastLoan AS SELECT * FROM activity",
            "DROP TABLE pastLoan; CREATE VIRTUAL TABLE pastLoan USING fts5(x)",
            "DROP TABLE pastLoan; CREATE/**/VIRTUAL TABLE pastLoan USING fts5(x)",
        ])
    func notTables(statement: String) throws {
        let temporary = try TemporaryFolder()
        let file = try CraftedBackup.make(in: temporary.url, rows: statement)
        try expectDamaged(file, saying: "“pastLoan")
    }

    @Test(
        "A backup whose tables or indexes are not those of Shelflist is refused before they are used",
        arguments: [
            // A computed column that takes 400 MB for each row that is read.
            ("ALTER TABLE shelf ADD COLUMN x TEXT AS (hex(zeroblob(200000000 + id)))", "another table “shelf”"),
            ("ALTER TABLE entry ADD COLUMN x INTEGER CHECK (length(hex(zeroblob(id))) > 0)", "another table “entry”"),
            ("ALTER TABLE work ADD COLUMN x ANY", "another table “work”"),
            ("CREATE INDEX other ON work(length(hex(zeroblob(id))))", "“other”"),
            (
                "DROP INDEX workInQueue; CREATE INDEX workInQueue ON work(id) WHERE reviewStatus = hex(title)",
                "another index “workInQueue”"
            ),
            ("DROP INDEX entryByWork", "lacks the index “entryByWork”"),
            ("DROP TABLE pastLoan", "lacks the table “pastLoan”"),
            ("DROP TABLE pastLoan; CREATE TABLE pastLoan (x INT) STRICT", "“pastLoan”"),
            // A name that looks like those of SQLite itself.
            ("CREATE VIEW sqliteX AS SELECT 1", "“sqliteX”"),
            (
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = replace(sql, 'CHECK (length(name) > 0)', 'CHECK (length(name) > 1)')
                WHERE name = 'author';
                """, "another table “author”"
            ),
        ])
    func otherTables(change: (sql: String, reason: String)) throws {
        let temporary = try TemporaryFolder()
        let file = try CraftedBackup.make(in: temporary.url, rows: change.sql)
        try expectDamaged(file, saying: change.reason)
    }

    @Test("A backup whose tables differ by comments and line breaks only is restored")
    func otherComments() throws {
        let temporary = try TemporaryFolder()
        let change = """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(replace(sql, 'name TEXT', '-- It''s a name.
                name /* or "title" */   TEXT'), 'CHECK (', 'CHECK(')
            WHERE type = 'table' AND name IN ('author', 'work', 'entry');
            """
        let file = try CraftedBackup.make(in: temporary.url, rows: change)
        let folder = LibraryFolder(temporary.url.appending(path: "restored"))
        try LibraryStore.restore(file, to: folder)
        _ = try LibraryStore(folder: folder)
    }

    /// The library after the restore of a backup with a book, a shelf and these changes.
    private func restored(_ sql: String, in temporary: borrowing TemporaryFolder) throws -> LibraryStore {
        let books = """
            INSERT INTO shelf (name, nameKey, code) VALUES ('Hall', 'hall', 'SL-AAAAA');
            INSERT INTO work (title, authorNames, sortTitle, sortAuthor, titleKey, reviewStatus, createdAt, changedAt)
                VALUES ('Emma', '', 'emma', '', 'emma', 'verified', 1000, 1000);
            INSERT INTO workWords (rowid, title, author, isbn) VALUES (1, 'emma', '', '');
            INSERT INTO entry (work, shelf, ownership, addedAt) VALUES (1, 1, 'owned', 1000);
            """
        let file = try CraftedBackup.make(in: temporary.url, rows: books + sql)
        let folder = LibraryFolder(temporary.url.appending(path: "restored"))
        try LibraryStore.restore(file, to: folder)
        return try LibraryStore(folder: folder)
    }

    @Test("Books can be added after the restore of a backup whose numbers and counters are used up")
    func usedUpNumbers() async throws {
        let temporary = try TemporaryFolder()
        let store = try restored(
            """
            UPDATE sqlite_sequence SET seq = 9223372036854775807;
            INSERT INTO sqlite_sequence (name, seq) VALUES ('other', 9223372036854775807);
            UPDATE work SET revision = 9223372036854775807;
            UPDATE entry SET revision = 9223372036854775807;
            UPDATE libraryState SET revision = 9223372036854775807, action = 1, undoToken = 'x';
            """, in: temporary)
        let second = try await store.add(BookDetails(title: "Middlemarch"))
        #expect(second.id.description == "2" && second.work.description == "2")
        let emma = try await store.update(RowID<LibraryEntry>(1)) { $0.notes = "read" }
        #expect(emma.details.notes == "read" && emma.revision == 2)
        #expect(try await store.problems() == [])
    }

    @Test("Numbers of deleted books are not given again after a restore")
    func deletedNumbers() async throws {
        let temporary = try TemporaryFolder()
        let store = try restored("UPDATE sqlite_sequence SET seq = 40 WHERE name = 'entry'", in: temporary)
        #expect(try await store.add(BookDetails(title: "Middlemarch")).id.description == "41")
    }

    @Test("A backup with a row whose number no library reaches is refused")
    func largeNumber() throws {
        let temporary = try TemporaryFolder()
        let file = try CraftedBackup.make(
            in: temporary.url,
            rows: "INSERT INTO author (id, name, nameKey) VALUES (9223372036854775807, 'Ann', 'ann')")
        try expectDamaged(file, saying: "“author”")
    }

    @Test("A library whose numbers are used up says so, and not that the disk is full")
    func usedUpLibrary() async throws {
        let library = try TestLibrary()
        try LibraryHistory.force(
            "INSERT INTO sqlite_sequence (name, seq) VALUES ('work', 9223372036854775807)", in: library.folder)
        let error = await #expect(throws: LibraryError.self) { try await library.store.add(BookDetails(title: "Emma")) }
        guard case .numbersUsedUp(_, table: "work") = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(error?.description.contains("used up its numbers for “work”") == true)
    }

    @Test("A restored library has all triggers, also those that its backup lacks")
    func replacesTriggers() async throws {
        let temporary = try TemporaryFolder()
        let file = try CraftedBackup.make(
            in: temporary.url, rows: "DROP TRIGGER undo_entry_update; DROP TRIGGER compare_photo_update")
        let (restored, fresh) = (
            LibraryFolder(temporary.url.appending(path: "restored")),
            LibraryFolder(temporary.url.appending(path: "new"))
        )
        try LibraryStore.restore(file, to: restored)
        _ = try LibraryStore(folder: fresh)
        #expect(try Self.triggers(restored) == Self.triggers(fresh))
        #expect(try Self.triggers(fresh).contains { $0.hasPrefix("CREATE TRIGGER undo_entry_update") })
    }

    private static func triggers(_ folder: LibraryFolder) throws -> Set<String> {
        let queue = try DatabaseQueue(path: folder.database.path)
        defer { try? queue.close() }
        return Set(
            try queue.read { try String.fetchAll($0, sql: "SELECT sql FROM sqlite_master WHERE type = 'trigger'") })
    }

    @Test("A row that names a file outside of the folder neither shows nor deletes it")
    func outsideRow() async throws {
        let library = try TestLibrary()
        let outside = library.folder.url.appending(path: "accounts.json")
        try Data("secret".utf8).write(to: outside)
        try LibraryHistory.force(
            """
            INSERT INTO photo (file, sha256, width, height, addedAt)
                VALUES ('../accounts.json', '\(Self.hash)', 4, 3, 1000)
            """, in: library.folder)
        let photo = try #require(try await library.store.photos().first?.file)
        #expect(photo == "../accounts.json")
        #expect(!FileManager.default.fileExists(atPath: library.folder.photo(photo).path))
        #expect(!library.store.hasCover(named: "../accounts.json"))
        _ = try await library.store.cleanUpPhotos()
        #expect(try String(contentsOf: outside, encoding: .utf8) == "secret")
    }

    @Test(
        "Picture names are plain file names",
        arguments: [
            ("bookshelf_scan_0f.jpg", true), ("a-b_C.9.jpg", true), ("", false), (".", false), ("..", false),
            ("../a.jpg", false), ("a/b.jpg", false), ("a\\b.jpg", false), ("a\0b.jpg", false), ("ä.jpg", false),
            (String(repeating: "a", count: 101), false),
        ])
    func pictureNames(name: String, isValid: Bool) {
        #expect(PictureName.isValid(name) == isValid)
    }

    @Test(
        "An archive with a size that is not a number is refused",
        arguments: ["-0000000001", "+0000000001", "0000000009", "", "1 2", "\u{80}\u{7F}"])
    func sizes(size: String) throws {
        let temporary = try TemporaryFolder()
        let file = temporary.url.appending(path: "size.tar")
        try Data(CraftedBackup.entry(size: size)).write(to: file)
        let error = #expect(throws: LibraryError.self) {
            try LibraryStore.restore(file, to: LibraryFolder(temporary.url.appending(path: "new")))
        }
        guard case .damaged = error else {
            Issue.record("not refused as damaged: \(String(describing: error))")
            return
        }
    }

    @Test("A cleanup deletes the temporary files of an interrupted backup or restore after a day, and nothing else")
    func leftovers() async throws {
        let library = try TestLibrary()
        let id = UUID().uuidString
        let temporary = [".restore-\(id)", ".backup-\(id).sqlite", ".\(id).tmp"]
        let others = [".keep", ".notes.tmp", "backup.tar"]
        for name in temporary + others {
            let file = library.folder.url.appending(path: name)
            try Data("x".utf8).write(to: file)
            try file.setAge(25 * 3600)
        }
        _ = try await library.store.cleanUpPhotos()
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path))
        #expect(left.isDisjoint(with: temporary))
        #expect(left.isSuperset(of: others))
    }

    @Test(
        "At start, temporary files of backups, and of writes an hour ago, are deleted unless the library is open elsewhere"
    )
    func leftoversAtStart() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        try folder.removeLeftovers()
        var store: LibraryStore? = try LibraryStore(folder: folder)
        let id = UUID().uuidString
        let names = [
            ".restore-\(id)", ".backup-\(id).sqlite", ".shelflist-backup-\(id).tmp", ".\(id).tmp", "photos/.\(id).tmp",
            "covers/.\(id).tmp",
        ]
        let others = [".keep", "backup.tar", "photos/bookshelf_scan_1.jpg"]
        for name in names + others { try Data("x".utf8).write(to: folder.url.appending(path: name)) }
        for name in names.dropFirst(3) { try folder.url.appending(path: name).setAge(3700) }
        // A command that does not open the library writes this one.
        let fresh = [".\(UUID().uuidString).tmp"]
        try Data("x".utf8).write(to: folder.url.appending(path: fresh[0]))
        func left(_ names: [String]) -> [String] {
            names.filter { FileManager.default.fileExists(atPath: folder.url.appending(path: $0).path) }
        }
        try folder.removeLeftovers()
        #expect(left(names) == names)
        withExtendedLifetime(store) {}
        store = nil
        try folder.removeLeftovers()
        #expect(left(names) == [] && left(others) == others && left(fresh) == fresh)
    }

    @Test("A backup deletes what backups to the same folder left that were killed a day ago, and nothing else")
    func killedBackups() async throws {
        let library = try TestLibrary()
        let temporary = try TemporaryFolder()
        func create(_ name: String, age: TimeInterval) throws {
            let file = temporary.url.appending(path: name)
            try Data("x".utf8).write(to: file)
            try file.setAge(age)
        }
        try create(".shelflist-backup-\(UUID().uuidString).tmp", age: 25 * 3600)
        let others = [
            ".shelflist-backup-notes.tmp", ".\(UUID().uuidString).tmp", ".backup-\(UUID().uuidString).sqlite",
        ]
        for name in others { try create(name, age: 25 * 3600) }
        // Another process may be writing this one.
        let running = ".shelflist-backup-\(UUID().uuidString).tmp"
        try create(running, age: 3600)
        try await library.store.backUp(to: temporary.url.appending(path: "backup.tar"))
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.url.path)
        #expect(Set(left) == Set(others + [running, "backup.tar"]))
    }

    @Test("A new data folder is for its user only")
    func permissions() throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url.appending(path: "data"))
        try folder.prepare()
        for url in [folder.url, folder.photos, folder.covers] {
            let bits = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber
            #expect(bits?.intValue == 0o700)
        }
    }
}
