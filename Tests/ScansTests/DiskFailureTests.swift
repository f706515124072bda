import Foundation
import Imaging
import Reading
import ReadingFixtures
import Scans
import ShelflistAPI
import Storage
import Synchronization
import TestSupport
import Testing

/// Photos whose files or results the disk fails to read or to store.
@Suite("Photos for which the disk fails", .endsHangs)
struct DiskFailureTests {
    private let bench: JobBench

    init() throws { bench = try JobBench() }

    private static let reading = "The server's disk could not read this photo. It tries again every minute."

    /// A job of one photo whose file cannot be read: a read of a folder fails, as one of a broken disk does.
    private func unreadable(
        _ jobs: ScanJobs, _ failures: FailureLog, client: String = "a", expected: Int? = nil
    ) async throws -> String {
        await jobs.runner.hold()
        let id = try await jobs.accept("books:Emma", client: client, imports: true, expected: expected)
        let file = jobs.files.photo(1, of: id)
        try FileManager.default.moveItem(at: file, to: aside(jobs, id))
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let before = failures.all.count
        try await jobs.runner.release()
        try await eventually { failures.all.count == before + 1 }
        try await eventually { try await jobs.runner.counts().photosReading == 0 }
        return id
    }

    private func aside(_ jobs: ScanJobs, _ id: String) -> URL { jobs.files.photo(5, of: id) }

    private func repair(_ jobs: ScanJobs, _ id: String) throws {
        let file = jobs.files.photo(1, of: id)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: aside(jobs, id), to: file)
    }

    private func sweep(_ jobs: ScanJobs, after time: Duration) async throws {
        bench.advance(by: time)
        try await jobs.sweep()
    }

    @Test("After five minutes one event says that the photo waits, and it is counted")
    func reported() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures)
        let id = try await unreadable(jobs, failures)
        let first = try await jobs.log.events(of: id, after: 0).map(\.kind)
        for _ in 0..<4 { try await sweep(jobs, after: .seconds(60)) }
        #expect(try await jobs.log.events(of: id, after: 0).map(\.kind) == first)
        #expect(jobs.runner.photosWaitingForDisk == 0)

        try await sweep(jobs, after: .seconds(60))
        let events = try await jobs.log.events(of: id, after: first.count)
        #expect(events.map(\.kind) == ["photo queued", "analyzing"])
        if case .progress(let progress) = events.last?.content { #expect(progress.message == Self.reading) }
        let photo = try #require(try await jobs.log.job(id)?.photos.first)
        #expect(photo.status == .queued)
        #expect(photo.problem?.code == "disk_failed" && photo.problem?.retryable == true)
        #expect(photo.problem?.detail == Self.reading)
        let counts = try await jobs.runner.counts()
        #expect(counts.photosWaitingForDisk == 1 && counts.photosWaiting == 0 && counts.queueAge == 0)

        for _ in 0..<30 { try await sweep(jobs, after: .seconds(60)) }
        #expect(try await jobs.log.events(of: id, after: first.count).count == 2)
        #expect(failures.all.count == 1, "each failure is logged once")

        try repair(jobs, id)
        try await sweep(jobs, after: .seconds(60))
        #expect(try await jobs.finished(id)?.status == .completed)
        #expect(try await jobs.log.job(id)?.photos.first?.problem == nil)
        #expect(jobs.runner.photosWaitingForDisk == 0)
    }

    @Test("After a day the photo fails, and Retry reads it when the disk works again")
    func fails() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures)
        let id = try await unreadable(jobs, failures)
        try await sweep(jobs, after: .seconds(600))
        try await sweep(jobs, after: .seconds(24 * 3600))
        let job = try #require(try await jobs.finished(id))
        #expect(job.status == .failed)
        #expect(job.photos.first?.problem?.code == "disk_failed")
        let reason = "The server's disk could not read this photo. Check the disk, then retry."
        #expect(job.photos.first?.problem?.detail == reason)
        #expect(jobs.runner.photosWaitingForDisk == 0 && jobs.runner.statistics.photosFailed == 1)
        try repair(jobs, id)
        _ = try await jobs.retry(photo: 1, of: id)
        #expect(try await jobs.finished(id)?.status == .completed)
    }

    @Test("After a restart the photo is tried once more, and fails then", arguments: [true, false])
    func restart(isRepaired: Bool) async throws {
        let failures = FailureLog()
        let before = try await bench.jobs(failures: failures)
        let id = try await unreadable(before, failures)
        try await sweep(before, after: .seconds(300))
        await before.stop()
        if isRepaired { try repair(before, id) }
        let after = try await bench.jobs()
        #expect(try await after.finished(id)?.status == (isRepaired ? .completed : .failed))
    }

    @Test("A photo that waited less than five minutes waits on after a restart")
    func earlyRestart() async throws {
        let failures = FailureLog()
        let before = try await bench.jobs(failures: failures)
        let id = try await unreadable(before, failures)
        await before.stop()
        let later = FailureLog()
        let after = try await bench.jobs(failures: later)
        try await eventually { !later.all.isEmpty }
        #expect(try await after.log.job(id)?.isFinished == false)
    }

    @Test("Retry tries a waiting photo at once")
    func retry() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures)
        let id = try await unreadable(jobs, failures)
        try await sweep(jobs, after: .seconds(300))
        #expect(try await jobs.retry(photo: 1, of: id).problem?.code == "disk_failed")
        try repair(jobs, id)
        _ = try await jobs.retry(photo: 1, of: id)
        #expect(try await jobs.finished(id)?.status == .completed)
    }

    @Test("Jobs that wait for the disk alone do not count for the limit of a client")
    func limit() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures) { $0.jobsInFlightPerClient = 2 }
        for _ in 0..<2 { _ = try await unreadable(jobs, failures) }
        await #expect(throws: JobError.tooManyJobs(limit: 2)) { try await jobs.accept("books:Dune") }
        try await sweep(jobs, after: .seconds(300))
        let id = try await jobs.accept("books:Dune")
        #expect(try await jobs.finished(id)?.status == .completed)
        // A job that expects another photo counts.
        _ = try await unreadable(jobs, failures, expected: 2)
        _ = try await unreadable(jobs, failures, expected: 2)
        try await sweep(jobs, after: .seconds(300))
        await #expect(throws: JobError.tooManyJobs(limit: 2)) { try await jobs.accept("books:Dune") }
    }

    @Test("A file that cannot be read takes no place of a photo that is read")
    func places() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures) { $0.photosAtOnce = 1 }
        let id = try await unreadable(jobs, failures)
        let other = try await jobs.accept("wait:Dune")
        try await jobs.reached(.reading, photo: 1, of: other)
        try await sweep(jobs, after: .seconds(300))
        #expect(try await jobs.log.job(id)?.photos.first?.problem != nil)
        #expect(try await jobs.runner.counts().photosReading == 1)
        bench.reader.release()
        #expect(try await jobs.finished(other)?.status == .completed)
    }

    @Test("A photo whose books cannot be stored is read again without events, until they can")
    func notStored() async throws {
        let failures = FailureLog()
        let disk = FailingDisk(bench.reader)
        let jobs = try await bench.jobs(reader: disk, failures: failures)
        let id = try await jobs.accept("books:Emma")
        try await eventually { failures.all.count == 1 }
        let first = try await jobs.log.events(of: id, after: 0).count
        for _ in 1...10 {
            let before = disk.failures
            bench.advance(by: .seconds(60))
            // A sweep skips a photo whose last attempt has not ended yet.
            try await eventually {
                try await jobs.sweep()
                return disk.failures > before
            }
        }
        try await eventually { try await jobs.log.job(id)?.photos.first?.problem != nil }
        let events = try await jobs.log.events(of: id, after: first)
        #expect(events.map(\.kind) == ["photo queued", "analyzing"])
        let problem = try await jobs.log.job(id)?.photos.first?.problem
        #expect(problem?.detail.hasPrefix("The server's disk could not store the books of this photo.") == true)
        disk.repair()
        try await eventually {
            try await jobs.sweep()
            return try await jobs.log.job(id)?.status == .completed
        }
        #expect(failures.all.count == 1)
    }

    @Test("A full disk fails no photo, however long it is full")
    func full() async throws {
        let failures = FailureLog()
        let reader = ScriptedReader(firstFailure: StorageError.diskFull("library.sqlite"))
        let jobs = try await bench.jobs(reader: reader, failures: failures)
        let id = try await jobs.accept("books:Emma", imports: true)
        try await eventually { failures.all.count == 1 }
        try await eventually { try await jobs.runner.counts().photosReading == 0 }
        try await sweep(jobs, after: .seconds(48 * 3600))
        #expect(try await jobs.finished(id)?.status == .completed)
    }

    @Test("A cancelled job is not counted any more")
    func cancelled() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures)
        let id = try await unreadable(jobs, failures)
        try await sweep(jobs, after: .seconds(300))
        #expect(jobs.runner.photosWaitingForDisk == 1)
        try await jobs.cancel(id)
        #expect(jobs.runner.photosWaitingForDisk == 0)
    }
}

/// A reader behind which the disk fails until it is repaired.
private final class FailingDisk: ShelfReading {
    private let scripted: ScriptedReader
    private let state = Mutex((failures: 0, isRepaired: false))

    init(_ scripted: ScriptedReader) { self.scripted = scripted }

    /// How often it failed.
    var failures: Int { state.withLock(\.failures) }

    func repair() { state.withLock { $0.isRepaired = true } }

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        let photo = try await scripted.read(bytes, name: name, preprocessing: preprocessing, report: report)
        try state.withLock { state in
            guard !state.isRepaired else { return }
            state.failures += 1
            throw StorageError.file("library.sqlite", reason: "The disk reported an error.")
        }
        return photo
    }

    func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto { try await scripted.identify(photo) }

    func preview(_ frame: [UInt8], limits: PhotoLimits) async throws -> FrameOutline {
        try await scripted.preview(frame, limits: limits)
    }

    func reread(_ spine: RGBImage) async throws -> DetectedBook { try await scripted.reread(spine) }
}
