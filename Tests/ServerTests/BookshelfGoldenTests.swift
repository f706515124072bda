import Foundation
import Providers
import ReadingFixtures
import ServerFixtures
import TestSupport
import Testing

/// The fields and types of everything that BooksTracker receives, as the tables of docs/api/compatibility.md list them.
@Suite(.serialized, .endsHangs) struct BookshelfGoldenTests {
    private static let box = """
        {height: integer, width: number, x: integer, x1: integer, x2: number, y: integer, y1: integer, y2: integer}
        """
    /// A book that was not looked up.
    private static func book(_ more: String = "") -> String {
        "{author: text, boundingBox: \(box), confidence: number, detectionId: text, \(more)reviewStatus: text, title: text}"
    }
    private static let resultEnd = """
        expiresAt: text, metadata: {enrichedCount: integer, modelUsed: text, processingTime: integer, timestamp: text}, \
        needsReview: integer, suggestions: [], totalDetected: integer
        """
    private static var result: String { "{approved: integer, books: [\(book())], \(resultEnd)}" }

    @Test("The answer to an upload has the documented fields")
    func accepted() async throws {
        try await withServer { server in
            let accepted = try server.scan(["books:Emma"], path: "/api/scan-bookshelf")
            #expect(
                "\(try JSONShape.of(accepted.text))" == """
                    {authToken: text, estimatedRange: [integer], jobId: text, sseUrl: text, \
                    stages: [{name: text, progress: number, typicalDuration: integer}], status: text, statusUrl: text, \
                    success: flag, token: text, totalPhotos: integer, websocketUrl: text}
                    """)
        }
    }

    @Test("The messages of a photo have the documented fields")
    func photo() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("books:Emma?")
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)")
            let messages = try socket.messages(to: "job_complete")
            let old = "currentStatus: text, processedItems: integer, progress: "
            let summary = """
                {approved: integer, duration: integer, failureCount: integer, needsReview: integer, resourceId: text, \
                successCount: integer, totalDetected: integer, totalProcessed: integer}
                """
            for (type, payload, data) in [
                ("job_started", "{totalCount: integer, totalPhotos: integer, type: text}", "absent"),
                ("batch-init", "{status: text, totalPhotos: integer, type: text}", "absent"),
                (
                    "job_progress", "{processedCount: integer, progress: number, status: text, type: text}",
                    "{\(old)number, totalItems: integer}"
                ),
                (
                    "job_complete",
                    """
                    {approved: integer, expiresAt: text, needsReview: integer, pipeline: text, resultsUrl: text, \
                    suggestions: [], summary: \(summary), totalDetected: integer, type: text}
                    """, "{\(old)integer, result: \(Self.result), totalItems: integer}"
                ),
            ] {
                let message = try #require(messages.first { $0.type == type })
                let shape = try JSONShape.of(message.text)
                #expect(shape["payload"] == payload, "\(type)")
                #expect(shape["data"] == data, "\(type)")
                #expect(message.payload.type == type)
                #expect(message.pipeline == "ai_scan")
                #expect(shape["timestamp"] == "integer" && message.version == "1.0.0")
            }
        }
    }

    @Test("The messages of a batch have their fields in both places")
    func batch() async throws {
        try await withServer { server in
            let job = UUID().uuidString
            _ = try server.scan(["books:Emma?", "fail"], path: "/api/scan-bookshelf/batch?jobId=\(job)")
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)", isReady: false)
            let messages = try socket.messages(to: "job_complete")
            let photos = "[{booksFound: integer, index: integer, status: text}]"
            for (type, fields) in [
                ("batch-init", ["status: text", "totalPhotos: integer"]),
                (
                    "batch-progress",
                    [
                        "booksFound: integer", "currentPhoto: integer", "photoStatus: text", "photos: \(photos)",
                        "totalBooksFound: integer", "totalPhotos: integer",
                    ]
                ), ("batch-complete", ["books: [\(Self.book())]", "photoResults: \(photos)", "totalBooks: integer"]),
            ] {
                let message = try #require(messages.last { $0.type == type })
                let shape = try JSONShape.of(message.text)
                #expect(shape["payload"] == "{\((fields + ["type: text"]).joined(separator: ", "))}")
                for field in fields {
                    let (name, value) = try #require(
                        field.firstIndex(of: ":").map {
                            (String(field[..<$0]), String(field[field.index($0, offsetBy: 2)...]))
                        })
                    #expect(shape[name] == value, "\(type) \(name)")
                }
            }
            struct Complete: Decodable {
                struct Payload: Decodable { var photoResults: [[String: JSONShape]] }
                var payload: Payload
            }
            let last = try #require(messages.last { $0.type == "batch-complete" })
            let complete = try JSONDecoder().decode(Complete.self, from: Data(last.text.utf8))
            #expect(Set(complete.payload.photoResults[1].keys) == ["index", "status", "error"])
        }
    }

    @Test("Results and polled status have the documented fields")
    func results() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("books:Emma?")
            _ = try BookshelfSocketClient(server, query: "jobId=\(job)").messages(to: "job_complete")
            for path in ["/v1/jobs/\(job)/results", "/scan/results/\(job)"] {
                let shape = try JSONShape.of(try server.send("GET", path).text)
                #expect("\(shape)" == "{data: \(Self.result), metadata: {timestamp: text}, success: flag}")
            }
            let expected = """
                {booksDetected: integer, elapsedTime: integer, jobId: text, message: text, progress: integer, \
                result: {approved: integer, books: [\(Self.book("enrichmentStatus: text, "))], needsReview: integer, \
                suggestions: [], totalDetected: integer}, stage: text, status: text, success: flag, \
                totalPhotos: integer}
                """
            #expect("\(try JSONShape.of(try server.send("GET", "/scan/status/\(job)").text))" == expected)
        }
    }

    @Test("A book that was looked up has its metadata for both generations, and progress rises while it is looked up")
    func enriched() async throws {
        let stub = try ProviderRouteTests.stub()
        try await withServer(online: .at([.openLibrary: stub])) { server in
            let job = try server.bookshelfJob("books:Emma|Unknown")
            let messages = try BookshelfSocketClient(server, query: "jobId=\(job)").messages(to: "job_complete")
            let progress = messages.filter { $0.type == "job_progress" }.compactMap(\.payload.progress)
            #expect(progress.contains(0.75) && progress == progress.sorted(), "\(progress)")
            let answer = try server.send("GET", "/v1/jobs/\(job)/results")
            let shape = try JSONShape.of(answer.text)
            #expect(answer["data", "books", "0", "enrichmentStatus"] as? String == "success")
            #expect(answer["data", "books", "1", "enrichmentStatus"] as? String == "not_found")
            #expect(answer["data", "metadata", "enrichedCount"] as? Int == 1)
            #expect(
                shape["data", "books", "enrichment"] == """
                    {apiData: {authors: [text], coverUrl: text, publicationYear: integer, publisher: text, title: text}, \
                    authors: [{gender: text, name: text}], cachedResult: flag, \
                    editions: [{amazonASINs: [], coverImageURL: text, googleBooksVolumeIDs: [], isbndbQuality: integer, \
                    isbns: [], librarythingIDs: [], pageCount: integer, primaryProvider: text, publicationDate: text, \
                    publisher: text, title: text}], provider: text, status: text, \
                    work: {amazonASINs: [], coverImageURL: text, firstPublicationYear: integer, goodreadsWorkIDs: [], \
                    googleBooksVolumeIDs: [], isbndbQuality: integer, librarythingIDs: [], primaryProvider: text, \
                    reviewStatus: text, subjectTags: [], title: text}}
                    """)
        }
    }

    @Test("Searches have the format of both generations")
    func search() async throws {
        let stub = try ProviderRouteTests.stub()
        try await withServer(online: .at([.openLibrary: stub])) { server in
            for path in [
                "/search/advanced?title=Emma&author=Writer&maxResults=5", "/v1/search/advanced?title=Emma",
                "/search/title?q=Emma", "/v1/search/title?q=Emma",
            ] {
                let answer = try server.send("GET", path)
                #expect(answer["data", "works", "0", "title"] as? String == "Emma", "\(path)")
                #expect(answer["items", "0", "volumeInfo", "title"] as? String == "Emma")
                let shape = try JSONShape.of(answer.text)
                #expect(shape["data", "authors"] == "[{gender: text, name: text}]")
                #expect(shape["data", "resultCount"] == "integer" && shape["totalItems"] == "integer")
                #expect(
                    shape["items"] == """
                        [{kind: text, volumeInfo: {authors: [text], categories: [], \
                        imageLinks: {smallThumbnail: text, thumbnail: text}, industryIdentifiers: [], \
                        pageCount: integer, publishedDate: text, publisher: text, title: text}}]
                        """)
            }
            #expect(try server.send("GET", "/v1/search/isbn").string("field") == "q")
            #expect(try server.send("GET", "/search/advanced?title=a&maxResults=0").string("field") == "maxResults")
        }
    }

    @Test("The event stream has the documented events")
    func stream() async throws {
        try await withServer { server in
            for (script, last) in [
                (
                    "books:Emma",
                    """
                    {jobId: text, resultsUrl: text, status: text, summary: {approved: integer, duration: integer, \
                    enrichedCount: integer, needsReview: integer, totalDetected: integer}}
                    """
                ), ("fail", "{error: text, jobId: text, retryable: flag, status: text}"),
            ] {
                let accepted = try server.scan([script], path: "/api/scan-bookshelf")
                let path = try #require(accepted.string("sseUrl")).replacing("http://localhost", with: "")
                let events = TestServer.Event.list(
                    try server.send("GET", path, headers: ["Accept": "text/event-stream"]).text)
                #expect(events.last?.type == (script == "fail" ? "photoscan.failed" : "photoscan.completed"))
                #expect("\(try JSONShape.of(events.last?.data ?? ""))" == last)
                let progress = try #require(events.first)
                #expect(progress.type == "photoscan.progress")
                #expect(
                    "\(try JSONShape.of(progress.data))" == """
                        {jobId: text, message: text, processedPhotos: integer, progress: number, \
                        recognizedBooks: integer, status: text, totalPhotos: integer}
                        """)
            }
        }
    }
}
