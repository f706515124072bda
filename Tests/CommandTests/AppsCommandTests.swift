import Foundation
import Server
import TestSupport
import Testing

@Suite(.blocks) struct AppsCommandTests {
    private static func json<Value: Decodable>(_ outcome: Outcome) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(outcome.output.utf8))
    }

    @Test("Apps are connected, listed and removed")
    func apps() throws {
        let command = try CommandRunner()
        let folder = command.folder.appending(path: "data")
        let environment = ["SHELFLIST_DATA": folder.path]
        func run(_ arguments: String...) throws -> Outcome {
            try command.launch(["apps"] + arguments, environment: environment).outcome()
        }
        #expect(try run("list").output.hasPrefix("No app is connected."))
        let added = try run("add", "phone", "--server", "https://books.example.org/", "--format", "json")
        let app: [String: String] = try Self.json(added)
        let path = try #require(app["path"])
        #expect(app.keys.sorted() == ["name", "path", "url"])
        #expect(app["url"] == "https://books.example.org" + path)
        #expect(path.wholeMatch(of: /\/app\/[0-9a-z]{26}/) != nil)

        let again = try run("add", "phone")
        #expect(again.status == 1 && again.errors.contains("already connected"))
        for (arguments, part) in [(["--server", "books"], "--server"), (["--member", "Bea"], "--member")] {
            let refused = try command.launch(["apps", "add", "x"] + arguments, environment: environment).outcome()
            #expect(refused.status == 1 && refused.errors.contains(part))
        }
        struct App: Decodable { var name: String }
        let list: [App] = try Self.json(try run("list", "--format", "json"))
        #expect(list.map(\.name) == ["phone"])
        #expect(try run("list").output.contains("never"))

        #expect(try run("remove", "tablet").status == 1)
        #expect(try run("remove", "phone").status == 0)
        #expect(try AppKeyBook(folder: folder).keys().isEmpty)
    }

    @Test("The address is the one where the server last ran")
    func knownAddress() throws {
        let command = try CommandRunner()
        let folder = command.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try ServerAddress.store("https://192.0.2.9:8443", in: folder)
        let added = try command.run(
            "apps", "add", "phone", "--format", "json", environment: ["SHELFLIST_DATA": folder.path])
        let app: [String: String] = try Self.json(added)
        #expect(app["url"]?.hasPrefix("https://192.0.2.9:8443/app/") ?? false)
    }
}
