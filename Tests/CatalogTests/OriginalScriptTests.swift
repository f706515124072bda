import Bibliography
import Catalog
import Testing

/// Records with fields 880 (MARC 21, appendix A) and corporate names, which are made up.
@Suite struct OriginalScriptTests {
    /// A field: tag and subfields, `245 6 880-01 a Title`.
    private typealias Field = (tag: String, subfields: [(String, String)])

    private static func record(_ fields: [Field]) -> String {
        let data = fields.map { field in
            let parts = field.subfields.map { #"<subfield code="\#($0)">\#($1)</subfield>"# }.joined()
            return #"<datafield tag="\#(field.tag)" ind1=" " ind2=" ">\#(parts)</datafield>"#
        }
        return "<record><leader>00000nam a2200000 a 4500</leader>\(data.joined())</record>"
    }

    private static func catalog(_ records: [[Field]]) throws -> CatalogFolder {
        let folder = try CatalogFolder()
        let xml = #"<collection xmlns="http://www.loc.gov/MARC21/slim">\#(records.map(record).joined())</collection>"#
        let file = try folder.importing("records.xml", xml.utf8)
        #expect((file.rows, file.skipped) == (records.count, 0), "\(file.messages)")
        return folder
    }

    private static let ferry: [Field] = [
        ("020", [("a", "9780000000170")]), ("100", [("6", "880-01"), ("a", "Tanabe, Rei,"), ("d", "1971-")]),
        ("245", [("6", "880-02"), ("a", "Yoru no ferī /"), ("c", "Tanabe Rei.")]),
        ("260", [("6", "880-03"), ("b", "Kumo Shuppan,"), ("c", "2009.")]),
        ("880", [("6", "100-01/$1"), ("a", "田辺玲,"), ("d", "1971-")]),
        ("880", [("6", "245-02/$1"), ("a", "夜のフェリー /"), ("c", "田辺玲.")]),
        ("880", [("6", "260-03/$1"), ("b", "雲出版,"), ("c", "2009.")]),
        ("880", [("6", "500-00/$1"), ("a", "注")]),
    ]

    @Test("A book is found by its original script and by the romanisation, and is one work")
    func bothScripts() throws {
        let catalog = try Self.catalog([Self.ferry]).catalog
        for text in ["夜のフェリー", "田辺玲", "Yoru no feri", "Tanabe"] {
            let found = try #require(try catalog.search(text).first, "\(text)")
            #expect(found.work == (try catalog.search("夜のフェリー").first?.work))
        }
        let original = try #require(try catalog.search("夜のフェリー").first)
        #expect(original.title == "夜のフェリー" && original.authors == ["田辺玲, 1971-"])
        #expect(original.publisher == "雲出版" && original.year == 2009)
        #expect(try catalog.info().works == 1)
    }

    @Test("The ISBN gives the title that is printed on the book")
    func byISBN() throws {
        let catalog = try Self.catalog([Self.ferry]).catalog
        #expect(try catalog.search("978-0-00-000017-0", scope: .isbn).map(\.title) == ["夜のフェリー", "Yoru no ferī"])
    }

    @Test("A catalog with the original script in the usual fields is read the same way")
    func otherWayRound() throws {
        let catalog = try Self.catalog([
            [
                ("245", [("6", "880-01"), ("a", "Соляные дороги")]), ("100", [("a", "Квилл, Нора.")]),
                ("880", [("6", "245-01/(B"), ("a", "Solianye dorogi")]),
            ]
        ]).catalog
        #expect(try catalog.search("solianye dorogi").first?.title == "Solianye dorogi")
        #expect(try catalog.search("соляные").first?.title == "Соляные дороги")
        #expect(try catalog.search("квилл").first?.title == "Соляные дороги")
    }

    @Test("A link to a field that is missing, or that names another, changes nothing")
    func brokenLinks() throws {
        let catalog = try Self.catalog([
            [("245", [("6", "880-05"), ("a", "Plain title")]), ("880", [("6", "246-05/$1"), ("a", "別の題")])],
            [("245", [("6", "880-00"), ("a", "Other title")]), ("880", [("6", "245-00/$1"), ("a", "別の題")])],
        ]).catalog
        #expect(try catalog.info().editions == 2)
        #expect(try catalog.search("別の題").isEmpty)
    }

    @Test(
        "A corporate name is one author",
        arguments: [
            ("110", [("a", "Food and Harbour Organization.")], "Food and Harbour Organization"),
            ("110", [("a", "Barnard and Noll.")], "Barnard and Noll"),
            (
                "710", [("a", "Ministry of Tides, Salt and Sand."), ("b", "Library.")],
                "Ministry of Tides, Salt and Sand. Library"
            ),
        ])
    func corporate(tag: String, subfields: [(String, String)], name: String) throws {
        let catalog = try Self.catalog([[("245", [("a", "Harbour report")]), (tag, subfields)]]).catalog
        let record = try #require(try catalog.search("harbour report").first)
        #expect(record.authors.map { $0.replacing("\u{A0}", with: " ") } == [name])
        // However it is read, it stays one.
        #expect(record.authors.flatMap(PersonName.list).map(\.displayName) == record.authors)
        #expect(try catalog.search("noll").isEmpty == !name.contains("Noll"))
    }

    @Test("Publishers and printers among the added entries are not authors")
    func publisher() throws {
        let catalog = try Self.catalog([
            [
                ("245", [("a", "Harbour report")]), ("100", [("a", "Quill, Nora.")]),
                ("710", [("a", "Kumo Press,"), ("e", "publisher.")]), ("710", [("a", "Salt Works"), ("4", "prt")]),
            ]
        ]).catalog
        #expect(try catalog.search("harbour report").first?.authors == ["Quill, Nora"])
    }
}
