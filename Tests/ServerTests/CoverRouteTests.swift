import Foundation
import Imaging
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct CoverRouteTests {
    private static let book = #"{"title":"Emma","authors":["Jane Austen"],"isbn":"9780141439587"}"#

    @Test("A cover is replaced alone, chosen again and removed")
    func replaceChooseRemove() async throws {
        let picture = try JPEGCodec.encode(RGBImage(size: PixelSize(width: 60, height: 90)), quality: 90)
        try await withServer { server in
            let id = try server.addBook(Self.book).id
            let path = "/api/v1/library/\(id)/cover"
            func upload() throws -> LibraryBook {
                try server.send("PUT", path, headers: ["Content-Type": "image/jpeg"], body: picture).decode(status: 200)
            }
            let uploaded = try upload()
            #expect(uploaded.title == "Emma" && uploaded.isbn == "9780141439587")
            let cover = try #require(uploaded.coverUrl)
            #expect(try server.send("GET", cover.text).headers["content-type"] == "image/jpeg")

            let other = try upload().coverUrl
            #expect(other != cover, "caches show the new cover")

            let removed = try server.send("DELETE", path)
            #expect(removed["coverUrl"] is NSNull)
            let again = try server.send("PUT", path, json: #"{"coverUrl":"\#(cover)"}"#).decode(LibraryBook.self)
            #expect(again.coverUrl == cover)
            for token in [again.undoToken, try removed.decode(LibraryBook.self).undoToken] {
                #expect(try server.undo(token).status == 200)
            }
            #expect(try server.book(id).coverUrl == other)
        }
    }

    @Test("Covers that are not pictures of this server are refused")
    func refusals() async throws {
        try await withServer { server in
            let id = try server.addBook(Self.book).id
            let path = "/api/v1/library/\(id)/cover"
            let text = try server.send("PUT", path, headers: ["Content-Type": "image/png"], body: Array("no".utf8))
            #expect(text.status == 415 && text.problem?.code == "not_an_image")
            #expect(try server.send("PUT", path, headers: ["Content-Type": "text/plain"], body: [0]).status == 415)
            let large = try Connection(port: server.port)
            try large.send(
                "PUT \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/png\r\nContent-Length: 10000001\r\n\r\n"
            )
            let answer = try large.answer()
            #expect(answer.status == 413 && answer.problem?.limit == 10_000_000)
            for address in ["https://example.org/a.jpg", "/api/v1/covers/../accounts.json", "/api/v1/covers/.hidden"] {
                let answer = try server.send("PUT", path, json: #"{"coverUrl":"\#(address)"}"#)
                #expect(answer.status == 422 && answer.problem?.field == "coverUrl", "\(address)")
            }
            // Open Library is off, so nothing is fetched from it.
            let off = try server.send("PUT", path, json: #"{"coverUrl":"/api/v1/covers/openlibrary-7"}"#)
            #expect(off.status == 404)
            #expect(try server.send("DELETE", "/api/v1/library/99999/cover").status == 404)
            #expect(try server.book(id).coverUrl == nil)
        }
    }

    @Test("A work is edited in the edition of the copy that is named")
    func editionOfACopy() async throws {
        try await withServer { server in
            let book = try server.addBook(Self.book)
            let work = book.workId
            let tag = try #require(try server.send("GET", "/api/v1/works/\(work)").headers["etag"])
            let change = #"{"publisher":"Penguin","year":2003,"pages":474}"#
            let path = "/api/v1/works/\(work)?entry="
            #expect(try server.send("PATCH", path + "99999", headers: ["If-Match": tag], json: change).status == 404)
            let changed = try server.send("PATCH", path + book.id, headers: ["If-Match": tag], json: change)
                .decode(LibraryWork.self, status: 200)
            #expect(changed.editions.first?.publisher == "Penguin")
            #expect(changed.entries.first?.pages == 474)
            #expect(changed.editions.first?.isbn == "9780141439587")
        }
    }
}
