import Fixtures
import Foundation
import TestSupport
import Testing

/// The first scan without a catalog and a provider.
extension Reading { @Suite("The question of the first scan") struct SourceQuestionTests {} }

extension Reading.SourceQuestionTests {
    private static func openLibrary() throws -> StubServer {
        try StubServer { _, _ in
            .json(
                """
                {"numFound": 1, "docs": [{"key": "/works/OL274505W", "title": "Cien años de soledad",
                  "author_name": ["Gabriel García Márquez"], "first_publish_year": 1967}]}
                """)
        }
    }

    private static func environment(
        _ command: borrowing CommandRunner, _ stub: StubServer, _ dumps: DumpStub? = nil
    ) throws -> [String: String] {
        try command.write(Photos.threeSpines.get(), to: "shelf.jpg")
        return [
            "SHELFLIST_DATA": command.folder.appending(path: "data").path,
            "SHELFLIST_OPENLIBRARY_URL": stub.url.absoluteString,
            "NO_COLOR": "1",
            "SHELFLIST_DUMPS_URL": dumps?.url.absoluteString ?? stub.url.absoluteString,
        ]
    }

    private static let question = "titles were read, but not checked. Where may Shelflist look them up?"
    private static let book = "Cien años de soledad"

    @Test("Open Library is asked only after the answer, at once, and by the scans after it")
    func online() async throws {
        let command = try CommandRunner()
        let stub = try Self.openLibrary()
        let environment = try Self.environment(command, stub)
        let terminal = try PseudoTerminal(
            ["scan", "--import", "shelf.jpg"], in: command.folder, environment: environment, columns: 120)
        let first = try await terminal.screen(showing: "[s] Stay offline")
        #expect(first.contains(Self.question) && first.contains("photos never do"))
        #expect(first.contains(#/Cien años de soledad .*□ read, not checked/#))
        #expect(stub.requests.isEmpty && !first.contains("Library:"))
        let second = try await terminal.press("o", until: "Library:")
        #expect(second.contains("Open Library is on") && second.contains(#/Cien años de soledad .*García Márquez +✓/#))
        #expect(try await terminal.end() == 0)
        #expect(!stub.requests.isEmpty)
        let library = try command.run("library", "list", environment: environment)
        #expect(library.output.contains(Self.book))
        let review = try command.run("review", "list", environment: environment)
        #expect(!review.output.contains(Self.book), "imported as it was identified last")

        let again = try command.run("scan", "shelf.jpg", environment: environment)
        #expect(again.output.contains(#/Cien años de soledad .*García Márquez +✓/#) && again.errors.isEmpty)
        let providers = try command.run("providers", environment: environment)
        #expect(providers.output.contains(#/openlibrary +Open Library +on/#))
        let count = stub.requests.count
        let offline = try command.run("scan", "--offline", "shelf.jpg", environment: environment)
        #expect(offline.status == 0 && stub.requests.count == count)
    }

    @Test("An answer is kept; without one the next scan asks again", .whenReadingChanges)
    func offline() async throws {
        let command = try CommandRunner()
        let stub = try Self.openLibrary()
        let environment = try Self.environment(command, stub)
        let unanswered = try PseudoTerminal(["scan", "shelf.jpg"], in: command.folder, environment: environment)
        try await unanswered.screen(showing: Self.question)
        try await unanswered.press("\u{3}", until: "the next scan asks again")
        #expect(try await unanswered.end() == 0)
        #expect(unanswered.isAsItWas)

        let answered = try PseudoTerminal(
            ["scan", "--import", "shelf.jpg"], in: command.folder, environment: environment)
        try await answered.screen(showing: Self.question)
        let end = try await answered.press("S", until: "Library:")
        #expect(end.contains("Nothing is sent") && !end.contains(Self.book), "the table is printed once")
        #expect(try await answered.end() == 0)

        let third = try PseudoTerminal(["scan", "shelf.jpg"], in: command.folder, environment: environment)
        #expect(try await third.end() == 0)
        #expect(!(try await third.screen(showing: Self.book)).contains(Self.question))
        #expect(stub.requests.isEmpty)
    }

    @Test("The download shows its size and asks before it starts", .whenReadingChanges)
    func download() async throws {
        let command = try CommandRunner()
        let stub = try Self.openLibrary()
        let dumps = try DumpStub(SmallDump(count: 10))
        let environment = try Self.environment(command, stub, dumps)
        let terminal = try PseudoTerminal(["scan", "shelf.jpg"], in: command.folder, environment: environment)
        try await terminal.screen(showing: Self.question)
        let offer = try await terminal.press("d", until: "Download? [y/N]")
        #expect(offer.contains("--languages eng --with isbn") && offer.contains("kB to download"))
        #expect(dumps.downloads(of: "editions").isEmpty)
        try await terminal.answer("y", until: "10 new editions")
        #expect(try await terminal.end() == 0)
        #expect(stub.requests.isEmpty)
    }

    @Test("Without a terminal nothing is asked, and one line says how to check the titles", .whenReadingChanges)
    func hint() throws {
        let command = try CommandRunner()
        let stub = try Self.openLibrary()
        let environment = try Self.environment(command, stub)
        try command.write(Array("title,author\nEmma,Jane Austen\n".utf8), to: "list.csv")
        for format in ["table", "json", "csv"] {
            let outcome = try command.run("scan", "--format", format, "shelf.jpg", environment: environment)
            #expect(outcome.status == 0)
            #expect(
                outcome.errors.contains(
                    #/^shelflist: \d of \d titles were read, but not checked\. Use --online, or get a catalog: .*openlibrary\n$/#
                ), "\(outcome.errors)")
        }
        for arguments in [["--offline"], ["--catalog", "list.csv"]] {
            let outcome = try command.launch(["scan"] + arguments + ["shelf.jpg"], environment: environment).outcome()
            #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        }
        let configured = try command.run(
            "scan", "shelf.jpg", environment: environment.merging(["SHELFLIST_PROVIDERS": "none"]) { $1 })
        #expect(configured.errors.isEmpty, "the configuration is an answer: \(configured.errors)")
        #expect(stub.requests.isEmpty)
    }
}
