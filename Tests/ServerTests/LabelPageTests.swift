import Foundation
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct LabelPageTests {
    @Test("Sheets fit on their paper", arguments: LabelSheet.allCases)
    func sheets(sheet: LabelSheet) {
        let (left, top) = sheet.margin
        #expect(left > 4 && top > 10, "printers leave an edge free")
        #expect([21, 65, 189].contains(sheet.count))
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
            let query = "sheet=L4731&first=189&ids=\(hall.id)"
            let one = try server.send("GET", "/api/v1/labels?\(query)")
            let small = String(decoding: one.body, as: UTF8.self)
            #expect(small.components(separatedBy: "<li>").count - 1 == 189 && !small.contains("<svg"))
            let next = try server.send("GET", "/api/v1/labels?first=21")
            #expect(String(decoding: next.body, as: UTF8.self).components(separatedBy: "<section>").count - 1 == 2)
        }
    }

    @Test(
        "Invalid requests are refused with their field",
        arguments: [
            ("sheet=A4", "sheet"), ("first=22", "first"), ("ids=99", "ids"), ("address=javascript:x", "address"),
        ])
    func refused(query: String, field: String) async throws {
        try await withServer { server in
            let answer = try server.send("GET", "/api/v1/labels?\(query)")
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("'\(field)'"))
        }
    }
}
