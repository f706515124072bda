import Bibliography
import Catalog
import Foundation
import Testing

@Suite("Searching the catalog")
struct CatalogSearchTests {
    private let folder: CatalogFolder

    init() throws {
        folder = try CatalogFolder()
        let csv = """
            title,author,isbn
            Babel,R. F. Kuang,9780063021426
            The Poppy War,R. F. Kuang,
            It,Stephen King,
            The Stand,Stephen King,
            Stand by Me,Ann Other,
            The Last Stand,Nathaniel Philbrick,
            King Lear,William Shakespeare,
            Prisoners of Geography,Tim Marshall,
            Don Quijote de la Mancha,"Cervantes Saavedra, Miguel de, 1547-1616",
            ノルウェイの森,村上春樹,
            """
        try folder.importing("books.csv", csv.utf8)
    }

    @Test(
        "Search finds and ranks records",
        arguments: [
            ("stand", SearchScope.title, "The Stand"),
            ("The Stand", .all, "The Stand"),
            ("last stand", .all, "The Last Stand"),
            ("king stand", .all, "The Stand"),
            ("poppi war", .all, "The Poppy War"),
            ("quixote", .all, "Don Quijote de la Mancha"),
            ("shakespear", .author, "King Lear"),
            ("cervantes", .author, "Don Quijote de la Mancha"),
            ("9780063021426", .all, "Babel"),
            ("0-06-302142-0", .isbn, "Babel"),
            ("村上 森", .all, "ノルウェイの森"),
            ("prisonersofgeography", .all, "Prisoners of Geography"),
        ])
    func finds(_ query: String, _ scope: SearchScope, _ title: String) throws {
        #expect(try folder.catalog.search(query, scope: scope).first?.title == title)
    }

    @Test("A scope excludes the other columns")
    func scopes() throws {
        #expect(try Set(folder.catalog.search("king", scope: .author).map(\.title)) == ["It", "The Stand"])
        #expect(try folder.catalog.search("king", scope: .title).map(\.title) == ["King Lear"])
        #expect(try folder.catalog.search("9780063021426", scope: .title).isEmpty)
        #expect(try folder.catalog.search("not an ISBN", scope: .isbn).isEmpty)
    }

    @Test(
        "Any query is answered, as the words in it",
        arguments: [
            ("", nil), (" ", nil), ("\"", nil), ("*", nil), ("\u{0}", nil), ("\"stand", "stand"), ("stand*", "stand"),
            ("title:stand", "title stand"), ("NEAR(stand king)", "near stand king"), ("stand AND", "stand and"),
            ("' OR 1=1 --", "or 1 1"), (String(repeating: "x", count: 100_000), nil),
            (String(repeating: "stand ", count: 10_000), "stand"),
        ])
    func robust(_ query: String, words: String?) throws {
        for scope in SearchScope.allCases {
            let found = try folder.catalog.search(query, scope: scope).map(\.title)
            #expect(try found == words.map { try folder.catalog.search($0, scope: scope).map(\.title) } ?? [])
        }
    }

    @Test("Candidates stay within the limit and are different works")
    func candidates() throws {
        let words = ["stephen", "king", "stand", "kuang", "war", "the"]
        for limit in [0, 1, 3, 100] {
            let found = try folder.catalog.candidates(forWords: words, limit: limit)
            #expect(found.count <= limit)
            #expect(Set(found.map(\.work)).count == found.count)
        }
    }

    @Test("An empty catalog has no results, a missing one is reported, and another file is refused")
    func states() throws {
        let other = try CatalogFolder()
        #expect(try other.catalog.search("x").isEmpty)
        #expect(throws: CatalogError.missing(path: "/nowhere/catalog.sqlite")) {
            try Catalog(existingAt: "/nowhere/catalog.sqlite")
        }
        let text = try other.file("text.sqlite", String(repeating: "this is not a database. ", count: 100))
        #expect(throws: CatalogError.notACatalog(path: text)) { try Catalog(existingAt: text) }
    }
}
