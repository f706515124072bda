import Fixtures
import Foundation
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// Commands with `--server`: they do the same as on a data folder, of which the other suites have the details.
@Suite(.serialized, .endsHangs) struct RemoteCommandTests {
    @Test("A library is listed, changed and exported on a server")
    func library() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            #expect(
                try remote.run("library", "add", "--title", "Dune", "--author", "Frank Herbert", "--shelf", "Hall")
                    .output == "Added as book 1.\n")
            #expect(
                try remote.run("library", "edit", "1", "--reading", "to-read", "--tag", "gift", "--lent-to", "Bob")
                    .output
                    == "Changed.\n")
            #expect(try remote.run("library", "add", "--title", "Emma", "--shelf", "Attic").status == 0)
            for arguments in [
                ["list", "dune", "--reading", "to-read"], ["list", "--shelf", "hall"], ["show", "1"], ["loans"],
                ["find", "dune"], ["shelves"],
            ] {
                // The document has all that the table is made of.
                let (there, here) = (
                    try remote.run(["library"] + arguments + ["--format", "json"]),
                    try remote.onFolder(["library"] + arguments + ["--format", "json"])
                )
                #expect(there.output == here.output && !here.output.isEmpty, "\(arguments): \(there) \(here)")
            }
            #expect(try remote.run("library", "list").output == remote.onFolder(["library", "list"]).output)
            let missing = try remote.run("library", "list", "--shelf", "Cellar")
            #expect(missing.status == 1)
            #expect(missing.errors == "shelflist: There is no shelf “Cellar”. There are: Attic, Hall.\n")
            let renamed = try remote.run("library", "shelves", "--shelf", "attic", "--rename", "Study")
            #expect(renamed.output.contains("Study") && !renamed.output.contains("Attic"), "\(renamed)")
            #expect(try remote.run("library", "export", "-o", "out.csv").output.isEmpty)
            let file = try String(contentsOf: remote.command.folder.appending(path: "out.csv"), encoding: .utf8)
            #expect(try file == remote.run("library", "export").output && file.contains("Frank Herbert"))
            #expect(try remote.run("library", "remove", "2").output == "Removed 1 book.\n")
            let gone = try remote.run("library", "remove", "2")
            #expect(gone.status == 1 && gone.errors.hasPrefix("shelflist: There is no entry 2."), "\(gone)")
        }
    }

    @Test("A list is imported on a server, and its books are corrected and matched")
    func imported() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            try remote.command.write(
                Array("title,author,isbn,year\nEmma: A Novel,Jane Austen,,1815\nDune,Frank Herbert,,1965\n".utf8),
                to: "catalog.csv")
            #expect(try remote.onFolder(["catalog", "import", "catalog.csv"]).status == 0)
            try remote.command.write(
                Array("title,author\nEma,Austen\nDune,Frank Herbert\n,Anon\n".utf8), to: "books.csv")
            try remote.command.write(Array("no list".utf8), to: "text.csv")
            let imported = try remote.run("library", "import", "none.csv", "text.csv", "books.csv")
            #expect(imported.status == 1)
            #expect(
                imported.output == "books.csv: 2 added, 1 without catalog data, 1 left out.\n", "\(imported)")
            for part in [
                "shelflist: none.csv: There is no such file", "shelflist: text.csv: ", "shelflist: books.csv: line 4: ",
            ] { #expect(imported.errors.contains(part), "\(imported)") }
            let again = try remote.run("library", "import", "books.csv", "--format", "json")
            #expect(again.output.contains("\"skipped\" : 2") || again.output.contains("\"skipped\": 2"), "\(again)")

            #expect(try remote.run("review", "match", "1", "Emma", "--offline").output.contains("Jane Austen"))
            let matched = try remote.run("review", "match", "1", "Emma", "--offline", "--take", "1", "--yes")
            #expect(matched.output == "Matched: Emma.\n", "\(matched)")
            let corrected = try remote.run("review", "correct", "2", "--title", "Dune Messiah", "--year", "1969")
            #expect(corrected.output == "Corrected.\n", "\(corrected)")
            let refused = try remote.run("review", "correct", "2", "--isbn", "9780441172710")
            #expect(refused.status == 1 && refused.errors.contains("ISBN"), "\(refused)")
            #expect(try remote.run("library", "list", "messiah").output.contains("1969"))
        }
    }

    @Test("A catalog search finds the records of a server")
    func catalog() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            let none = try remote.run("catalog", "search", "emma")
            #expect(none.status == 1 && none.errors.contains("the server has no catalog"), "\(none)")
            try remote.command.write(
                Array("title,author,isbn,year\nDune,Frank Herbert,9780441172719,1965\nEmma,Jane Austen,,1815\n".utf8),
                to: "list.csv")
            #expect(try remote.onFolder(["catalog", "import", "list.csv"]).status == 0)
            #expect(try remote.run("catalog", "search", "herbert", "--scope", "author").output.contains("Dune"))
            #expect(try remote.run("catalog", "search", "nothing like it").output == "Nothing found.\n")
            let json = try remote.run("catalog", "search", "emma", "--format", "json")
            #expect(json.output.contains("\"title\": \"Emma\""))
        }
    }

    private static func scan(_ remote: borrowing ServerRunner, _ books: String, shelf: String = "Hall") throws {
        // Books and shelf make the photos differ.
        try remote.command.write(ScriptedReader.picture("books \(shelf):\(books)"), to: "shelf.jpg")
        let scan = try remote.run("scan", "--import", "--shelf", shelf, "shelf.jpg")
        #expect(scan.status == 0, "\(scan)")
    }

    @Test("A scan of a shelf without --import prints what differs from its books, and stores nothing")
    func audit() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            try Self.scan(remote, "Dune|Emma")
            let books = try remote.run("library", "list").output
            try remote.command.write(ScriptedReader.picture("books again:Dune|Faust"), to: "again.jpg")
            let audit = try remote.run("scan", "--shelf", "hall", "again.jpg")
            #expect(audit.status == 0, "\(audit)")
            #expect(audit.output.hasPrefix("Hall: 1 as before.\n"), "\(audit.output)")
            for part in ["Not seen (1)", "Emma", "Not in the library (1)", "Faust"] {
                #expect(audit.output.contains(part), "\(audit.output)")
            }
            #expect(try remote.run("library", "list").output == books)
            let unknown = try remote.run("scan", "--shelf", "Attic", "again.jpg")
            #expect(unknown.status == 1 && unknown.errors.contains("no shelf “Attic”. There are: Hall."), "\(unknown)")
        }
    }

    @Test("The books of a scan on a server are reviewed, key by key too")
    func review() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            try remote.command.write(ScriptedReader.picture("books:Emma|Dune|Ulysses|Faust"), to: "shelf.jpg")
            let scan = try remote.run("scan", "--import", "--shelf", "Hall", "shelf.jpg")
            #expect(
                scan.status == 0
                    && scan.errors.contains("Library: 1 added, 3 need review.\nLook at them with: shelflist review\n"),
                "\(scan)")
            #expect(try remote.run("review", "list").output.contains("Ulysses"))
            #expect(try remote.run("review", "verify", "2").output == "1 book is verified.\n")
            let environment = remote.environment.merging(["COLORTERM": "truecolor"]) { $1 }
            let terminal = try PseudoTerminal(["review"], in: remote.command.folder, environment: environment)
            let first = try await terminal.screen(showing: "[q]")
            #expect(first.contains("▀"), "the spine")
            try await terminal.press("r", until: "Rejected: ")
            #expect(try await terminal.quit("q") == 0)
            #expect(try remote.run("review", "undo").output == "Undone: rejected.\n")
            #expect(try remote.run("review", "verify", "--all").output == "2 books are verified.\n")
            #expect(try remote.run("review", "stats").output.contains("threshold"))
            #expect(try remote.run("library", "find", "dune", "--picture", "p.jpg").status == 0)
            #expect(FileManager.default.fileExists(atPath: remote.command.folder.appending(path: "p.jpg").path))
        }
    }

    @Test("A spine on a server is shown, read again and reported, as one of a data folder is")
    func spines() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            try Self.scan(remote, "Emma|Dune")
            #expect(try remote.run("library", "add", "--title", "Walden").status == 0)
            for turn in ["none", "90"] {
                let crop = ["review", "crop", "2", "--turn", turn, "-o"]
                #expect(try remote.run(crop + ["there.jpg"]).status == 0)
                #expect(try remote.onFolder(crop + ["here.jpg"]).status == 0)
                let files = try ["there.jpg", "here.jpg"].map {
                    try Data(contentsOf: remote.command.folder.appending(path: $0))
                }
                #expect(files[0] == files[1] && files[0].starts(with: [0xFF, 0xD8]))
            }
            for arguments in [
                ["review", "crop", "3", "-o", "l.jpg"], ["review", "report", "3", "--problem", "twoBooks"],
            ] {
                for refused in [try remote.run(arguments), try remote.onFolder(arguments)] {
                    #expect(refused.status == 1 && refused.errors == "shelflist: No photo shows this book.\n")
                }
            }
            let report = ["review", "report", "2", "--problem", "wrongTitle", "--title", "Dune II", "--note", "Faded"]
            #expect(
                try remote.run(report).output
                    == "Saved. To see all, on the server's machine: shelflist activity export --format json\n")
            #expect(
                try remote.onFolder(report).output
                    == "Saved. To see all: shelflist activity export --format json\n")
            let stored = try remote.onFolder(["activity", "export", "--format", "json"]).output
            #expect(stored.ranges(of: "Faded").count == 2 && stored.contains("Dune II"))
            // The server reads the spine, so that the reader is the test's.
            let read = try remote.run("review", "recrop", "2", "--box", "0.1,0.1,0.2,0.8")
            #expect(read.output.hasPrefix("Read: Reread by Writer (") && read.status == 0, "\(read)")
            let item = try remote.run("review", "recrop", "2", "--box", "0.1,0.2,0.2,0.7", "--format", "json")
            #expect(item.output.contains("\"title\": \"Reread\"") && !item.output.contains("undoToken"), "\(item)")
            for box in ["0.1,0.1,0.2,8", "0,0,0,0"] {
                let refused = try remote.run("review", "recrop", "2", "--box", box)
                #expect(refused.status == 1 && refused.errors.hasPrefix("shelflist: "), "\(refused)")
            }
        }
    }

    @Test("A shelf is compared with its latest scan, with named ones, and with what was found")
    func inventory() async throws {
        try await withServer { server in
            let remote = try ServerRunner(server)
            #expect(try remote.run("library", "add", "--title", "Iliad", "--shelf", "Hall").status == 0)
            for unscanned in [
                try remote.run("library", "inventory", "Hall"), try remote.onFolder(["library", "inventory", "Hall"]),
            ] {
                #expect(unscanned.status == 1 && unscanned.errors.contains("No photo shows this shelf. Scan it: "))
            }
            for (shelf, books) in [("Attic", "Emma"), ("Hall", "Faust"), ("Hall", "Emma")] {
                try Self.scan(remote, books, shelf: shelf)
                server.clock.advance(by: .seconds(60))
            }
            #expect(try remote.run("library", "duplicates", "--all", "--decide", "existing").output == "Decided 1.\n")
            for format in ["table", "json"] {
                let compare = ["library", "inventory", "hall", "--format", format]
                let (there, here) = (try remote.run(compare), try remote.onFolder(compare))
                #expect(there.output == here.output && here.status == 0, "\(there) \(here)")
            }
            let compared = try remote.run("library", "inventory", "Hall", "--accept-moved").output
            #expect(compared.contains("Not seen (1)") && compared.contains("Moved here (1)"), "\(compared)")
            #expect(try remote.run("library", "list", "--shelf", "Hall").output.contains("Emma"))
            let headers = ["Authorization": "Bearer \(remote.token)"]
            let scans = try server.send("GET", "/api/v1/scans", headers: headers)
            let (latest, before) = (
                try #require(scans["items", "0", "id"] as? String), try #require(scans["items", "1", "id"] as? String)
            )
            let both = try remote.run("library", "inventory", "Hall", "--scan", latest, "--scan", before).output
            #expect(both.contains("Not seen (1)"), "\(both)")
            for outcome in [
                try remote.run("library", "inventory", "Hall", "--scan", "none"),
                try remote.onFolder(["library", "inventory", "Hall", "--scan", "none"]),
            ] {
                #expect(outcome.status == 1 && outcome.errors.contains("There is no scan 'none'"), "\(outcome)")
            }
            let faust = try #require(try server.books(headers: headers).items.first { $0.title == "Faust" })
            let marked = try remote.run("library", "inventory", "Hall", "--mark", "found=\(faust.id)")
            #expect(marked.status == 0 && marked.output.contains("Not seen (1)"), "\(marked)")
        }
    }

    @Test("An undone action that only a later server knows is named by its word")
    func laterAction() throws {
        let about = AboutServer(
            version: "1.9.0", commit: nil,
            limits: .init(
                photoBytes: 1, photoPixels: 1, photosPerJob: 1, jobsInFlight: 1, requestsPerMinute: 1, resultHours: 1))
        let session = SessionState(
            setupNeeded: false, signedIn: true, member: nil, confirmed: true, via: "", openId: nil)
        let answers = [
            "about": String(decoding: try JSONEncoder().encode(about), as: UTF8.self),
            "session": String(decoding: try JSONEncoder().encode(session), as: UTF8.self),
        ]
        let later = try StubServer { _, request in
            let name = request.target.split(separator: "/").last.map(String.init) ?? ""
            return .json(answers[name] ?? #"{"changed": 1, "undoToken": null, "undone": "merge"}"#)
        }
        let outcome = try CommandRunner().run("review", "undo", "--server", later.url.absoluteString)
        #expect(outcome.output == "Undone: merge.\n", "\(outcome)")
    }
}
