/// Small valid inputs that together use all features of each format.
enum ParserOriginals {
    static let forms: [[UInt8]] = [
        """
        --fuzz\r\nContent-Disposition: form-data; name="import"\r\n\r\ntrue\r\n--fuzz\r
        Content-Disposition: form-data; name="photo"; filename="a \\"b\\".jpg"; filename*=UTF-8''%e4.jpg\r
        Content-Type: image/jpeg\r\n\r\nJFIF --fuz\r\n--fuz\r\n\r\n--fuzz--\r\n
        """,
        "preamble\r\n--fuzz\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--fuzz  \r\n\r\nb\r\n--fuzz--",
    ].map { Array($0.utf8) }

    /// Masked frames: a text in three parts with a ping between them, long lengths, a close, binary data.
    static let frames: [[UInt8]] = [
        frame(0x01, "{\"type\":") + frame(0x89, "here") + frame(0x00, "\"ping\"") + frame(0x80, "}")
            + frame(0x88, "\u{3}\u{e8}bye"),
        frame(0x81, String(repeating: "é", count: 100)) + frame(0x8A, ""),
        frame(0x82, String(repeating: "x", count: 600)) + frame(0x81, "{\"type\":\"ready\",\"jobId\":\"1\"}"),
    ]

    static let isbn = "9780141439587"

    /// Answers of the three providers to searches and to a lookup of `isbn`.
    static let answers: [[UInt8]] = [
        """
        {"numFound": 2, "docs": [{"key": "/works/OL1W", "title": "Emma", "author_name": ["Jane Austen"],
        "first_publish_year": 1815, "isbn": ["0141439580", "9780141439587"], "cover_i": 12, "publisher": ["Penguin"],
        "language": ["eng"], "number_of_pages_median": 474}, {"key": 7, "title": null}, "x"]}
        """,
        """
        {"ISBN:9780141439587": {"key": "/books/OL1M", "title": "Emma", "authors": [{"name": "Jane Austen"}], "publishers":
        [{"name": "Penguin"}], "publish_date": "2003", "number_of_pages": 474, "cover": {"large": "https://a.example/1.jpg"}}}
        """,
        """
        {"kind": "books#volumes", "items": [{"id": "a1", "volumeInfo": {"title": "Emma", "subtitle": "A Novel", "authors":
        ["Jane Austen"], "publishedDate": "1815-12", "industryIdentifiers": [{"type": "ISBN_13", "identifier":
        "9780141439587"}], "pageCount": 474, "language": "en", "imageLinks": {"thumbnail": "http://b.example/x?y=1&z=\\u0026"}}}]}
        """,
        """
        {"total": 1, "books": [{"title_long": "Emma: A Novel (Penguin Classics)", "isbn13": "9780141439587", "authors":
        ["Austen, Jane"], "date_published": "2003-05-06T00:00:01Z", "pages": 474, "image": "https://c.example/1.jpg"}]}
        """,
        #"{"book": {"title": "Emma \ud83d\ude00", "isbn": "0141439580", "pages": 1e3, "authors": []}}"#,
        #"{"error": {"code": 429, "message": "Quota\u0000 exceeded"}}"#,
    ].map { Array($0.utf8) }

    /// What models write about spines, alone and in a code fence.
    static let spines: [[UInt8]] = [
        """
        {"spines": [{"number": 1, "title": "Emma", "author": "Jane Austen", "confidence": 0.93, "box_2d": [10, 20, 900, 60]},
        {"number": 2, "title": null, "author": null, "confidence": 0, "box_2d": [10, 70, 900, 90]}]}
        """,
        """
        Here they are:
        ```json
        [{"title": "Caf\\u00e9 \\ud83d\\ude00", "confidence": "high", "box_2d": [0.1, 0.2, 0.9, 0.25]},
        {"title": "Walden", "confidence": 1, "box_2d": [1e2, -5, 3000.5, 2000]}]
        ```
        """,
    ].map { Array($0.utf8) }

    static let lists: [[UInt8]] = [
        Array("title,author,isbn,rating\n\"A \"\"b\"\", c\",x y,9780063021426,4.5\nÉté;x|\t,,,\n\n1,2,3,4\n".utf8),
        Array(
            "Book Id,Title,Author,Author l-f,ISBN,ISBN13,My Rating,Bookshelves,Exclusive Shelf,Date Read\n"
                .utf8)
            + Array("1,Emma,Jane Austen,\"Austen, Jane\",\"=\"\"0141439580\"\"\",,5,\"a, b\",read,2024/02/29\n".utf8),
        [0xFF, 0xFE] + "title;author\nEmma;Jane Austen\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
        Array("title\tauthor\nCaf".utf8) + [0xE9] + Array("\tx\n".utf8),
        // Shift_JIS and GB 18030 with invalid bytes between characters of one, two and four bytes.
        Array("title,author\n".utf8) + [0x8A, 0x43, 0xFF, 0x95, 0xD3, 0x82, 0xCC, 0xB1, 0x81] + Array(",x\n".utf8),
        Array("title,author\n".utf8) + [0xBB, 0xEE, 0xFF, 0x81, 0x30, 0x89, 0x38, 0xD7, 0xC5] + Array(",x\n".utf8),
        Array(
            "TY  - BOOK\r\nTI  - Emma\r\nAU  - Austen, Jane\r\n  and others\r\nSN  - 9780141439587\r\nER  - \r\n".utf8),
        Array(
            #"[{"type": "book", "title": "Emma \"\\", "author": [{"family": "Austen", "given": "Jane"}]}, {"id": 7}, []]"#
                .utf8),
    ]

    static let backups: [[UInt8]] = [
        tar([("photos/bookshelf_scan_0f.jpg", Array("JFIF".utf8)), ("library.sqlite", Array("SQLite format 3".utf8))]),
        tar([("manifest.json", Array("{\"files\":[]}".utf8))]),
        // Opening needs scrypt with its smallest factor.
        Array("age-encryption.org/v1\n-> scrypt EBESExQVFhcYGRobHB0eHw 1\n".utf8)
            + Array(
                "xA19uY4chbuK272EJXvCypNofDSIlpaZdZNWrWIEDi4\n--- hGjII+DKt+s7WBoGZkhtt1zeeRNbLfO5ErxazNM9kls\n".utf8)
            + [UInt8](repeating: 7, count: 60),
    ]

    /// Corrects the checksums of headers in three of four runs.
    static func repairedBackup(_ bytes: [UInt8], run: Int) -> [UInt8] {
        guard run % 4 != 0 else { return bytes }
        var result = bytes
        for start in stride(from: 0, to: max(0, result.count - 511), by: 512)
        where result[start + 257..<start + 262].elementsEqual("ustar".utf8) {
            result.replaceSubrange(start..<start + 512, with: checked(Array(result[start..<start + 512])))
        }
        return result
    }

    static let marc: [[UInt8]] = [
        record([
            ("001", "1"), ("020", "  \u{1F}a9780141439587 (pbk.)"), ("100", "1 \u{1F}aAusten, Jane,\u{1F}d1775-1817."),
            ("245", "10\u{1F}aEmma /\u{1F}cJane Austen."), ("260", "  \u{1F}bPenguin,\u{1F}c2003."),
        ]),
        record([("245", "00\u{1F}aCaf\u{301}e"), ("700", "1 \u{1F}aÉluard, Paul\u{1F}etranslator")]),
        Array(
            """
            <?xml version="1.0"?><collection xmlns="http://www.loc.gov/MARC21/slim"><record><leader>00000nam a2200000 a 4500
            </leader><controlfield tag="001">1</controlfield><datafield tag="245" ind1="1" ind2="0"><subfield code="a">Emma
            &amp; &#x41;</subfield></datafield></record></collection>
            """.utf8),
    ]

    static let dumps: [[UInt8]] = [
        """
        /type/author\t/authors/OL1A\t1\t2020-01-01T00:00:00\t{"name": "R. F. Kuang", "key": "/authors/OL1A"}
        /type/work\t/works/OL10W\t3\t2020-01-01T00:00:00\t{"title": "Babel", "authors": [{"author": {"key": "/authors/OL1A"}}]}
        /type/edition\t/books/OL1M\t2\t2020-01-01T00:00:00\t{"title": "B\\u00e9", "works": [{"key": "/works/OL10W"}], "isbn_13": ["978-0-06-302142-6"], "number_of_pages": 545}

        """,
        "/type/edition\t/books/OL2M\t2\t2020\t{\"title\": \"x\", \"isbn_10\": [\"0451524934\"], \"covers\": [-1, 12]}\n",
    ].map { Array($0.utf8) }

    // MARK: Formats

    /// Returns a frame of RFC 6455, section 5.2.
    ///
    /// - Parameter start: the first byte, the final bit and the opcode.
    private static func frame(_ start: UInt8, _ text: String) -> [UInt8] {
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        let data = Array(text.utf8)
        let length: [UInt8] =
            data.count < 126
            ? [0x80 | UInt8(data.count)] : [0x80 | 126, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
        return [start] + length + mask + data.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    private static func tar(_ files: [(String, [UInt8])]) -> [UInt8] {
        files.flatMap { name, bytes in
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, at offset: Int) {
                header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
            }
            put(name, at: 0)
            let size = String(bytes.count, radix: 8)
            put(String(repeating: "0", count: 11 - size.count) + size, at: 124)
            put("0", at: 156)
            put("ustar", at: 257)
            return checked(header) + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
        } + [UInt8](repeating: 0, count: 1024)
    }

    private static func checked(_ header: [UInt8]) -> [UInt8] {
        var result = header
        result.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = String(result.reduce(0) { $0 + Int($1) }, radix: 8)
        let text = String(repeating: "0", count: max(0, 6 - sum.count)) + sum + "\0 "
        result.replaceSubrange(148..<156, with: text.utf8)
        return result
    }

    private static func record(_ fields: [(String, String)]) -> [UInt8] {
        func digits(_ number: Int, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        var (directory, data) = ("", [UInt8]())
        for (tag, text) in fields {
            let field = Array(text.utf8) + [0x1E]
            directory += tag + digits(field.count, 4) + digits(data.count, 5)
            data += field
        }
        let base = 24 + directory.utf8.count + 1
        let leader = "\(digits(base + data.count + 1, 5))nam a22\(digits(base, 5)) a 4500"
        return Array(leader.utf8) + Array(directory.utf8) + [0x1E] + data + [0x1D]
    }
}
