import Foundation
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct LabelPageTests {
    @Test("Sheets fit on their paper", arguments: LabelSheet.allCases)
    func sheets(sheet: LabelSheet) {
        let (left, top) = sheet.layout.margin
        #expect(left > 4 && top > 10, "printers leave an edge free")
        #expect([21, 65, 189].contains(sheet.layout.count))
    }

    @Test("Labels of shelves are printed from the first free one, and paths are text")
    func page() async throws {
        try await withServer { server in
            let hall = try server.addShelf("Home / <b>Hall</b> & Co.")
            let all = try server.send("GET", "/api/v1/labels")
            #expect(all.status == 200 && all.headers["content-type"] == "text/html; charset=utf-8")
            #expect(all.headers["content-security-policy"]?.contains("sandbox") == true)
            let text = String(decoding: all.body, as: UTF8.self)
            #expect(text.contains("<b>\(hall.code)</b><span>Home / &lt;b&gt;Hall&lt;/b&gt; &amp; Co.</span><svg"))
            #expect(text.components(separatedBy: "<li>").count - 1 == 2)
            let inside = try server.send(
                "GET", "/api/v1/labels?shelf=\(hall.id)", headers: ["Accept-Language": "de-AT,de;q=0.9"])
            let german = String(decoding: inside.body, as: UTF8.self)
            #expect(german.components(separatedBy: "<li>").count - 1 == 1 && german.contains("<title>Etiketten"))
            let query = "sheet=L4731&first=189&ids=\(hall.id)"
            let one = try server.send("GET", "/api/v1/labels?\(query)")
            let small = String(decoding: one.body, as: UTF8.self)
            #expect(small.components(separatedBy: "<li>").count - 1 == 189 && !small.contains("<svg"))
            let next = try server.send("GET", "/api/v1/labels?first=21")
            #expect(String(decoding: next.body, as: UTF8.self).components(separatedBy: "<section>").count - 1 == 2)
        }
    }

    @Test("Marks beside the signs of markup do not hide them from escaping, and a page that is a file runs no script")
    func hostileText() async throws {
        try await withServer { server in
            let text = PrintedPages.hostile
            let hall = try server.addShelf(text)
            let book = try server.addBook(
                #"{"title":"\#(text)","shelf":"\#(hall.id)","details":{"callNumber":"\#(text)"}}"#)
            let stocktake: Stocktake = try server.send(
                "POST", "/api/v1/stocktakes", json: #"{"name":"\#(text)","shelves":["\#(hall.id)"]}"#
            ).decode(status: 201)
            let labels = ["kind=place", "kind=copy&ids=\(book.id)", "kind=spine&ids=\(book.id)"]
            for path in labels.map({ "/api/v1/labels?\($0)" }) + ["/api/v1/stocktakes/\(stocktake.id)/report"] {
                try PrintedPages.expectSafe(server.send("GET", path))
            }
        }
    }

    @Test("Labels of a free size fill the paper", arguments: ["50x30", "190x270", "15x8", "62.5x12.5"])
    func freeSize(size: String) throws {
        let layout = try #require(LabelLayout(size: size))
        let (left, top) = layout.margin
        #expect(left >= 8 && top >= 8 && (left < 8 + layout.width || layout.columns == 1))
        #expect(layout.count >= 1)
    }

    @Test("Sizes that no label has are refused", arguments: ["", "50", "50x", "5x5", "nanx30", "50x30x2", "infx30"])
    func invalidSize(size: String) { #expect(LabelLayout(size: size) == nil) }

    @Test("Labels of copies have a barcode of their number, and those of spines the call number below each other")
    func copies() async throws {
        try await withServer { server in
            let hall = try server.addShelf("Hall")
            let emma = try server.addBook(#"{"title": "Emma & Co.", "shelf": "\#(hall.id)"}"#)
            _ = try server.send(
                "PATCH", "/api/v1/library/\(emma.id)", headers: ["If-Match": emma.etag],
                json: #"{"callNumber": "823 AUS 2 b x"}"#)
            let copies = try server.send("GET", "/api/v1/labels?kind=copy&shelf=\(hall.id)")
            let text = String(decoding: copies.body, as: UTF8.self)
            #expect(
                text.contains("<p class=\"copy\"><span>Emma &amp; Co.</span><svg") && text.contains("<i>\(emma.id)</i>")
            )
            let spines = try server.send("GET", "/api/v1/labels?kind=spine&ids=\(emma.id)&size=25x38")
            #expect(
                String(decoding: spines.body, as: UTF8.self).contains("<p class=\"spine\">823<br>AUS<br>2<br>b x</p>"))
        }
    }

    @Test("A copy with a barcode of its own is labelled with it, where the label has room for it")
    func ownBarcode() async throws {
        try await withServer { server in
            let emma = try server.addBook(#"{"title": "Emma"}"#)
            func label(_ sheet: String) throws -> String {
                let page = try server.send("GET", "/api/v1/labels?kind=copy&ids=\(emma.id)&sheet=\(sheet)")
                let text = String(decoding: page.body, as: UTF8.self)
                return try String(#require(text.firstMatch(of: /<p class="copy">.*<\/p>/)).output)
            }
            let number = try label("L7160")
            var etag = emma.etag
            func barcode(_ text: String) throws {
                let answer = try server.send(
                    "PATCH", "/api/v1/library/\(emma.id)", headers: ["If-Match": etag],
                    json: #"{"barcode": "\#(text)"}"#)
                etag = try answer.decode(LibraryBook.self).etag
            }
            try barcode("30 A<0001>")
            let own = try label("L7160")
            #expect(own.contains("<i>30 A&lt;0001&gt;</i>") && own.contains("<svg"))
            #expect(own != number)
            #expect(try label("L4731").contains("<i>\(emma.id)</i>"), "its bars would be too narrow")
            try barcode("Ä1")
            #expect(try label("L7160") == number, "Code 128 has no Ä")
        }
    }

    @Test(
        "Invalid requests are refused with their field",
        arguments: [
            ("sheet=A4", "sheet"), ("first=22", "first"), ("ids=99", "ids"), ("address=javascript:x", "address"),
            ("size=9x9", "size"), ("kind=copy", "ids"), ("kind=spine&ids=99", "ids"), ("kind=box", "kind"),
        ])
    func refused(query: String, field: String) async throws {
        try await withServer { server in
            let answer = try server.send("GET", "/api/v1/labels?\(query)")
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("'\(field)'"))
        }
    }
}
