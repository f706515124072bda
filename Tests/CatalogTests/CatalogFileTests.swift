import Bibliography
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
        #expect(try file.snapshot() == nil)
        #expect(!FileManager.default.fileExists(atPath: url.path), "a search does not create the file")

        let catalog = try Catalog(path: url.path)
        #expect(try file.snapshot() == nil, "the catalog is empty")
        #expect(try file.exists && file.catalog()?.search("emma").isEmpty == true)
        _ = try catalog.importFiles([try folder.file("a.csv", "title,author\nEmma,Jane Austen\n")])
        let first = try #require(try file.snapshot())
        #expect(try first.finds("emma"))
        #expect(try file.snapshot()?.version == first.version)

        // Equivalent to an import by another process.
        _ = try Catalog(path: url.path).importFiles([try folder.file("b.csv", "title,author\nDune,Frank Herbert\n")])
        let second = try #require(try file.snapshot())
        #expect(second.version != first.version)
        #expect(try second.finds("dune"))
        #expect(try first.finds("dune"), "it is the same file")

        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        #expect(try file.snapshot() == nil)
        _ = try Catalog(path: url.path).importFiles([try folder.file("c.csv", "title,author\nBabel,R. F. Kuang\n")])
        let third = try #require(try file.snapshot())
        #expect(try third.finds("babel"))
        #expect(try !third.finds("dune"))
    }
}

extension CatalogSnapshot {
    fileprivate func finds(_ word: String) throws -> Bool { try !search.candidates(forWords: [word], limit: 5).isEmpty }
}
