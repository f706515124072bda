import Foundation
import ShelflistAPI
import ShelflistClient
import Testing

/// Messages of a later server, which this client has to read.
@Suite struct TomorrowTests {
    private static func event(_ type: String, _ data: String) throws -> JobEvent {
        let text = """
            {"id":7,"jobId":"job","time":"2031-01-01T00:00:00Z","type":"\(type)","data":\(data),"later":[1]}
            """
        return try WireJSON.decode(WireEvent.self, from: Data(text.utf8)).event
    }

    @Test("Unknown events keep their number and type")
    func unknownEvent() throws {
        let event = try Self.event("shelf_labelled", #"{"label":{"text":"A"}}"#)
        guard case .unknown("shelf_labelled") = event.content else { throw Failure() }
        #expect(event.id == 7 && event.jobId == "job")
    }

    @Test("A known event with data of another form counts as unknown")
    func otherForm() throws {
        guard case .unknown("progress") = try Self.event("progress", #"{"steps":[0.5]}"#).content else {
            throw Failure()
        }
    }

    @Test("Unknown words are read as known ones, and new fields are ignored")
    func unknownWords() throws {
        let progress = try Self.event(
            "progress", #"{"stage":"dreaming","progress":0.5,"message":"","photo":1,"eta":5}"#)
        guard case .progress(let known) = progress.content else { throw Failure() }
        #expect(known.stage == .analyzing && known.progress == 0.5)
        let photo = try Self.event("photo", #"{"index":2,"status":"pondering"}"#)
        guard case .photo(let read) = photo.content else { throw Failure() }
        #expect(read.status == .reading && !read.status.isFinal)
        let completed = try Self.event(
            "completed",
            """
            {"summary":{"photos":1,"photosFailed":0,"books":2,"needsReview":0,"verify":1,"ready":1,"notChecked":0,
             "duplicatesFolded":0,"seconds":1.5,"mood":"good",
             "suggestions":[{"code":"fog","message":"Wait for the fog to lift."}]}}
            """)
        guard case .completed(let summary) = completed.content else { throw Failure() }
        #expect(summary.suggestions.map(\.code) == [.other])
        #expect(summary.suggestions.map(\.message) == ["Wait for the fog to lift."])
    }

    @Test("A book of a later server is read")
    func laterBook() throws {
        let book: LibraryBook = try WireJSON.decode(
            from: Data(
                """
                {"id":"1","workId":"2","title":"Emma","author":"Jane Austen","authors":["Jane Austen"],
                 "ownership":"rented","readingStatus":"skimming","addedAt":"2031-01-01T00:00:00.500Z",
                 "reviewStatus":"verifiedTwice","etag":"r1","scent":"vanilla"}
                """.utf8))
        #expect(book.ownership == nil && book.readingStatus == nil && book.reviewStatus == .needsReview)
        let item: ReviewQueueItem = try WireJSON.decode(
            from: Data(
                #"{"id":"1","kind":"smell","tier":"odd","text":[],"matches":[],"duplicates":[],"etag":"r1"}"#.utf8))
        #expect(item.kind == nil && item.tier == nil)
        let outcome: ScanBookOutcome = try WireJSON.decode(from: Data(#"{"state":"borrowed"}"#.utf8))
        #expect(outcome.state == .unknown)
    }

    @Test("Changes leave out what is kept, and clear with null")
    func changes() throws {
        var change = BookChange()
        #expect(String(decoding: try WireJSON.encode(change), as: UTF8.self) == "{}")
        change.rating = .clear
        change.notes = .set("x")
        #expect(String(decoding: try WireJSON.encode(change), as: UTF8.self) == #"{"notes":"x","rating":null}"#)
        let read: BookChange = try WireJSON.decode(from: try WireJSON.encode(change))
        #expect(read == change)
        let bare: BookChange = try WireJSON.decode(from: Data("{}".utf8))
        #expect(bare == BookChange())
    }

    private struct Failure: Error {}
}
