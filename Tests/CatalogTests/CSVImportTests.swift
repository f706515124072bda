import Bibliography
import Catalog
import Foundation
import Testing

@Suite("Importing CSV")
struct CSVImportTests {
    @Test("Title, subtitle, people and numbers are read")
    func reads() throws {
        let folder = try CatalogFolder()
        let csv =
            "title,author,isbn,year,publisher\nBabel: or the Necessity,\"Kuang, R. F.\",0-8044-2957-X,2022,Harper\n"
        let file = try folder.importing("list.csv", csv.utf8)
        #expect(file.format == "CSV")
        let record = try #require(folder.catalog.search("babel kuang").first)
        #expect(record.title == "Babel")
        #expect(record.subtitle == "or the Necessity")
        #expect(record.authors == ["Kuang, R. F."])
        #expect(record.isbn == "9780804429573")
        #expect(record.year == 2022)
    }

    @Test(
        "Windows-1252 and UTF-16 are read with and without a byte order mark",
        arguments: ["cp1252", "utf16", "unmarked"])
    func encodings(_ encoding: String) throws {
        let folder = try CatalogFolder()
        let text = "Title;Author;Año\nEl niño;Peña;1999\n"
        let bytes: [UInt8] =
            encoding == "cp1252"
            ? text.unicodeScalars.map { UInt8($0.value) }
            : (encoding == "utf16" ? [0xFF, 0xFE] : [])
                + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        try folder.importing("list.csv", bytes)
        #expect(try folder.catalog.search("nino").map(\.title) == ["El niño"])
    }

    @Test("The same row in another file is the same book, and new rows are added to the index")
    func twice() throws {
        let folder = try CatalogFolder()
        try folder.importing("a.csv", "title,author\nEmma,Jane Austen\nDune,Frank Herbert\n".utf8)
        try folder.importing("b.csv", "author,title\n\"Austen, Jane\",EMMA\nMary Shelley,Frankenstein\n".utf8)
        let info = try folder.catalog.info()
        #expect(info.works == 3)
        #expect(folder.catalog.workCount == 3)
        #expect(try folder.catalog.documentFrequency(of: "emma") == 1)
        #expect(try folder.catalog.search("frankenstien").map(\.title) == ["Frankenstein"])
        #expect(try folder.catalog.search("dune").map(\.title) == ["Dune"])
    }

    @Test(
        "A bad row is reported with its line",
        arguments: [
            ("name,writer\nx,y\n", "Line 1 has no column “title”"),
            ("title,author\nEmma,x\n\"open,y\n", "Line 3: a quote"),
        ])
    func failures(_ csv: String, _ message: String) throws {
        let folder = try CatalogFolder()
        let file = try folder.importing("bad.csv", csv.utf8)
        #expect(file.failure?.contains("bad.csv: " + message) == true)
    }

    @Test("Rows without a title are counted and named")
    func withoutTitle() throws {
        let folder = try CatalogFolder()
        let file = try folder.importing("list.csv", "title,author\n,x\nEmma,y\n".utf8)
        #expect(file.skipped == 1)
        #expect(file.messages == ["\(folder.url.path)/list.csv, line 2: there is no title"])
        #expect(try folder.catalog.info().works == 1)
    }

    @Test("Rows with a different delimiter than the header are named, and the rest is read")
    func otherDelimiter() throws {
        let folder = try CatalogFolder()
        let file = try folder.importing(
            "list.csv",
            "title;author;year\nEmma;Austen;1815\nDune,Herbert,1965\nBabel, or the Necessity;Kuang;2022\n".utf8)
        #expect(file.skipped == 1)
        #expect(file.messages.first?.contains("list.csv, line 3: the row is separated by “,”") == true)
        #expect(try folder.catalog.info().works == 2)
    }

    @Test("An encoding that appears late is detected, and a mixed one is reported with its line")
    func lateEncoding() throws {
        let folder = try CatalogFolder()
        let plain = String(repeating: "Emma,Austen\n", count: 120_000)
        try folder.importing("late.csv", Array("title,author\n\(plain)El ni".utf8) + [0xF1] + "o,x\n".utf8)
        #expect(try folder.catalog.search("nino").map(\.title) == ["El niño"])

        let mixed = Array("title,author\nÉté,x\nCaf".utf8) + [0xE9, 0x2C, 0x79, 0x0A]
        let bytes = mixed + Array(String(repeating: "z,z\n", count: 3).utf8)
        let file = try folder.importing("mixed.csv", bytes)
        #expect(file.skipped == 0)
        #expect(file.failure == nil)
        #expect(file.remarks.count == 1)
        #expect(file.remarks.first?.contains("mixed.csv, line 3: from here on UTF-8 and") == true)
        #expect(try folder.catalog.search("café").map(\.title) == ["Café"])
        #expect(try folder.catalog.search("été").map(\.title) == ["Été"])
    }

    @Test("A Goodreads series in parentheses is not part of the title")
    func goodreads() throws {
        let folder = try CatalogFolder()
        try folder.importing(
            "goodreads.csv", "Book Id,Title,Author\n1,\"Catching Fire (The Hunger Games, #2)\",Suzanne Collins\n".utf8)
        let record = try #require(folder.catalog.search("catching fire").first)
        #expect(record.title == "Catching Fire")
        #expect(record.series == "The Hunger Games, #2")
    }

    @Test("An unknown format is refused", arguments: ["", "<html></html>", "\u{0}\u{1}\u{2}"])
    func unknown(_ text: String) throws {
        let folder = try CatalogFolder()
        #expect(try folder.importing("what", text.utf8).failure?.contains("is neither an Open Library dump") == true)
    }
}
