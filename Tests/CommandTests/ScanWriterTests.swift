import Foundation
import Identification
import Reading
import ShelflistAPI
import Terminal
import Testing
import shelflist

/// A result as it was printed once, which is what `ScannedPhoto` is decoded from.
private func photo(_ path: String, books: String = "[]", suggestions: String = "[]", turn: Int = 0) throws
    -> ScannedPhoto
{
    let document = """
        {"path": "\(path)", "width": 4000, "height": 3000, "turn": \(turn), "seconds": 1.424,
         "timings": {"decode": 0.1, "detect": 0.5, "recognise": 0.7, "group": 0.02, "match": 0.1},
         "quality": {"sharpness": 0.8, "exposure": 0.6, "glare": 0, "tilt": 1.5, "suggestions": \(suggestions)},
         "preprocessed": false, "books": \(books), "otherText": []}
        """
    return try JSONDecoder().decode(ScannedPhoto.self, from: Data(document.utf8))
}

private func book(
    title: String?, author: String?, confidence: Double, status: String = "verified", text: String = "TEXT",
    x: Double = 0.1, checked: Bool = true
) -> String {
    """
    {"id": "1", \(title.map { "\"title\": \"\($0)\", " } ?? "")\(author.map { "\"author\": \"\($0)\", " } ?? "")\
    "confidence": \(confidence), "checked": \(checked), "reviewStatus": "\(status)",
     "boundingBox": {"x": \(x), "y": 0.2, "width": 0.1, "height": 0.5},
     "quad": [[0.1, 0.2], [0.2, 0.2], [0.2, 0.7], [0.1, 0.7]], "text": [{"text": "\(text)", "score": 0.9}], "matches": []}
    """
}

private let books = """
    [\(book(title: "Babel", author: "R. F. Kuang", confidence: 0.97)),
     \(book(title: "Der Zauberberg", author: "Thomas Mann", confidence: 0.7999, x: 0.75)),
     \(book(title: nil, author: nil, confidence: 0.004, status: "needsReview", text: "LOOSE \\u001b[31mWORDS"))]
    """

@Suite("Scan table") struct ScanTableTests {
    @Test("A spine in letters that are not read has a dash for its title")
    func unread() throws {
        let spine = book(title: nil, author: nil, confidence: 0.02, status: "needsReview")
            .replacingOccurrences(of: #"[{"text": "TEXT", "score": 0.9}]"#, with: "[]")
        var table = ScanTable(width: nil, colors: false)
        let lines = try table.text(for: photo("shelf.jpg", books: "[\(spine)]")).split(separator: "\n")
        let words = try #require(lines.last).split(separator: " ").joined(separator: " ")
        #expect(words == "1 – not read → 15 % ↓ 45 %")
        #expect(!table.closing().contains("needs review"))
        #expect(try UncheckedTitles([photo("shelf.jpg", books: "[\(spine)]")]).count == 0)
    }

    @Test("The table shows a photo with its books")
    func table() throws {
        var table = ScanTable(width: nil, colors: false)
        #expect(
            try table.text(for: photo("shelf.jpg", books: books)) + table.closing() == """
                shelf.jpg · 3 books · 4000 × 3000 · 1.42 s

                #  title               author       confidence   place
                1  Babel               R. F. Kuang  ✓ 97 % sure  → 15 %  ↓ 45 %
                2  Der Zauberberg      Thomas Mann  △ 79 % sure  → 80 %  ↓ 45 %
                3  “LOOSE \u{FFFD}[31mWORDS”               !  1 % sure  → 15 %  ↓ 45 %

                ✓ ready to add   △ verify   ! needs review

                """)
    }

    @Test("A book that was not checked has a mark and words of its own instead of a percentage")
    func notChecked() throws {
        var table = ScanTable(width: nil, colors: false)
        let read = book(title: "Emma", author: "Jane Austen", confidence: 0.59, status: "needsReview", checked: false)
        let sure = book(title: "Babel", author: "R. F. Kuang", confidence: 0.97)
        #expect(
            try table.text(for: photo("shelf.jpg", books: "[\(read), \(sure)]")) + table.closing() == """
                shelf.jpg · 2 books · 4000 × 3000 · 1.42 s

                #  title  author       confidence           place
                1  Emma   Jane Austen  □ read, not checked  → 15 %  ↓ 45 %
                2  Babel  R. F. Kuang  ✓ 97 % sure          → 15 %  ↓ 45 %

                ✓ ready to add   □ read, not checked

                """)
    }

    @Test("The table shows several photos below each other")
    func severalPhotos() throws {
        var table = ScanTable(width: nil, colors: false)
        let one = "[\(book(title: "Babel", author: nil, confidence: 0.9))]"
        let text = try table.text(for: photo("a.jpg", books: one)) + table.text(for: photo("b.jpg", turn: 90))
        #expect(
            text + table.closing() == """
                a.jpg · 1 book · 4000 × 3000 · 1.42 s

                #  title  author  confidence   place
                1  Babel          ✓ 90 % sure  → 15 %  ↓ 45 %

                b.jpg · no spines found · 4000 × 3000 · 1.42 s
                  The photo is stored turned by 90°; it was read in the right orientation.
                  Go closer until the titles are easy to read on the screen, hold the camera level, add light.

                2 photos · 1 book

                ✓ ready to add

                """)
    }

    @Test("The table fits the terminal", arguments: [20, 33, 50, 80, 200], [true, false])
    func fitsTerminal(width: Int, colors: Bool) throws {
        var table = ScanTable(width: width, colors: colors)
        let text =
            try table.text(for: photo("holiday/2024/the shelf in the hall.jpg", books: books, turn: 180))
            + table.text(for: photo("b.jpg")) + table.closing()
        for line in text.split(separator: "\n") {
            let shown = String(line).replacing(#/\u{1B}\[[0-9]+m/#, with: "")
            #expect(TerminalText.width(shown) <= width, "\(shown)")
        }
    }
}

@Suite("Scan documents") struct ScanDocumentTests {
    @Test("CSV has one record per book")
    func csvRecords() throws {
        var csv = ScanCSV()
        let text = try csv.text(for: photo("a,b.jpg", books: books)) + csv.text(for: photo("none.jpg")) + csv.closing()
        #expect(
            text.replacing("\r\n", with: "|\n") == """
                photo,number,title,author,isbn,confidence,reviewStatus,x,y,width,height,text,checked|
                "a,b.jpg",1,Babel,R. F. Kuang,,0.97,verified,0.1,0.2,0.1,0.5,TEXT,true|
                "a,b.jpg",2,Der Zauberberg,Thomas Mann,,0.7999,verified,0.75,0.2,0.1,0.5,TEXT,true|
                "a,b.jpg",3,,,,0.004,needsReview,0.1,0.2,0.1,0.5,LOOSE \u{FFFD}[31mWORDS,true|

                """)
    }

    @Test("CSV without photos is its header")
    func csvHeader() {
        var csv = ScanCSV()
        let header = "photo,number,title,author,isbn,confidence,reviewStatus,x,y,width,height,text,checked\r\n"
        #expect(csv.closing() == header)
    }

    @Test("JSON is one document for any number of photos")
    func jsonDocument() throws {
        var none = ScanJSON()
        #expect(none.closing() == "{\"photos\": []}\n")
        var two = ScanJSON()
        let text = try two.text(for: photo("a.jpg", books: books)) + two.text(for: photo("b.jpg")) + two.closing()
        let decoded = try JSONDecoder().decode(ScanResult.self, from: Data(text.utf8))
        #expect(decoded.photos.map(\.path) == ["a.jpg", "b.jpg"])
        #expect(decoded.photos[0].books.map(\.title) == ["Babel", "Der Zauberberg", nil])
    }
}
