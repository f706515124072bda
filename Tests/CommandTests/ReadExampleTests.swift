import Foundation
import TestSupport
import Testing

extension Reading { @Suite("Scans of the example photo", .whenReadingChanges) struct ReadExampleTests {} }

extension Reading.ReadExampleTests {
    @Test("A scan on a server prints what it prints on the server's machine, apart from times")
    func sameOutput() async throws {
        let command = try CommandRunner()
        let server = try command.launch(["serve", "--port", "0", "--data", "data"])
        try await eventually { try !server.isRunning || server.errorsSoFar().contains("Shelflist is at") }
        let port = try #require(server.errorsSoFar().firstMatch(of: /127\.0\.0\.1:(\d+)/)?.1)
        try FileManager.default.copyItem(at: CommandRunner.example, to: command.folder.appending(path: "shelf.jpg"))
        try command.write(Array("text".utf8), to: "text.jpg")
        func scan(_ format: String, _ environment: [String: String]) throws -> Outcome {
            var outcome = try command.launch(
                ["scan", "--format", format, "text.jpg", "shelf.jpg"], environment: environment
            ).outcome()
            outcome.output.replace(/"(timings|seconds)": (\{[^}]*\}|[\d.]+)/) { "\"\($0.output.1)\": …" }
            outcome.output.replace(/[\d.]+ s\n/, with: "… s\n")
            return outcome
        }
        for format in ["table", "json", "csv"] {
            let local = try scan(format, ["SHELFLIST_DATA": command.folder.appending(path: "data").path])
            let remote = try scan(format, ["SHELFLIST_SERVER": "http://127.0.0.1:\(port)"])
            #expect(remote.output == local.output)
            #expect(local.output.contains("shelf.jpg") && local.status == 1 && remote.status == 1)
            #expect(remote.errors.split(separator: "\n").first == local.errors.split(separator: "\n").first)
        }
        server.interrupt()
        _ = try server.outcome()
    }

    @Test("A scan searches the imported catalog")
    func scanUsesCatalog() throws {
        let command = try CommandRunner()
        let example = CommandRunner.example
        // The titles of the example, as it shows them without a catalog.
        let bare = try command.run("scan", "--format", "json", example.path)
        let titles = try Self.titles(in: bare)
        try #require(titles.count >= 5)
        let rows = titles.map { "\"\($0.title)\",\"\($0.author)\"\n" }
        try command.write(Array(("title,author\n" + rows.joined()).utf8), to: "list.csv")
        let environment = ["SHELFLIST_DATA": command.folder.appending(path: "data").path]
        _ = try command.run("catalog", "import", "list.csv", environment: environment)
        let known = try command.run("scan", "--format", "json", example.path, environment: environment)
        #expect(known.status == 0, "\(known.errors)")
        #expect(try Self.matchCount(in: bare) == 0)
        #expect(try Self.matchCount(in: known) >= 5)
    }

    private struct Scan: Decodable {
        struct Photo: Decodable { var books: [Book] }
        struct Book: Decodable {
            struct Match: Decodable { var source: String }
            var title: String?
            var author: String?
            var matches: [Match]
        }
        var photos: [Photo]
    }

    private static func books(in outcome: Outcome) throws -> [Scan.Book] {
        try JSONDecoder().decode(Scan.self, from: Data(outcome.output.utf8)).photos.flatMap(\.books)
    }

    private static func titles(in outcome: Outcome) throws -> [(title: String, author: String)] {
        try books(in: outcome).compactMap { book in
            guard let title = book.title, let author = book.author, !(title + author).contains("\"") else { return nil }
            return (title, author)
        }
    }

    private static func matchCount(in outcome: Outcome) throws -> Int {
        try books(in: outcome).count { $0.matches.contains { $0.source == "local" } }
    }
}
