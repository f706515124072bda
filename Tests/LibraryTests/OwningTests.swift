import Bibliography
import Library
import ShelflistAPI
import Testing

@Suite("Do I own it?") struct OwningTests {
    private static let paperback = "9780441172719"
    private static let hardcover = "9780340960196"

    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    private func add(
        _ title: String, by author: String, isbn: String? = nil, _ ownership: Ownership = .owned
    ) async throws {
        var copy = EntryDetails()
        copy.ownership = ownership
        _ = try await store.add(
            BookDetails(title: title, authors: [AuthorCredit(name: author)], isbn: isbn.flatMap { ISBN($0) }),
            entry: copy)
    }

    private func answer(_ title: String, by author: String? = nil, isbn: String? = nil) async throws -> OwnAnswer {
        let book = BookDetails(
            title: title, authors: author.map { [AuthorCredit(name: $0)] } ?? [], isbn: isbn.flatMap { ISBN($0) })
        return try #require(try await store.answers(about: [book]).first)
    }

    @Test("A book is owned under its title, with its author or without")
    func titles() async throws {
        try await add("Dune", by: "Frank Herbert", isbn: Self.paperback)
        #expect(try await answer("dune", by: "Herbert, Frank").verdict == .have)
        let untold = try await answer("Dune")
        #expect(untold.verdict == .have && untold.copies.map(\.isbn) == [Self.paperback])
        #expect(try await answer("Dune", by: "Anna Lehn").verdict == .notYours)
        #expect(try await answer("Emma", by: "Jane Austen").verdict == .notYours)
    }

    @Test("A copy without an ISBN does not count as another edition")
    func editions() async throws {
        try await add("Dune", by: "Frank Herbert", isbn: Self.paperback)
        let other = try await answer("Dune", by: "Frank Herbert", isbn: Self.hardcover)
        #expect(other.verdict == .otherEdition && other.copies.map(\.isbn) == [Self.paperback])
        #expect(try await answer("Dune", by: "Frank Herbert", isbn: Self.paperback).verdict == .have)
        try await add("Emma", by: "Jane Austen")
        #expect(try await answer("Emma", by: "Jane Austen", isbn: "9780141439587").verdict == .have)
    }

    @Test("An ISBN is looked up by itself, and one that no copy has has no answer")
    func isbns() async throws {
        try await add("Dune", by: "Frank Herbert", isbn: Self.paperback)
        let known = try await store.answer(aboutISBN: #require(ISBN(Self.paperback)))
        #expect(known?.verdict == .have && known?.copies.map(\.title) == ["Dune"])
        #expect(try await store.answer(aboutISBN: #require(ISBN(Self.hardcover))) == nil)
    }

    @Test("A wish is not owned, and an owned copy is before it")
    func wishes() async throws {
        try await add("Emma", by: "Jane Austen", .wishlist)
        #expect(try await answer("Emma", by: "Jane Austen").verdict == .wished)
        try await add("Dune", by: "Frank Herbert", isbn: Self.paperback)
        try await add("Dune", by: "Frank Herbert", isbn: Self.hardcover, .wishlist)
        let questions = try await store.duplicateQuestions(limit: 10, offset: 0).questions
        try await store.decide(questions.map(\.id), .addCopy)
        let both = try await answer("Dune", by: "Frank Herbert")
        #expect(both.verdict == .have && both.copies.map(\.ownership) == [.owned, .wishlist])
    }

    @Test("Nearly the title of a copy is unsure, and nearly that of a wish is not")
    func similar() async throws {
        try await add("The Hobbit", by: "J. R. R. Tolkien")
        try await add("Middlemarch", by: "George Eliot", .wishlist)
        let hobbit = try await answer("The Hobit", by: "Tolkien")
        #expect(hobbit.verdict == .unsure && hobbit.copies.map(\.title) == ["The Hobbit"])
        #expect(try await answer("Midlemarch", by: "George Eliot").verdict == .notYours)
    }

    @Test("A spine that needs review is unsure, unless the library has its book")
    func spines() async throws {
        try await add("Dune", by: "Frank Herbert", isbn: Self.paperback)
        var emma = Scan.book("Emma", by: "Jane Austen", place: 2)
        emma.reviewStatus = .verified
        let spines = [
            Scan.book("Dune", by: "Frank Herbert", isbn: Self.hardcover, place: 0),
            Scan.book("Enma", place: 1), emma, Scan.book(nil, place: 3),
        ]
        let verdicts = try await store.answers(about: spines).map(\.verdict)
        #expect(verdicts == [.have, .unsure, .notYours, .unsure], "a spine does not show its ISBN")
    }
}
