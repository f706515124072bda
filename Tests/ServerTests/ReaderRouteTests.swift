import Fixtures
import Foundation
import Imaging
import Lookup
import Providers
import Reading
import ReadingFixtures
import Server
import ServerFixtures
import ShelflistAPI
import SpineReading
import TestSupport
import Testing

@Suite("Readers of the server", .serialized, .endsHangs) struct ReaderRouteTests {
    private static func configuration(_ stub: StubServer) -> ServiceConfiguration {
        var configuration = ServiceConfiguration()
        configuration[ModelProvider.gemini].address = stub.url
        configuration[ModelProvider.openAI].address = stub.url.appending(path: "v1")
        return configuration
    }

    /// Runs `body` with a server whose owner agreed to Gemini, and a job that it was asked about: a picture of two books,
    /// of which the second needs review.
    private static func withJob(
        asking stub: StubServer, reader: String, _ body: @Sendable (TestServer, _ job: String) throws -> Void
    ) async throws {
        var configuration = Self.configuration(stub)
        configuration[ModelProvider.gemini].agreed = true
        try await withServer(reader: KeepingReader(), services: configuration) { server in
            let picture = try ScriptedReader.picture("books:Dune|Wldn")
            let accepted = try server.scan(photos: [picture], fields: ["reader": reader]).decode(ScanAccepted.self)
            // A photo is not asked about before it is read.
            try await eventually {
                let job = try server.status(of: accepted.jobId)
                return job.status == .completed && !job.asking
            }
            try body(server, accepted.jobId)
        }
    }

    @Test("A reader needs key and consent before it can be set or asked for, and its key is never returned")
    func settings() async throws {
        let stub = try StubServer.models { _, request in request.answer(#"{"spines": []}"#) }
        try await withServer(services: Self.configuration(stub)) { server in
            let before = try server.send("GET", "/api/v1/settings")
            #expect(before.string("reader") == "local" && before["isReaderConfigured"] as? Bool == false)
            #expect(before["readers", "0", "id"] as? String == "gemini")
            #expect(before["readers", "0", "agreed"] as? Bool == false)
            #expect(before["readers", "0", "host"] as? String == "127.0.0.1:\(stub.port)")
            for json in [#"{"reader":"gemini"}"#, #"{"reader":"assist"}"#, #"{"reader":"claude"}"#] {
                let refused = try server.changeSettings(json)
                #expect(refused.status == 422 && refused.problem?.field == "reader")
            }
            let half = try server.changeSettings(
                #"{"readers":[{"id":"openai","agreed":true}],"providers":[{"id":"nowhere","enabled":true}]}"#)
            #expect(half.status == 422 && half.problem?.field == "providers")
            #expect(try server.send("GET", "/api/v1/settings")["readers", "1", "agreed"] as? Bool == false)
            let scan = try server.scan(["books:Emma"], fields: ["reader": "gemini"])
            #expect(scan.status == 422 && scan.problem?.detail.hasPrefix("Nothing was sent to Gemini") == true)
            #expect(try server.scan(["books:Emma"], fields: ["reader": "claude"]).status == 422)
            let set = try server.changeSettings(
                #"{"reader":"assist","assistReader":"openai","readers":[{"id":"openai","key":"s3cret","agreed":true}]}"#
            )
            #expect(set.status == 200 && set.string("reader") == "assist")
            #expect(!set.text.contains("s3cret") && set["readers", "1", "hasKey"] as? Bool == true)
            let about: AboutServer = try server.get("/api/v1/about")
            #expect(about.readers == ["local", "assist", "openai"])
            #expect(stub.requests.isEmpty)
        }
    }

    @Test("A model's answer updates the results, and its use is part of the photo")
    func updates() async throws {
        let stub = try StubServer.models { _, request in
            request.answer(#"{"spines": [{"number": 1, "title": "Walden", "author": "Thoreau", "confidence": 0.9}]}"#)
        }
        try await Self.withJob(asking: stub, reader: "assist") { server, id in
            let results = try server.send("GET", "/api/v1/scans/\(id)/results")
            #expect(results["photos", "0", "model", "reader"] as? String == "gemini")
            #expect(results["photos", "0", "model", "spines"] as? Int == 1)
            #expect(results["photos", "0", "model", "inputTokens"] as? Int == 1000)
            #expect(results.text.contains("Walden"))
            #expect(stub.requests.count == 1)
            let request = try ModelRequest(stub.requests[0])
            #expect(request.prompt.contains("1 book spines"))
        }
    }

    @Test("A provider that fails leaves the result, and the job completes with the reason", arguments: [500, 401])
    func degraded(_ status: Int) async throws {
        let stub = try StubServer.models { _, _ in .answer(status) }
        try await Self.withJob(asking: stub, reader: "gemini") { server, id in
            let results = try server.send("GET", "/api/v1/scans/\(id)/results")
            #expect(results.text.contains("Wldn") && results["photos", "0", "model"] == nil)
            let log: EventPage<JobEvent> = try server.get("/api/v1/scans/\(id)/events?after=0")
            let reasons = log.events.compactMap { event in
                if case .enrichmentDegraded(let source) = event.content { source.message } else { nil }
            }
            #expect(reasons.contains { $0.contains(status == 401 ? "rejects the key" : "status 500") })
        }
    }
}

/// A scripted reader whose photos have a reading, so that opinions can be taken into account.
private struct KeepingReader: ScriptedReading {
    let scripted = ScriptedReader()

    func read(
        _ bytes: [UInt8], name: String, preprocessing: PreprocessingMode?,
        report: @escaping @Sendable (ReadingProgress) -> Void
    ) async throws -> ScannedPhoto {
        var photo = try await scripted.read(bytes, name: name, preprocessing: preprocessing, report: report)
        photo.reading = PhotoReading(shelf: ReadShelf(lines: []), size: PixelSize(width: 60, height: 40))
        return photo
    }

    func identify(_ photo: ScannedPhoto) async throws -> ScannedPhoto {
        var photo = photo
        for opinion in photo.reading?.opinions ?? [] {
            guard let place = photo.books.firstIndex(where: { $0.quad == opinion.outline }) else { continue }
            (photo.books[place].title, photo.books[place].author) = (opinion.title, opinion.author)
            photo.books[place].matches = [
                BookMatch(title: opinion.title, author: opinion.author, confidence: 0.3, source: opinion.reader)
            ]
        }
        return photo
    }
}
