import Fixtures
import Foundation
import TestSupport
import Testing
import shelflist

/// `--server`, before a server has answered as one.
@Suite(.blocks) struct ServerOptionTests {
    @Test("What is wrong with a server is named with what to do")
    func wrongServers() throws {
        let command = try CommandRunner()
        let page = try StubServer { _, _ in .answer(200, headers: ["Content-Type": "text/html"], body: [60]) }
        let newer = try StubServer { _, _ in .json(Self.about("99.0.0")) }
        let older = try StubServer { _, _ in .json(Self.about("0.0.9")) }
        for (url, message) in [
            ("http://127.0.0.1:1", "Cannot connect to 127.0.0.1. Check the network"),
            (page.url.absoluteString, "is not a Shelflist server. Check the address"),
            (newer.url.absoluteString, "runs Shelflist 99.0.0, which is too new for this program"),
            (older.url.absoluteString, "runs Shelflist 0.0.9, which is too old for this program"),
        ] {
            let outcome = try command.run("library", "list", "--server", url)
            #expect(outcome.status == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("shelflist: ") && outcome.errors.contains(message), "\(outcome.errors)")
        }
    }

    private static func about(_ version: String) -> String {
        """
        {"name": "Shelflist", "version": "\(version)", "limits": {"photoBytes": 1, "photoPixels": 1, "photosPerJob": 1,
         "jobsInFlight": 1, "requestsPerMinute": 1, "jsonBytes": 1, "csvBytes": 1, "csvRows": 1, "resultHours": 1},
         "readers": [], "formats": [], "models": []}
        """
    }

    @Test(
        "Commands that do not work with a server say so",
        arguments: [
            (["library", "clean-up"], "Run it on the server's machine"), (["backup", "b.tar"], "in the web app"),
            (["library", "settings"], "Run it on the server's machine"),
            (["library", "check"], "Run it on the server's machine"),
            (["activity", "export"], "on the server's machine"), (["library", "enrich"], "server"),
        ])
    func localOnly(arguments: [String], message: String) throws {
        let command = try CommandRunner()
        // Those of the library name the server by the option, the others by the variable.
        let byOption = arguments.first == "library"
        let outcome = try command.launch(
            arguments + (byOption ? ["--server", "http://127.0.0.1:1"] : []),
            environment: byOption ? [:] : ["SHELFLIST_SERVER": "http://127.0.0.1:1"]
        ).outcome()
        #expect(outcome.status == 2, "\(outcome)")
        #expect(outcome.errors.contains("does not work with a server") && outcome.errors.contains(message))
        #expect(
            !FileManager.default.fileExists(atPath: command.folder.appending(path: ".local").path), "nothing is made")
    }

    @Test(
        "Addresses and options that do not fit are refused",
        arguments: [
            (["library", "list", "--server", "books"], "--server is the address of a server"),
            (["library", "list", "--ca", "ca.pem"], "--ca needs --server"),
            (["library", "list", "--server", "http://a", "--data", "b"], "Choose --data or --server"),
            (
                ["scan", "--server", "http://127.0.0.1:1", "--online", "a.jpg"],
                "--online is not available with a server"
            ),
            (["scan", "--server", "http://127.0.0.1:1", "--jobs", "2", "a.jpg"], "--jobs is not available"),
            (
                ["library", "import", "--server", "http://127.0.0.1:1", "--no-lookup", "a.csv"],
                "--no-lookup is not available with a server. The server looks rows up."
            ),
            (
                ["library", "import", "--server", "http://127.0.0.1:1", "--duplicates", "ask", "a.csv"],
                "Choose skip, add-copy or different."
            ),
            (["catalog", "search", "x", "--catalog", "c", "--server", "http://a"], "Choose --catalog or --server"),
            (["whoami"], "No server is named"),
        ])
    func refused(arguments: [String], message: String) throws {
        let end = try #require(CommandEnd(parsing: arguments), "\(arguments)")
        #expect(end.status == 2 && end.output.isEmpty && end.errors.contains(message), "\(end)")
    }
}
