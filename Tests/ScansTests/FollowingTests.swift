import Foundation
import ReadingFixtures
import Scans
import ShelflistAPI
import Storage
import TestSupport
import Testing

/// Followers receive every change, whichever part of the jobs makes it.
@Suite(.endsHangs) struct FollowingTests {
    let bench: JobBench

    init() throws { bench = try JobBench() }

    /// Whether a follower receives news of what `change` does, after those with which it starts.
    private func hasNews(_ jobs: ScanJobs, _ id: String, _ change: () async throws -> Void) async throws -> Bool {
        var signals = jobs.log.follow(id, quietAfter: longestWait).makeAsyncIterator()
        #expect(await signals.next() == .news)
        try await change()
        // Ends the signals.
        await jobs.stop()
        return await signals.next() == .news
    }

    @Test("A follower receives news of photos that a restart queues again")
    func leftovers() async throws {
        let before = try await bench.jobs()
        let id = try await before.accept("wait:Emma", expected: 2)
        try await before.reached(.reading, photo: 1, of: id)
        // The process dies here.
        // Nothing is read, so the only news is that of the queue.
        let after = try await bench.jobs(starts: false) { $0.photosAtOnce = 0 }
        let hasNews = try await hasNews(after, id) { try await after.start() }
        #expect(try await after.log.job(id)?.photos.first?.status == .queued)
        #expect(hasNews)
        bench.reader.release()
    }

    @Test("A follower receives news of a photo that is not read again because the process died too often")
    func failedStart() async throws {
        let before = try await bench.jobs()
        let id = try await before.accept("wait:Emma", expected: 2)
        _ = try await before.accept("wait:Dune")
        try await before.reached(.reading, photo: 1, of: id)
        // The process dies here. The next one reads the other photo first, because this one was tried before.
        let reader = ScriptedReader()
        let after = try await bench.jobs(reader: reader) { $0.attempts = 1 }
        let hasNews = try await hasNews(after, id) {
            reader.release()
            try await eventually { try await after.log.job(id)?.photos.first?.status == .failed }
            try await eventually { try await after.runner.counts().photosReading == 0 }
        }
        #expect(hasNews)
        bench.reader.release()
    }

    @Test("A follower receives news of an import that a sweep repeats")
    func repeatedImport() async throws {
        let jobs = try await bench.jobs()
        try await bench.breakLibrary()
        let id = try await jobs.accept("books:Dune", imports: true)
        #expect(try await jobs.finished(id)?.imported == false)
        try await bench.repair()
        bench.advance(by: .seconds(60))
        let hasNews = try await hasNews(jobs, id) { try await jobs.sweep() }
        #expect(try await jobs.log.job(id)?.imported == true)
        #expect(hasNews)
    }

    @Test("A slow follower receives its news and that it was quiet, each once")
    func slowFollower() async {
        let (stream, signals) = JobSignal.makeStream()
        var follower = stream.makeAsyncIterator()
        signals.yield(.news)
        for _ in 1...3 { signals.signalQuiet() }
        let received = [await follower.next(), await follower.next()]
        #expect(received.contains(.news) && received.contains(.quiet))
        signals.signalQuiet()
        #expect(await follower.next() == .quiet, "nothing was left")
    }

    @Test("Followers that leave while news is announced do not hold up the server")
    func leaving() async throws {
        let log = try await bench.jobs(starts: false).log
        for _ in 0..<3000 {
            let follower = Task { for await _ in log.follow("1", quietAfter: longestWait) {} }
            while log.followers == 0 { await Task.yield() }
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                if side == 0 { follower.cancel() } else { log.announce("1") }
            }
            await follower.value
        }
        #expect(log.followers == 0)
    }

    @Test(
        "Failures that no caller waits for are reported, and the next sweep continues",
        arguments: [JobError.diskFull, StorageError.file("library.sqlite", reason: "Its disk fails.")]
            as [any Error])
    func reportedFailures(failure: any Error) async throws {
        let failures = FailureLog()
        let reader = ScriptedReader(firstFailure: failure)
        let jobs = try await bench.jobs(reader: reader, failures: failures)
        let id = try await jobs.accept("books:Emma")
        try await eventually { try await jobs.runner.counts().photosReading == 0 && !failures.all.isEmpty }
        #expect(failures.all == ["\(failure)"])
        #expect(try await jobs.log.job(id)?.status == .running)
        try await jobs.sweep()
        #expect(try await jobs.finished(id)?.status == .completed)
        #expect(reader.read == ["books:Emma", "books:Emma"])
    }

    @Test("A photo whose file cannot be read waits until the disk works again")
    func unreadableFile() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures) { $0.photosAtOnce = 1 }
        let first = try await jobs.accept("wait:Emma")
        let id = try await jobs.accept("books:Dune")
        try await jobs.reached(.reading, photo: 1, of: first)
        let (file, aside) = (jobs.files.photo(1, of: id), jobs.files.photo(2, of: id))
        try FileManager.default.moveItem(at: file, to: aside)
        // A read of a folder fails, as one of a broken disk does.
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        bench.reader.release()
        try await eventually { try await jobs.runner.counts().photosReading == 0 && !failures.all.isEmpty }
        #expect(failures.all.map { $0.contains(file.path) } == [true])
        #expect(try await jobs.log.job(id)?.isFinished == false)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: aside, to: file)
        try await jobs.sweep()
        #expect(try await jobs.finished(id)?.status == .completed)
    }
}
