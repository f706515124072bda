import Concurrency
import Foundation
import GRDB
import Identification
import Library
import ReadingFixtures
import Scans
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite(.endsHangs) struct ScanJobsTests {
    let bench: JobBench

    init() throws { bench = try JobBench() }

    @Test("A photo's events from arrival to books are one numbered log")
    func numberedLog() async throws {
        let jobs = try await bench.jobs()
        let (job, isNew) = try await jobs.intake.accept([try await jobs.photo("books:Dune|Emma")], client: "a")
        #expect(isNew)
        let finished = try #require(await jobs.finished(job.id))
        #expect(finished.status == .completed)
        #expect(finished.books == 2)
        #expect(finished.needsReview == 1)
        let events = try await jobs.log.events(of: job.id, after: 0)
        #expect(events.map(\.id) == Array(1...events.count))
        #expect(
            events.map(\.kind) == [
                "uploading", "photo queued", "photo reading", "analyzing", "analyzing", "analyzing", "segmented",
                "book_progress", "result Dune", "book_progress", "result Emma", "photo done", "completed",
            ])
        #expect(try await jobs.log.events(of: job.id, after: 11).map(\.kind) == ["photo done", "completed"])
    }

    @Test("Spines are reported before their books are identified")
    func spinesBeforeBooks() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept("wait:Dune")
        for await _ in jobs.log.follow(id, quietAfter: longestWait) {
            if try await jobs.log.events(of: id, after: 0).last?.kind == "segmented" { break }
        }
        #expect(bench.reader.read == ["wait:Dune"])
        bench.reader.release()
        _ = try await jobs.finished(id)
        let kinds = try await jobs.log.events(of: id, after: 0).map(\.kind)
        #expect(
            kinds.filter { $0 == "segmented" || $0.hasPrefix("result") } == ["segmented", "segmented", "result Dune"])
    }

    @Test("How many spines are read is logged every 200 ms of the jobs' clock", arguments: [(0, [1]), (200, [1, 2])])
    func paces(milliseconds: Int, expected: [Int]) async throws {
        let uptime = Mutex(Duration.zero)
        let clock = SteadyClock(start: Date(timeIntervalSince1970: 1_800_000_000)) {
            uptime.withLock { uptime in
                uptime += .milliseconds(milliseconds)
                return uptime
            }
        }
        let jobs = try await bench.jobs(clock: clock)
        bench.reader.release()
        let id = try await jobs.scan("wait-read:Dune|Emma")
        let read = try await jobs.log.events(of: id, after: 0).compactMap { event in
            if case .bookProgress(let progress) = event.content, progress.stage == "reading" {
                progress.current
            } else {
                nil
            }
        }
        #expect(read == expected)
    }

    @Test("The same request is accepted once")
    func idempotency() async throws {
        let jobs = try await bench.jobs()
        let first = try await jobs.intake.accept([try await jobs.photo("books:Dune")], client: "a", key: "k")
        let again = try await jobs.intake.accept([try await jobs.photo("books:Dune")], client: "a", key: "k")
        let other = try await jobs.intake.accept([try await jobs.photo("books:Dune")], client: "b", key: "k")
        #expect(again.job.id == first.job.id)
        #expect(!again.isNew)
        #expect(other.job.id != first.job.id)
        _ = try await jobs.finished(first.job.id)
        _ = try await jobs.finished(other.job.id)
        #expect(bench.reader.read.count == 2)
    }

    @Test("One bad photo fails alone and can be retried")
    func retriesPhoto() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept("fail", "books:Dune")
        let job = try #require(await jobs.finished(id))
        #expect(job.status == .completed)
        #expect(job.photos.map(\.status) == [.failed, .done])
        #expect(job.photos[0].problem?.code == "image_damaged")
        #expect(try await jobs.retry(photo: 1, of: id).status == .queued)
        let again = try #require(await jobs.finished(id))
        #expect(again.photos.map(\.status) == [.failed, .done])
        #expect(bench.reader.read == ["fail", "books:Dune", "fail"])
        await #expect(throws: JobError.notFailed(2)) { try await jobs.retry(photo: 2, of: id) }
    }

    @Test("A job without a readable photo fails with the reason")
    func noReadablePhoto() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept("fail")
        #expect(try await jobs.finished(id)?.status == .failed)
        let problems = try await jobs.problems(of: id)
        #expect(problems.map(\.code) == ["image_damaged", "image_damaged"] && problems.map(\.photo) == [1, nil])
    }

    @Test("Photos of a batch are read as they arrive, and books seen twice are merged")
    func mergesBatch() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept(expected: 3)
        _ = try await jobs.intake.add(try await jobs.photo("books:Dune|Emma"), as: 2, to: id)
        try await jobs.reached(.done, photo: 2, of: id)
        #expect(try await jobs.log.job(id)?.photos.map(\.status) == [.missing, .done, .missing])
        _ = try await jobs.intake.add(try await jobs.photo("books:emma|Ulysses"), as: 1, to: id)
        let repeated = try await jobs.intake.add(try await jobs.photo("books:Dune|Emma"), as: 2, to: id)
        #expect(!repeated.isNew)
        let other = try await jobs.photo("books:Else")
        await #expect(throws: JobError.photoExists(2)) { try await jobs.intake.add(other, as: 2, to: id) }
        _ = try await jobs.close(id)
        let job = try #require(await jobs.finished(id))
        #expect(job.status == .completed)
        let results = try await jobs.log.results(of: id)
        #expect(results.books.map(\.book.title) == ["Dune", "emma", "Ulysses"])
        #expect(results.folded == 1)
        #expect(results.books[1].positions.map(\.photo) == [2, 1])
    }

    @Test("Of uploads of one number at once, the first is stored, and the same photo is accepted again")
    func uploadsAtOnce() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept(expected: 1)
        let accepted = try await withThrowingTaskGroup(of: (title: String, isNew: Bool)?.self) { group in
            for title in ["Emma", "Dune", "Emma", "Dune", "Emma", "Dune", "Emma", "Dune"] {
                let photo = try await jobs.photo("books:\(title)")
                group.addTask {
                    do {
                        return (title, try await jobs.intake.add(photo, as: 1, to: id).isNew)
                    } catch JobError.photoExists(1) { return nil }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
        }
        #expect(accepted.count == 4 && accepted.count(where: \.isNew) == 1)
        _ = try #require(await jobs.finished(id))
        #expect(try await jobs.log.results(of: id).books.map(\.book.title) == Array(Set(accepted.map(\.title))))
    }

    @Test("A job resumes after a restart and keeps finished photos")
    func resumesAfterRestart() async throws {
        let before = try await bench.jobs()
        let done = try await before.scan("books:Dune")
        let cut = try await before.accept("wait:Emma", "books:Ulysses", imports: true)
        try await before.reached(.reading, photo: 1, of: cut)
        // The process dies here: nothing of it goes on but the files.
        let reader = ScriptedReader()
        reader.release()
        let after = try await bench.jobs(reader: reader)
        let job = try #require(await after.finished(cut))
        #expect(job.photos.map(\.status) == [.done, .done])
        #expect(try await bench.imported() == ["\(cut)/1": 1, "\(cut)/2": 1])
        #expect(try await after.log.results(of: done).books.map(\.book.title) == ["Dune"])
        #expect(try await after.log.events(of: done, after: 0).last?.kind == "completed")
        bench.reader.release()
    }

    @Test("A stop requeues the photo and accepts no other")
    func stopRequeues() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept("wait:Emma")
        try await jobs.reached(.reading, photo: 1, of: id)
        async let stopping: Void = jobs.stop()
        while await !jobs.runner.isStopping { await Task.yield() }
        bench.reader.release()
        await stopping
        #expect(try await jobs.log.job(id)?.photos.map(\.status) == [.queued])
        await #expect(throws: JobError.stopping) { try await jobs.accept("books:Dune") }
    }

    @Test("A photo whose reading fails because the server stops is requeued")
    func stopEndsDecoding() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept("wait-fail")
        try await jobs.reached(.reading, photo: 1, of: id)
        // The reading ends only because what it waits for is ended.
        await jobs.stop { [bench] in bench.reader.release() }
        #expect(try await jobs.log.job(id)?.photos.map(\.status) == [.queued])
    }

    @Test("A photo is refused before it takes room that stays free, and the error says how much that is")
    func keepsRoom() throws {
        let folder = bench.folder.appending(path: "jobs")
        let full = try JobFiles(folder: folder, keptFree: 1 << 60)
        let error = #expect(throws: PhotoIntakeError.self) { try full.receive(limit: 1000) }
        guard case .noRoom(let free, let needed) = error else {
            Issue.record("not refused for lack of room: \(String(describing: error))")
            return
        }
        #expect(needed == 1 << 60 && free < needed)
        #expect(error?.description.contains("has \(free / 1_000_000) MB free") == true)
        #expect(error?.description.contains("needs 1152921504607 MB") == true)
        #expect(error?.problemCode == "disk_full")
        #expect(throws: Never.self) { try JobFiles(folder: folder).receive(limit: 1000) }
        #expect(JobLimits().bytesKeptFree == 200_000_000)
    }

    @Test("A photo at which the process died twice is left alone")
    func limitsAttempts() async throws {
        var id = ""
        for attempt in 1...2 {
            let jobs = try await bench.jobs()
            if attempt == 1 { id = try await jobs.accept("wait") }
            try await jobs.reached(.reading, photo: 1, of: id)
        }
        let last = try await bench.jobs()
        let job = try #require(await last.finished(id))
        #expect(job.status == .failed)
        #expect(job.photos[0].problem?.code == "reading_failed")
        #expect(try await last.problems(of: id).map(\.photo) == [1, nil])
        #expect(bench.reader.read.count == 2)
        bench.reader.release()
    }

    @Test("No photo is read before the server listens")
    func preparesBeforeReading() async throws {
        let before = try await bench.jobs()
        let id = try await before.accept("wait:Emma")
        try await before.reached(.reading, photo: 1, of: id)
        // The process dies here.
        let after = try await bench.jobs(starts: false)
        try await after.prepare()
        // An upload and job maintenance do not start it either.
        let new = try await after.accept("books:Dune")
        try await after.sweep()
        #expect(try await after.log.job(id)?.photos.map(\.status) == [.queued])
        #expect(try await after.log.job(new)?.photos.map(\.status) == [.queued])
        #expect(bench.reader.read == ["wait:Emma"])
        bench.reader.release()
        try await after.resume()
        _ = try await after.finished(id)
        _ = try await after.finished(new)
    }

    @Test("A photo that starts while a sweep queues it is read once")
    func startsWhileQueued() async throws {
        let jobs = try await bench.jobs(starts: false)
        try await jobs.prepare()
        let id = try await jobs.accept("wait:Emma")
        let queued = try #require(await jobs.log.job(id))
        try await jobs.resume()
        try await jobs.reached(.reading, photo: 1, of: id)
        // One that does not know that the photo was started.
        try await bench.jobs(starts: false).runner.queueLeftovers(of: queued)
        #expect(try await jobs.log.job(id)?.photos.map(\.status) == [.reading])
        bench.reader.release()
        #expect(try await jobs.finished(id)?.status == .completed)
        #expect(bench.reader.read == ["wait:Emma"])
    }

    @Test("A job whose row cannot be decoded is ended and reported, and others are read")
    func damagedRow() async throws {
        let before = try await bench.jobs()
        let damaged = try await before.accept("wait:Emma", expected: 2)
        let other = try await before.accept("books:Dune")
        try await before.reached(.reading, photo: 1, of: damaged)
        // The process dies here.
        try await bench.library.writeUnseen { db in
            try db.execute(sql: "UPDATE job SET options = '{' WHERE id = ?", arguments: [damaged])
        }
        let (failures, reader) = (FailureLog(), ScriptedReader())
        reader.release()
        let after = try await bench.jobs(reader: reader, failures: failures)
        #expect(failures.all.count == 1 && failures.all.first?.contains(damaged) == true)
        #expect(try await after.log.job(damaged)?.photos.map(\.status) == [.failed])
        #expect(try await after.problems(of: damaged).map(\.code) == ["reading_failed"])
        #expect(try await after.finished(other)?.status == .completed)
        _ = try await after.retry(photo: 1, of: damaged)
        #expect(try await after.finished(damaged)?.status == .completed)
        bench.reader.release()
    }

    @Test(
        "A job whose books or result are damaged fails once with the reason, and its photos can be read again",
        arguments: [
            "UPDATE job SET books = '{' WHERE id = ?", "UPDATE job SET books = '[1]' WHERE id = ?",
            "UPDATE jobPhoto SET result = '{' WHERE job = ?", "UPDATE jobPhoto SET result = '{}' WHERE job = ?",
        ])
    func damagedResult(damage: String) async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(failures: failures)
        let damaged = try await jobs.accept("wait:Emma", imports: true)
        let finished = try await jobs.accept("books:Dune")
        try await jobs.reached(.reading, photo: 1, of: damaged)
        try await bench.breakLibrary()
        bench.reader.release()
        #expect(try await jobs.finished(damaged)?.status == .completed)
        #expect(try await jobs.finished(finished)?.status == .completed)
        try await bench.library.writeUnseen { db in try db.execute(sql: damage, arguments: [damaged]) }
        // The import is due again.
        bench.advance(by: .seconds(3600))
        for _ in 1...3 { try await jobs.sweep() }
        #expect(failures.all == ["\(JobError.damaged(damaged))"])
        let job = try #require(await jobs.log.job(damaged))
        #expect(job.status == .failed && job.photos.map(\.status) == [.failed] && job.books == 0)
        #expect(job.photos[0].problem?.detail.contains("damaged") == true)
        #expect(try await jobs.problems(of: damaged).last?.code == "reading_failed")
        #expect(try await jobs.log.job(finished)?.status == .completed)
        try await bench.repair()
        _ = try await jobs.retry(photo: 1, of: damaged)
        #expect(try await jobs.finished(damaged)?.imported == true)
    }

    @Test("A finished job whose books are damaged fails at the next start")
    func damagedAtStart() async throws {
        let before = try await bench.jobs()
        let damaged = try await before.accept("books:Dune")
        _ = try await before.finished(damaged)
        try await bench.library.writeUnseen { db in
            try db.execute(sql: "UPDATE job SET books = '[' WHERE id = ?", arguments: [damaged])
        }
        let failures = FailureLog()
        let after = try await bench.jobs(failures: failures)
        #expect(failures.all == ["\(JobError.damaged(damaged))"])
        #expect(try await after.log.job(damaged)?.status == .failed)
        #expect(try await after.log.books(of: damaged).isEmpty)
    }

    @Test("Deleting a job twice at once leaves the next job with its identifier alone")
    func deletedTwice() async throws {
        let jobs = try await bench.jobs(starts: false)
        try await jobs.prepare()
        for _ in 0..<20 {
            let id = try await jobs.intake.accept([try await jobs.photo("books:Dune")], id: "same", client: "a").job.id
            try await jobs.cancel(id)
            async let first = jobs.cancel(id)
            async let second = jobs.cancel(id)
            _ = try await first
            let next = try await jobs.intake.accept([try await jobs.photo("books:Emma")], id: id, client: "a").job.id
            _ = try await second
            // The second request may have come after the new job.
            if try await jobs.log.job(next)?.status == .queued {
                #expect(FileManager.default.fileExists(atPath: jobs.files.photo(1, of: next).path))
            }
            for _ in 1...2 { try await jobs.cancel(next) }
        }
    }

    @Test("Requests with the same identifier at once keep all their photos")
    func sameIdentifierAtOnce() async throws {
        let jobs = try await bench.jobs(starts: false)
        try await jobs.prepare()
        for round in 0..<20 {
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for index in 0..<4 {
                    let photo = try await jobs.photo("books:Dune \(index)")
                    group.addTask {
                        try await jobs.intake.accept([photo], id: "same-\(round)", client: "c\(round)-\(index)").job.id
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(ids).count == 4)
            #expect(ids.contains("same-\(round)"))
            for id in ids {
                #expect(FileManager.default.fileExists(atPath: jobs.files.photo(1, of: id).path), "\(id)")
            }
        }
    }

    @Test("A photo that crashed the process does not delay the others")
    func crashedPhotoLast() async throws {
        let before = try await bench.jobs()
        let id = try await before.accept("wait:Emma", "books:Dune", "books:Ulysses")
        try await before.reached(.reading, photo: 1, of: id)
        // The process dies here.
        _ = try await bench.jobs()
        try await eventually { bench.reader.read.count == 4 }
        #expect(bench.reader.read == ["wait:Emma", "books:Dune", "books:Ulysses", "wait:Emma"])
        bench.reader.release()
    }

    @Test("A library that cannot store metadata is reported")
    func reportsFailedStore() async throws {
        let jobs = try await bench.jobs(enricher: FindsEverything())
        try await bench.breakLibrary(photo: 9)
        let id = try await jobs.accept("books:Dune", imports: true)
        #expect(try await jobs.finished(id)?.status == .completed)
        let told = try await jobs.log.events(of: id, after: 0).compactMap { event in
            if case .enrichmentDegraded(let degradation) = event.content { degradation } else { nil }
        }
        #expect(told.map(\.source) == ["library"])
        #expect(told.first?.message.contains("Dune") == true)
    }

    @Test("The books of a photo that is read again while the others are looked up are looked up as well")
    func retryWhileFinishing() async throws {
        let enricher = HeldEnricher()
        let reader = ScriptedReader(firstFailure: POSIXError(.EIO))
        let jobs = try await bench.jobs(enricher: enricher, reader: reader)
        let id = try await jobs.accept("books:Dune", "books:Emma")
        await enricher.hasBegun()
        _ = try await jobs.retry(photo: 1, of: id)
        try await jobs.reached(.done, photo: 1, of: id)
        try await eventually { try await jobs.runner.counts().photosReading == 0 }
        enricher.release()
        #expect(try await jobs.finished(id)?.status == .completed)
        let books = try await jobs.log.results(of: id).books
        #expect(books.map(\.book.title).sorted { $0 ?? "" < $1 ?? "" } == ["Dune", "Emma"])
        #expect(books.allSatisfy { $0.enrichment == .enriched })
    }

    @Test("Books whose answers could not be stored are looked up again")
    func retriesAnswers() async throws {
        let failures = FailureLog()
        let jobs = try await bench.jobs(enricher: FindsEverything(), failures: failures)
        try await bench.breakWrites("INSERT ON jobEnrichment")
        let id = try await jobs.accept("books:Dune")
        try await eventually { !failures.all.isEmpty }
        #expect(try await jobs.log.job(id)?.isFinished == false)
        try await bench.repair()
        // The sweep waits until the failed attempt has ended.
        try await eventually {
            try await jobs.sweep()
            return try await jobs.log.job(id)?.isFinished == true
        }
        #expect(try await jobs.log.results(of: id).books.map(\.enrichment) == [.enriched])
    }

    @Test("Books that the library cannot import wait until it can")
    func retriesImport() async throws {
        let jobs = try await bench.jobs()
        try await bench.breakLibrary()
        let id = try await jobs.accept("books:Dune", imports: true)
        #expect(try await jobs.finished(id)?.imported == false)
        #expect(try await jobs.problems(of: id).map(\.code) == ["import_failed"])
        bench.advance(by: .seconds(48 * 3600))
        try await jobs.sweep()
        #expect(try await jobs.log.job(id)?.status == .completed)
        try await bench.repair()
        try await jobs.sweep()
        #expect(try await bench.titles() == [], "it is not asked again at once")
        bench.advance(by: .seconds(60))
        for _ in 1...2 {
            try await jobs.sweep()
            #expect(try await bench.titles() == ["Dune"])
            #expect(try await bench.imported() == ["\(id)/1": 1])
        }
    }

    @Test("An import that failed in the last process is reported")
    func reportsEarlierFailure() async throws {
        let before = try await bench.jobs()
        try await bench.breakLibrary(reports: true)
        let id = try await before.accept("books:Dune", imports: true, expected: 2)
        try await before.reached(.done, photo: 1, of: id)
        // The process dies here, between reading the photo and importing it.
        await before.stop()
        try await bench.breakLibrary()
        let after = try await bench.jobs()
        _ = try await after.intake.add(try await after.photo("books:Emma"), as: 2, to: id)
        #expect(try await after.finished(id)?.imported == false)
        let reported = try await after.problems(of: id).filter { $0.code == "import_failed" }.compactMap(\.photo)
        #expect(reported.sorted() == [1, 2], "each photo once")
    }

    @Test("A photo that cannot be imported does not delay the others")
    func failedImportAlone() async throws {
        let jobs = try await bench.jobs()
        try await bench.breakLibrary()
        let id = try await jobs.accept("books:Dune", "books:Emma", imports: true)
        #expect(try await jobs.finished(id)?.imported == false)
        try await bench.breakLibrary(photo: 1)
        try await jobs.sweep()
        #expect(try await bench.imported() == ["\(id)/2": 1])
        try await bench.repair()
        bench.advance(by: .seconds(60))
        try await jobs.sweep()
        #expect(try await bench.imported() == ["\(id)/1": 1, "\(id)/2": 1])
        #expect(try await bench.titles() == ["Dune", "Emma"])
    }

    @Test("Canceling ends the job and deletes its files")
    func cancels() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.accept("books:Dune", "wait:Emma")
        try await jobs.reached(.reading, photo: 2, of: id)
        let kept = try #require(try await jobs.cancel(id, keepsResults: true))
        #expect(kept.books.map(\.book.title) == ["Dune"])
        #expect(try await jobs.log.job(id)?.status == .canceled)
        #expect(try await jobs.cancel(id) == nil)
        #expect(try await jobs.cancel(id) == nil)
        #expect(!FileManager.default.fileExists(atPath: jobs.files.photo(1, of: id).path))
        bench.reader.release()
    }

    @Test("A bounded number of photos is read at once, taking turns between clients")
    func fairQueue() async throws {
        let jobs = try await bench.jobs { $0.photosAtOnce = 1 }
        let blocker = try await jobs.accept("wait:x")
        try await jobs.reached(.reading, photo: 1, of: blocker)
        let many = try await jobs.accept("books:A1", "books:A2", "books:A3")
        let other = try await jobs.accept("books:B1", client: "b")
        bench.reader.release()
        for id in [many, other] { _ = try await jobs.finished(id) }
        #expect(bench.reader.mostRunning == 1)
        #expect(bench.reader.read == ["wait:x", "books:A1", "books:B1", "books:A2", "books:A3"])
    }

    @Test("The number of jobs per client is limited")
    func limitsJobs() async throws {
        let jobs = try await bench.jobs { $0.jobsInFlightPerClient = 2 }
        for _ in 1...2 { _ = try await jobs.accept("wait:x") }
        await #expect(throws: JobError.tooManyJobs(limit: 2)) { try await jobs.accept("books:A") }
        _ = try await jobs.accept("books:A", client: "b")
        bench.reader.release()
    }

    @Test("Abandoned jobs are deleted unless they are to be imported")
    func cleansUpAbandoned() async throws {
        let jobs = try await bench.jobs()
        let forgotten = try await jobs.accept(expected: 2)
        let imported = try await jobs.accept("books:Dune", imports: true, expected: 2)
        try await eventually { try await jobs.log.events(of: imported, after: 0).last?.kind == "imported" }
        bench.advance(by: .seconds(599))
        try await jobs.sweep()
        #expect(try await jobs.log.events(of: forgotten, after: 0).last?.kind == "uploading")
        bench.advance(by: .seconds(700))
        try await jobs.sweep()
        #expect(try await jobs.log.job(forgotten)?.status == .canceled)
        #expect(try await jobs.finished(imported)?.status == .completed)
        #expect(try await bench.imported() == ["\(imported)/1": 1])
    }

    @Test("Finished jobs are deleted after a day")
    func expires() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.scan("books:Dune")
        bench.advance(by: .seconds(23 * 3600))
        try await jobs.sweep()
        #expect(try await jobs.log.job(id) != nil)
        bench.advance(by: .seconds(2 * 3600))
        try await jobs.sweep()
        #expect(try await jobs.log.job(id) == nil)
        #expect(!FileManager.default.fileExists(atPath: jobs.files.photo(1, of: id).path))
    }

    @Test("Results are kept as long as the library has the photo")
    func keptWithPhoto() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.scan("books:Dune", imports: true)
        let upload = jobs.files.photo(1, of: id)
        #expect(try await jobs.file(1, of: id) == upload)
        bench.advance(by: .seconds(48 * 3600))
        try await jobs.sweep()
        #expect(try await jobs.log.results(of: id).books.count == 1)
        // The library's picture replaces the upload.
        #expect(!FileManager.default.fileExists(atPath: upload.path))
        #expect(try await jobs.file(1, of: id).deletingLastPathComponent() == bench.library.folder.photos)
        #expect(try await bench.library.cleanUpPhotos().deleted.map(\.reason) == [.reviewed])
        try await jobs.sweep()
        #expect(try await jobs.log.job(id) == nil)
    }

    @Test("Books that wait to be added are kept until each is added or rejected")
    func keptUntilDecided() async throws {
        let jobs = try await bench.jobs()
        let id = try await jobs.scan("books:Dune|Emma", asks: true)
        let books = try await jobs.log.results(of: id).books.map(\.id)
        let job = try #require(await jobs.log.job(id))
        let added = try await jobs.add([books[0]], of: job, shelf: nil, duplicates: nil, as: UndoToken())
        #expect(added.map(\.id) == [books[0]])
        #expect(try await bench.library.cleanUpPhotos().deleted.count == 1)
        bench.advance(by: .seconds(30 * 86_400))
        try await jobs.sweep()
        #expect(try await jobs.log.job(id) != nil)
        var edit = ScanBookEdit()
        edit.isRejected = true
        try await jobs.set(edit, of: books[1], in: id)
        #expect(try await jobs.log.edits(of: id) == [books[1]: edit])
        try await jobs.set(ScanBookEdit(), of: books[1], in: id)
        try await jobs.sweep()
        #expect(try await jobs.log.job(id) != nil)
        try await jobs.set(edit, of: books[1], in: id)
        try await jobs.sweep()
        #expect(try await jobs.log.job(id) == nil)
        await #expect(throws: JobError.notFound) { try await jobs.set(edit, of: books[1], in: id) }
    }

    @Test("A clock that was ahead does not keep jobs for years")
    func clockAhead() async throws {
        bench.advance(by: .seconds(365 * 86_400))
        let before = try await bench.jobs()
        let id = try await before.scan("books:Dune")
        bench.advance(by: .seconds(-364 * 86_400))
        let after = try await bench.jobs()
        try await after.sweep()
        #expect(try await after.log.job(id)?.status == .completed)
        bench.advance(by: .seconds(25 * 3600))
        try await after.sweep()
        #expect(try await after.log.job(id) == nil)
    }

    @Test("Uploads without a job are deleted after a crash")
    func orphanedUploads() async throws {
        let before = try await bench.jobs()
        _ = try await before.photo("books:Dune")
        let orphan = before.files.folder.appending(path: "orphan")
        try FileManager.default.createDirectory(at: orphan, withIntermediateDirectories: true)
        let after = try await bench.jobs()
        let left = try FileManager.default.contentsOfDirectory(atPath: after.files.folder.path)
        #expect(left == ["incoming"])
        let incoming = after.files.folder.appending(path: "incoming").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
    }

    @Test(
        "A file that is not a photo is refused and leaves nothing",
        arguments: [
            ([UInt8](), PhotoIntakeError.isEmpty), (Array("<svg/>".utf8), .notAPhoto),
            ([UInt8](repeating: 0xFF, count: 2000), .tooLarge(limit: 1000)),
        ])
    func refusesOtherFiles(bytes: [UInt8], expected: PhotoIntakeError) async throws {
        let files = try JobFiles(folder: bench.folder.appending(path: "jobs"))
        await #expect(throws: expected) {
            let incoming = try files.receive(limit: 1000)
            try incoming.append(bytes)
            _ = try await incoming.close()
        }
        let incoming = files.folder.appending(path: "incoming").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: incoming).isEmpty)
    }
}
