import Bibliography
import Catalog
import Foundation
import Testing

@Suite("Lists as a catalog in memory") struct ListCatalogTests {
    private static let list = """
        title,author,isbn
        Babel: Or the necessity of violence,R. F. Kuang,9780008501815
        The poppy war,"Kuang, R. F.",
        Dune,Frank Herbert,9780441172719
        DUNE,"Herbert, Frank",9780340960196

        """

    @Test("Lists are searched like an imported catalog")
    func finds() throws {
        let folder = try CatalogFolder()
        let list = try folder.file("list.csv", Self.list)
        let more = try folder.file("more.csv", "title,author\nPrisoners of Geography,Tim Marshall\n")
        let catalog = try Catalog(lists: [list, more])
        #expect(catalog.workCount == 4)
        for (spine, title) in [
            ("KUANG BABEL harper Voyager", "Babel"), ("PrisonersofGeography", "Prisoners of Geography"),
            ("MARSHAL GEOGRAPHV", "Prisoners of Geography"), ("poppy war", "The poppy war"),
        ] {
            let words = TextNormalisation.words(spine)
            #expect(try catalog.candidates(forWords: words, limit: 3).first?.title == title)
        }
        #expect(try catalog.search("9780340960196").map(\.title) == ["DUNE"])
        _ = try folder.catalog.importFiles([list, more])
        for words in [["dune"], ["kuang"], ["geography"], ["babel", "war"]] {
            #expect(
                try catalog.candidates(forWords: words, limit: 5)
                    == folder.catalog.candidates(forWords: words, limit: 5))
        }
    }

    @Test("A list that cannot be imported is named")
    func refuses() throws {
        let folder = try CatalogFolder()
        let list = try folder.file("list.csv", "name,writer\nx,y\n")
        let error = #expect(throws: ListFailure.self) { try Catalog(lists: [list]) }
        #expect(error?.description.contains("list.csv") == true)
        #expect(throws: ListFailure.self) { try Catalog(lists: ["/nowhere/list.csv"]) }
    }
}
