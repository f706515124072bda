import Fixtures
import Foundation
import TestSupport
import Testing
import shelflist

extension Reading { @Suite("Models as readers, on the command line") struct ReaderCommandTests {} }

extension Reading.ReaderCommandTests {
    /// What JSON says of a scan besides its books: the use of a model, and with --compare each reader's column.
    private struct Scan: Decodable {
        struct Photo: Decodable {
            var model: Use?
            var columns: [Column]?
        }
        struct Use: Decodable {
            var inputTokens: Int
            var cost: Double?
            var spines: Int?
        }
        struct Column: Decodable {
            /// A spine that the reader may not have named.
            struct Reading: Decodable { var title: String? }
            var reader: String
            var readings: [Reading?]
        }
        var photos: [Photo]
    }

    @Test("On a terminal the first scan asks once, and sends nothing before the answer")
    func asksOnce() async throws {
        let command = try CommandRunner()
        let stub = try ModelReaders.stub()
        let environment = try ModelReaders.environment(command, stub, agreed: false)
        let arguments = ["scan", "--reader", "gemini", "--catalog", "list.csv", "shelf.jpg"]
        try command.write(Array("title,author\nEmma,Jane Austen\n".utf8), to: "list.csv")
        let refusing = try PseudoTerminal(arguments, in: command.folder, environment: environment, columns: 120)
        let question = try await refusing.screen(showing: "[y] Agree")
        #expect(question.contains("127.0.0.1:\(stub.port) will receive") && stub.requests.isEmpty)
        try await refusing.press("n", until: "Nothing was sent to Gemini")
        #expect(try await refusing.end() == 1)
        #expect(stub.requests.isEmpty)
        let agreeing = try PseudoTerminal(arguments, in: command.folder, environment: environment, columns: 120)
        try await agreeing.screen(showing: "[y] Agree")
        try await agreeing.press("y", until: "whole photo sent")
        #expect(try await agreeing.end() == 0)
        #expect(stub.requests.count == 1)
        let again = try command.launch(arguments, environment: environment).outcome()
        #expect(again.status == 0 && again.output.contains("kept from an earlier scan, free"))
        #expect(stub.requests.count == 1)
    }

    @Test("assist and gemini send what they say, and JSON has tokens and cost", .whenReadingChanges)
    func modes() throws {
        let command = try CommandRunner()
        let stub = try ModelReaders.stub()
        let environment = try ModelReaders.environment(command, stub, agreed: true)
        for mode in ["assist", "gemini", "openai"] {
            let outcome = try command.run(
                "scan", "--format", "json", "--reader", mode, "shelf.jpg", environment: environment)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let document = try JSONDecoder().decode(Scan.self, from: Data(outcome.output.utf8))
            let use = try #require(document.photos.first?.model)
            #expect(use.inputTokens == 1000 && use.cost != nil)
            #expect((use.spines != nil) == (mode == "assist"))
        }
        try #require(stub.requests.count == 3)
        let prompts = try stub.requests.map { try ModelRequest($0).prompt }
        #expect(prompts[0].contains("cut out of a photo") && prompts[1].contains("photo of bookshelves"))
        let local = try command.run("scan", "--offline", "shelf.jpg", environment: environment)
        #expect(local.status == 0 && stub.requests.count == 3)
    }

    @Test(
        "A provider that is down leaves the local result and a warning", .whenReadingChanges,
        arguments: ["assist", "openai"])
    func down(_ mode: String) throws {
        let command = try CommandRunner()
        let stub = try StubServer.models { _, _ in .answer(401) }
        let environment = try ModelReaders.environment(command, stub, agreed: true)
        let alone = try command.run("scan", "--format", "csv", "shelf.jpg", environment: environment)
        let outcome = try command.run(
            "scan", "--format", "csv", "--reader", mode, "shelf.jpg", environment: environment)
        #expect(outcome.status == 0 && outcome.output == alone.output)
        #expect(outcome.errors.contains("rejects the key"))
    }

    @Test("--compare prints what each reader saw, their agreement, cost and time", .whenReadingChanges)
    func compare() throws {
        let command = try CommandRunner()
        let stub = try ModelReaders.stub()
        let environment = try ModelReaders.environment(command, stub, agreed: true)
        let outcome = try command.run("scan", "--compare", "local,gemini,assist", "shelf.jpg", environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output.contains(
                #/gemini: 1 spine named · agrees on [01] of [01] · 1000 \+ 200 tokens · \$0\.\d+ · /#))
        #expect(outcome.output.contains("local: "))
        let json = try command.run(
            "scan", "--format", "json", "--compare", "local,gemini", "shelf.jpg", environment: environment)
        let document = try JSONDecoder().decode(Scan.self, from: Data(json.output.utf8))
        let columns = try #require(document.photos.first?.columns)
        #expect(columns.map(\.reader) == ["local", "gemini"])
        #expect(Set(columns.map(\.readings.count)).count == 1, "each reader has a cell in each row")
        for wrong in ["local", "local,local", "local,claude"] {
            #expect(CommandEnd(parsing: ["scan", "--compare", wrong, "shelf.jpg"])?.status == 2)
        }
    }

    @Test("doctor sends one request with a test picture, and reports what came back", .whenReadingChanges)
    func doctor() throws {
        let command = try CommandRunner()
        let stub = try StubServer.models { _, request in
            request.answer(#"{"spines": [{"number": 1, "title": "Walden", "author": "Thoreau", "confidence": 0.9}]}"#)
        }
        let environment = try ModelReaders.environment(command, stub, agreed: false)
        let outcome = try command.run("doctor", "--reader", "gemini", environment: environment)
        #expect(outcome.output.contains(#/gemini-3\.8-flash answers in \d+ ms, read “Walden”; 1000 \+ 200 tokens/#))
        #expect(stub.requests.count == 1)
        let refusing = try StubServer.models { _, _ in .answer(403) }
        var other = environment
        other["SHELFLIST_GEMINI_URL"] = refusing.url.absoluteString
        let broken = try command.run("doctor", "--reader", "gemini", environment: other)
        #expect(broken.status == 1 && broken.output.contains("rejects the key") && refusing.requests.count == 1)
    }

    @Test(
        "Keys are read from standard input and kept for the owner alone; a mode can be set after consent",
        .whenReadingChanges)
    func settings() throws {
        let command = try CommandRunner()
        let stub = try ModelReaders.stub()
        let environment = try ModelReaders.environment(command, stub, agreed: false)
        let agreed = try command.run("readers", "agree", "gemini", environment: environment)
        #expect(agreed.status == 0 && agreed.output.contains("will receive") && agreed.output.contains("You agreed"))
        #expect(try command.run("readers", "use", "assist", environment: environment).output.contains("reader: assist"))
        let list = try command.run("readers", environment: environment)
        #expect(list.output.contains("reader: assist with Gemini") && list.output.contains("ready"))
        let scan = try command.run("scan", "shelf.jpg", environment: environment)
        #expect(scan.status == 0 && stub.requests.count == 1 && scan.output.contains("spines sent"))
        #expect(try command.run("readers", "revoke", "gemini", environment: environment).status == 0)
        let stopped = try command.run("scan", "shelf.jpg", environment: environment)
        #expect(
            stopped.status == 1 && stopped.errors.contains("Nothing was sent to Gemini") && stub.requests.count == 1)
        #expect(try command.run("readers", "key", "claude", environment: environment).status == 1)
    }
}

@Suite("Consent to models as readers", .blocks) struct ReaderConsentTests {
    @Test(
        "Without consent a command that cannot ask sends nothing, and says what would be sent",
        arguments: [
            ["scan", "--reader", "gemini", "shelf.jpg"], ["scan", "--reader", "assist", "shelf.jpg"],
            ["scan", "--compare", "local,gemini", "shelf.jpg"], ["readers", "use", "gemini"],
        ])
    func withoutConsent(_ arguments: [String]) throws {
        let command = try CommandRunner()
        let stub = try ModelReaders.stub()
        let environment = try ModelReaders.environment(command, stub, agreed: false)
        let outcome = try command.launch(arguments, environment: environment).outcome()
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("Nothing was sent to Gemini"))
        #expect(outcome.errors.contains("the whole photo, at most 3,072 pixels long, without metadata"))
        #expect(stub.requests.isEmpty && !outcome.errors.contains(ModelReaders.key))
    }
}

/// Models that read photos, behind a stub.
private enum ModelReaders {
    static let key = "secret-key-0123456789"

    static func environment(
        _ command: borrowing CommandRunner, _ stub: StubServer, agreed: Bool
    ) throws -> [String: String] {
        try command.write(Photos.threeSpines.get(), to: "shelf.jpg")
        var environment = [
            "SHELFLIST_DATA": command.folder.appending(path: "data").path,
            "SHELFLIST_GEMINI_URL": stub.url.absoluteString, "SHELFLIST_GEMINI_KEY": key,
            "SHELFLIST_OPENAI_URL": stub.url.appending(path: "v1").absoluteString, "NO_COLOR": "1",
        ]
        if agreed { environment["SHELFLIST_READER_CONSENT"] = "gemini,openai" }
        return environment
    }

    /// A model that names one book on the first spine or in the left third of the photo.
    static func stub() throws -> StubServer {
        try StubServer.models { _, request in
            let box = request.prompt.contains("box_2d") ? #", "box_2d": [20, 10, 980, 320]"# : #", "number": 1"#
            return request.answer(
                #"{"spines": [{"title": "Cien años de soledad", "author": "García Márquez", "confidence": 0.9\#(box)}]}"#
            )
        }
    }
}
