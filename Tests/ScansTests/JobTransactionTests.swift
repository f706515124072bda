import Foundation
import GRDB
import Library
import Reading
import ReadingFixtures
import Scans
import ShelflistAPI
import TestSupport
import Testing

@Suite("Jobs in the library's database", .endsHangs) struct JobTransactionTests {
    private let bench: JobBench
    private var library: LibraryStore { bench.library }

    init() throws { bench = try JobBench() }

    /// Reads a photo with two books to the end.
    private func scanned(_ jobs: ScanJobs, imports: Bool = false) async throws -> ScanJob {
        try #require(await jobs.finished(jobs.accept("books:Dune|Emma", imports: imports)))
    }

    @Test("Progress and edits do not raise the library's revision; adding books does, once")
    func revision() async throws {
        let jobs = try await bench.jobs()
        let before = try await library.revision()
        let job = try await scanned(jobs)
        #expect(try await jobs.edit("1-book-1", of: job.id) { $0.correction.title = "Dune Messiah" })
        #expect(try await library.revision() == before)
        let added = try await jobs.add(
            ["1-book-1", "1-book-2"], of: job, shelf: nil, duplicates: nil, as: UndoToken())
        #expect(added.map(\.id) == ["1-book-1", "1-book-2"])
        #expect(try await library.revision() == before + 1)
        #expect(try await bench.titles() == ["Dune Messiah", "Emma"])
    }

    @Test("A book that was added is edited in the library")
    func editOfAdded() async throws {
        let jobs = try await bench.jobs()
        let job = try await scanned(jobs, imports: true)
        #expect(try await !jobs.edit("1-book-1", of: job.id) { $0.correction.title = "Dune Messiah" })
        #expect(try await jobs.log.edits(of: job.id).isEmpty)
        await #expect(throws: JobError.unknownBook("1-book-9")) { try await jobs.edit("1-book-9", of: job.id) { _ in } }
        await #expect(throws: JobError.notFound) { try await jobs.edit("1-book-1", of: "unknown") { _ in } }
    }

    @Test("An import whose event cannot be stored adds nothing, and leaves no picture")
    func importAndEvent() async throws {
        let jobs = try await bench.jobs()
        try await bench.breakWrites("INSERT ON jobEvent", when: "NEW.content LIKE '%\"imported\"%'")
        let job = try await scanned(jobs, imports: true)
        #expect(!job.imported)
        #expect(try await bench.titles() == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.photos.path).isEmpty)
        try await bench.repair()
        bench.advance(by: .seconds(60))
        try await jobs.sweep()
        #expect(try await bench.titles() == ["Dune", "Emma"])
        #expect(try await bench.imported() == ["\(job.id)/1": 1])
    }

    @Test("A photo is stored once, without its metadata")
    func storedOnce() async throws {
        let jobs = try await bench.jobs()
        let comment = Array("51.5007 N, 0.1246 W".utf8)
        let bytes = ScriptedPhoto.bytes("books:Dune", comment: comment)
        let id = try await jobs.intake.accept(
            [try await jobs.photo(bytes)], client: "a", options: JobOptions(importsResults: true)
        ).job.id
        _ = try await jobs.finished(id)
        let uploaded = try await jobs.file(1, of: id)
        #expect(try !Data(contentsOf: uploaded).contains(Data(comment)))
        let names = try FileManager.default.contentsOfDirectory(atPath: library.folder.photos.path)
        let stored = library.folder.photo(try #require(names.first))
        #expect(names.count == 1)
        #expect(try Self.number(of: stored) == Self.number(of: uploaded))
    }

    /// The number of a file on its disk.
    private static func number(of file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.systemFileNumber] as? Int
    }

    @Test("Rows of jobs are not recorded for undo")
    func noUndo() async throws {
        let tables = try await library.read { db in
            try String.fetchAll(
                db, sql: "SELECT DISTINCT tbl_name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'undo_%'")
        }
        #expect(tables.contains("detection"))
        #expect(!tables.contains { $0.hasPrefix("job") })
    }
}

private enum ScriptedPhoto {
    /// Returns the bytes of a photo with a script and a comment.
    static func bytes(_ script: String, comment: [UInt8]) -> [UInt8] {
        let photo = ScriptedReader.bytes(script)
        return photo.prefix(2) + [0xFF, 0xFE, 0, UInt8(comment.count + 2)] + comment + photo.dropFirst(2)
    }
}
