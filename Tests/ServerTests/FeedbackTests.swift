import Foundation
import Imaging
import Library
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct FeedbackTests {
    private static func reports(_ server: TestServer) async throws -> [Feedback] {
        try await LibraryStore(folder: LibraryFolder(server.folder)).feedback()
    }

    @Test("A book of a scan is reported from the results with its picture, before and after it is added")
    func fromResults() async throws {
        try await withServer { server in
            let job = try server.finish(server.scan(photos: [try ScriptedReader.picture("books:Dune|Emma")]))
            func report(_ fields: String) throws -> Answer {
                try server.send(
                    "POST", "/api/v1/feedback", json: #"{"jobId":"\#(job)","bookId":"1-book-2",\#(fields)}"#)
            }
            #expect(try report(#""problem":"notABook""#).status == 204)
            #expect(try server.books().total == 0)
            _ = try server.importBooks(of: job)
            #expect(try report(#""problem":"wrongTitle","right":{"title":"Persuasion"}"#).status == 204)
            let reports = try await Self.reports(server)
            #expect(reports.map(\.problem) == [.notABook, .wrongTitle])
            #expect(reports.map(\.readTitle) == ["Emma", "Emma"])
            #expect(reports.map(\.rightTitle) == [nil, "Persuasion"])
            #expect(reports.map { $0.detection == nil } == [true, false])
            #expect(reports.allSatisfy { $0.crop.flatMap { ImageFormat.sniff([UInt8]($0)) } == .jpeg })
        }
    }

    @Test("A detection of the library is reported with what is right instead")
    func fromLibrary() async throws {
        try await withServer { server in
            _ = try server.finish(server.scan(["books:Dune|Emma"], fields: ["import": "true"]))
            let id = try #require(try server.reviewQueue().items.first).id
            let json = #"""
                {"detectionId":"\#(id)","problem":"cutOff","note":"too narrow","right":{"isbn":"9780141439587"}}
                """#
            #expect(try server.send("POST", "/api/v1/feedback", json: json).status == 204)
            let report = try #require(try await Self.reports(server).first)
            #expect("\(try #require(report.detection))" == id)
            #expect(report.problem == .cutOff && !report.correct)
            #expect(report.note == "too narrow" && report.rightISBN == "9780141439587")
        }
    }

    @Test(
        "A report that names no spine, or contradicts itself, is refused with its field",
        arguments: [
            (#"{"correct":false}"#, 422, "detectionId"), (#"{"detectionId":"1"}"#, 400, "correct"),
            (#"{"detectionId":"x","correct":false}"#, 422, "detectionId"),
            (#"{"jobId":"x","bookId":"1-book-1","correct":false}"#, 422, "jobId"),
            (#"{"jobId":"JOB","bookId":"9","correct":false}"#, 422, "bookId"),
            (#"{"jobId":"JOB","correct":false}"#, 422, "detectionId"),
            (#"{"jobId":"JOB","bookId":"1-book-1","problem":"ugly"}"#, 422, "problem"),
            (#"{"jobId":"JOB","bookId":"1-book-1","problem":"cutOff","correct":true}"#, 422, "problem"),
            (#"{"jobId":"JOB","bookId":"1-book-1","correct":false,"right":{"isbn":"12"}}"#, 422, "isbn"),
        ])
    func refused(json: String, status: Int, field: String) async throws {
        try await withServer { server in
            let job = try server.finish(server.scan(["books:Dune"]))
            let answer = try server.send("POST", "/api/v1/feedback", json: json.replacing("JOB", with: job))
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.problem?.field == field)
            #expect(try await Self.reports(server).isEmpty)
        }
    }
}
