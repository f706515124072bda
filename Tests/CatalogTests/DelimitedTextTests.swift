import Bibliography
import Bounds
import DelimitedText
import Fixtures
import Testing

@Suite("CSV")
struct CatalogCSVTests {
    private func rows(_ text: String, piece: Int = 1, delimiter: UInt8 = UInt8(ascii: ",")) throws -> [[String]] {
        var parser = CSVParser(delimiter: delimiter)
        var rows: [[String]] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: piece) {
            try parser.parse(bytes[start..<min(bytes.count, start + piece)]) { rows.append($0.fields) }
        }
        try parser.finish { rows.append($0.fields) }
        return rows
    }

    @Test(
        "Rows are parsed in the notations of RFC 4180 and spreadsheets",
        arguments: [
            ("a,b\r\nc,d\r\n", [["a", "b"], ["c", "d"]]),
            ("a,b\nc,d", [["a", "b"], ["c", "d"]]),
            ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]),
            ("\"a,1\",\"b \"\"q\"\"\"\n", [["a,1", "b \"q\""]]),
            ("\"two\r\nlines\",x", [["two\r\nlines", "x"]]),
            ("a,,\n,\n", [["a", "", ""], ["", ""]]),
            ("\n\na\n\n", [["a"]]),
            ("\"\"\n", [[""]]),
            ("5\" disk,x", [["5\" disk", "x"]]),
            ("\"a\"b,c", [["ab", "c"]]),
            ("é,ñ", [["é", "ñ"]]),
        ])
    func parses(_ text: String, _ expected: [[String]]) throws {
        for piece in [1, 2, 3, 1000] { #expect(try rows(text, piece: piece) == expected) }
    }

    @Test(
        "Formulas are guarded wherever a spreadsheet may start a cell, and the guard is reversible",
        arguments: [
            ("=1", "'=1"), ("'=1", "''=1"), ("x;=cmd", "x;'=cmd"), ("a\t+b", "a\t'+b"),
            ("a\n-b\r\n@c", "a\n'-b\r\n'@c"),
            ("x;\"=cmd", "x;'\"=cmd"), ("x; '=1", "x;' '=1"), ("x; y", "x; y"), ("sci-fi; a=b", "sci-fi; a=b"),
            ("", ""), (";", ";"),
        ])
    func guardsFormulas(_ text: String, _ guarded: String) {
        #expect(EscapedText.guardingFormulas(text) == guarded)
        #expect(EscapedText.withoutGuards(guarded) == text)
    }

    @Test("An unclosed quote is reported with its line")
    func unclosedQuote() {
        #expect(throws: CSVError.unclosedQuote(line: 3)) { try rows("a\nb\n\"c\nd\n") }
    }

    @Test("A row over the limit is refused with its line")
    func longRow() {
        let text = "a\n\"" + String(repeating: "x", count: CSVParser.rowLimit + 1) + "\"\n"
        #expect(throws: CSVError.rowTooLong(line: 2)) { try rows(text, piece: 4096) }
    }

    @Test("Encoding and delimiter are detected", arguments: ["utf8", "utf8bom", "utf16le", "utf16be", "windows1252"])
    func encodings(_ encoding: String) throws {
        let text = "Title;Author;ISBN\nEl niño “feliz”;Peña, Íñigo;9788427132177\n"
        let utf16 = Array(text.utf16)
        let bytes: [UInt8] =
            switch encoding {
            case "utf8": Array(text.utf8)
            case "utf8bom": [0xEF, 0xBB, 0xBF] + text.utf8
            case "utf16le": [0xFF, 0xFE] + utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case "utf16be": [0xFE, 0xFF] + utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            default: text.unicodeScalars.map { $0 == "“" ? 0x93 : $0 == "”" ? 0x94 : UInt8($0.value) }
            }
        let record = try #require(CatalogCSV.records(from: bytes).first)
        #expect(record.title == "El niño “feliz”")
        #expect(record.authors == ["Peña, Íñigo"])
        #expect(record.isbn == "9788427132177")
    }

    @Test(
        "Columns are recognized by their different names",
        arguments: [
            (
                "title,author,series,isbn,year,language\nEmma,Austen,S,x,1815,eng\n",
                BookRecord(
                    id: "2", title: "Emma", authors: ["Austen"], series: "S", isbn: "x", year: 1815, language: "eng")
            ),
            (
                "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Publisher,Number of Pages,Year Published\n"
                    + "1,Emma,Jane Austen,\"Austen, Jane\",,\"=\"\"0141439580\"\"\",\"=\"\"9780141439587\"\"\",5,Penguin,474,2003\n",
                BookRecord(
                    id: "2", title: "Emma", authors: ["Jane Austen"], isbn: "9780141439587", publisher: "Penguin",
                    year: 2003, pages: 474)
            ),
            (
                "Título\tAutor\tEditorial\nEmma\tAusten\tAlba\n",
                BookRecord(id: "2", title: "Emma", authors: ["Austen"], publisher: "Alba")
            ),
            (
                "Title,Authors,Contributors,ISBN/UID,Format\nEmma,Jane Austen,,9780141439587,digital\n",
                BookRecord(id: "2", title: "Emma", authors: ["Jane Austen"], isbn: "9780141439587")
            ),
            (
                "Title|Primary Author|Date|ISBNs\nEmma|Austen, Jane|c2003.|0141439580\n",
                BookRecord(id: "2", title: "Emma", authors: ["Austen, Jane"], isbn: "9780141439587", year: 2003)
            ),
        ])
    func columns(_ file: String, _ expected: BookRecord) throws {
        let record = try #require(CatalogCSV.records(from: Array(file.utf8)).first)
        #expect(record == expected)
    }

    @Test("A file without a title column reports the columns it has")
    func noTitle() {
        #expect(throws: CSVError.noTitleColumn(header: ["name", "writer"])) {
            try CatalogCSV.records(from: Array("name,writer\nx,y\n".utf8))
        }
        #expect(throws: CSVError.empty) { try CatalogCSV.records(from: []) }
    }

    @Test("Rows without a title are skipped")
    func rowsWithoutTitle() throws {
        #expect(try CatalogCSV.records(from: Array("title,author\n,x\nEmma\n".utf8)).map(\.title) == ["Emma"])
    }

    @Test(
        "Each line is decoded with its own encoding and line ending",
        arguments: ["\n", "\r\n", "\r"])
    func lines(lineEnd: String) {
        let end = Array(lineEnd.utf8)
        let (utf8, windows) = (Array("Été".utf8), [UInt8(0xC9), 0x74, 0xE9])
        let file = Array("title".utf8) + end + utf8 + end + windows + end + utf8
        for size in 1...file.count {
            var decoder = LineDecoder(start: file)
            var text: [UInt8] = []
            for start in stride(from: 0, to: file.count, by: size) {
                text += decoder.decode(Array(file[start..<min(start + size, file.count)]))
            }
            text += decoder.finish()
            #expect(String(decoding: text, as: UTF8.self) == ["title", "Été", "Été", "Été"].joined(separator: lineEnd))
            #expect(decoder.mixedLine == 3)
        }
    }

    @Test("A very long line is not split within a character")
    func longLine() {
        let line = Array(("x" + String(repeating: " é", count: 1 << 19)).utf8)
        var decoder = LineDecoder(start: line)
        var text = decoder.decode(Array(line.dropLast()))
        #expect(!text.isEmpty, "memory stays bounded")
        text += decoder.decode(Array(line.suffix(1))) + decoder.finish()
        #expect(text == line)
        #expect(decoder.mixedLine == nil)
    }
}
