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

    @Test("An ISBN without a title is looked up, and one of no copy has no answer")
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

    private func add(_ title: String, _ series: String, _ ownership: Ownership = .owned) async throws {
        var copy = EntryDetails()
        copy.ownership = ownership
        _ = try await store.add(
            BookDetails(title: title, series: series, authors: [AuthorCredit(name: "Ursula Guin")]), entry: copy)
    }

    @Test(
        "A missing volume of an owned series fills a gap, by the series of its record or by its title",
        arguments: [
            ("The Tombs", "Earthsea ; 2"), ("The Tombs (Earthsea, #2)", nil), ("Earthsea, vol. 2", nil),
            ("Earthsea 2", nil),
            ("Earthsea, vol. 2", "Earthsea"),
        ])
    func gaps(title: String, series: String?) async throws {
        try await add("A Wizard", "Earthsea, #1")
        try await add("The Shore", "Earthsea, #3")
        let place = series.map { SeriesStatement($0) }
        let book = BookDetails(title: title, series: place?.name, seriesNumber: place?.number)
        let answer = try #require(try await store.answers(about: [book]).first)
        #expect(answer.verdict == .fillsGap && answer.copies == [])
        #expect((answer.series?.name, answer.series?.missing, answer.volume) == ("Earthsea", [2], "2"))
    }

    @Test("A volume that is owned, wished for, after the last one or of a complete series does not fill a gap")
    func noGaps() async throws {
        try await add("A Wizard", "Earthsea, #1")
        try await add("The Shore", "Earthsea, #4")
        try await add("Other", "Tide Songs, #3", .wishlist)
        let first = try await answer("Earthsea 1")
        #expect(first.verdict == .unsure && first.copies.map(\.title) == ["A Wizard"])
        #expect(try await answer("Earthsea 5").verdict == .notYours)
        #expect(try await answer("Earthsea 2.5").verdict == .notYours)
        #expect(try await answer("Tide Songs 2").verdict == .notYours, "no volume is owned")
        let earthsea = try #require(try await store.series().series.first)
        let id: RowID<Series> = try #require(RowID(earthsea.id))
        _ = try await store.wish(forVolumes: [2], ofSeries: id)
        let tombs = BookDetails(title: "The Tombs", series: "Earthsea", seriesNumber: SeriesNumber(rawValue: "2"))
        let wished = try #require(try await store.answers(about: [tombs]).first)
        #expect(wished.verdict == .wished && wished.copies.map(\.title) == ["Earthsea 2"] && wished.volume == "2")
        #expect(try await answer("Earthsea 3").verdict == .fillsGap)
        var change = SeriesChange()
        change.complete = true
        _ = try await store.change(series: id, change)
        #expect(try await answer("Earthsea 3").verdict == .notYours)
    }

    @Test("A volume fills a gap although the titles of the others are nearly its own")
    func similarVolumes() async throws {
        try await add("One Piece, vol. 1", "One Piece, #1")
        try await add("One Piece, vol. 3", "One Piece, #3")
        let book = BookDetails(
            title: "One Piece, vol. 2", series: "One Piece", seriesNumber: SeriesNumber(rawValue: "2"),
            authors: [AuthorCredit(name: "Ursula Guin")])
        #expect(try await store.answers(about: [book]).map(\.verdict) == [.fillsGap])
    }

    @Test("A spine fills a gap by the series of the record that named it, and is unsure until that is reviewed")
    func spineOfSeries() async throws {
        try await add("A Wizard", "Earthsea, #1")
        try await add("The Shore", "Earthsea, #3")
        var record = BookMatch(title: "The Tombs", author: "Ursula Guin", confidence: 0.95, source: "local")
        record.series = "Earthsea, #2"
        var spine = Scan.book("The Tombs", by: "Ursula Guin", place: 0, matches: [record])
        #expect(try await store.answers(about: [spine]).map(\.verdict) == [.unsure])
        spine.reviewStatus = .verified
        #expect(try await store.answers(about: [spine]).map(\.volume) == ["2"])
        // What a model read is not a record.
        record.source = "gemini"
        spine.matches = [record]
        #expect(try await store.answers(about: [spine]).map(\.verdict) == [.notYours])
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
