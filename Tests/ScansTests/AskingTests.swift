import Bibliography
import Concurrency
import Foundation
import Identification
import Library
import Reading
import ReadingFixtures
import Scans
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Asking sources about the books of a job", .endsHangs) struct AskingTests {
    let bench: JobBench

    init() throws { bench = try JobBench() }

    /// Makes the second book of a photo sure.
    private static let sureOfSecond = ScriptedIdentification.Step.books { books in
        books[1].title = "Emma"
        books[1].author = "Jane Austen"
        books[1].confidence = 0.95
        books[1].checked = true
        books[1].reviewStatus = .verified
        books[1].matches = [
            BookMatch(title: "Emma", author: "Jane Austen", confidence: 0.95, source: "openlibrary")
        ]
    }

    private func updates(_ jobs: ScanJobs, of id: String) async throws -> [JobEvent.Update] {
        try await jobs.log.events(of: id, after: 0).compactMap { event in
            if case .updated(let update) = event.content { update } else { nil }
        }
    }

    @Test("No source is asked about photos that are only checked, and their files are deleted before the job completes")
    func onlyChecked() async throws {
        let source = ScriptedIdentification([Self.sureOfSecond])
        let jobs = try await bench.jobs(identifier: source)
        var options = JobOptions()
        options.purpose = .check
        let id = try await jobs.intake.accept(
            [try await jobs.photo("books:Dune|Ema?")], client: "a", options: options
        ).job.id
        let finished = try #require(await jobs.finished(id))
        #expect(finished.status == .completed && finished.books == 2 && !finished.isAsking && !finished.imported)
        #expect(source.asked == 0)
        #expect(!FileManager.default.fileExists(atPath: jobs.files.photo(1, of: id).path))
        #expect(try await jobs.log.job(id)?.options.purpose == .check)
    }

    @Test("Books become surer after the job is completed, and every event before is as without sources")
    func becomesSurer() async throws {
        let plain = try JobBench()
        let without = try await plain.jobs()
        let first = try await without.scan("books:Dune|Ema?")

        let source = ScriptedIdentification([.wait, Self.sureOfSecond])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.accept("books:Dune|Ema?", imports: true)
        let completed = try #require(await jobs.finished(id))
        #expect(completed.status == .completed)
        #expect(completed.isAsking)
        #expect(completed.needsReview == 1)
        let before = try await jobs.log.events(of: id, after: 0).map(\.kind)
        #expect(before.filter { $0 != "imported" } == (try await without.log.events(of: first, after: 0).map(\.kind)))

        source.release()
        let settled = try #require(await jobs.settled(id))
        #expect(settled.needsReview == 0)
        let update = try #require(try await updates(jobs, of: id).first)
        #expect(try await updates(jobs, of: id).count == 1, "the last identification changed nothing more")
        #expect(update.photo == 1)
        #expect(update.removed == [])
        #expect(update.books.map(\.id) == ["1-book-2"])
        #expect(update.books[0].tier == .ready)
        #expect(update.books[0].source == "openlibrary")
        let results = try await jobs.log.results(of: id)
        #expect(results.books.map(\.book.title) == ["Dune", "Emma"])
        #expect(results.photos[0].result.books.map(\.title) == ["Dune", "Emma"])
        #expect(try await bench.titles() == ["Dune", "Emma"])
    }

    @Test("How many spines are looked up is logged, and part of the job while sources are asked")
    func counts() async throws {
        let source = ScriptedIdentification([.open(3), .open(3), .open(1), .wait, .open(2), .open(0)])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.accept("books:1?|2?|3?", "books:4?|5?|6?")
        _ = try await jobs.finished(id)
        try await eventually { try await jobs.log.job(id)?.lookups?.current == 4 }
        let lookups = try await jobs.log.job(id)?.lookups
        #expect(lookups?.total == 6)
        #expect(
            lookups?.photos == [.init(photo: 1, current: 2, total: 3), .init(photo: 2, current: 2, total: 3)])
        source.release()
        #expect(try await jobs.settled(id)?.lookups == nil)
        let events = try await jobs.log.events(of: id, after: 0).compactMap { event in
            if case .lookupProgress(let progress) = event.content { progress } else { nil }
        }
        // Of each photo: none, two, one, since a model named new titles, and all.
        #expect(events.count == 8)
        #expect(events.allSatisfy { $0.current == $0.photos.map(\.current).reduce(0, +) })
        #expect(Set(events.flatMap(\.photos).filter { $0.photo == 1 }.map(\.current)) == [0, 1, 2, 3])
    }

    @Test("Spines that a failed source did not answer do not count once their photo is finished")
    func countsAnswers() async throws {
        let source = ScriptedIdentification([.open(3), .open(1)])
        let jobs = try await bench.jobs(identifier: source) { $0.photosAskedAtOnce = 1 }
        let id = try await jobs.accept("books:1?|2?|3?", "books:4?|5?|6?")
        _ = try await jobs.settled(id)
        let events = try await jobs.log.events(of: id, after: 0).compactMap { event in
            if case .lookupProgress(let progress) = event.content { progress } else { nil }
        }
        #expect(events.map(\.current) == [0, 2, 2, 4])
        #expect(events.map(\.total) == [3, 3, 5, 5])
    }

    @Test("Without a source nothing is asked")
    func withoutSource() async throws {
        let source = ScriptedIdentification(isOff: true, [Self.sureOfSecond])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.accept("books:Dune|Ema?")
        #expect(try await jobs.settled(id)?.status == .completed)
        #expect(source.asked == 0)
        // Switching it on takes effect for the next photo.
        source.isOff = false
        let next = try await jobs.accept("books:Dune|Ema?")
        _ = try await jobs.settled(next)
        #expect(source.asked == 1)
        #expect(try await updates(jobs, of: next).count == 1)
    }

    @Test("Sources that are slow delay neither other photos nor the end of the job")
    func delaysNothing() async throws {
        let source = ScriptedIdentification([.wait])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.accept("books:Dune", "books:Emma", "books:Ulysses")
        #expect(try await jobs.finished(id)?.status == .completed)
        #expect(try await jobs.log.results(of: id).books.count == 3)
        source.release()
        #expect(try await jobs.settled(id)?.isAsking == false)
        #expect(source.asked == 3)
    }

    @Test("A bounded number of photos is asked about at once")
    func bounded() async throws {
        let source = ScriptedIdentification([.wait])
        let jobs = try await bench.jobs(identifier: source) { ($0.photosAskedAtOnce, $0.textsKept) = (2, 1) }
        let id = try await jobs.accept("books:1", "books:2", "books:3", "books:4", "books:5")
        #expect(try await jobs.finished(id)?.status == .completed)
        try await eventually { source.asked == 2 }
        source.release()
        _ = try await jobs.settled(id)
        #expect(source.asked == 5)
        // Texts for which there was no room were read again.
        #expect(bench.reader.read.count > 5)
    }

    @Test("Each outage is reported once a job")
    func outageOnce() async throws {
        let outage = UnavailableSource(source: "openlibrary", message: "Open Library does not answer.")
        let source = ScriptedIdentification([.unavailable(outage), .unavailable(outage)])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.accept("books:Dune", "books:Emma")
        _ = try await jobs.settled(id)
        #expect(try await jobs.log.events(of: id, after: 0).count { $0.kind == "enrichment_degraded" } == 1)
    }

    @Test("Text that belongs to another book is removed, and a new book gets a name of its own")
    func regroups() async throws {
        let source = ScriptedIdentification([
            .books { books in
                // The second and third are one book, and a fourth is found beside it.
                books[1].text += books[2].text
                books[1].title = "Pride and Prejudice"
                books[2].text = [ReadText(text: "EMMA", score: 0.9)]
                books[2].title = "Emma"
                books[2].boundingBox = UnitRect(x: 0.8, y: 0, width: 0.1, height: 1)
                for index in books.indices { books[index].id = "book-\(index + 1)" }
            }
        ])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.accept("books:Dune|Pride|Prejudice")
        _ = try await jobs.settled(id)
        let update = try #require(try await updates(jobs, of: id).first)
        #expect(update.books.map(\.id) == ["1-book-2", "1-book-4"])
        #expect(update.removed == ["1-book-3"])
        #expect(try await jobs.log.results(of: id).books.map(\.id) == ["1-book-1", "1-book-2", "1-book-4"])
    }

    @Test("A book that the user edited before it was added is not removed")
    func keepsEdited() async throws {
        let source = ScriptedIdentification([.wait, .books { $0.removeLast(2) }])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.scan("books:Dune|Pride|Prejudice")
        var edit = ScanBookEdit()
        edit.correction.title = "Pride and Prejudice"
        try await jobs.set(edit, of: "1-book-2", in: id)
        source.release()
        _ = try await jobs.settled(id)
        #expect(try await updates(jobs, of: id).flatMap(\.removed) == ["1-book-3"])
        #expect(try await jobs.log.results(of: id).books.map(\.id) == ["1-book-1", "1-book-2"])
        #expect(try await jobs.log.edits(of: id)["1-book-2"] == edit)
    }

    @Test("A book that turns out to be one of an earlier photo is merged with it")
    func mergesAcrossPhotos() async throws {
        let source = ScriptedIdentification([.wait, .books { $0[0].title = "Emma" }])
        let jobs = try await bench.jobs(identifier: source)
        // A photo can be read while the result of the one before it is being stored.
        let id = try await jobs.accept("books:Emma", expected: 2)
        try await jobs.reached(.done, photo: 1, of: id)
        _ = try await jobs.intake.add(try await jobs.photo("books:Ema?"), as: 2, to: id)
        _ = try await jobs.finished(id)
        #expect(try await jobs.log.results(of: id).books.count == 2)
        source.release()
        _ = try await jobs.settled(id)
        let results = try await jobs.log.results(of: id)
        #expect(results.books.map(\.id) == ["1-book-1"])
        #expect(results.books[0].positions.map(\.photo) == [1, 2])
        #expect(results.folded == 1)
        #expect(try await updates(jobs, of: id).flatMap(\.removed) == ["2-book-1"])
    }

    @Test("A book with another name is looked up again")
    func looksUpRenamed() async throws {
        let source = ScriptedIdentification([.wait, Self.sureOfSecond])
        let jobs = try await bench.jobs(enricher: FindsEverything(), identifier: source)
        let id = try await jobs.scan("books:Dune|Ema?")
        source.release()
        _ = try await jobs.settled(id)
        let kinds = try await jobs.log.events(of: id, after: 0).map(\.kind)
        #expect(kinds.suffix(3) == ["completed", "updated", "enriched"])
        #expect(try await jobs.log.results(of: id).books.map(\.metadata?.record.title) == ["Dune", "Emma"])
    }

    @Test("A restart asks about the photos that were not asked about to the end")
    func resumes() async throws {
        let before = try await bench.jobs(identifier: ScriptedIdentification([.wait]))
        let id = try await before.scan("books:Dune|Ema?")
        await before.stop()

        let source = ScriptedIdentification([Self.sureOfSecond])
        let after = try await bench.jobs(identifier: source)
        #expect(try await after.settled(id)?.needsReview == 0)
        #expect(bench.reader.read.count == 2, "the text was in memory only")
        #expect(try await updates(after, of: id).count == 1)
        let kinds = try await after.log.events(of: id, after: 0).map(\.kind)
        #expect(kinds.suffix(2) == ["completed", "updated"], "reading again is not reported")

        let last = try await bench.jobs(identifier: source)
        #expect(try await last.log.job(id)?.isAsking == false)
        #expect(source.asked == 1)
    }

    @Test("After a restart as many photos are asked about at once as before")
    func resumesSeveral() async throws {
        let limits = { @Sendable (limits: inout JobLimits) in (limits.photosAskedAtOnce, limits.textsKept) = (2, 1) }
        let before = try await bench.jobs(identifier: ScriptedIdentification([.wait]), limits: limits)
        let id = try await before.accept("books:1", "books:2", "books:3")
        _ = try await before.finished(id)
        await before.stop()

        let source = ScriptedIdentification([.wait])
        let after = try await bench.jobs(identifier: source, limits: limits)
        // Each photo is read again once there is room for its text, while the other one is still asked about.
        try await eventually { source.asked == 2 }
        source.release()
        _ = try await after.settled(id)
        #expect(source.asked == 3)
    }

    @Test("A photo that is read again and again for want of room is asked about in the end")
    func readAgainOften() async throws {
        let limits = { @Sendable (limits: inout JobLimits) in
            (limits.photosAskedAtOnce, limits.textsKept, limits.photosAtOnce, limits.attempts) = (1, 1, 2, 2)
        }
        let before = try await bench.jobs(identifier: ScriptedIdentification([.wait]), limits: limits)
        let id = try await before.accept("books:1", "books:2", "books:3", "books:4", "books:5")
        _ = try await before.finished(id)
        await before.stop()
        // Two photos are read at once, and there is room for the text of one: others are read several times.
        let source = ScriptedIdentification([])
        let after = try await bench.jobs(identifier: source, limits: limits)
        _ = try await after.settled(id)
        #expect(source.asked == 5)
    }

    @Test("After a restart without sources the job is settled")
    func resumesWithoutSource() async throws {
        let before = try await bench.jobs(identifier: ScriptedIdentification([.wait]))
        let id = try await before.scan("books:Dune")
        await before.stop()
        let after = try await bench.jobs(identifier: ScriptedIdentification(isOff: true, []))
        #expect(try await after.log.job(id)?.isAsking == false)
    }

    @Test("Cancelling a job stops asking", arguments: [false, true])
    func cancels(keepsResults: Bool) async throws {
        let source = ScriptedIdentification([.wait, Self.sureOfSecond])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.accept("books:Dune|Ema?", expected: 2)
        try await eventually { source.asked == 1 }
        let kept = try await jobs.cancel(id, keepsResults: keepsResults)
        try await eventually { source.cancelled == 1 }
        source.release()
        #expect(kept?.books.map(\.book.title) == (keepsResults ? ["Dune", "Ema?"] : nil))
        #expect(try await jobs.log.job(id)?.isAsking == false)
        #expect(try await jobs.log.events(of: id, after: 0).last?.kind == "canceled")
    }

    @Test("A stop waits until asking has ended, but not longer than its limit", arguments: [false, true])
    func stops(reachesLimit: Bool) async throws {
        let ended = Mutex(false)
        let gate = AsyncStream<Never>.makeStream()
        let source = ScriptedIdentification([
            .run {
                // Goes on when it is cancelled.
                await Task { for await _ in gate.stream {} }.value
                ended.withLock { $0 = true }
            }
        ])
        let clock = HeldClock()
        let jobs = try await bench.jobs(identifier: source, clock: SteadyClock(clock: clock))
        _ = try await jobs.finished(jobs.accept("books:Dune"))
        try await eventually { source.asked == 1 }
        async let stopping: Void = jobs.stop()
        while await !jobs.runner.isStopping { await Task.yield() }
        if reachesLimit { await clock.pass(JobLimits().stopping) } else { gate.continuation.finish() }
        await stopping
        #expect(ended.withLock { $0 } == !reachesLimit)
        gate.continuation.finish()
    }

    @Test("Deleting a finished job stops asking")
    func deletes() async throws {
        let source = ScriptedIdentification([.wait, Self.sureOfSecond])
        let jobs = try await bench.jobs(identifier: source)
        let id = try await jobs.scan("books:Dune|Ema?")
        try await eventually { source.asked == 1 }
        _ = try await jobs.cancel(id)
        try await eventually { source.cancelled == 1 }
        #expect(try await jobs.log.job(id) == nil)
    }

    @Test("A fault while asking is reported, and the books stay")
    func reportsFault() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(
            identifier: ScriptedIdentification([.fail(POSIXError(.EIO))]), failures: failures)
        let id = try await jobs.accept("books:Dune")
        #expect(try await jobs.settled(id)?.status == .completed)
        #expect(failures.all.count == 1)
        #expect(try await updates(jobs, of: id).isEmpty)
    }

    @Test("A library that cannot be updated is updated after a while")
    func retriesLibrary() async throws {
        let source = ScriptedIdentification([.wait, Self.sureOfSecond])
        let failures = FailureLog()
        let jobs = try await bench.jobs(identifier: source, failures: failures)
        let id = try await jobs.scan("books:Dune|Ema?", imports: true)
        try await bench.breakLibrary()
        source.release()
        try await eventually { !failures.all.isEmpty }
        // Neither results nor library have what could not be stored in both.
        #expect(try await updates(jobs, of: id).isEmpty)
        #expect(try await jobs.log.job(id)?.isAsking == true)
        try await bench.repair()
        // The sweep waits until the failed attempt has ended.
        try await eventually {
            try await jobs.sweep()
            return try await jobs.log.job(id)?.isAsking == false
        }
        #expect(try await bench.titles() == ["Dune", "Emma"])
        #expect(try await updates(jobs, of: id).count == 1)
    }
}

@Suite struct BookContinuityTests {
    private func book(_ id: String, _ lines: [String], x: Double, width: Double = 0.1) -> DetectedBook {
        DetectedBook(
            id: id, title: lines.first, confidence: 0.5, checked: true, reviewStatus: .needsReview,
            outline: SpineOutline(UnitRect(x: x, y: 0, width: width, height: 1)),
            text: lines.map { ReadText(text: $0, score: 0.9) }, matches: [])
    }

    @Test("Books keep their names in another order")
    func keepsNames() {
        let published = [book("book-1", ["DUNE", "HERBERT"], x: 0), book("book-2", ["EMMA"], x: 0.1)]
        let new = [book("book-1", ["EMMA", "AUSTEN"], x: 0.09, width: 0.11), book("book-2", ["DUNE"], x: 0)]
        let result = BookContinuity(published: published, new: new, named: 2)
        #expect(result.books.map(\.id) == ["book-2", "book-1"])
        #expect(result.removed == [])
        #expect(result.named == 2)
    }

    @Test("Of two copies side by side each keeps its own name")
    func keepsCopies() {
        let published = [book("book-1", ["DUNE"], x: 0), book("book-2", ["DUNE"], x: 0.09)]
        let new = [book("book-1", ["DUNE"], x: 0.09), book("book-2", ["DUNE"], x: 0)]
        #expect(BookContinuity(published: published, new: new, named: 2).books.map(\.id) == ["book-2", "book-1"])
    }

    @Test("The same word on a distant spine is not the same book")
    func distantSpine() {
        let published = [book("book-1", ["PENGUIN"], x: 0)]
        let new = [book("book-1", ["PENGUIN"], x: 0.5)]
        let result = BookContinuity(published: published, new: new, named: 3)
        #expect(result.books.map(\.id) == ["book-4"])
        #expect(result.removed == ["book-1"])
        #expect(result.named == 4)
    }

    @Test("A spine whose text was read otherwise is found by its place")
    func samePlace() {
        let result = BookContinuity(
            published: [book("book-1", ["DVNE"], x: 0)], new: [book("book-7", ["DUNE"], x: 0.01)], named: 1)
        #expect(result.books.map(\.id) == ["book-1"])
    }

    @Test("A joined spine keeps the name of the book with most of its text")
    func joined() {
        let published = [book("book-1", ["PRIDE"], x: 0), book("book-2", ["AND PREJUDICE"], x: 0.05)]
        let new = [book("book-1", ["PRIDE", "AND PREJUDICE"], x: 0, width: 0.15)]
        let result = BookContinuity(published: published, new: new, named: 2)
        #expect(result.books.map(\.id) == ["book-2"])
        #expect(result.removed == ["book-1"])
    }
}
