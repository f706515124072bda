import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

@Suite(.serialized, .endsHangs) struct LabelQuestionTests {
    private static let code = PlaceCode(number: 5).description
    private static let other = PlaceCode(number: 77).description

    private static func scan(_ script: String, _ server: TestServer, shelf: String? = nil) throws -> String {
        var fields = ["import": "true"]
        fields["shelf"] = shelf
        return try server.finish(server.scan(photos: [try ScriptedReader.picture(script)], fields: fields))
    }

    private static func answer(_ question: LabelQuestion, _ json: String, _ server: TestServer) throws -> Answer {
        try server.send("POST", "/api/v1/label-questions/\(question.id)", json: json)
    }

    @Test("A photo with the label of another shelf than the chosen one asks once, and the answer moves its books")
    func disagreement() async throws {
        try await withServer { server in
            _ = try server.send("POST", "/api/v1/shelves", json: #"{"name":"Board 2","code":"\#(Self.code)"}"#)
            let attic = try server.addShelf("Attic")
            let job = try Self.scan("books:Dune|Emma|\(Self.code)", server, shelf: attic.id)
            let question = try #require(try server.results(of: job).labelQuestions?.first)
            #expect(question.kind == .otherShelf && question.text == Self.code && question.books == 2)
            #expect(question.shelf?.name == "Board 2" && question.chosen?.name == "Attic")
            let page: Page<LabelQuestion> = try server.get("/api/v1/label-questions?scan=\(job)")
            #expect(page.items == [question])
            let outcome = try Self.answer(question, #"{"accept":true}"#, server).decode(ActionOutcome.self)
            #expect(outcome.changed == 2)
            #expect(try server.books().items.allSatisfy { $0.shelf?.name == "Board 2" })
            #expect(try server.results(of: job).labelQuestions == [])
            #expect(try Self.answer(question, #"{"accept":true}"#, server).status == 409)
            #expect(try server.undo(outcome.undoToken).status == 200)
            #expect(try server.books().items.allSatisfy { $0.shelf?.name == "Attic" })
        }
    }

    @Test("A code that no shelf has, and a sign, become shelves")
    func newShelves() async throws {
        try await withServer { server in
            let labelled = try Self.scan("books:Dune|\(Self.other)", server)
            let code = try #require(try server.results(of: labelled).labelQuestions?.first)
            #expect(code.kind == .newCode && code.shelf == nil && code.chosen == nil)
            #expect(try Self.answer(code, #"{"accept":true}"#, server).status == 422)
            _ = try Self.answer(code, #"{"accept":true,"name":"Home / Board 1"}"#, server).decode(ActionOutcome.self)
            let shelves: Page<LibraryShelf> = try server.get("/api/v1/shelves?code=\(Self.other)")
            #expect(shelves.items.map(\.path) == ["Home / Board 1"] && shelves.items.first?.entries == 1)

            let signed = try Self.scan("books:Emma|#796 SPORT", server)
            let sign = try #require(try server.results(of: signed).labelQuestions?.first)
            #expect(sign.kind == .sign && sign.text == "796 SPORT")
            #expect(try Self.answer(sign, #"{"accept":false}"#, server).decode(ActionOutcome.self).changed == 0)
            #expect(try server.results(of: signed).labelQuestions == [])
            #expect(try Self.answer(sign, "{}", server).status == 400)
            #expect(try server.send("POST", "/api/v1/label-questions/99", json: #"{"accept":true}"#).status == 404)
        }
    }

    @Test("A line that belongs to no spine is found with its place, and listed for searching without the server")
    func looseLines() async throws {
        try await withServer { server in
            let hall = try server.addShelf("Hall")
            _ = try Self.scan("books:Dune|~Éditions Gallimard", server, shelf: hall.id)
            let found = try server.send("GET", "/api/v1/find?q=gallimrad")
            #expect(found.status == 200)
            let body = String(decoding: found.body, as: UTF8.self)
            #expect(body.contains(#""text":"Éditions Gallimard""#) && body.contains(#""name":"Hall""#))
            let words: Page<SpineWords> = try server.get("/api/v1/find/words")
            #expect(words.items.map(\.text) == ["dune", "editions gallimard"])
            #expect(words.items.map { $0.entryId != nil } == [true, false])
        }
    }
}
