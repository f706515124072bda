import Foundation
import Library
import Storage
import TestSupport
import Testing

@Suite struct DailyBackupTests {
    /// Noon of the day, in UTC.
    private func noon(_ day: Int) -> Date { Date(timeIntervalSince1970: Double(day) * 86_400 + 43_200) }

    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test("One backup a day is written, and only the oldest of them are deleted")
    func retention() async throws {
        let library = try TestLibrary()
        _ = try await library.store.add(.init(title: "Emma"))
        let temporary = try TemporaryFolder()
        let folder = temporary.url
        let others = ["notes.txt", "shelflist-2020-01-01.txt", "shelflist-old.tar"]
        for name in others { try Data("mine".utf8).write(to: folder.appending(path: name)) }
        let backups = DailyBackups(folder: folder, kept: 2)
        for day in [0, 0, 1, 2, 3] { _ = try await backups.run(library.store, now: noon(day)) }
        #expect(try names(folder) == (others + ["shelflist-1970-01-03.tar", "shelflist-1970-01-04.tar"]).sorted())
        let restored = LibraryFolder(folder.appending(path: "restored"))
        try LibraryStore.restore(folder.appending(path: "shelflist-1970-01-04.tar"), to: restored)
        #expect(try await LibraryStore(folder: restored).titles() == ["Emma"])
    }

    @Test("After the clock was wrong, the new backup is not the one that is deleted")
    func clockJump() async throws {
        let library = try TestLibrary()
        let temporary = try TemporaryFolder()
        let backups = DailyBackups(folder: temporary.url, kept: 1)
        _ = try await backups.run(library.store, now: noon(20_000))
        let written = try #require(try await backups.run(library.store, now: noon(100)))
        #expect(try names(temporary.url) == [written.lastPathComponent])
    }

    @Test("A backup that is dated in the future counts as the oldest")
    func future() async throws {
        let library = try TestLibrary()
        let temporary = try TemporaryFolder()
        let backups = DailyBackups(folder: temporary.url, kept: 3)
        for day in [100, 20_000, 101, 102] { _ = try await backups.run(library.store, now: noon(day)) }
        #expect(
            try names(temporary.url)
                == [100, 101, 102].map { day in
                    "shelflist-\(noon(day).formatted(.iso8601.year().month().day())).tar"
                })
    }

    @Test("The file of a backup that was killed is replaced by the next")
    func killed() async throws {
        let library = try TestLibrary()
        let temporary = try TemporaryFolder()
        try Data("half".utf8).write(to: temporary.url.appending(path: ".shelflist-daily.tmp"))
        _ = try await DailyBackups(folder: temporary.url, kept: 3).run(library.store, now: noon(0))
        #expect(try names(temporary.url) == ["shelflist-1970-01-01.tar"])
    }

    @Test("A folder that does not exist is reported and not created")
    func missingFolder() async throws {
        let library = try TestLibrary()
        let folder = library.folder.url.appending(path: "disk")
        let backups = DailyBackups(folder: folder, kept: 1)
        let error = await #expect(throws: StorageError.self) { try await backups.run(library.store, now: noon(1)) }
        #expect(error?.description.contains("mount its disk") == true)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }
}
