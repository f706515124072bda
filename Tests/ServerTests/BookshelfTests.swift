import Foundation
import Library
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Acts as BooksTracker, by docs/api/compatibility.md.
@Suite(.serialized, .endsHangs) struct BookshelfTests {
    private static func upload(
        _ server: TestServer, _ script: String, base: String = "", job: String = UUID().uuidString
    ) throws -> Answer {
        try server.upload(script, to: "\(base)/api/scan-bookshelf?jobId=\(job)")
    }

    private static func batch(_ server: TestServer, _ scripts: [(index: Int, script: String)], job: String) throws
        -> Answer
    {
        let images = scripts.map {
            #"{"index":\#($0.index),"data":"\#(Data(ScriptedReader.bytes($0.script)).base64EncodedString())"}"#
        }
        return try server.send(
            "POST", "/api/scan-bookshelf/batch",
            json: #"{"jobId":"\#(job)","images":[\#(images.joined(separator: ","))]}"#)
    }

    private static func key(_ server: TestServer) throws -> String {
        "/app/" + (try AppKeyBook(folder: server.folder).add("phone", member: nil, at: server.now).1)
    }

    @Test("The app of October opens its socket before the upload, and gets the books in the last message")
    func october() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            let (base, job) = (try Self.key(server), UUID().uuidString)
            let socket = try BookshelfSocketClient(server, base: base, query: "jobId=\(job)", isReady: false)
            for _ in 0..<5 { try socket.send("PING") }
            for _ in 0..<5 { #expect(try socket.next().text == "PONG") }
            try socket.send(#"{"type":"ready","timestamp":1}"#)
            #expect(try socket.message().type == "ready_ack")
            let accepted = try Self.upload(server, "books:Dune|Emma", base: base, job: job)
            #expect(accepted.status == 202 && accepted.string("jobId") == job)

            let messages = try socket.messages(to: "job_complete")
            #expect(messages.allSatisfy { $0.jobId == job })
            let steps = messages.compactMap(\.data)
            let statuses = steps.compactMap { $0.currentStatus?.lowercased() }
            #expect(statuses.last == "scan complete")
            #expect(!statuses.dropLast().contains { $0.contains("complete") || $0.contains("error") })
            let bar = steps.compactMap(\.processedItems)
            #expect(bar.first == 10 && bar.last == 100 && bar == bar.sorted())
            #expect(steps.last?.result?.books?.map(\.title) == ["Dune", "Emma"])
        }
    }

    @Test("The app of November opens its socket with the token, and fetches the books itself")
    func november() async throws {
        try await withServer { server in
            _ = try server.makeOwner()
            let (base, job) = (try Self.key(server), UUID().uuidString)
            let accepted = try Self.upload(server, "wait:Emma", base: base, job: job)
            #expect(try Self.upload(server, "wait:Emma", base: base, job: job).string("jobId") == job, "sent twice")
            let token = try #require(accepted.string("authToken"))
            let socket = try BookshelfSocketClient(
                server, query: "jobId=\(job)", protocols: "bookstrack-auth.\(token)")
            server.reader.release()
            let last = try #require(try socket.messages(to: "job_complete").last)
            #expect(last.payload.summary?.resourceId == "job-results:\(job)")
            let results = try server.send("GET", "\(base)/v1/jobs/\(job)/results")
            #expect(results["success"] as? Bool == true)
            #expect(results["data", "books", "0", "title"] as? String == "Emma")
            #expect(try server.send("GET", "\(base)/v1/jobs/\(UUID().uuidString)/results").status == 404)
        }
    }

    @Test("A batch is read in the order of its indexes, and reports each photo")
    func batch() async throws {
        try await withServer { server in
            let job = UUID().uuidString
            let accepted = try Self.batch(
                server, [(2, "books:Persuasion"), (0, "fail"), (1, "books:Emma|Dune")], job: job)
            #expect(accepted.status == 202 && accepted.string("jobId") == job)
            #expect(accepted["totalPhotos"] as? Int == 3 && accepted.string("status") == "processing")
            let socket = try BookshelfSocketClient(server, query: "jobId=\(job)", isReady: false)
            let messages = try socket.messages(to: "job_complete")
            #expect(!messages.contains { $0.type == "error" }, "the app would end the batch")
            #expect(messages.prefix(2).map(\.type) == ["job_started", "batch-init"])
            #expect(messages.suffix(2).map(\.type) == ["batch-complete", "job_complete"])
            for (step, next) in zip(messages, messages.dropFirst()) where step.type == "job_progress" {
                #expect(next.type == "batch-progress", "the app forgets the photos at every job_progress")
            }
            let progress = messages.filter { $0.type == "batch-progress" }
            let words = progress.compactMap(\.payload.photoStatus)
            #expect(Set(words) == ["queued", "processing", "complete", "error"])
            let last = try #require(progress.last)
            #expect(last.payload.totalBooksFound == 3)
            #expect(last.totalBooksFound == 3, "the app of October reads the fields here")
            let photos = try #require(last.payload.photos)
            #expect(photos.map(\.status) == ["error", "complete", "complete"])
            #expect(photos.map(\.booksFound) == [nil, 2, 1])
            #expect(photos[0].error != nil)
            #expect(server.reader.read == ["fail", "books:Emma|Dune", "books:Persuasion"])
        }
    }

    @Test("A scan that fails ends with an error that the app does not wait after")
    func failure() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("fail")
            let messages = try BookshelfSocketClient(server, query: "jobId=\(job)").messages(to: "error")
            #expect(!messages.contains { $0.type == "job_complete" })
            let batch = try #require(messages.dropLast().last, "the end of a batch of one photo")
            #expect(batch.type == "batch-complete" && batch.payload.totalBooks == 0)
            let last = try #require(messages.last)
            #expect(last.payload.retryable == false)
            let status = try #require(last.data?.currentStatus)
            #expect(status.hasPrefix("Error: ") && !status.lowercased().contains("complete"))
            let polled = try server.send("GET", "/scan/status/\(job)")
            #expect(polled.string("status") == "error" && polled.string("stage") == "error")
            #expect(polled.string("error") != nil && polled["result"] == nil)
        }
    }

    @Test("Cancelling ends a running scan, and keeps a finished one")
    func cancel() async throws {
        try await withServer { server in
            func cancel(_ job: String) throws -> Answer {
                try server.send("POST", "/api/scan-bookshelf/cancel", json: #"{"jobId":"\#(job)"}"#)
            }
            let (finished, running) = (try server.bookshelfJob("books:Emma"), UUID().uuidString)
            _ = try BookshelfSocketClient(server, query: "jobId=\(finished)").messages(to: "job_complete")
            #expect(try cancel(finished)["data", "status"] as? String == "complete")
            #expect(try server.send("GET", "/v1/jobs/\(finished)/results")["data", "totalDetected"] as? Int == 1)

            _ = try Self.batch(server, [(0, "wait:Dune"), (1, "books:Emma")], job: running)
            let socket = try BookshelfSocketClient(server, query: "jobId=\(running)", isReady: false)
            let canceled = try cancel(running)
            #expect(canceled.status == 200 && canceled["data", "status"] as? String == "canceled")
            let end = try socket.messages(to: "error").suffix(3)
            #expect(end.map(\.type) == ["batch-canceling", "batch-complete", "error"])
            #expect(end.last?.payload.code == "CANCELED")
            #expect(try server.send("GET", "/scan/status?jobId=\(running)").string("error") != nil)
            #expect(try cancel(UUID().uuidString).status == 404)
            server.reader.release()
        }
    }

    @Test("A client that polls gets the document's words, and the books at the end")
    func polls() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("wait:Emma")
            func status() throws -> Answer { try server.send("GET", "/scan/status/\(job)") }
            try await eventually { try status().string("stage") == "analyzing" }
            let running = try status()
            #expect(running.string("status") == "processing" && running["result"] == nil && running["error"] == nil)
            server.clock.advance(by: .seconds(7))
            server.reader.release()
            try await eventually { try status().string("status") == "complete" }
            let done = try status()
            #expect(done.string("stage") == "complete" && done["booksDetected"] as? Int == 1)
            #expect(done["elapsedTime"] as? Int == 7)
            #expect(done["result", "books", "0", "enrichmentStatus"] as? String == "FOUND")
            #expect(try server.send("GET", "/scan/status?jobId=\(job)").string("status") == "complete")
        }
    }

    @Test("All counts follow the library's threshold", arguments: [(0.6, 1), (0.4, 2)])
    func counts(threshold: Double, approved: Int) async throws {
        try await withServer { server in
            try await LibraryStore(folder: LibraryFolder(server.folder)).set(reviewThreshold: threshold)
            let job = try server.bookshelfJob("books:Dune|Emma")
            let messages = try BookshelfSocketClient(server, query: "jobId=\(job)").messages(to: "job_complete")
            let complete = try #require(messages.last)
            struct Polled: Decodable { var result: BookshelfTestMessage.Outcome }
            struct Fetched: Decodable { var data: BookshelfTestMessage.Outcome }
            let status: Polled = try server.send("GET", "/scan/status/\(job)").decode()
            let results: Fetched = try server.send("GET", "/scan/results/\(job)").decode()
            let counts = [2, approved, 2 - approved]
            #expect(complete.payload.counts == counts && complete.payload.summary?.counts == counts)
            #expect(complete.data?.result?.counts == counts)
            #expect(status.result.counts == counts && results.data.counts == counts)
            let sure = complete.data?.result?.books?.map { $0.confidence >= 0.6 }
            #expect(sure == [true, approved == 2], "the app's own limit decides alike")
            #expect(try server.reviewQueue().total == 2 - approved, "as many as wait in the library")
        }
    }

    @Test("Feedback names a detection of the results")
    func feedback() async throws {
        try await withServer { server in
            let job = try server.bookshelfJob("books:Dune|Emma")
            _ = try BookshelfSocketClient(server, query: "jobId=\(job)").messages(to: "job_complete")
            let results = try server.send("GET", "/v1/jobs/\(job)/results")
            let id = try #require(results["data", "books", "1", "detectionId"] as? String)
            let sent = try server.send("POST", "/feedback", json: #"{"detectionId":"\#(id)","correct":false}"#)
            #expect(sent["success"] as? Bool == true && sent["data", "accepted"] as? Bool == true, "\(sent.text)")
            let reports = try await LibraryStore(folder: LibraryFolder(server.folder)).feedback()
            #expect(reports.map(\.readTitle) == ["Emma"])
            let unknown = #"{"detectionId":"\#(job):9","correct":false}"#
            #expect(try server.send("POST", "/feedback", json: unknown).string("field") == "bookId")
        }
    }

    @Test("Errors have the fields that the app decodes, and say when to try again")
    func errors() async throws {
        try await withServer(configure: { settings, _ in settings.requestsPerMinute = 1 }) { server in
            let wrong = try Self.upload(server, "books:Emma", job: "shelf")
            #expect(wrong.status == 400 && wrong.string("field") == "jobId")
            let limited = try Self.upload(server, "books:Emma")
            #expect(limited.status == 429 && limited.headers["retry-after"] == "60")
            #expect(limited["success"] as? Bool == false)
            #expect(limited["error", "code"] as? String == "RATE_LIMITED")
            #expect(limited["error", "details", "retryAfter"] as? Int == 60)
            let missing = try server.send("GET", "/v1/jobs/\(UUID().uuidString)/results")
            #expect(missing.status == 404 && missing["error", "message"] as? String != nil)
            #expect(missing["metadata", "timestamp"] as? String != nil)
        }
    }
}
