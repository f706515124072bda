import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite struct Reviewing {
    /// Creates a library with three queued books, one of each tier, and one that is not queued.
    private func queue() async throws -> TestLibrary {
        let library = try TestLibrary()
        try await library.store.set(reviewThreshold: 0.9)
        try await library.store.scan(
            Scan.book("Babel", by: "R. F. Kuang", 0.85, place: 0),
            Scan.book("Dune", by: "Frank Herbert", 0.7, place: 1), Scan.book("Emma", by: "Jane Austin", 0.2, place: 2),
            Scan.book("Ulysses", by: "James Joyce", 0.99, place: 3), job: "1", photo: "a")
        return library
    }

    @Test("The queue shows the lowest confidence first with counts of the tiers")
    func order() async throws {
        let library = try await queue()
        let items = try await library.store.booksInReview()
        #expect(items.map(\.title) == ["Emma", "Dune", "Babel"])
        #expect(items.map(\.tier) == [.needsReview, .verify, .ready])
        let counts = try await library.store.reviewCounts()
        #expect(ConfidenceTier.allCases.map { counts[$0] } == [0, 1, 1, 1])
        #expect(counts.total == 3)
        #expect(counts.duplicateQuestions == 0)
        #expect(try await library.store.booksInReview(.verify).map(\.title) == ["Dune"])
    }

    @Test("Books that were not checked have a tier of their own, after the others, whatever their confidence")
    func notChecked() async throws {
        let library = try await queue()
        let books = [0.1, 0.59, 0.95].enumerated().map { place, confidence in
            Scan.book("Unknown \(place)", by: "A. Writer \(place)", confidence, checked: false, place: 10 + place)
        }
        let report = try await library.store.importScan(Scan.of(books, job: "2", photo: "b"), threshold: 0.4)
        #expect(report.books.map(\.outcome) == [.needsReview, .needsReview, .needsReview])
        let titles = try await library.store.booksInReview().map(\.title)
        #expect(titles == ["Emma", "Dune", "Babel", "Unknown 0", "Unknown 1", "Unknown 2"])
        let counts = try await library.store.reviewCounts()
        #expect(ConfidenceTier.allCases.map { counts[$0] } == [3, 1, 1, 1])
        #expect(counts.total == 6)
        let items = try await library.store.booksInReview(.notChecked)
        #expect(items.map(\.tier) == [.notChecked, .notChecked, .notChecked])
        #expect(try await library.store.booksInReview(.ready).map(\.title) == ["Babel"])
        // Together they are one action, and one undo takes it back.
        #expect(try await library.store.verifyAll(tier: .notChecked) == 3)
        #expect(try await library.store.booksInReview(.notChecked).isEmpty)
        #expect(try await library.store.reviewCounts().total == 3)
        #expect(try await library.store.undo()?.works.count == 3)
        #expect(try await library.store.booksInReview(.notChecked).map(\.title) == items.map(\.title))
        #expect(try await library.store.problems() == [])
    }

    @Test("Chosen books are verified as one action, and an unknown one stops all")
    func verifiesChosen() async throws {
        let library = try await queue()
        let ids = try await library.store.booksInReview().map(\.id)
        await #expect(throws: LibraryError.self) {
            try await library.store.verifyAll(ids + [RowID<LibraryEntry>(99)])
        }
        #expect(try await library.store.reviewCounts().total == 3)
        #expect(try await library.store.verifyAll([ids[0], ids[2], ids[0]]) == 2)
        #expect(try await library.store.booksInReview().map(\.title) == ["Dune"])
        #expect(try await library.store.verifyAll([ids[0]]) == 0, "it does not wait for review any more")
        #expect(try await library.store.undo()?.works.count == 2)
        #expect(try await library.store.booksInReview().map(\.title) == ["Emma", "Dune", "Babel"])
        #expect(try await library.store.undo() == nil)
    }

    @Test("Other matches are offered beside the detected book")
    func alternatives() async throws {
        let library = try TestLibrary()
        let names = [("Martin Eden", "Jack London, Andrew Sinclair"), ("Good Wives", "Alcott, Louisa May"), ("Y", "Z")]
        let matches = names.map { BookMatch(title: $0, author: $1, confidence: 0.2, source: "local") }
        for (place, own) in names.prefix(2).enumerated() {
            let book = Scan.book(own.0, by: own.1, 0.2, place: place, matches: matches)
            try await library.store.scan(book, job: own.0, photo: own.0)
        }
        let queue = try await library.store.booksInReview()
        #expect(queue.map { $0.alternatives.map(\.title) } == [["Good Wives", "Y"], ["Martin Eden", "Y"]])
    }

    @Test("The queue shows the copy with the lowest confidence", arguments: [[0.55, 0.3], [0.3, 0.55]])
    func copies(confidences: [Double]) async throws {
        let library = try TestLibrary()
        for (scan, confidence) in confidences.enumerated() {
            let book = Scan.book("Dune", by: "Frank Herbert", confidence, place: scan)
            try await library.store.scan(book, job: "\(scan)", photo: "photo\(scan)")
        }
        try await library.store.decide(try await library.store.duplicateQuestions().map(\.id), .addCopy)
        let queue = try await library.store.booksInReview()
        #expect(queue.map(\.confidence) == [0.3])
        #expect(queue.first?.detection?.confidence == 0.3)
        #expect(try await library.store.reviewCounts().total == 1)
    }

    @Test("Verifying changes nothing else")
    func verifies() async throws {
        let library = try await queue()
        let item = try #require(try await library.store.booksInReview().first)
        let work = try await library.store.verify(item.id)
        #expect(work.reviewStatus == .verified)
        #expect(work.title == "Emma")
        #expect(try await library.store.reviewCounts().total == 2)
    }

    @Test("A change is marked as edited, and no change as verified")
    func edits() async throws {
        let library = try await queue()
        let items = try await library.store.booksInReview()
        var emma = try await library.store.book(items[0].id)
        emma.authors = [AuthorCredit(name: "Jane Austen")]
        #expect(try await library.store.correct(items[0].id, to: emma).reviewStatus == .userEdited)
        let dune = try await library.store.book(items[1].id)
        #expect(try await library.store.correct(items[1].id, to: dune).reviewStatus == .verified)
        let detection = try #require(try await library.store.entry(items[0].id).detections.first)
        #expect(detection.readAuthor == "Jane Austin")
        #expect(detection.resolvedAuthor == "Jane Austen")
    }

    @Test("A rejected position is not offered again")
    func rejected() async throws {
        let library = try await queue()
        let item = try #require(try await library.store.booksInReview().first)
        try await library.store.reject(item.id)
        #expect(try await library.store.entries(EntryQuery(text: "emma")).total == 0)
        let again = try await library.store.scan(
            Scan.book("Emma", by: "Jane Austin", 0.2, place: 2), job: "2", photo: "a")
        #expect(again.books.map(\.outcome) == [.rejectedBefore])
        #expect(try await library.store.entries().total == 3)
    }

    @Test("A tier or all books are verified with their saved edits")
    func verifiesAll() async throws {
        let library = try await queue()
        #expect(try await library.store.verifyAll(tier: .ready) == 1)
        let item = try #require(try await library.store.booksInReview().first)
        _ = try await library.store.keepEdit(item.id, title: nil, author: "Jane Austen")
        #expect(try await library.store.booksInReview().first?.detection?.resolvedAuthor == "Jane Austen")
        #expect(try await library.store.verifyAll() == 2)
        #expect(try await library.store.booksInReview().isEmpty)
        let emma = try await library.store.entry(item.id).work
        #expect(emma.reviewStatus == .userEdited)
        #expect(emma.authors.map(\.name) == ["Jane Austen"])
    }

    @Test("Undo reverts the last action, then the one before")
    func undo() async throws {
        let library = try await queue()
        let before = try await library.store.booksInReview()
        try await library.store.reject(before[0].id)
        var dune = try await library.store.book(before[1].id)
        dune.title = "Dune Messiah"
        dune.isbn = ISBN("9780593098233")
        _ = try await library.store.correct(before[1].id, to: dune)
        #expect(try await library.store.undo()?.kind == .correct)
        #expect(try await library.store.booksInReview().map(\.title) == ["Dune", "Babel"])
        #expect(try await library.store.entry(before[1].id).edition == nil)
        #expect(try await library.store.undo()?.kind == .reject)
        let after = try await library.store.booksInReview()
        #expect(after.map(\.title) == ["Emma", "Dune", "Babel"])
        #expect(after.map(\.detection) == before.map(\.detection))
        #expect(try await library.store.undo() == nil)
        #expect(try await library.store.entries(EntryQuery(text: "austin")).entries.map(\.title) == ["Emma"])
    }

    @Test("Undoing a correction keeps the user's notes")
    func undoKeepsNotes() async throws {
        let library = try await queue()
        let item = try #require(try await library.store.booksInReview().first)
        _ = try await library.store.verify(item.id)
        _ = try await library.store.update(item.id, to: EntryDetails(notes: "from Ann", tags: ["gift"]))
        _ = try await library.store.undo()
        let entry = try await library.store.entry(item.id)
        #expect(entry.work.reviewStatus == .needsReview)
        #expect(entry.entry.details.notes == "from Ann")
        #expect(entry.entry.details.tags == ["gift"])
    }

    @Test("An action on a book changed since is refused")
    func conflict() async throws {
        let library = try await queue()
        let item = try #require(try await library.store.booksInReview().first)
        var emma = try await library.store.book(item.id)
        emma.title = "Emma, a novel"
        _ = try await library.store.correct(item.id, to: emma, ifRevision: item.revision)
        await #expect(throws: LibraryError.changedMeanwhile("“Emma, a novel”", current: item.revision + 1)) {
            try await library.store.reject(item.id, ifRevision: item.revision)
        }
    }
}
