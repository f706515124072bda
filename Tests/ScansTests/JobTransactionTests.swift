import Foundation
import GRDB
import Library
import Reading
import ReadingFixtures
import Scans
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Jobs in the library's database", .endsHangs) struct JobTransactionTests {
    private let bench: JobBench
    private let library: LibraryStore

    init() throws {
        bench = try JobBench()
        library = try LibraryStore(folder: LibraryFolder(bench.folder))
    }

    /// Reads a photo with two books to the end.
    private func scanned(_ jobs: ScanJobs, _ options: JobOptions = JobOptions()) async throws -> ScanJob {
        let photo = try bench.photo("books:Dune|Emma", in: jobs)
        let id = try await jobs.intake.accept([photo], client: "a", options: options).job.id
        return try #require(await jobs.finished(id))
    }

    @Test("Progress and edits do not raise the library's revision; adding books does, once")
    func revision() async throws {
        let importer = ScanImporter(library: library)
        let jobs = try bench.jobs(importer: importer)
        try await jobs.start()
        let before = try await library.revision()
        let job = try await scanned(jobs)
        #expect(try await jobs.edit("1-book-1", of: job.id) { $0.correction.title = "Dune Messiah" })
        #expect(try await library.revision() == before)
        let added = try await importer.add(
            ["1-book-1", "1-book-2"], of: job, from: jobs, shelf: nil, duplicates: nil, as: UndoToken())
        #expect(added.map(\.id) == ["1-book-1", "1-book-2"])
        #expect(try await library.revision() == before + 1)
        #expect(try await library.entries().entries.map(\.title).sorted() == ["Dune Messiah", "Emma"])
    }

    @Test("A book that was added is edited in the library")
    func editOfAdded() async throws {
        let jobs = try bench.jobs(importer: ScanImporter(library: library))
        try await jobs.start()
        let job = try await scanned(jobs, JobOptions(importsResults: true))
        #expect(try await !jobs.edit("1-book-1", of: job.id) { $0.correction.title = "Dune Messiah" })
        #expect(try await jobs.log.edits(of: job.id).isEmpty)
        await #expect(throws: JobError.notFound) { try await jobs.edit("1-book-9", of: job.id) { _ in } }
    }

    @Test("An import whose event cannot be stored adds nothing, and leaves no picture")
    func importAndEvent() async throws {
        let importer = InterruptedImporter(ScanImporter(library: library))
        let jobs = try bench.jobs(importer: importer)
        try await jobs.start()
        let job = try await scanned(jobs, JobOptions(importsResults: true))
        #expect(!job.imported)
        #expect(try await library.entries().total == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.photos.path).isEmpty)
        importer.isInterrupted.withLock { $0 = false }
        bench.advance(by: .seconds(60))
        try await jobs.sweep()
        #expect(try await library.entries().total == 2)
        let kinds = try await jobs.log.events(of: job.id, after: 0).map(\.kind)
        #expect(kinds.count { $0 == "imported" } == 1)
    }

    @Test("A photo is stored once, without its metadata")
    func storedOnce() async throws {
        let jobs = try bench.jobs(importer: ScanImporter(library: library))
        try await jobs.start()
        let incoming = try jobs.files.receive(limit: 1000)
        let comment = Array("51.5007 N, 0.1246 W".utf8)
        let bytes = ScriptedPhoto.bytes("books:Dune", comment: comment)
        try incoming.append(bytes)
        let id = try await jobs.intake.accept(
            [try incoming.close()], client: "a", options: JobOptions(importsResults: true)
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

/// Imports, and then fails as if the disk were full.
private final class InterruptedImporter: JobImporting {
    let isInterrupted = Mutex(true)
    private let importer: ScanImporter

    init(_ importer: ScanImporter) { self.importer = importer }

    func store(_ file: URL, sha256: String) async throws -> StoredPhoto {
        try await importer.store(file, sha256: sha256)
    }

    func discard(_ photo: StoredPhoto) async { await importer.discard(photo) }

    func importPhoto(
        _ number: Int, _ stored: StoredPhoto, _ result: ScannedPhoto, repeated: [RepeatedSpine], _ change: JobChange
    ) throws -> ScanImportReport {
        let report = try importer.importPhoto(number, stored, result, repeated: repeated, change)
        if isInterrupted.withLock(\.self) { throw POSIXError(.ENOSPC) }
        return report
    }

    func update(_ number: Int, to result: ScannedPhoto, importing wanted: Set<String>, _ change: JobChange) throws {
        try importer.update(number, to: result, importing: wanted, change)
    }

    func enrich(_ book: ScanBook, of job: ScanJob) async throws { try await importer.enrich(book, of: job) }

    func states(of books: [ScanBook], job: String, in db: Database) throws -> [String: ScanBookOutcome] {
        try importer.states(of: books, job: job, in: db)
    }

    func jobsWithPhotos() async throws -> Set<String> { try await importer.jobsWithPhotos() }

    func photoFile(_ number: Int, of job: String) async throws -> URL? {
        try await importer.photoFile(number, of: job)
    }
}
