import Foundation
import Imaging
import ServerFixtures
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct CoverRouteTests {
    private static let book = #"{"title":"Emma","authors":["Jane Austen"],"isbn":"9780141439587"}"#

    @Test("A cover is replaced alone, chosen again and removed")
    func replaceChooseRemove() async throws {
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
        try await withServer { server in
            let id = try #require(try server.send("POST", "/api/v1/library", json: Self.book).string("id"))
            let path = "/api/v1/library/\(id)/cover"
            let uploaded = try server.send("PUT", path, headers: ["Content-Type": "image/jpeg"], body: picture)
            #expect(uploaded.status == 200)
            #expect(uploaded.string("title") == "Emma" && uploaded.string("isbn") == "9780141439587")
            let cover = try #require(uploaded.string("coverUrl"))
            #expect(try server.send("GET", cover).headers["content-type"] == "image/jpeg")

            let other = try server.send("PUT", path, headers: ["Content-Type": "image/jpeg"], body: picture)
            #expect(other.string("coverUrl") != cover, "caches show the new cover")

            let removed = try server.send("DELETE", path)
            #expect(removed["coverUrl"] is NSNull)
            let again = try server.send("PUT", path, json: #"{"coverUrl":"\#(cover)"}"#)
            #expect(again.string("coverUrl") == cover)
            for token in [again.string("undoToken"), removed.string("undoToken")] {
                let undo = try server.send("POST", "/api/v1/undo", json: #"{"undoToken":"\#(try #require(token))"}"#)
                #expect(undo.status == 200)
            }
            let book = try server.send("GET", "/api/v1/library/\(id)")
            #expect(book.string("coverUrl") == other.string("coverUrl"))
        }
    }

    @Test("Covers that are not pictures of this server are refused")
    func refusals() async throws {
        try await withServer { server in
            let id = try #require(try server.send("POST", "/api/v1/library", json: Self.book).string("id"))
            let path = "/api/v1/library/\(id)/cover"
            let text = try server.send("PUT", path, headers: ["Content-Type": "image/png"], body: Array("no".utf8))
            #expect(text.status == 415 && text.string("code") == "not_an_image")
            #expect(try server.send("PUT", path, headers: ["Content-Type": "text/plain"], body: [0]).status == 415)
            let large = try Connection(port: server.port)
            try large.send(
                "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\nContent-Length: 10000001\r\n\r\n"
            )
            let answer = try large.answer()
            #expect(answer.status == 413 && answer["limit"] as? Int == 10_000_000)
            for address in ["https://example.org/a.jpg", "/api/v1/covers/../accounts.json", "/api/v1/covers/.hidden"] {
                let answer = try server.send("PUT", path, json: #"{"coverUrl":"\#(address)"}"#)
                #expect(answer.status == 422 && answer.string("field") == "coverUrl", "\(address)")
            }
            // Open Library is off, so nothing is fetched from it.
            let off = try server.send("PUT", path, json: #"{"coverUrl":"/api/v1/covers/openlibrary-7"}"#)
            #expect(off.status == 404)
            #expect(try server.send("DELETE", "/api/v1/library/99999/cover").status == 404)
            #expect(try server.send("GET", "/api/v1/library/\(id)")["coverUrl"] as? String == nil)
        }
    }

    @Test("A work is edited in the edition of the copy that is named")
    func editionOfACopy() async throws {
        try await withServer { server in
            let first = try #require(try server.send("POST", "/api/v1/library", json: Self.book).string("id"))
            let whole = try server.send("GET", "/api/v1/library/\(first)")
            let work = try #require(whole.string("workId"))
            let tag = try #require(try server.send("GET", "/api/v1/works/\(work)").headers["etag"])
            let change = #"{"publisher":"Penguin","year":2003,"pages":474}"#
            let path = "/api/v1/works/\(work)?entry="
            #expect(try server.send("PATCH", path + "99999", headers: ["If-Match": tag], json: change).status == 404)
            let changed = try server.send("PATCH", path + first, headers: ["If-Match": tag], json: change)
            #expect(changed.status == 200)
            #expect(changed["editions", "0", "publisher"] as? String == "Penguin")
            #expect(changed["entries", "0", "pages"] as? Int == 474)
            #expect(changed["editions", "0", "isbn"] as? String == "9780141439587")
        }
    }
}
