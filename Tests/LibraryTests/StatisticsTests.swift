import Bibliography
import Foundation
import Library
import ShelflistAPI
import Synchronization
import Testing

@Suite struct Statistics {
    @Test("Statistics count right detections by tier, bin and month without undone ones")
    func counts() async throws {
        let now = Mutex(Date(timeIntervalSince1970: 1_790_000_000))  // September 2026
        let library = try TestLibrary(clock: { now.withLock { $0 } })
        try await library.store.set(reviewThreshold: 0.9)
        let confidences = [0.15, 0.35, 0.55, 0.75, 0.85]
        let books = confidences.enumerated().map { Scan.book("Book number \($0)", $1, place: $0) }
        _ = try await library.store.importScan(Scan.of(books, job: "1"))
        let items = try await library.store.booksInReview()
        try await library.store.reject(items[0].id)
        var other = try await library.store.book(items[1].id)
        other.title = "Another"
        _ = try await library.store.correct(items[1].id, to: other)
        _ = try await library.store.verify(items[2].id)
        now.withLock { $0 += 40 * 86_400 }  // into October
        _ = try await library.store.verify(items[3].id)
        _ = try await library.store.verify(items[4].id)
        _ = try await library.store.undo()

        let stats = try await library.store.reviewStats()
        #expect((stats.reviewed, stats.correct, stats.threshold) == (4, 2, 0.9))
        let needsReview = try #require(stats.byTier.first { $0.tier == "needsReview" })
        #expect((needsReview.reviewed, needsReview.correct) == (2, 0))
        let verify = try #require(stats.byTier.first { $0.tier == "verify" })
        #expect((verify.reviewed, verify.correct) == (2, 2))
        #expect(stats.byConfidence.map(\.reviewed) == [0, 1, 0, 1, 0, 1, 0, 1, 0, 0])
        #expect(stats.byMonth.map(\.month) == ["2026-09", "2026-10"])
        #expect(stats.byMonth.map(\.reviewed) == [3, 1])
        let sixty = try #require(stats.thresholds.first { $0.threshold == 0.6 })
        #expect((sixty.accepted, sixty.acceptedWrong, sixty.asked) == (1, 0, 3))
        let history = try await library.store.reviewHistory(of: items[4].work)
        #expect(history.total == 1 && history.events.map(\.undone) == [true])
        #expect(try await library.store.reviewHistory(of: items[0].work).events.map(\.action) == [.rejected])
    }

    @Test("A book that was not checked counts in its tier, but not by its confidence")
    func notChecked() async throws {
        let library = try TestLibrary()
        let books = [Scan.book("Sure", 0.55, place: 0), Scan.book("Read", 0.95, checked: false, place: 1)]
        _ = try await library.store.importScan(Scan.of(books, job: "1"))
        #expect(try await library.store.verifyAll() == 2)
        let stats = try await library.store.reviewStats()
        #expect(stats.reviewed == 2)
        #expect(stats.byTier.first { $0.tier == "notChecked" }?.reviewed == 1)
        #expect(stats.byTier.first { $0.tier == "ready" }?.reviewed == 0)
        #expect(stats.byConfidence.map(\.reviewed) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0])
        let lowest = try #require(stats.thresholds.first)
        #expect((lowest.threshold, lowest.accepted, lowest.asked) == (0.4, 1, 1))
    }

    @Test("Statistics record what a correction changed")
    func correction() async throws {
        let library = try TestLibrary()
        _ = try await library.store.importScan(Scan.of([Scan.book("Enma", by: "Jane Austen", 0.2, place: 0)], job: "1"))
        let item = try #require(try await library.store.booksInReview().first)
        var emma = try await library.store.book(item.id)
        emma.title = "Emma"
        _ = try await library.store.correct(item.id, to: emma)
        let event = try #require(try await library.store.activity().last)
        #expect(event.name == "review_queue_correction_saved")
        #expect(event.data == ["had_title_change": .flag(true), "had_author_change": .flag(false)])
    }

    @Test("Copies are counted by shelf, status, decade, author and month")
    func library() async throws {
        let library = try TestLibrary(clock: { Date(timeIntervalSince1970: 1_790_000_000) })  // September 2026
        let store = library.store
        #expect(try await store.stats().entries == 0)
        let hall = try await store.shelf(named: "Hall")
        let dune = BookDetails(title: "Dune", authors: [AuthorCredit(name: "Frank Herbert")], year: 1965)
        let emma = BookDetails(title: "Emma", authors: [AuthorCredit(name: "Jane Austen")], year: 1815)
        for _ in 0..<2 { _ = try await store.add(dune, entry: EntryDetails(reading: .toRead, shelf: hall.id)) }
        _ = try await store.add(emma, entry: EntryDetails(ownership: .lent, lentTo: "Bea"))
        _ = try await store.add(BookDetails(title: "Diary"))
        let stats = try await store.stats()
        #expect((stats.entries, stats.authors, stats.shelves, stats.photos) == (4, 2, 1, 0))
        func shown(_ counts: [LibraryStats.Count]) -> [String] { counts.map { "\($0.key) \($0.count)" } }
        #expect(shown(stats.byShelf) == [" 2", "Hall 2"])
        #expect(shown(stats.byStatus) == ["toRead 2", "lent 1", "none 1"])
        #expect(shown(stats.byDecade) == ["1810 1", "1960 2"])
        #expect(shown(stats.byAuthor) == ["Frank Herbert 2", "Jane Austen 1"])
        #expect(shown(stats.addedByMonth) == ["2026-09 4"])
        #expect(stats.storageBytes.database > 0)
    }

    @Test("Copies are counted by how they were added, also after the undo of a removal")
    func sources() async throws {
        let library = try TestLibrary()
        let store = library.store
        let photo = [Scan.book("Wool", 0.9, place: 0), Scan.book("Shift", 0.3, place: 1)]
        _ = try await store.importScan(Scan.of(photo, job: "1"))
        _ = try await store.importBooks(Array("title\nEmma\nPersuasion\nNorthanger Abbey\n".utf8), name: "list.csv")
        _ = try await store.add(BookDetails(title: "Diary"))
        let dune = try await store.add(BookDetails(title: "Dune"), from: .barcode)
        func shown() async throws -> [String] { try await store.stats().bySource.map { "\($0.key) \($0.count)" } }
        let all = ["list 3", "photo 2", "barcode 1", "hand 1"]
        #expect(try await shown() == all)
        try await store.remove(dune.id)
        #expect(try await shown() == ["list 3", "photo 2", "hand 1"])
        _ = try await store.undo()
        #expect(try await shown() == all)
    }

    @Test("Scans are counted in the month in which they began, and once where they were completed twice")
    func scans() async throws {
        let now = Mutex(Date(timeIntervalSince1970: 1_790_000_000))  // September 2026
        let library = try TestLibrary(clock: { now.withLock { $0 } })
        let store = library.store
        for scan in ["a", "b", "c"] { try await store.record(.scanStarted(scan, photos: 1)) }
        try await store.record(.scanCompleted("a", books: 7, needsReview: 2))
        now.withLock { $0 += 40 * 86_400 }  // into October
        try await store.record(.scanStarted("d", photos: 5))
        // A photo that failed was read again.
        for scan in ["a", "c", "d"] { try await store.record(.scanCompleted(scan, books: 8, needsReview: 0)) }
        #expect(
            try await store.stats().scansByMonth == [
                .init(month: "2026-09", started: 3, completed: 2), .init(month: "2026-10", started: 1, completed: 1),
            ])
    }
}
