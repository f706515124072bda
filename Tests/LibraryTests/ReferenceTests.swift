import Bibliography
import Foundation
import Library
import ShelflistAPI
import Testing

/// RIS, CSL-JSON and MARCXML.
///
/// `Scripts/check_exports.sh` reads exports of arbitrary books with the readers of other projects.
@Suite struct References {
    private static let book = BookDetails(
        title: "The Left Hand & the <Dark>", subtitle: "a novel", series: "Tide Songs",
        seriesNumber: SeriesNumber(rawValue: "2.5"),
        authors: [
            AuthorCredit(name: "Frank Herbert"), AuthorCredit(name: "Simone de Beauvoir", role: .translator),
        ],
        isbn: ISBN("9780441172719"), publisher: "Ace", year: 1990, pages: 535, language: "eng")

    /// Two copies of one edition, a wish, and a book of which only the title is known.
    private static func library() async throws -> TestLibrary {
        let library = try TestLibrary { Date(timeIntervalSince1970: 1_790_000_000) }
        let store = library.store
        var details = EntryDetails(shelf: try await store.shelf(named: "Hall").id)
        details.barcode = "4711"
        (details.callNumber, details.notes, details.tags) = ("813.54 HER", "first\nsecond", ["sci-fi", "gift"])
        let first = try await store.add(book, entry: details)
        _ = try await store.add(book)
        _ = try await store.decide(try await store.duplicateQuestions().map(\.id), .addCopy)
        #expect(try await store.copies(of: first.work).count == 2)
        var wish = EntryDetails()
        wish.ownership = .wishlist
        _ = try await store.add(
            BookDetails(title: "Zoo", authors: [AuthorCredit(name: "Homer")], language: "en"), entry: wish)
        return library
    }

    @Test("RIS has a reference for each edition, in lines that end with CR and LF")
    func ris() async throws {
        let text = try await Self.library().store.exported(.ris)
        let expected = """
            TY  - BOOK
            ID  - work-1
            TI  - The Left Hand & the <Dark>: a novel
            ST  - The Left Hand & the <Dark>
            AU  - Herbert, Frank
            A4  - Beauvoir, Simone de
            T2  - Tide Songs
            M1  - 2.5
            PB  - Ace
            PY  - 1990
            SN  - 9780441172719
            SP  - 535
            LA  - eng
            CN  - 813.54 HER
            KW  - sci-fi
            KW  - gift
            N1  - first
            N1  - second
            ER  -\u{20}

            TY  - BOOK
            ID  - work-3
            TI  - Zoo
            AU  - Homer
            LA  - en
            ER  -\u{20}


            """
        #expect(text == expected.replacing("\n", with: "\r\n"))
    }

    @Test("CSL-JSON has an item for each edition")
    func csl() async throws {
        let text = try await Self.library().store.exported(.csl)
        let items = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSArray
        let expected = """
            [{"type": "book", "id": "work-1", "title": "The Left Hand & the <Dark>: a novel",
              "title-short": "The Left Hand & the <Dark>", "author": [{"family": "Herbert", "given": "Frank"}],
              "translator": [{"family": "Beauvoir", "given": "Simone", "non-dropping-particle": "de"}],
              "issued": {"date-parts": [[1990]]}, "publisher": "Ace", "ISBN": "9780441172719",
              "collection-title": "Tide Songs", "collection-number": "2.5", "number-of-pages": 535, "language": "eng", "call-number": "813.54 HER",
              "keyword": "sci-fi, gift", "note": "first\\nsecond"},
             {"type": "book", "id": "work-3", "title": "Zoo", "author": [{"literal": "Homer"}], "language": "en"}]
            """
        #expect(items == (try JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSArray))
    }

    @Test("MARCXML has a record for each edition, with the places of its copies")
    func marcxml() async throws {
        let text = try await Self.library().store.exported(.marcxml)
        let blanks = String(repeating: " ", count: 17)
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <collection xmlns="http://www.loc.gov/MARC21/slim">
                  <record>
                    <leader>00000nam a22000007c 4500</leader>
                    <controlfield tag="001">shelflist-1-1</controlfield>
                    <controlfield tag="008">260921s1990    xx \(blanks)eng d</controlfield>
                    <datafield tag="020" ind1=" " ind2=" ">
                      <subfield code="a">9780441172719</subfield>
                    </datafield>
                    <datafield tag="100" ind1="1" ind2=" ">
                      <subfield code="a">Herbert, Frank</subfield>
                      <subfield code="4">aut</subfield>
                    </datafield>
                    <datafield tag="245" ind1="1" ind2="4">
                      <subfield code="a">The Left Hand &amp; the &lt;Dark&gt;</subfield>
                      <subfield code="b">a novel</subfield>
                    </datafield>
                    <datafield tag="264" ind1=" " ind2="1">
                      <subfield code="b">Ace</subfield>
                      <subfield code="c">1990</subfield>
                    </datafield>
                    <datafield tag="300" ind1=" " ind2=" ">
                      <subfield code="a">535 pages</subfield>
                    </datafield>
                    <datafield tag="490" ind1="0" ind2=" ">
                      <subfield code="a">Tide Songs</subfield>
                      <subfield code="v">2.5</subfield>
                    </datafield>
                    <datafield tag="653" ind1=" " ind2=" ">
                      <subfield code="a">sci-fi</subfield>
                    </datafield>
                    <datafield tag="653" ind1=" " ind2=" ">
                      <subfield code="a">gift</subfield>
                    </datafield>
                    <datafield tag="700" ind1="1" ind2=" ">
                      <subfield code="a">Beauvoir, Simone de</subfield>
                      <subfield code="4">trl</subfield>
                    </datafield>
                    <datafield tag="852" ind1=" " ind2=" ">
                      <subfield code="b">Hall</subfield>
                      <subfield code="h">813.54 HER</subfield>
                      <subfield code="p">4711</subfield>
                      <subfield code="x">first
                second</subfield>
                    </datafield>
                  </record>
                  <record>
                    <leader>00000nam a22000007c 4500</leader>
                    <controlfield tag="001">shelflist-3-3</controlfield>
                    <controlfield tag="008">260921nuuuu    xx \(blanks)und d</controlfield>
                    <datafield tag="041" ind1="0" ind2="7">
                      <subfield code="a">en</subfield>
                      <subfield code="2">iso639-1</subfield>
                    </datafield>
                    <datafield tag="100" ind1="0" ind2=" ">
                      <subfield code="a">Homer</subfield>
                      <subfield code="4">aut</subfield>
                    </datafield>
                    <datafield tag="245" ind1="1" ind2="0">
                      <subfield code="a">Zoo</subfield>
                    </datafield>
                  </record>
                </collection>

                """)
    }

    @Test("References import again without loss", arguments: [ListFormat.ris, .csl])
    func readsBack(format: ListFormat) async throws {
        let text = try await Self.library().store.exported(format)
        let other = try TestLibrary()
        let preview = try BookListPreview(Array(text.utf8))
        #expect(preview.format.rawValue == format.rawValue && preview.rows == 2)
        #expect(preview.fields.contains(.author) && preview.fields.contains(.callNumber))
        let report = try await other.store.importBooks(Array(text.utf8), name: "references")
        #expect((report.added, report.problems, report.incomplete) == (2, [], []))
        let entries = try await other.store.entries().entries
        #expect(try await other.store.book(entries[0].entry) == Self.book)
        let details = try await other.store.entry(entries[0].entry).entry.details
        #expect(details.tags == ["sci-fi", "gift"] && details.callNumber == "813.54 HER")
        #expect(details.notes == "first\nsecond")
        #expect(try await other.store.book(entries[1].entry).authors.map(\.name) == ["Homer"])
        let again = try await other.store.importBooks(Array(text.utf8), name: "references")
        #expect((again.added, again.alreadyImported) == (0, 2))
    }

    @Test("RIS of other programs is imported, and what is not a book is named")
    func otherRIS() async throws {
        let text = """
            \u{FEFF}
            TY  - JOUR
            TI  - On spines
            ER  -
            TY  - EBOOK
            T1  - A very long
               title
            A1  - Austen, Jane
            A2  - Ann Editor
            Y1  - 2003/05//
            SN  - 0009-1234; 978-0-14-143958-7
            SP  - 474 p.
            T2  - Penguin Classics
            VL  - 12
            AB  - ignored
            TY  - BOOK
            TI  -
            ER  -
            """
        let library = try TestLibrary()
        let report = try await library.store.importBooks(Array(text.utf8), name: "other.ris")
        #expect(report.format == .ris && report.added == 1)
        #expect(report.problems.map(\.line) == [2, 16])
        #expect(report.problems.first?.reason.contains("“JOUR”; only books are imported") == true)
        let entry = try #require(try await library.store.entries().entries.first)
        let book = try await library.store.book(entry.entry)
        #expect(book.title == "A very long title" && book.isbn == ISBN("9780141439587"))
        #expect(book.authors.map(\.role) == [.author, .editor] && book.authors[1].name == "Ann Editor")
        #expect((book.year, book.pages) == (2003, 474))
        #expect(book.series?.hasPrefix("Penguin Classics") == true)
    }

    @Test("CSL-JSON of other programs is imported item by item, and other JSON is refused")
    func otherCSL() async throws {
        let text = """
            [{"id": 1, "type": "article-journal", "title": "On spines"},
             {"id": "x", "type": "book", "title": 7},
             {"id": "y", "type": "book", "title": "Emma", "author": [{"family": "Austen", "given": "Jane"}],
              "issued": {"date-parts": [["2003", 5]]}, "number-of-pages": "474", "ISBN": "0-14-143958-0 978-0-14-143958-7"}]
            """
        let library = try TestLibrary()
        let report = try await library.store.importBooks(Array(text.utf8), name: "zotero.json")
        #expect(report.format == .csl && report.added == 1)
        #expect(report.problems.map(\.line) == [1, 2])
        let entry = try #require(try await library.store.entries().entries.first)
        let book = try await library.store.book(entry.entry)
        #expect(book.authors.map(\.name) == ["Jane Austen"])
        #expect((book.year, book.pages, book.isbn) == (2003, 474, ISBN("9780141439587")))
        let error = #expect(throws: LibraryError.self) { try BookListPreview(Array("[{\"title\": ".utf8)) }
        #expect(error?.description.contains("not valid JSON") == true)
    }

    @Test("An export of chosen copies has only these", arguments: ListFormat.allCases)
    func selection(format: ListFormat) async throws {
        let store = try await Self.library().store
        let zoo = try #require(try await store.entries().entries.last)
        var (text, export) = ("", try await store.export(format, of: [zoo.entry, RowID(99)]))
        while let piece = try await export.next() { text += piece }
        #expect(text.contains("Zoo") && !text.contains("Left Hand"))
    }
}
