import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

@Suite struct SeriesTests {
    private let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    @discardableResult
    private func add(
        _ title: String, _ series: String, by author: String = "Ursula Guin", wish: Bool = false
    ) async throws -> LibraryEntry {
        var details = EntryDetails()
        details.ownership = wish ? .wishlist : .owned
        return try await store.add(
            BookDetails(title: title, series: series, authors: [AuthorCredit(name: author)]), entry: details)
    }

    private func only() async throws -> BookSeries {
        let all = try await store.series()
        #expect(all.total == 1)
        return try #require(all.series.first)
    }

    private func id(_ series: BookSeries) throws -> RowID<Series> { RowID(try #require(Int64(series.id))) }

    @Test("A number at the end of a series is stored as its number")
    func numbers() async throws {
        let added = try await add("The Farthest Shore", "Earthsea, #3")
        let work = try await store.work(added.work)
        #expect((work.series, work.seriesNumber?.rawValue, work.seriesText) == ("Earthsea", "3", "Earthsea, #3"))
        #expect(try await store.entries(EntryQuery(text: "earthsea")).entries.map(\.seriesNumber) == ["3"])
        var change = BookCorrection()
        change.seriesNumber = .set("2,5")
        _ = try await store.correct(added.id, change.apply)
        #expect(try await store.work(added.work).seriesText == "Earthsea, #2.5")
        change.seriesNumber = .set("three")
        let error = await #expect(throws: LibraryError.self) { try await store.correct(added.id, change.apply) }
        #expect(error?.description.contains("Write 3, 2.5 or 1-3") == true)
        // Without a series there is no number.
        change = BookCorrection()
        change.series = .clear
        _ = try await store.correct(added.id, change.apply)
        #expect(try await store.work(added.work).seriesNumber == nil)
        #expect(try await store.series().total == 0)
    }

    @Test("Names of a series differ in case, accents and article only, and its books are in the order of numbers")
    func grouping() async throws {
        try await add("Last", "The Tide Songs, #10")
        try await add("Tales", "Tidé Songs")
        try await add("First", "tide songs, #1-2", by: "Ann Other")
        try await add("Between", "Tide Songs, #2.5")
        let series = try await only()
        #expect(series.name == "The Tide Songs" && series.owned == 4 && series.authors == ["Ursula Guin", "Ann Other"])
        #expect(series.missing == [3, 4, 5, 6, 7, 8, 9])
        let whole = try await store.series(id(series))
        #expect(whole.books?.map(\.title) == ["First", "Between", "Last", "Tales"])
        #expect(try await store.series(containing: "TIDÉ").total == 1)
        #expect(try await store.series(containing: "wave").total == 0)
        #expect(try await store.series(withGaps: true).total == 1)
    }

    @Test("Gaps end with the highest volume, or with the number of volumes, until the series is complete")
    func gaps() async throws {
        try await add("One", "Earthsea, #1")
        try await add("Four", "Earthsea, #4")
        try await add("Seven", "Earthsea, #7", wish: true)
        let series = try await only()
        #expect((series.owned, series.wished, series.missing) == (2, 1, [2, 3]))
        var change = SeriesChange()
        change.volumes = .set(8)
        _ = try await store.change(series: id(series), change)
        #expect(try await only().missing == [2, 3, 5, 6, 8])
        change.volumes = .keep
        change.complete = true
        _ = try await store.change(series: id(series), change)
        let complete = try await only()
        #expect(complete.complete && complete.missing == [] && complete.volumes == 8)
        #expect(try await store.series(withGaps: true).total == 0)
        change.volumes = .set(1001)
        await #expect(throws: LibraryError.self) { try await store.change(series: id(series), change) }
    }

    @Test("Nothing is missing of a series with many more gaps than books, unless its volumes are counted")
    func publishersSeries() async throws {
        try await add("Faust", "Reclams Universal-Bibliothek ; 1")
        try await add("Emilia Galotti", "Reclams Universal-Bibliothek ; 45")
        let series = try await only()
        #expect(series.missing == [])
        var change = SeriesChange()
        change.volumes = .set(50)
        _ = try await store.change(series: id(series), change)
        #expect(try await only().missing.count == 48)
        try await add("Nathan", "Reclams Universal-Bibliothek ; 9871")
        change.volumes = .clear
        _ = try await store.change(series: id(series), change)
        #expect(try await only().missing == [])
    }

    @Test("Missing volumes are wished for once, and the wish ends when the volume comes, whatever its title")
    func wishes() async throws {
        try await add("A Wizard", "Earthsea, #1")
        try await add("The Shore", "Earthsea, #3")
        let series = try id(try await only())
        #expect(try await store.wish(forVolumes: [2, 2, 3, 4], ofSeries: series) == 2)
        let wished = try await only()
        #expect((wished.wished, wished.missing) == (2, []))
        #expect(try await store.wish(forVolumes: [2], ofSeries: series) == 0)
        let wish = try #require(try await store.series(series).books?[1])
        #expect(wish.title == "Earthsea 2" && wish.author == "Ursula Guin" && wish.ownership == .wishlist)

        let token = UndoToken()
        _ = try await store.actions(as: token).add(BookDetails(title: "The Tombs", series: "Earthsea, #2"))
        let came = try await store.series(series)
        #expect(came.books?.map(\.title) == ["A Wizard", "The Tombs", "The Shore", "Earthsea 4"])
        #expect((came.owned, came.wished) == (3, 1))
        #expect(try await store.problems() == [])
        _ = try await store.undo(token)
        #expect(
            try await store.series(series).books?.map(\.title) == ["A Wizard", "Earthsea 2", "The Shore", "Earthsea 4"])
        await #expect(throws: LibraryError.self) { try await store.wish(forVolumes: [0], ofSeries: series) }
    }

    @Test("A wish also ends when a book is corrected to be its volume, and stays while a reading is not sure")
    func wishEndsWithCorrection() async throws {
        try await add("A Wizard", "Earthsea, #1")
        let series = try id(try await only())
        _ = try await store.wish(forVolumes: [2], ofSeries: series)
        let book = try await store.add(BookDetails(title: "The Tombs"))
        #expect(try await only().wished == 1)
        var change = BookCorrection()
        change.series = .set("Earthsea, #2")
        _ = try await store.correct(book.id, change.apply)
        #expect(try await only().wished == 0)
        #expect(try await store.entries().entries.map(\.title) == ["The Tombs", "A Wizard"])
    }

    @Test("A series is renamed with its books, joined with another, and both are undone")
    func renaming() async throws {
        try await add("A Wizard", "Earthsee, #1")
        let first = try id(try await only())
        _ = try await store.wish(forVolumes: [2], ofSeries: first)
        var change = SeriesChange()
        change.name = "Earthsea"
        let token = UndoToken()
        #expect(try await store.actions(as: token).change(series: first, change) == first)
        #expect(try await store.series(first).books?.map(\.title) == ["A Wizard", "Earthsea 2"])
        #expect(try await store.entries(EntryQuery(text: "earthsea")).total == 2)
        _ = try await store.undo(token)
        #expect(try await only().name == "Earthsee")

        try await add("The Shore", "Earthsea, #3")
        #expect(try await store.series().total == 2)
        let joined = try await store.change(series: first, change)
        #expect(joined != first)
        #expect(try await only().owned == 2)
        for name in ["", "Earthsea, #2"] {
            change.name = name
            await #expect(throws: LibraryError.self) { try await store.change(series: joined, change) }
        }
        await #expect(throws: LibraryError.self) { try await store.series(first) }
        #expect(try await store.problems() == [])
    }

    @Test("Lists bring numbers in every notation, and the export keeps them")
    func lists() async throws {
        let csv = """
            title,author,series,volume
            One,Ann,Tide Songs,1
            Two,Ann,"Tide Songs, #9",2.5
            Three,Ann,Tide Songs ; 3,
            "Four (Tide Songs, #4-5)",Ann,,
            Five,Ann,Tide Songs,V
            """
        _ = try await store.importBooks(Array(csv.utf8), name: "list.csv")
        let books = try await store.entries().entries
        let texts = Dictionary(uniqueKeysWithValues: books.map { ($0.title, [$0.series, $0.seriesNumber]) })
        #expect(
            texts == [
                "One": ["Tide Songs", "1"], "Two": ["Tide Songs", "2.5"], "Three": ["Tide Songs", "3"],
                "Four": ["Tide Songs", "4-5"], "Five": ["Tide Songs, #V", nil],
            ])
        let other = try TestLibrary()
        let own = try await store.exported(.csv)
        #expect(own.contains("title,subtitle,series,series_number,"))
        _ = try await other.store.importBooks(Array(own.utf8), name: "library.csv")
        let back = try await other.store.entries().entries
        #expect(Dictionary(uniqueKeysWithValues: back.map { ($0.title, [$0.series, $0.seriesNumber]) }) == texts)
        #expect(try await store.exported(.bibtex).contains("series = {Tide Songs},\n  number = {2.5},"))
    }
}
