import Catalog
import Foundation
import Testing

@Suite("The catalog at a path")
struct CatalogFileTests {
    @Test("A catalog opens once it can be searched, and opens again when it is replaced")
    func changes() throws {
        let folder = try CatalogFolder()
        let url = folder.url.appending(path: "served.sqlite")
        let file = CatalogFile(url)
        #expect(try file.searchable() == nil)
        #expect(!FileManager.default.fileExists(atPath: url.path), "looking makes no file")

        let catalog = try Catalog(path: url.path)
        #expect(try file.searchable() == nil, "nothing is in it")
        #expect(try file.exists && file.catalog()?.search("emma").isEmpty == true)
        _ = try catalog.importFiles([try folder.file("a.csv", "title,author\nEmma,Jane Austen\n")])
        let first = try #require(try file.searchable())
        #expect(try first.catalog.search("emma").count == 1)
        #expect(try file.searchable()?.state == first.state)

        // By another process, as far as the file can tell.
        _ = try Catalog(path: url.path).importFiles([try folder.file("b.csv", "title,author\nDune,Frank Herbert\n")])
        let second = try #require(try file.searchable())
        #expect(second.state != first.state)
        #expect(try second.catalog.search("dune").count == 1)
        #expect(try first.catalog.search("dune").count == 1, "it is the same file")

        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        #expect(try file.searchable() == nil)
        _ = try Catalog(path: url.path).importFiles([try folder.file("c.csv", "title,author\nBabel,R. F. Kuang\n")])
        let third = try #require(try file.searchable())
        #expect(try third.catalog.search("babel").count == 1)
        #expect(try third.catalog.search("dune").isEmpty)
    }
}
