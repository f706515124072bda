import Fixtures
import Foundation
import Imaging
import Reading
import ShelflistAPI
import Synchronization
import TestSupport
import Testing
import WorkQueue

@Suite(
    "Reading with workers", .enabled(if: PostgresServer.isAvailable, "PostgreSQL is missing: apt install postgresql"),
    .needsPostgres, .serialized, .blocks, .endsHangs)
struct QueuedReaderTests {
    private static func scanner() throws -> PhotoScanner {
        let installation = Installation(
            resources: try ExamplePhoto.folder().deletingLastPathComponent().appending(path: ".deps"))
        return try PhotoScanner(installation: installation, cache: SharedCache.folder)
    }

    private static func photo() throws -> [UInt8] { [UInt8](try Data(contentsOf: ExamplePhoto.photo())) }

    @Test(
        "A worker's photo has the books, text and outlines of one that was read here, to the digit",
        arguments: readsAllPhotos ? [PreprocessingMode.off, .on] : [.off])
    func identical(_ mode: PreprocessingMode) async throws {
        let queue = try await QueueFixture()
        let scanner = try Self.scanner()
        let worker = ReadingWorker(scanner)
        queue.work { try await worker.read($0, report: $1) }
        let reader = QueuedReader(scanner: scanner, offers: queue.offers())
        let (here, there) = (Log<ReadingProgress>(), Log<ReadingProgress>())
        let photo = try Self.photo()
        let local = try await scanner.read(photo, name: "shelf.jpg", preprocessing: mode) { here.add($0) }
        let remote = try await reader.read(photo, name: "shelf.jpg", preprocessing: mode) { there.add($0) }
        #expect(try Self.text(of: remote) == Self.text(of: local))
        #expect(remote.books.count > 5)
        #expect(try Self.outlines(there) == Self.outlines(here))
        #expect(Self.stages(there) == [.decode, .read, .identify])
        // With the text of the worker, books are identified again as with that of this machine.
        #expect(try await Self.text(of: reader.identify(remote)) == Self.text(of: scanner.identify(local)))
        await queue.end()
    }

    @Test("A photo that is not one fails as it does here", .whenReadingChanges)
    func notAPhoto() async throws {
        let queue = try await QueueFixture()
        let scanner = try Self.scanner()
        let worker = ReadingWorker(scanner)
        queue.work { try await worker.read($0, report: $1) }
        let reader = QueuedReader(scanner: scanner, offers: queue.offers())
        for bytes in [Array("no photo".utf8), [], [0xFF, 0xD8, 0xFF, 0xE0]] {
            let local = await #expect(throws: ImageError.self) { try await scanner.read(bytes, name: "a") }
            let remote = await #expect(throws: ImageError.self) { try await reader.read(bytes, name: "a") }
            #expect(remote == local)
        }
        await queue.end()
    }

    @Test("A result that the photo cannot have fails it, and names the field", .whenReadingChanges)
    func forged() async throws {
        let queue = try await QueueFixture()
        let scanner = try Self.scanner()
        let photo = try Self.photo()
        let text = try await scanner.readText(photo, scanner.request(.off)) { _ in }
        var other = text
        (other.originalSize.width, other.size.width) = (text.originalSize.width - 1, text.size.width - 1)
        let answer = [UInt8](try JSONEncoder().encode(other))
        queue.work { _, report in
            // Reports that are not valid are left out.
            report(Array("{\"text\":{\"_0\":1e300}}".utf8))
            return .done(answer)
        }
        let reader = QueuedReader(scanner: scanner, offers: queue.offers())
        let begun = Mutex(0)
        await #expect(throws: WorkQueueError.refused("a result", field: "originalSize")) {
            try await reader.read(
                photo, name: "shelf.jpg", preprocessing: .off, began: { begun.withLock { $0 += 1 } },
                report: { if case .text = $0 { Issue.record("a wrong report") } })
        }
        #expect(begun.withLock { $0 } == 1, "a death after the result arrived would count")
        await queue.end()
    }

    @Test("Photos are read here where there is a place, and by workers otherwise", .whenReadingChanges)
    func besides() async throws {
        let queue = try await QueueFixture()
        let scanner = try Self.scanner()
        // No worker runs.
        let reader = QueuedReader(scanner: scanner, offers: queue.offers(), readHere: 1)
        #expect(try await reader.read(Self.photo(), name: "a").books.count > 5)
        await queue.end()
    }

    @Test("The text of a command that was interrupted is not read again", .whenReadingChanges)
    func resuming() async throws {
        let queue = try await QueueFixture()
        let folder = try TemporaryFolder()
        let scanner = try Self.scanner()
        let worker = ReadingWorker(scanner)
        let reads = Log<Int64>()
        queue.work { photo, report in
            reads.add(photo.row)
            return try await worker.read(photo, report: report)
        }
        let kept = try KeptTexts(in: folder.url, models: "m")
        for _ in 1...2 {
            let reader = QueuedReader(scanner: scanner, offers: queue.offers(), kept: kept)
            #expect(try await reader.read(Self.photo(), name: "a").books.count > 5)
        }
        #expect(reads.all.count == 1)
        // As another command in the same data folder does at its end.
        try kept.removeAll()
        let reader = QueuedReader(scanner: scanner, offers: queue.offers(), kept: kept)
        #expect(try await reader.read(Self.photo(), name: "a").books.count > 5)
        #expect(reads.all.count == 2)
        try kept.removeAll()
        try kept.removeAll()
        await queue.end()
    }

    /// A photo as the document has it, without what differs between two runs.
    private static func text(of photo: ScannedPhoto) throws -> String {
        var photo = photo
        photo.seconds = 0
        (photo.timings.decode, photo.timings.detect, photo.timings.recognise) = (0, 0, 0)
        (photo.timings.group, photo.timings.match) = (0, 0)
        return try json(photo)
    }

    private static func outlines(_ log: Log<ReadingProgress>) throws -> [String] {
        try log.all.compactMap { progress in
            guard case .spines(let spines) = progress else { return nil }
            return try json(spines)
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func stages(_ log: Log<ReadingProgress>) -> [ScanStage] {
        log.all.compactMap { if case .stage(let stage) = $0 { stage } else { nil } }
    }
}
