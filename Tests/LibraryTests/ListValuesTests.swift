import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

/// Values of lists as programs and people write them: read, or reported with their line.
@Suite("Values of lists") struct ListValuesTests {
    let library: TestLibrary
    private var store: LibraryStore { library.store }

    init() throws { library = try TestLibrary() }

    private func take(_ list: String) async throws -> ListImportReport {
        try await store.importBooks(Array(list.utf8), name: "list.csv")
    }

    private func details() async throws -> [EntryDetail] {
        try await store.entries(EntryQuery(sort: .added)).entries.sorted { $0.entry < $1.entry }.asyncMap {
            try await store.entry($0.entry)
        }
    }

    @Test(
        "Dates are read in local notations, with times, and in words",
        arguments: [
            ("2021-02-03T09:15:00Z", "2021-02-03"), ("2020-12-24 18:30:11", "2020-12-24"), ("17.05.2024", "2024-05-17"),
            ("3.2.2021", "2021-02-03"), ("05/2023", "2023-05"), ("17/05/2024", "2024-05-17"),
            ("05/17/2024", "2024-05-17"),
            ("May 17, 2024", "2024-05-17"), ("17 May 2024", "2024-05-17"), ("17. März 2024", "2024-03-17"),
            ("3 août 2021", "2021-08-03"), ("Sept 2019", "2019-09"), ("2024", "2024"), ("2021.2.3", "2021-02-03"),
            ("5/5/21", "2021-05-05"),
        ])
    func dates(text: String, date: String) async throws {
        let report = try await take("title,author,date read\nSalt,A,\"\(text)\"\n")
        #expect(report.incomplete == [])
        #expect(try await details().map(\.entry.details.finishedOn?.rawValue) == [date])
    }

    @Test("A date that can be two days is decided by the others of its list, or reported with its line")
    func ambiguous() async throws {
        let alone = try await take("title,author,date read\nSalt,A,1/5/21\nTide,A,31.2.2020\n")
        #expect(alone.added == 2)
        #expect(alone.incomplete.map(\.line) == [2, 3])
        #expect(
            alone.incomplete.map(\.reason) == [
                "It was kept without date read “1/5/21”.", "It was kept without date read “31.2.2020”.",
            ])
        let other = try TestLibrary()
        let list = "title,author,date read\nSalt,A,1/5/21\nTide,A,17/05/2024\n"
        #expect(try await other.store.importBooks(Array(list.utf8), name: "l.csv").incomplete == [])
        let salt = try #require(try await other.store.entries(EntryQuery(text: "Salt")).entries.first)
        #expect(try await other.store.entry(salt.entry).entry.details.finishedOn?.rawValue == "2021-05-01")
    }

    @Test(
        "ISBNs that a spreadsheet or a scanner changed are read, or reported",
        arguments: [
            ("551234571", "9780551234574"), ("80442951", "9780080442952"), ("55501004X", "9780555010044"),
            ("9781900009041.0", "9781900009041"), ("'9781900009058", "9781900009058"),
            ("９７８１９００００９０６５", "9781900009065"), ("978190001902651299", "9781900019026"),
            ("978190001903312", "9781900019033"), ("9781900019019 51299", "9781900019019"), ("9.78031E+12", nil),
            ("9781900009097", nil), ("12345678", nil),
        ])
    func isbn(text: String, isbn: String?) async throws {
        let report = try await take("title,author,isbn\nSalt,A,\(text)\n")
        #expect(report.added == 1)
        #expect(report.incomplete.map(\.reason) == (isbn == nil ? ["It was kept without ISBN “\(text)”."] : []))
        #expect(try await details().map(\.edition?.isbn?.isbn13) == [isbn])
    }

    @Test(
        "The series of Goodreads is the last bracket, with decimals and ranges; of several series the first",
        arguments: [
            ("Embers (Ashfall, #1.5)", "Embers", "Ashfall, #1.5"), ("All (Ashfall, #1-3)", "All", "Ashfall, #1-3"),
            ("(R)evolve (Phase Line, #1)", "(R)evolve", "Phase Line, #1"),
            ("The Girl (Who Waited) Again (Tin Harbour, #2)", "The Girl (Who Waited) Again", "Tin Harbour, #2"),
            ("Guards (Discus, #8; City Patrol, #1)", "Guards", "Discus, #8"),
            ("Night Market (Hollow City #4)", "Night Market", "Hollow City, #4"),
            ("The Stand (Uncut)", "The Stand (Uncut)", nil),
        ])
    func series(title: String, main: String, series: String?) async throws {
        _ = try await take(
            "Book Id,Title,Author,Exclusive Shelf,My Rating\n1,\"\(title)\",Mira Castell,read,4\n")
        let detail = try await details()
        #expect(detail.map(\.work.title) == [main])
        #expect(detail.map(\.work.seriesText) == [series])
    }

    @Test("Excel's line with the delimiter is skipped", arguments: ["sep=;\n", "\"sep=;\"\r\n", "\u{FEFF}SEP=;\n"])
    func separator(line: String) async throws {
        let report = try await take(line + "Title;Author\n\"Salt; Tide\";A\nNight, Ferry;B\n;C\n")
        #expect(report.added == 2)
        #expect(report.problems.map(\.line) == [5])
        #expect(try await details().map(\.work.title) == ["Salt; Tide", "Night, Ferry"])
    }

    @Test("A list of BookBuddy keeps volumes, loans, shelves, dates and wishes")
    func bookBuddy() async throws {
        let report = try await take(
            """
            Title,Series,Volume,Author,"Author (Last, First)",ISBN,Physical Location,Status,Date Finished,Loaned To,Quantity,Wish List
            Sun Post,Sun Post,1,Rei Aoki,"Aoki, Rei",,"Study, case 2",Read,2022-03-01,,1,
            Sun Post,Sun Post,2,Rei Aoki,"Aoki, Rei",,"Study, case 2",Read,2022-03-02,Neighbour,2,
            Meadow Notes,,,Ida Lund,"Lund, Ida",,Hall,Unread,,,,1
            """)
        #expect((report.added, report.duplicates.count, report.problems.count) == (3, 0, 0))
        #expect(report.unusedColumns == ["Author (Last, First)"])
        let found = try await details()
        #expect(found.map(\.work.seriesText) == ["Sun Post, #1", "Sun Post, #2", "Sun Post, #2", nil])
        #expect(found.map(\.shelf?.name) == ["Study, case 2", "Study, case 2", "Study, case 2", "Hall"])
        #expect(found.map(\.entry.details.ownership) == [.owned, .lent, .lent, .wishlist])
        #expect(found[1].entry.details.lentTo == "Neighbour")
        #expect(found.map(\.entry.details.reading) == [.read, .read, .read, .toRead])
    }

    @Test("A list of Libib keeps authors, numbers, dates and copies; films are not books")
    func libib() async throws {
        let report = try await take(
            """
            item_type,title,creators,collection,ean_isbn13,upc_isbn10,description,publisher,publish_date,tags,length,rating,status,began,completed,added,copies
            book,Salt Ways,"Nora Holt, Ida Lund",Home,9781900019019,,A walk.,Tidepress,2014-03-01,"coast, walking",288,4.5,Completed,2021-04-01,2021-05-01,2020-12-24,1
            book,Collected Poems,Pavel Kos,Home,,190000402X,,Kite & Sons,1998-01-01,,144,,Not Begun,,,2020-12-25,2
            movie,The Long Bay,Ana Duarte,Home,4006381333931,,,Film Co,2001-01-01,,102,,,,,2020-12-26,1
            """)
        #expect((report.added, report.problems.map(\.line)) == (2, [4]))
        #expect(report.unusedColumns == ["collection", "description"])
        let found = try await details()
        #expect(
            found.map { $0.work.authors.map(\.name) } == [["Nora Holt", "Ida Lund"], ["Pavel Kos"], ["Pavel Kos"]])
        #expect(found[0].edition?.isbn?.isbn13 == "9781900019019")
        #expect((found[0].edition?.year, found[0].edition?.pages, found[0].work.series) == (2014, 288, nil))
        #expect(found[0].entry.details.startedOn?.rawValue == "2021-04-01")
        #expect(found[0].entry.details.finishedOn?.rawValue == "2021-05-01")
        #expect(found.map(\.entry.details.reading) == [.read, .toRead, .toRead])
        #expect(found[1].copies.count == 2)
    }

    @Test("A list of Book Catalogue has its authors and series in columns with details")
    func bookCatalogue() async throws {
        _ = try await take(
            """
            "_id","author_details","title","isbn","bookshelf","read","series_details","pages","location","read_start","read_end","loaned_to"
            "1","Holt, Nora|Lund, Ida|","Salt Ways","","Default","1","Tide Songs(2)|","288","Hall","2021-04-01","2021-05-01",""
            "2","Holt, Nora|","Salt Ways","","Default","0","Tide Songs(3)|","301","Hall","","","Neighbour"
            """)
        let found = try await details()
        #expect(found.map { $0.work.authors.map(\.name) } == [["Nora Holt", "Ida Lund"], ["Nora Holt"]])
        #expect(found.map(\.work.seriesText) == ["Tide Songs, #2", "Tide Songs, #3"])
        #expect(found.map(\.entry.details.reading) == [.read, nil])
        #expect(found.map(\.entry.details.lentTo) == [nil, "Neighbour"])
        #expect(found[0].entry.details.finishedOn?.rawValue == "2021-05-01")
    }

    @Test("A reading log of Open Library keeps statuses; a row with unquoted commas is reported")
    func openLibrary() async throws {
        let report = try await take(
            """
            Work ID,Title,Authors,First Publish Year,Bookshelf,My Ratings
            OL1W,Salt Ways,Nora Holt,1999,Already Read,4
            OL2W,Night Boat,"Lund, Ida",2003,Want to Read,
            OL3W,Harbour Gulls,Mira Vale,2011,Currently Reading,
            OL4W,Ships, Ropes and Knots,Kos, Pavel,1988,Already Read,5
            """)
        #expect((report.added, report.problems.map(\.line)) == (3, [5]))
        #expect(report.problems[0].reason.contains("it has 8 values, and the first line 6"))
        let found = try await details()
        #expect(found.map(\.entry.details.reading) == [.read, .toRead, .reading])
        #expect(found.map(\.entry.details.ownership) == [.owned, .wishlist, .owned])
        #expect(found[0].entry.details.rating == 4)
    }
}
