import Bibliography
import Foundation
import Library
import ShelflistAPI
import Synchronization
import TestSupport
import Testing

@Suite("Loans and wishes") struct LoanTests {
    let library: TestLibrary
    let clock: Clock
    private var store: LibraryStore { library.store }

    final class Clock: Sendable {
        let day = Mutex("2026-11-26")
        var now: Date { day.withLock { PartialDate(rawValue: $0)?.firstMoment } ?? .distantPast }
    }

    init() throws {
        let clock = Clock()
        self.clock = clock
        library = try TestLibrary(clock: { clock.now })
    }

    private func add(_ title: String, _ entry: EntryDetails = EntryDetails()) async throws -> RowID<LibraryEntry> {
        try await store.add(BookDetails(title: title, authors: [AuthorCredit(name: "A Person")]), entry: entry).id
    }

    private func loan(_ borrower: String, since: String? = nil, due: String? = nil) -> EntryDetails {
        var details = EntryDetails(ownership: .lent, lentTo: borrower)
        details.lentOn = since.flatMap { PartialDate(rawValue: $0) }
        details.dueOn = due.flatMap { PartialDate(rawValue: $0) }
        return details
    }

    @Test("A loan begins today unless another day is given, and is kept when it ends")
    func history() async throws {
        let book = try await add("Dune")
        var lent = try await store.update(book, to: loan("Bea", due: "2026-12-24"))
        #expect(lent.details.lentOn?.rawValue == "2026-11-26")
        clock.day.withLock { $0 = "2026-12-20" }
        lent = try await store.update(book, to: loan("Cem", since: "2026-12"))
        #expect(lent.details.dueOn == nil)
        clock.day.withLock { $0 = "2027-01-02" }
        var back = lent.details
        back.comesBack()
        let token = UndoToken()
        _ = try await store.actions(as: token).update(book, to: back)
        let loans = try await store.entry(book).pastLoans
        #expect(loans.map(\.to) == ["Cem", "Bea"])
        #expect(loans.map(\.since) == ["2026-12", "2026-11-26"])
        #expect(loans.map(\.due) == [nil, "2026-12-24"])
        #expect(loans.map(\.returned) == ["2027-01-02", "2026-12-20"])
        _ = try await store.undo(token)
        #expect(try await store.entry(book).pastLoans.map(\.to) == ["Bea"])
        #expect(try await store.entry(book).entry.details.lentTo == "Cem")
    }

    @Test("A book that is found on its shelf has come back")
    func found() async throws {
        let shelf = try await store.shelf(named: "Hall").id
        let book = try await add("Dune", loan("Bea"))
        _ = try await store.markFound([book], on: shelf)
        let entry = try await store.entry(book)
        #expect(entry.entry.details == EntryDetails(shelf: shelf))
        #expect(entry.pastLoans.map(\.to) == ["Bea"])
    }

    @Test(
        "A loan is overdue when its day, month or year is over",
        arguments: [
            ("2026-11-25", true), ("2026-11-26", false), ("2026-11", false), ("2026-10", true), ("2026", false),
            ("2025", true), (nil, false),
        ])
    func overdue(due: String?, isOverdue: Bool) async throws {
        _ = try await add("Dune", loan("Bea", since: "2020", due: due))
        _ = try await add("Emma")
        var query = EntryQuery()
        query.isOverdue = true
        let list = try await store.entries(query)
        #expect(list.total == (isOverdue ? 1 : 0))
        #expect(list.entries.map(\.loan?.to) == (isOverdue ? ["Bea"] : []))
    }

    @Test("A due date before the first day is refused")
    func wrongDue() async throws {
        let book = try await add("Dune")
        await #expect(throws: LibraryError.self) {
            try await store.update(book, to: loan("Bea", since: "2026-11-26", due: "2026-11-25"))
        }
    }

    @Test("Loans survive an export and an import")
    func exported() async throws {
        _ = try await add("Dune", loan("Bea", since: "2026-11-01", due: "2026-12-24"))
        let other = try TestLibrary()
        _ = try await other.store.importBooks(Array(try await store.exported(.csv).utf8), name: "library.csv")
        let entry = try #require(try await other.store.entries().entries.first)
        #expect(
            try await other.store.entry(entry.entry).entry.details
                == loan("Bea", since: "2026-11-01", due: "2026-12-24"))
    }

    // MARK: Wishes

    @Test("A wish becomes the owned copy, however the book comes", arguments: ["by hand", "list", "scan", "answer"])
    func fulfilled(way: String) async throws {
        let wish = try await add("Dune", EntryDetails(ownership: .wishlist, notes: "Ann liked it", tags: ["gift"]))
        let hall = try await store.shelf(named: "Hall").id
        let spine = Scan.book("Dune", by: "A Person", way == "answer" ? 0.3 : 0.95, place: 0)
        switch way {
        case "by hand": #expect(try await add("Dune", EntryDetails(tags: ["new"], shelf: hall)) == wish)
        case "list":
            let list = "title,author,shelf,tags\nDune,A Person,Hall,new\n"
            #expect(try await store.importBooks(Array(list.utf8), name: "l.csv").added == 1)
        default:
            _ = try await store.importScan(Scan.of([spine], job: "1", photo: "a", shelf: hall))
            let questions = try await store.duplicateQuestions()
            #expect(questions.count == (way == "answer" ? 1 : 0))
            _ = try await store.decide(questions.map(\.id), .existing)
        }
        #expect(try await store.entries().total == 1)
        let details = try await store.entry(wish).entry.details
        #expect(details.ownership == .owned)
        #expect(details.shelf == hall)
        #expect(details.notes == "Ann liked it")
        #expect(details.tags.first == "gift")
        #expect(try await store.duplicateQuestions().isEmpty)
    }

    @Test("A wish beside an owned copy stays a wish, and a wish of a list does not become owned")
    func kept() async throws {
        let owned = try await add("Dune")
        let wish = try await store.add(
            BookDetails(title: "Dune", authors: [AuthorCredit(name: "A Person")]),
            entry: EntryDetails(ownership: .wishlist))
        _ = try await store.decide(try await store.duplicateQuestions().map(\.id), .addCopy)
        _ = try await store.importScan(Scan.of([Scan.book("Dune", by: "A Person", place: 0)], job: "1"))
        #expect(try await store.entry(wish.id).entry.details.ownership == .wishlist)
        #expect(try await store.entry(owned).copies.count == 2)
        let other = try await add("Emma", EntryDetails(ownership: .wishlist))
        let list = "Title,Author,Exclusive Shelf,Owned Copies,Book Id,My Rating\nEmma,A Person,to-read,0,1,0\n"
        let report = try await store.importBooks(Array(list.utf8), name: "g.csv")
        #expect(report.duplicates.map(\.line) == [2])
        #expect(try await store.entry(other).entry.details.ownership == .wishlist)
    }
}
