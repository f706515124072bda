import Bibliography
import Fixtures
import Foundation
import Server
import ServerFixtures
import ShelflistAPI
import ShelflistClient
import TestSupport
import Testing

/// The requests besides scans, against a real server.
@Suite(.endsHangs) struct RequestTests {
    @Test("Books are added, listed page by page, changed, lent and removed")
    func library() async throws {
        try await withClient { fixture in
            let library = fixture.client.library
            let empty = try await library.version()
            for number in 1...7 {
                _ = try await library.add(NewBook(title: "Book \(number)", authors: ["Ann Author"]))
            }
            #expect(try await library.version() != empty)
            var pages = library.books(LibraryQuery(text: "book"))
            pages.pageSize = 3
            var titles: [String] = []
            for try await book in pages { titles.append(book.title) }
            #expect(titles == (1...7).map { "Book \($0)" })
            let page = try await library.books().page(limit: 2)
            #expect(page.items.count == 2 && page.total == 7)

            guard case .exists(let same) = try await library.add(NewBook(title: "Book 1", authors: ["Ann Author"]))
            else { throw Unexpected() }
            #expect(same.existing.map(\.title) == ["Book 1"])

            let book = try await library.book(page.items[0].id)
            var change = BookChange()
            change.rating = .set(4.5)
            change.notes = .set("Signed, ünï")
            change.tags = ["old"]
            let changed = try await library.change(book, change)
            #expect(changed.rating == 4.5 && changed.notes == "Signed, ünï" && changed.tags == ["old"])
            change = BookChange()
            change.rating = .clear
            #expect(try await library.change(changed, change).rating == nil)
            let conflict = await #expect(throws: ShelflistError.self) { try await library.change(book, change) }
            #expect(conflict?.category == .conflict && conflict?.problem?.code == "edit_conflict")

            #expect(try await library.lend(book.id, to: "Bob").loan?.to == "Bob")
            #expect(try await library.lend(book.id, to: nil).loan == nil)
            let removed = try await library.remove(book.id)
            let gone = await #expect(throws: ShelflistError.self) { try await library.book(book.id) }
            #expect(gone?.category == .notFound)
            try await fixture.client.undo(try #require(removed.undoToken))
            #expect(try await library.book(book.id).title == book.title)
        }
    }

    @Test("Shelves are created, renamed, listed and removed, and their books stay")
    func shelves() async throws {
        try await withClient { fixture in
            let shelves = fixture.client.shelves
            let hall = try await shelves.named("Hall")
            #expect(try await shelves.named("Hall").id == hall.id)
            let renamed = try await shelves.change(hall, ShelfChange(name: "Hall, left"))
            #expect(renamed.name == "Hall, left")
            await #expect(throws: ShelflistError.self) { try await shelves.change(hall, ShelfChange(name: "Other")) }
            _ = try await fixture.client.scan(
                [.script("books:Emma|Dune")], options: ScanOptions(addsToLibrary: true, shelf: hall.id)
            ).results
            var names: [String] = []
            for try await shelf in shelves.all { names.append(shelf.name) }
            #expect(names == ["Hall, left"])
            try await shelves.remove(hall.id)
            #expect(try await fixture.client.library.books().page().total == 2)
        }
    }

    @Test("An outline is moved, and its spine is read again")
    func movesOutline() async throws {
        try await withClient { fixture in
            let photo = try ScriptedPicture.data("books:Emma|Dune")
            let scan = fixture.client.scan([.data(photo)], options: ScanOptions(addsToLibrary: true))
            let results = try await scan.results
            let item = try #require(try await fixture.client.review.items().page().items.first)
            let quad = UnitQuad(UnitRect(x: 0.1, y: 0.1, width: 0.3, height: 0.5))
            let moved = try await fixture.client.review.move(item, to: quad)
            #expect(moved.quad == quad)
            let crop = try #require(moved.cropUrl)
            #expect(try await fixture.client.picture(crop).prefix(2) == Data([0xFF, 0xD8]))
            let spine = try await fixture.client.picture(results.books[0].cropUrl)
            #expect(spine.prefix(2) == Data([0xFF, 0xD8]))
            let status = try await fixture.client.scans.status(results.jobId)
            let annotated = try await fixture.client.picture(status.photos[0].annotatedUrl)
            #expect(annotated.prefix(2) == Data([0xFF, 0xD8]))
            let other = await #expect(throws: ShelflistError.self) {
                try await fixture.client.picture("https://covers.example.org/1.jpg")
            }
            #expect(other?.category == .invalid)
        }
    }

    @Test("A list is uploaded, imported and exported")
    func lists() async throws {
        try await withClient { fixture in
            let lists = fixture.client.lists
            let uploaded = try await lists.upload(
                Data("Title,Author,Colour\nEmma,Jane Austen,red\nDune,Frank Herbert,\n".utf8), name: "Bücher 1.csv")
            #expect(uploaded.status == .preview && uploaded.name == "Bücher 1.csv" && uploaded.rows == 2)
            #expect(uploaded.mapping["Colour"] == .some(nil))
            try await lists.start(uploaded.id, ListImportOptions(duplicates: "skip"))
            var state = uploaded
            try await eventually {
                state = try await lists.state(uploaded.id)
                return state.status != .preview && state.status != .running
            }
            #expect(state.status == .completed && state.added == 2 && state.undoToken != nil)
            let text = String(decoding: try await lists.export(.csv), as: UTF8.self)
            #expect(text.contains("Emma") && text.contains("Frank Herbert"))
            #expect(try await lists.export(.bibtex).isEmpty == false)
            let dune = try #require(try await fixture.client.library.books(LibraryQuery()).first { $0.title == "Dune" })
            let chosen = String(decoding: try await lists.export(.ris, of: [dune.id]), as: UTF8.self)
            #expect(chosen.contains("TI  - Dune") && !chosen.contains("Emma"))
        }
    }

    @Test("Series are listed, changed and completed with wishes")
    func series() async throws {
        try await withClient { fixture in
            let library = fixture.client.library
            for number in ["1", "3"] {
                var book = NewBook(title: "Volume of \(number)", authors: ["Ann"])
                book.correction = BookCorrection()
                book.correction?.series = .set("Earthsea")
                book.correction?.seriesNumber = .set(number)
                _ = try await library.add(book)
            }
            let listed = try #require(try await library.series(withGaps: true).page().items.first)
            #expect(listed.name == "Earthsea" && listed.missing == [2])
            var change = SeriesChange()
            change.volumes = .set(4)
            #expect(try await library.change(series: listed.id, change).missing == [2, 4])
            #expect(try await library.wish(forVolumes: [2, 4], ofSeries: listed.id).changed == 2)
            let shown = try await library.series(listed.id)
            #expect(shown.books?.map(\.seriesNumber) == ["1", "2", "3", "4"] && shown.wished == 2)
            change = SeriesChange()
            change.complete = true
            #expect(try await library.change(series: listed.id, change).volumes == 4)
        }
    }

    @Test("A search says what each source found")
    func search() async throws {
        try await withClient { fixture in
            let found = try await fixture.client.search("Emma & co?", in: .title, sources: .local)
            #expect(found.items.isEmpty && found.sources.isEmpty)
            let all = try await fixture.client.search("Emma", limit: 5)
            #expect(all.sources.count == 3 && all.sources.allSatisfy { $0.state == "off" })
            let empty = await #expect(throws: ShelflistError.self) { try await fixture.client.search(" ") }
            #expect(empty?.category == .invalid && empty?.problem?.field == "q")
        }
    }

    @Test("A server below a path is used")
    func basePath() async throws {
        try await withClient(configure: { settings, _ in
            settings.basePath = BasePath("/books") ?? .root
        }) { fixture in
            let address = try #require(URL(string: "http://127.0.0.1:\(fixture.proxy.port)/books/"))
            let client = ShelflistClient(address: address)
            guard case .ready = await client.probe() else { throw Unexpected() }
            let photo = try ScriptedPicture.data("books:Emma")
            let results = try await client.scan([.data(photo)]).results
            #expect(results.books.count == 1)
            #expect(try await client.picture(results.books[0].cropUrl).prefix(2) == Data([0xFF, 0xD8]))
        }
    }
}
