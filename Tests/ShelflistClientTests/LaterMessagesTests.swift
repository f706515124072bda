import Foundation
import ServerFixtures
import ShelflistClient
import TestSupport
import Testing

/// The messages of the real server, as a later one might send them.
@Suite(.endsHangs) struct LaterMessagesTests {
    private struct Message {
        var path: String
        var decode: (Data) throws -> Void

        init<Value: Decodable>(_ path: String, as type: Value.Type) {
            self.path = path
            decode = { _ = try WireJSON.decode(Value.self, from: $0) }
        }
    }

    @Test("New fields and new words make no message of the server unreadable")
    func messages() async throws {
        try await withServer { server in
            let client = ClientFixture.client(port: server.port)
            let shelf = try await client.shelves.named("Hall")
            let photos: [PhotoSource] = [.data(try ScriptedPicture.data("books:Emma|Dune?|Ulysses")), .script("fail")]
            let scan = try await client.scan(photos, options: ScanOptions(addsToLibrary: true, shelf: shelf.id)).results
            let list = try await client.lists.upload(Data("title,author\nFaust,Goethe\n".utf8), name: "list.csv")
            let item = try #require(try await client.review.items().page().items.first)
            let copy = try #require(item.entryId)
            _ = try await client.library.lend(copy, to: "Bob")
            let job = "/api/v1/scans/\(scan.jobId)"
            for message in [
                Message("/api/v1/about", as: AboutServer.self), Message("/api/v1/session", as: SessionState.self),
                Message("/api/v1/library", as: Page<LibraryBook>.self),
                Message("/api/v1/library/\(copy)", as: LibraryBook.self),
                Message("/api/v1/find?q=emma", as: LocatedBooks.self),
                Message("/api/v1/own?title=emma", as: OwnAnswer.self),
                Message("/api/v1/changes", as: LibraryVersion.self),
                Message("/api/v1/review", as: ReviewQueuePage.self),
                Message("/api/v1/review/counts", as: ReviewQueueCounts.self),
                Message("/api/v1/detections/\(item.id)", as: ReviewQueueItem.self),
                Message("/api/v1/shelves", as: Page<LibraryShelf>.self),
                Message("/api/v1/shelves/\(shelf.id)/spines", as: LibraryShelfView.self),
                Message("/api/v1/search?q=emma", as: SearchResults.self),
                Message("/api/v1/scans", as: Page<ScanStatus>.self), Message(job, as: ScanStatus.self),
                Message(job + "/results", as: ScanResults.self),
                Message(job + "/events?after=0", as: EventPage<JobEvent>.self),
                Message("/api/v1/imports/\(list.id)", as: ListImport.self),
                Message("/api/v1/library/999", as: Problem.self),
            ] {
                let answer = try server.send("GET", message.path)
                try message.decode(Data(answer.body))
                let later = Self.later(try JSONSerialization.jsonObject(with: Data(answer.body)))
                let data = try JSONSerialization.data(withJSONObject: later)
                #expect(throws: Never.self, "\(message.path): \(String(decoding: data, as: UTF8.self))") {
                    try message.decode(data)
                }
            }
        }
    }

    /// The fields whose values are words, of which a later server may have more.
    private static let words: Set<String> = [
        "status", "stage", "state", "reviewStatus", "tier", "kind", "ownership", "readingStatus", "role", "via", "code",
        "certainty", "preprocessing", "source", "reader", "enrichment", "verdict", "purpose",
    ]
    /// Their keys are not names of fields.
    private static let dictionaries: Set<String> = ["mapping"]

    /// Returns JSON with another field in each object, and with unknown words.
    private static func later(_ json: Any, in field: String = "") -> Any {
        switch json {
        case let object as [String: Any]:
            var later = object.reduce(into: [String: Any]()) { $0[$1.key] = self.later($1.value, in: $1.key) }
            if !dictionaries.contains(field) { later["later"] = ["a": [1, "b"]] }
            return later
        case let list as [Any]: return list.map { self.later($0, in: field) }
        case is String where words.contains(field): return "tomorrow"
        default: return json
        }
    }
}
