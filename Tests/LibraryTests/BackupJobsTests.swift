import Foundation
import GRDB
import Library
import ShelflistAPI
import TestSupport
import Testing

@Suite("Backups and scan jobs") struct BackupJobsTests {
    /// Adds a job with a photo, an event and an edit.
    private static func addJob(_ id: String, to library: LibraryStore) async throws {
        try await library.writeUnseen { try $0.execute(sql: rows(of: id)) }
    }

    private static func rows(of id: String) -> String {
        """
        INSERT INTO job (id, number, client, status, options, photosExpected, createdAt, updatedAt)
        VALUES ('\(id)', 1, 'phone of Ann', 'running', '{}', 1, 0, 0);
        INSERT INTO jobPhoto (job, number, status) VALUES ('\(id)', 1, 'queued');
        INSERT INTO jobEvent (job, id, time, content) VALUES ('\(id)', 1, 0, '{"type":"secret event of \(id)"}');
        INSERT INTO jobEnrichment (job, book, state) VALUES ('\(id)', '1-book-1', 'notFound');
        INSERT INTO jobEdit (job, book, edit) VALUES ('\(id)', '1-book-1', '{}');
        """
    }

    private static func jobs(_ library: LibraryStore) async throws -> [String] {
        try await library.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT job.id || jobPhoto.status || jobEvent.id || jobEdit.book
                    FROM job JOIN jobPhoto ON jobPhoto.job = job.id JOIN jobEvent ON jobEvent.job = job.id
                    JOIN jobEdit ON jobEdit.job = job.id JOIN jobEnrichment ON jobEnrichment.job = job.id
                    """)
        }
    }

    @Test("Scan jobs are not in a backup, and those of the folder survive its restore")
    func jobsStay() async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let file = temporary.url.appending(path: "backup.tar")
        try await {
            let library = try LibraryStore(folder: folder)
            _ = try await library.add(BookDetails(title: "Emma"))
            try await Self.addJob("deleted", to: library)
            try await library.writeUnseen { try $0.execute(sql: "DELETE FROM job") }
            try await Self.addJob("first", to: library)
            try await library.backUp(to: file)
        }()
        let bytes = try Data(contentsOf: file)
        #expect(bytes.range(of: Data("Emma".utf8)) != nil)
        #expect(bytes.range(of: Data("secret event".utf8)) == nil && bytes.range(of: Data("phone of Ann".utf8)) == nil)

        try LibraryStore.restore(file, to: folder)
        let restored = try LibraryStore(folder: folder)
        #expect(try await Self.jobs(restored) == ["firstqueued11-book-1"])
        #expect(try await restored.titles() == ["Emma"])
        #expect(try await restored.problems() == [])

        let elsewhere = LibraryFolder(temporary.url.appending(path: "elsewhere"))
        try LibraryStore.restore(file, to: elsewhere)
        #expect(try await Self.jobs(LibraryStore(folder: elsewhere)) == [])
    }

    /// Writes a backup of a library with a book.
    private static func makeBackup(of folder: LibraryFolder) async throws -> URL {
        let file = folder.url.appending(path: "backup.tar")
        let library = try LibraryStore(folder: folder)
        _ = try await library.add(BookDetails(title: "Emma"))
        try await library.backUp(to: file)
        return file
    }

    @Test("Jobs in a backup that someone else made are not restored", arguments: [false, true])
    func jobsOfBackup(hasLibrary: Bool) async throws {
        let temporary = try TemporaryFolder()
        let file = try CraftedBackup.make(in: temporary.url, rows: Self.rows(of: "../photos"))
        let target = LibraryFolder(temporary.url.appending(path: "target"))
        if hasLibrary { try await Self.addJob("own", to: LibraryStore(folder: target)) }
        try LibraryStore.restore(file, to: target)
        #expect(try await Self.jobs(LibraryStore(folder: target)) == (hasLibrary ? ["ownqueued11-book-1"] : []))
    }

    @Test("A trigger with the name of one of Shelflist's is refused where it does something else")
    func changedTrigger() throws {
        let temporary = try TemporaryFolder()
        let trigger = """
            DROP TRIGGER compare_photo_delete;
            CREATE TRIGGER compare_photo_delete AFTER DELETE ON job BEGIN
                INSERT INTO job (id, number, client, status, options, photosExpected, createdAt, updatedAt)
                VALUES ('../photos', 2, '', 'failed', '{}', 1, 0, 0);
            END;
            """
        let file = try CraftedBackup.make(in: temporary.url, rows: Self.rows(of: "own") + trigger)
        let error = #expect(throws: LibraryError.self) {
            try LibraryStore.restore(file, to: LibraryFolder(temporary.url.appending(path: "target")))
        }
        #expect(error?.description.contains("compare_photo_delete") == true)
    }

    @Test("The photos of jobs that cannot be read are moved aside by a restore", arguments: [false, true])
    func lostJobs(hasLibrary: Bool) async throws {
        let temporary = try TemporaryFolder()
        let folder = LibraryFolder(temporary.url)
        let file = try await Self.makeBackup(of: folder)
        if hasLibrary {
            try Data("not a database".utf8).write(to: folder.database)
        } else {
            try FileManager.default.removeItem(at: folder.database)
        }
        let photo = folder.url.appending(path: "jobs/first/1")
        try FileManager.default.createDirectory(
            at: photo.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("photo".utf8).write(to: photo)
        try LibraryStore.restore(file, to: folder)
        let aside = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            .filter { $0.hasPrefix("jobs-before-restore-") }
        #expect(aside.count == 1)
        #expect(try String(contentsOf: folder.url.appending(path: "\(aside[0])/first/1"), encoding: .utf8) == "photo")
        #expect(try await LibraryStore(folder: folder).titles() == ["Emma"])
    }
}
