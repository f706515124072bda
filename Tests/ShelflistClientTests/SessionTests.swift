import Foundation
import ReadingFixtures
import Scans
import ServerFixtures
import ShelflistClient
import Synchronization
import TestSupport
import Testing

/// Scans from upload to results, against a real server.
@Suite(.endsHangs) struct SessionTests {
    @Test("A scan reports its upload, every event in order, and its results")
    func scans() async throws {
        try await withClient { fixture in
            let session = fixture.client.scan(
                [.script("books:Emma|Dune"), .script("wait:Ulysses")], options: ScanOptions(addsToLibrary: false))
            var (uploaded, ids, ways): (Set<Int>, [Int], [String]) = ([], [], [])
            for try await event in session.events {
                switch event {
                case .uploading(let progress):
                    #expect(progress.photos == 2)
                    if progress.sent > 0 { uploaded.insert(progress.photo) }
                case .photoRefused(let number, let error): Issue.record("Photo \(number): \(error)")
                case .connection(let way):
                    ways.append("\(way)")
                    // The server closes the connection where the job ends, perhaps before the client has opened it.
                    fixture.server.reader.release()
                case .job(let event): ids.append(event.id)
                }
            }
            #expect(uploaded == [1, 2])
            #expect(ways == ["webSocket"])
            #expect(ids == Array(1...ids.count))
            let results = try await session.results
            #expect(Set(results.books.compactMap(\.title)) == ["Emma", "Dune", "Ulysses"])
            #expect(results.status == .completed)
            #expect(results.books.allSatisfy { $0.library.state == .open })
            let id = try #require(session.jobID)
            #expect(try await fixture.client.scans.status(id).photos.map(\.photo.name) == ["shelf.jpg", "shelf.jpg"])
            let crop = try await fixture.client.scans.all().page()
            #expect(crop.items.map(\.id) == [id] && crop.total == 1)
        }
    }

    @Test("Options reach the server")
    func options() async throws {
        try await withClient { fixture in
            let shelf = try await fixture.client.shelves.named("Hall")
            let options = ScanOptions(
                threshold: 0.25, addsToLibrary: true, shelf: shelf.id, preprocessing: .off, idempotencyKey: "one")
            let session = fixture.client.scan([.script("books:Emma|Dune")], options: options)
            let results = try await session.results
            let status = try await fixture.client.scans.status(results.jobId)
            #expect(status.options.threshold == 0.25 && status.options.shelf == shelf.id)
            #expect(status.options.preprocessing == .off && status.options.importsResults)
            var books: [LibraryBook] = []
            for try await book in fixture.client.library.books(LibraryQuery(shelf: shelf.id)) { books.append(book) }
            #expect(Set(books.map(\.title)) == ["Emma", "Dune"])
        }
    }

    @Test("The same key continues a scan instead of beginning another")
    func idempotent() async throws {
        try await withClient { fixture in
            let options = ScanOptions(addsToLibrary: false, idempotencyKey: "capture-1")
            let first = fixture.client.scan([.script("books:Emma")], options: options)
            let id = try await first.results.jobId
            let second = fixture.client.scan([.script("books:Emma")], options: options)
            #expect(try await second.results.jobId == id)
            #expect(fixture.server.reader.read.count == 1)
            #expect(try await fixture.client.scans.all().page().total == 1)
        }
    }

    @Test("Several readers of one session get all events")
    func severalReaders() async throws {
        try await withClient { fixture in
            let session = fixture.client.scan([.script("books:Emma|Dune")])
            async let one = session.jobEvents()
            async let two = session.jobEvents()
            let lists = try await [one.map(\.id), two.map(\.id), session.jobEvents().map(\.id)]
            #expect(lists[0] == lists[1] && lists[1] == lists[2] && !lists[0].isEmpty)
        }
    }

    @Test("A refused photo does not stop the others")
    func refusedPhoto() async throws {
        try await withClient { fixture in
            let session = fixture.client.scan(
                [.data(Data("not a photo".utf8), name: "notes.txt"), .script("books:Emma")])
            var refused: [Int] = []
            for try await event in session.events {
                guard case .photoRefused(let number, let error) = event else { continue }
                refused.append(number)
                #expect(error.category == .invalid && error.problem?.code == "not_an_image")
                #expect(!error.message.isEmpty && !error.recovery.isEmpty)
            }
            #expect(refused == [1])
            #expect(try await session.results.books.map(\.title) == ["Emma"])
        }
    }

    @Test("A scan without a usable photo ends with the reason")
    func noUsablePhoto() async throws {
        try await withClient { fixture in
            let file = URL(filePath: "/does/not/exist.jpg")
            let missing = await #expect(throws: ShelflistError.self) {
                try await fixture.client.scan([.file(file)]).results
            }
            #expect(missing?.category == .file && missing?.message == "Could not read 'exist.jpg'.")
            let none = await #expect(throws: ShelflistError.self) { try await fixture.client.scan([]).results }
            #expect(none?.category == .invalid)
            let damaged = await #expect(throws: ShelflistError.self) {
                try await fixture.client.scan([.script("fail")]).results
            }
            #expect(damaged?.category == .scanFailed)
        }
    }

    @Test("A file is sent as it is")
    func sendsFile() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appending(path: "böok shelf.jpg")
        try (Data(ScriptedReader.bytes("books:Emma")) + Data(count: 3_000_000)).write(to: file)
        try await withClient { fixture in
            let session = fixture.client.scan([.file(file)], options: ScanOptions(addsToLibrary: false))
            var steps: [UploadProgress] = []
            for try await case .uploading(let progress) in session.events { steps.append(progress) }
            #expect(steps.last?.fraction == 1 && steps.last?.total ?? 0 > 3_000_000)
            #expect(steps.map(\.sent) == steps.map(\.sent).sorted() && (10...22).contains(steps.count))
            let results = try await session.results
            #expect(results.books.count == 1)
            #expect(try await fixture.client.scans.status(results.jobId).photos[0].photo.name == "böok shelf.jpg")
        }
    }

    // MARK: Cancellation

    @Test("Cancelling the reading task deletes the job on the server", arguments: [true, false])
    func taskCancellation(readsResults: Bool) async throws {
        try await withClient { fixture in
            let session = fixture.client.scan([.script("wait:Emma")], options: ScanOptions(addsToLibrary: false))
            let reading = Task {
                if readsResults { _ = try await session.results } else { for try await _ in session.events {} }
            }
            try await eventually { fixture.server.jobs.log.followers == 1 }
            let id = try #require(session.jobID)
            reading.cancel()
            let outcome = await reading.result
            // The server has deleted the job before the task ends.
            let job = try await fixture.server.jobs.log.job(id)
            #expect(job == nil || job?.status == .canceled)
            #expect(throws: ShelflistError.self) { try outcome.get() }
            fixture.server.reader.release()
        }
    }

    @Test("A session can be cancelled before its job exists")
    func earlyCancellation() async throws {
        try await withClient { fixture in
            for _ in 0..<20 {
                let session = fixture.client.scan([.script("wait:Emma")])
                await session.cancel()
                await #expect(throws: ShelflistError.self) { try await session.results }
            }
            let left = try await fixture.client.scans.all(active: true).page().total
            #expect(left == 0)
            fixture.server.reader.release()
        }
    }

    @Test("A finished scan is not deleted by cancelling")
    func lateCancellation() async throws {
        try await withClient { fixture in
            let session = fixture.client.scan([.script("books:Emma")])
            let id = try await session.results.jobId
            await session.cancel()
            #expect(try await fixture.client.scans.status(id).status == .completed)
        }
    }

    @Test("Cancelling does not hang while the server does not answer")
    func cancelsUnreachable() async throws {
        try await withClient(swallowedTimeOut: false) { fixture in
            let session = fixture.client.scan([.script("wait:Emma")])
            try await eventually { fixture.server.jobs.log.followers == 1 }
            fixture.proxy.onRequest { request in
                request.hasPrefix("DELETE ") ? Fault(kind: .blackHole, direction: .up, after: 0) : nil
            }
            async let cancellation: Void = session.cancel()
            try await eventually { fixture.swallowed.count == 1 }
            fixture.clock.expired = [fixture.limits.cancellation]
            await cancellation
            await #expect(throws: ShelflistError.self) { try await session.results }
            let id = try #require(session.jobID)
            #expect(try await fixture.server.jobs.log.job(id)?.isFinished == false)
            fixture.server.reader.release()
        }
    }

    @Test("A released session stops following and leaves the job alone")
    func releasedSession() async throws {
        try await withClient { fixture in
            var session: ScanSession? = fixture.client.scan([.script("wait:Emma")])
            try await eventually { fixture.server.jobs.log.followers == 1 }
            let id = try #require(session?.jobID)
            session = nil
            try await eventually { fixture.server.jobs.log.followers == 0 }
            fixture.server.reader.release()
            #expect(try await fixture.client.follow(id).results.books.count == 1)
        }
    }

    @Test("Following begins after the event that is known")
    func followsFromEvent() async throws {
        try await withClient { fixture in
            let session = fixture.client.scan([.script("books:Emma")])
            let all = try await session.jobEvents()
            let id = try #require(session.jobID)
            let rest = try await fixture.client.follow(id, after: 3).jobEvents()
            #expect(rest.map(\.id) == all.map(\.id).filter { $0 > 3 })
            let gone = await #expect(throws: ShelflistError.self) { try await fixture.client.follow("none").results }
            #expect(gone?.category == .notFound)
        }
    }

    @Test("A scan that another client cancels ends")
    func cancelledElsewhere() async throws {
        try await withClient { fixture in
            let session = fixture.client.scan([.script("wait:Emma")])
            try await eventually { fixture.server.jobs.log.followers == 1 }
            await fixture.direct.follow(try #require(session.jobID)).cancel()
            await #expect(throws: ShelflistError.self) { try await session.results }
            fixture.server.reader.release()
        }
    }
}
