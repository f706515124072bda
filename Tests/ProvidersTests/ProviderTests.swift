import Bibliography
import Fixtures
import Foundation
import Providers
import Testing

@Suite("Asking providers")
struct ProviderTests {
    @Test("An Open Library search returns works with covers")
    func openLibrarySearch() async throws {
        let harness = try Harness { _, _ in .json(Recorded.openLibrarySearch) }
        let answer = try await harness.run { try await $0.search("lord of the rings", scope: .all, limit: 20) }
        let first = try #require(answer.first)
        #expect(answer.count == 2, "a work without a title is skipped")
        #expect(
            first
                == BookRecord(
                    id: "OL27448W", work: "OL27448W", title: "The Lord of the Rings", authors: ["J.R.R. Tolkien"],
                    isbn: "9780261102385", publisher: "HarperCollins", year: 1954, pages: 1193, cover: 9_255_566,
                    coverURL: harness.server.url.appending(path: "b/id/9255566-L.jpg"), source: "openlibrary"))
        #expect(answer[1].coverURL == nil)
        let request = try #require(harness.server.requests.first)
        #expect(request.headers["user-agent"] == "Shelflist/test (tests@example.org)")
        #expect(request.target.hasPrefix("/search.json?q=lord%20of%20the%20rings&"))
    }

    @Test("Open Library looks up an ISBN in any scope and notation")
    func openLibraryBook() async throws {
        let harness = try Harness { _, _ in .json(Recorded.openLibraryBook) }
        let answer = try await harness.run { try await $0.search("0-8044-2957-X", scope: .all, limit: 20) }
        let found = try #require(answer.first)
        #expect(found.subtitle == "or the necessity of violence")
        #expect(found.year == 2022)
        #expect(found.isbn == "9780804429573")
        #expect(found.coverURL?.absoluteString == "https://covers.openlibrary.org/b/id/12-L.jpg")
        #expect(harness.server.requests.first?.target.contains("bibkeys=ISBN:9780804429573") == true)
    }

    @Test("Google Books returns volumes and receives the key only in a header")
    func googleBooks() async throws {
        let harness = try Harness(.googleBooks, key: "secret-key") { _, _ in .json(Recorded.googleVolumes) }
        let answer = try await harness.run { try await $0.search("google: \"story\"", scope: .title, limit: 20) }
        let found = try #require(answer.first)
        #expect(
            found
                == BookRecord(
                    id: "zyTCAlFPjgYC", title: "The Google Story", subtitle: "Inside the Hottest Business",
                    authors: ["David A. Vise"], isbn: "9780804429573", publisher: "Random House", year: 2005,
                    pages: 207, language: "en",
                    coverURL: URL(string: "https://books.google.com/books/content?id=zyTCAlFPjgYC&zoom=1"),
                    source: "googlebooks"))
        let request = try #require(harness.server.requests.first)
        #expect(request.target.contains("q=intitle:google%20intitle:story"))
        #expect(request.headers["x-goog-api-key"] == "secret-key")
        #expect(!request.target.contains("secret-key"))
    }

    @Test("ISBNdb returns a book by its ISBN")
    func isbndb() async throws {
        let harness = try Harness(.isbndb, key: "secret-key") { _, _ in .json(Recorded.isbndbBook) }
        let answer = try await harness.run { try await $0.search("9780804429573", scope: .isbn, limit: 20) }
        let found = try #require(answer.first)
        #expect(found.title == "Babel")
        #expect(found.subtitle == "An Arcane History")
        #expect(found.authors == ["Kuang, R. F."])
        #expect(found.coverURL?.host() == "images.isbndb.com")
        let request = try #require(harness.server.requests.first)
        #expect(request.target == "/book/9780804429573")
        #expect(request.headers["authorization"] == "secret-key")
    }

    @Test(
        "ISBNdb receives the search text as one path component",
        arguments: [("a/b?c#d%2e", "/books/a%20b%20c%20d%202e"), ("..", nil), ("/", nil)] as [(String, String?)])
    func isbndbPath(_ text: String, _ path: String?) async throws {
        let harness = try Harness(.isbndb) { _, _ in .json("{\"total\": 0, \"books\": []}") }
        let answer = try await harness.run { try await $0.search(text, scope: .author, limit: 5) }
        #expect(answer.isEmpty)
        #expect(harness.server.requests.first?.target == path.map { $0 + "?page=1&pageSize=5&column=author" })
    }

    @Test(
        "Nothing found is not an outage",
        arguments: [
            (ProviderName.openLibrary, StubAnswer.json("{\"numFound\": 0, \"docs\": []}")),
            (.googleBooks, .json("{\"kind\": \"books#volumes\", \"totalItems\": 0}")),
            (.isbndb, .answer(404, headers: ["Content-Type": "application/json"], body: Array("{}".utf8))),
        ])
    func notFound(_ name: ProviderName, _ empty: StubAnswer) async throws {
        let harness = try Harness(name) { _, _ in empty }
        #expect(try await harness.run { try await $0.search("no such book", scope: .all, limit: 5) }.isEmpty)
    }

    @Test("An ISBN search without an ISBN does not send a request", arguments: ProviderName.allCases)
    func noISBN(_ name: ProviderName) async throws {
        let harness = try Harness(name) { _, _ in .json("{}") }
        #expect(try await harness.run { try await $0.search("emma", scope: .isbn, limit: 5) }.isEmpty)
        #expect(harness.server.requests.isEmpty)
    }

    @Test("Keys are redacted in descriptions, and invalid keys are rejected")
    func keys() {
        let key = APIKey("s3cret")
        #expect(key.map { "\($0) \(String(reflecting: $0))" }?.contains("s3cret") == false)
        var dumped = ""
        dump(ServiceSettings(userAgent: "x", key: key), to: &dumped)
        #expect(!dumped.contains("s3cret"))
        #expect(APIKey("  ") == nil)
        #expect(APIKey("a\r\nHost: evil") == nil)
    }

    @Test("The project's address is sent if the user gives no contact")
    func contact() {
        let anonymous = "Shelflist/1 (https://github.com/shelflist/shelflist)"
        #expect(ServiceSettings.userAgent(version: "1", contact: nil) == anonymous)
        #expect(ServiceSettings.userAgent(version: "1", contact: "me@example.org") == "Shelflist/1 (me@example.org)")
        #expect(ServiceSettings.userAgent(version: "1", contact: "a\r\nb") == anonymous)
    }
}
