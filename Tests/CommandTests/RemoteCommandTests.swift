import Bibliography
import Catalog
import Fixtures
import Foundation
import Library
import Scanning
import ScanningFixtures
import ServerFixtures
import TestSupport
import Testing

/// Commands with `--server`, beside the same commands on the server's own data folder.
@Suite(.serialized, .endsHangs) struct RemoteCommandTests {
    /// Runs a command on the server's folder, then against the server.
    private struct Both: ~Copyable {
        let command: CommandRunner
        let server: TestServer
        let token: String

        init(_ server: TestServer) throws {
            let owner = try server.makeOwner()
            let made = try server.send(
                "POST", "/api/v1/tokens", headers: owner, json: #"{"name":"cli","scopes":["read","write","scan"]}"#)
            let token = try #require(made.string("secret"))
            let command = try CommandRunner()
            (self.server, self.token) = (server, token)
            self.command = command
        }

        func local(_ arguments: [String]) throws -> Outcome {
            try command.launch(arguments, environment: ["SHELFLIST_DATA": server.folder.path]).outcome()
        }

        func remote(_ arguments: [String]) throws -> Outcome {
            try command.launch(arguments, environment: environment).outcome()
        }

        var environment: [String: String] {
            ["SHELFLIST_SERVER": "http://127.0.0.1:\(server.port)", "SHELFLIST_TOKEN": token]
        }

        func expectSame(_ arguments: String...) throws {
            let (local, remote) = (try local(arguments), try remote(arguments))
            #expect(remote.output == local.output, "\(arguments): \(remote.errors)")
            #expect(!local.output.isEmpty && remote.status == local.status, "\(arguments): \(local) \(remote)")
        }
    }

    @Test("Lists, searches, shelves and exports are the same as on the server's machine")
    func library() async throws {
        try await withServer { server in
            let both = try Both(server)
            try both.command.write(
                Array(
                    "title,author,isbn\nDune,Frank Herbert,9780441172719\nEmma,Jane Austen,\nPersuasion,Jane Austen,\n"
                        .utf8),
                to: "books.csv")
            #expect(try both.local(["library", "import", "books.csv", "--offline"]).status == 0)
            #expect(
                try both.local([
                    "library", "edit", "1", "--shelf", "Hall", "--reading", "to-read", "--tag", "gift", "--rating",
                    "4.5",
                ]).status == 0)
            #expect(try both.local(["library", "edit", "2", "--shelf", "Attic"]).status == 0)
            for format in ["table", "json"] {
                try both.expectSame("library", "list", "--format", format)
                try both.expectSame("library", "list", "austen", "--sort", "author", "--descending", "--format", format)
                try both.expectSame("library", "list", "--reading", "to-read", "--limit", "1", "--format", format)
                try both.expectSame("library", "list", "--tag", "none", "--format", format)
                try both.expectSame("library", "shelves", "--format", format)
                try both.expectSame("library", "find", "persuasoin", "--format", format)
                try both.expectSame("library", "find", "zzz", "--format", format)
            }
            try both.expectSame("library", "list", "--shelf", "hall")
            for kind in ["csv", "goodreads", "json", "bibtex"] {
                try both.expectSame("library", "export", "--as", kind)
            }
            let missing = try both.remote(["library", "list", "--shelf", "Cellar"])
            #expect(missing.status == 1)
            #expect(missing.errors == "shelflist: There is no shelf “Cellar”. There are: Attic, Hall.\n")
            let renamed = try both.remote(["library", "shelves", "--shelf", "attic", "--rename", "Study"])
            #expect(renamed.output.contains("Study") && !renamed.output.contains("Attic"), "\(renamed)")
            try both.expectSame("library", "shelves", "--shelf", "Study", "--rename", "Study")
            #expect(try both.remote(["library", "shelves", "--shelf", "Study", "--remove"]).status == 0)
            try both.expectSame("library", "shelves")
            #expect(try both.remote(["library", "export", "-o", "out.csv"]).output.isEmpty)
            let file = try String(contentsOf: both.command.folder.appending(path: "out.csv"), encoding: .utf8)
            #expect(file == (try both.local(["library", "export"]).output))
        }
    }

    @Test("A list longer than a page of the API is complete")
    func longList() async throws {
        try await withServer { server in
            let both = try Both(server)
            let rows = (1...1_203).map { "Book \($0),Author \($0 % 7)" }.joined(separator: "\n")
            try both.command.write(Array("title,author\n\(rows)\n".utf8), to: "books.csv")
            #expect(try both.local(["library", "import", "books.csv", "--no-lookup"]).status == 0)
            try both.expectSame("library", "list")
            try both.expectSame("library", "list", "--limit", "700", "--format", "json")
        }
    }

    @Test("The review queue and its decisions are the same as on the server's machine")
    func review() async throws {
        try await withServer { server in
            let both = try Both(server)
            try both.command.write(ScriptedReader.picture("books:Emma|Dune|Ulysses|Faust"), to: "shelf.jpg")
            let scan = try both.remote(["scan", "--import", "--shelf", "Hall", "shelf.jpg"])
            #expect(
                scan.status == 0
                    && scan.errors.contains(
                        "Library: 1 added, 3 need review.\nLook at them with: shelflist review list\n"),
                "\(scan)")
            for format in ["table", "json"] {
                try both.expectSame("review", "list", "--format", format)
                try both.expectSame("review", "list", "--tier", "needsReview", "--limit", "2", "--format", format)
                try both.expectSame("review", "list", "--kind", "incomplete", "--format", format)
                try both.expectSame("review", "list", "--failed-enrichments", "--format", format)
                try both.expectSame("library", "list", "--format", format)
                try both.expectSame("library", "find", "dune", "--format", format)
            }
            #expect(try both.remote(["review", "verify", "2"]).output == "1 book is verified.\n")
            #expect(try both.remote(["review", "reject", "3"]).output == "Rejected.\n")
            try both.expectSame("review", "list")
            #expect(try both.remote(["review", "verify", "--all"]).output == "1 book is verified.\n")
            try both.expectSame("review", "list")
            let missing = try both.remote(["review", "reject", "99"])
            #expect(missing.status == 1 && missing.errors.hasPrefix("shelflist: "), "\(missing)")
            #expect(try both.remote(["library", "find", "dune", "--picture", "p.jpg"]).status == 0)
            #expect(FileManager.default.fileExists(atPath: both.command.folder.appending(path: "p.jpg").path))
        }
    }

    @Test("A catalog search finds the same records")
    func catalog() async throws {
        try await withServer { server in
            let both = try Both(server)
            let none = try both.remote(["catalog", "search", "emma"])
            #expect(none.status == 1 && none.errors.contains("the server has no catalog"), "\(none)")
            try both.command.write(
                Array("title,author,isbn,year\nDune,Frank Herbert,9780441172719,1965\nEmma,Jane Austen,,1815\n".utf8),
                to: "list.csv")
            #expect(try both.local(["catalog", "import", "list.csv"]).status == 0)
            try both.expectSame("catalog", "search", "emma")
            try both.expectSame("catalog", "search", "herbert", "--scope", "author")
            try both.expectSame("catalog", "search", "nothing like it")
            let json = try both.remote(["catalog", "search", "emma", "--format", "json"])
            #expect(json.output.contains("\"title\": \"Emma\""))
        }
    }

    @Test("A list is imported, and its books are corrected and matched, as on the server's machine")
    func imported() async throws {
        try await withServer { server in
            let both = try Both(server)
            try both.command.write(
                Array("title,author,isbn,year\nEmma: A Novel,Jane Austen,,1815\nDune,Frank Herbert,,1965\n".utf8),
                to: "catalog.csv")
            #expect(try both.local(["catalog", "import", "catalog.csv"]).status == 0)
            try both.command.write(Array("title,author\nEma,Austen\nDune,Frank Herbert\n,Anon\n".utf8), to: "books.csv")
            try both.command.write(Array("no list".utf8), to: "text.csv")
            let imported = try both.remote(["library", "import", "none.csv", "text.csv", "books.csv"])
            #expect(imported.status == 1)
            #expect(
                imported.output == "books.csv: 2 added, 1 not found, in the review queue, 1 left out.\n", "\(imported)")
            for part in [
                "shelflist: none.csv: There is no such file", "shelflist: text.csv: ", "shelflist: books.csv: line 4: ",
            ] { #expect(imported.errors.contains(part), "\(imported)") }
            let again = try both.remote(["library", "import", "books.csv", "--format", "json"])
            #expect(again.output.contains("\"skipped\" : 2") || again.output.contains("\"skipped\": 2"), "\(again)")

            try both.expectSame("review", "match", "1", "Emma", "--offline")
            try both.expectSame("review", "match", "1", "Emma", "--offline", "--format", "json")
            try both.expectSame("review", "match", "1", "nothing like it", "--offline")
            let matched = try both.remote(["review", "match", "1", "Emma", "--offline", "--take", "1", "--yes"])
            #expect(matched.output == "Matched: Emma.\n", "\(matched)")
            let declined = try both.remote(["review", "match", "2", "Emma", "--offline", "--take", "1"])
            #expect(declined.status == 1 && declined.output.isEmpty, "\(declined)")
            #expect(declined.errors.contains("title") && declined.errors.contains("Dune"), "\(declined)")
            #expect(
                try both.remote(["review", "match", "1", "Emma", "--take", "9"]).errors.contains("There is no record 9")
            )

            let corrected = try both.remote(["review", "correct", "2", "--title", "Dune Messiah", "--year", "1969"])
            #expect(corrected.output == "Corrected.\n", "\(corrected)")
            try both.expectSame("review", "correct", "2", "--title", "Dune Messiah", "--format", "table")
            let refused = try both.remote(["review", "correct", "2", "--isbn", "9780441172710"])
            #expect(refused.status == 1 && refused.errors.contains("ISBN"), "\(refused)")
            try both.expectSame("library", "list")
            try both.expectSame("library", "export")
            #expect(try both.remote(["library", "list", "messiah"]).output.contains("1969"))
        }
    }

    @Test("Ctrl-C stops an import on the server, and the same file resumes it")
    func interruptedImport() async throws {
        try await withServer { server in
            let both = try Both(server)
            let count = 2_000
            let rows = (1...count).map { "Book \($0),Author \($0)" }.joined(separator: "\n")
            try both.command.write(Array("title,author\n\(rows)\n".utf8), to: "books.csv")
            let headers = ["Authorization": "Bearer \(both.token)"]
            func books() throws -> Int {
                try server.send("GET", "/api/v1/library?limit=1", headers: headers)["total"] as? Int ?? 0
            }
            let running = try both.command.launch(["library", "import", "books.csv"], environment: both.environment)
            try await eventually { try books() > 0 }
            running.interrupt()
            let outcome = try running.outcome()
            #expect(outcome.status == 130 && outcome.output.isEmpty)
            #expect(outcome.errors == "shelflist: Stopped. Import the file again to resume it.\n")
            let again = try both.remote(["library", "import", "books.csv", "--format", "json"])
            let list = try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any]
            let skipped = try #require(list?["skipped"] as? Int)
            #expect(skipped > 0 && skipped < count)
            #expect(try books() == count)
        }
    }

    @Test("A scan prints table, JSON and CSV, names the photos that fail, and writes annotated ones")
    func scan() async throws {
        try await withServer(configure: { _, limits in limits.photosPerJob = 2 }) { server in
            let both = try Both(server)
            for (name, script) in [
                ("a", "books:Emma|Dune?"), ("b", "books:Ulysses"), ("bad", "fail"), ("c", "books:Faust"),
            ] {
                try both.command.write(ScriptedReader.picture(script), to: "\(name).jpg")
            }
            try both.command.write(Array("text".utf8), to: "text.jpg")
            let table = try both.remote(["scan", "a.jpg", "bad.jpg", "none.jpg", "text.jpg", "b.jpg", "c.jpg"])
            #expect(table.status == 1)
            #expect(
                table.output.matches(of: /(a|b|c)\.jpg · \d books? · 100 × 100/).map(\.output.1) == ["a", "b", "c"])
            #expect(table.output.contains("3 photos · 4 books") && table.output.contains("□ read, not checked"))
            for part in [
                "shelflist: bad.jpg: The JPEG file is damaged.", "shelflist: none.jpg: There is no such file.",
                "shelflist: text.jpg: This is not a photo.",
            ] { #expect(table.errors.contains(part), "\(table.errors)") }
            let csv = try both.remote(["scan", "--format", "csv", "--annotate", "seen", "a.jpg"])
            #expect(csv.output.hasPrefix("photo,number,title") && csv.output.contains("a.jpg,2,Dune?,Writer"), "\(csv)")
            let picture = try Data(contentsOf: both.command.folder.appending(path: "seen/a-annotated.jpg"))
            #expect(picture.starts(with: [0xFF, 0xD8]))
            let json = try both.remote(["scan", "--format", "json", "b.jpg", "c.jpg"])
            let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
            #expect((document?["photos"] as? [[String: Any]])?.map { $0["path"] as? String } == ["b.jpg", "c.jpg"])
            #expect(try both.remote(["library", "list"]).output.hasPrefix("No books yet"), "nothing was imported")
        }
    }

    @Test("Ctrl-C cancels the scan on the server and prints the photos that were read")
    func interrupted() async throws {
        try await withServer { server in
            let both = try Both(server)
            try both.command.write(ScriptedReader.picture("books:Emma"), to: "a.jpg")
            try both.command.write(ScriptedReader.picture("wait:Dune"), to: "b.jpg")
            let running = try both.command.launch(["scan", "a.jpg", "b.jpg"], environment: both.environment)
            let headers = ["Authorization": "Bearer \(both.token)"]
            func jobs() throws -> [[String: Any]] {
                try server.send("GET", "/api/v1/scans", headers: headers)["items"] as? [[String: Any]] ?? []
            }
            try await eventually {
                let photos = try jobs().first?["photos"] as? [[String: Any]] ?? []
                return photos.map { $0["status"] as? String } == ["done", "reading"]
            }
            running.interrupt()
            let outcome = try running.outcome()
            #expect(outcome.status == 130)
            #expect(outcome.output.contains("Emma") && !outcome.output.contains("Dune"), "\(outcome)")
            #expect(outcome.errors == "[1/2] a.jpg: 1 book\nshelflist: Stopped. 1 of 2 photos had been read.\n")
            let active = try server.send("GET", "/api/v1/scans?active=true", headers: headers)
            #expect(active["total"] as? Int == 0, "\(active.text)")
            server.reader.release()
        }
    }

    @Test("The terminal shows the progress of the server")
    func progress() async throws {
        try await withServer { server in
            let both = try Both(server)
            try both.command.write(ScriptedReader.picture("wait:Dune"), to: "a.jpg")
            let environment = both.environment.merging(["HOME": both.command.folder.path]) { $1 }
            let terminal = try PseudoTerminal(["scan", "a.jpg"], in: both.command.folder, environment: environment)
            try await terminal.screen(showing: "Reading ▕")
            server.reader.release()
            try await terminal.screen(showing: "Dune")
            #expect(try await terminal.end() == 0)
        }
    }
}
