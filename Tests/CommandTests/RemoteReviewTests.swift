import Bibliography
import Fixtures
import Foundation
import Imaging
import Library
import ReadingFixtures
import ServerFixtures
import ShelflistAPI
import TestSupport
import Testing

/// The commands of `review` with `--server` that decide on spines, beside the same on the server's data folder.
@Suite(.serialized, .endsHangs) struct RemoteReviewTests {
    private static func scanned(_ both: borrowing BothPlaces, _ books: String) throws {
        try both.command.write(ScriptedReader.picture("books:\(books)"), to: "shelf.jpg")
        let scan = try both.remote(["scan", "--import", "--shelf", "Hall", "shelf.jpg"])
        #expect(scan.status == 0, "\(scan)")
    }

    @Test("Decisions are undone, and counted in the statistics, as on the server's machine")
    func undoAndStats() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            #expect(try both.remote(["review", "undo"]).output == "Nothing to undo.\n")
            try both.expectSame("review", "undo", "--format", "json")
            try both.expectSame("review", "stats")
            try Self.scanned(both, "Emma|Dune|Ulysses|Faust?")
            #expect(try both.remote(["review", "verify", "2"]).status == 0)
            #expect(try both.remote(["review", "correct", "3", "--title", "Odyssey", "--series", "Epics"]).status == 0)
            #expect(try both.local(["library", "show", "3"]).output.contains("Epics"))
            #expect(try both.remote(["review", "reject", "4"]).status == 0)
            for format in ["table", "json"] {
                try both.expectSame("review", "stats", "--format", format)
                try both.expectSame("library", "show", "3", "--format", format)
            }
            let stats = try both.remote(["review", "stats"]).output
            #expect(stats.contains("threshold") && stats.contains("now"), "\(stats)")
            #expect(try both.remote(["review", "undo"]).output == "Undone: rejected.\n")
            #expect(try both.local(["review", "undo"]).output == "Undone: corrected.\n")
            #expect(try both.remote(["review", "undo", "--format", "json"]).output.contains("verify"))
            #expect(try both.remote(["review", "undo"]).output == "Nothing to undo.\n")
            #expect(try both.local(["review", "list"]).output.contains("Faust?"))
        }
    }

    @Test("A spine is shown, read again and reported as on the server's machine")
    func spines() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            try Self.scanned(both, "Emma|Dune")
            #expect(try both.remote(["library", "add", "--title", "Walden"]).status == 0)
            for turn in ["none", "90"] {
                #expect(try both.local(["review", "crop", "2", "-o", "l.jpg", "--turn", turn]).status == 0)
                #expect(try both.remote(["review", "crop", "2", "-o", "r.jpg", "--turn", turn]).status == 0)
                let files = try ["l.jpg", "r.jpg"].map {
                    try Data(contentsOf: both.command.folder.appending(path: $0))
                }
                #expect(files[0] == files[1] && files[0].starts(with: [0xFF, 0xD8]))
            }
            for arguments in [
                ["review", "crop", "3", "-o", "l.jpg"], ["review", "report", "3", "--problem", "twoBooks"],
                ["review", "crop", "99", "-o", "l.jpg"],
            ] {
                let (local, remote) = (try both.local(arguments), try both.remote(arguments))
                #expect(remote.status == 1 && remote.errors == local.errors, "\(remote) \(local)")
            }
            let report = ["review", "report", "2", "--problem", "wrongTitle", "--title", "Dune II", "--note", "Faded"]
            let reported = try both.remote(report)
            #expect(
                reported.output
                    == "Saved. To see all, on the server's machine: shelflist activity export --format json\n")
            let json = try both.remote(report + ["--format", "json"])
            #expect(try json.output == both.local(report + ["--format", "json"]).output)
            let stored = try both.local(["activity", "export", "--format", "json"]).output
            #expect(stored.ranges(of: "Faded").count == 3 && stored.contains("Dune II"))
            // The server reads the spine, so that the reader is the test's.
            let read = try both.remote(["review", "recrop", "2", "--box", "0.1,0.1,0.2,0.8"])
            #expect(read.output.hasPrefix("Read: Reread by Writer (") && read.status == 0, "\(read)")
            let item = try both.remote(["review", "recrop", "2", "--box", "0.1,0.2,0.2,0.7", "--format", "json"])
            #expect(item.output.contains("\"title\": \"Reread\"") && !item.output.contains("undoToken"), "\(item)")
            try both.expectSame("review", "list", "--format", "json")
            for box in ["0.1,0.1,0.2,8", "0,0,0,0"] {
                let refused = try both.remote(["review", "recrop", "2", "--box", box])
                #expect(refused.status == 1 && refused.errors.hasPrefix("shelflist: "), "\(refused)")
            }
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

    @Test("Automatic changes are listed and undone as on the server's machine")
    func automatic() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            try both.expectSame("review", "automatic")
            let store = try LibraryStore(folder: LibraryFolder(server.folder))
            func scan(_ title: String, _ confidence: Double, checked: Bool) -> ScanImport {
                let book = DetectedBook(
                    id: "1", title: title, author: "Jane Austen", confidence: confidence, checked: checked,
                    reviewStatus: .needsReview, outline: SpineOutline(UnitRect(x: 0, y: 0, width: 0.1, height: 0.9)),
                    text: [ReadText(text: "NORTHANGER", score: 0.9)],
                    matches: [
                        BookMatch(title: title, author: "Jane Austen", confidence: confidence, source: "openlibrary")
                    ])
                return ScanImport(
                    job: "1", stored: nil, size: PixelSize(width: 400, height: 300), books: [book])
            }
            _ = try await store.importScan(scan("Northanger Abey", 0.3, checked: false))
            try await store.update(scan("Northanger Abbey", 0.95, checked: true), importing: [])
            for format in ["table", "json"] { try both.expectSame("review", "automatic", "--format", format) }
            let listed = try both.remote(["review", "automatic"]).output
            #expect(listed.contains("“Northanger Abey” → “Northanger Abbey”"), "\(listed)")
            let id = try #require(listed.split(separator: "\n").last?.split(separator: " ").first)
            let undone = try both.remote(["review", "automatic", "--undo", String(id)])
            #expect(undone.output == "Undone: identified online.\n", "\(undone)")
            try both.expectSame("review", "automatic")
            let again = try both.remote(["review", "automatic", "--undo", String(id)])
            #expect(again.status == 1 && again.output.isEmpty, "\(again)")
        }
    }

    @Test("A review session on the terminal works with a server, key by key")
    func session() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            try both.command.write(
                Array("title,author,isbn\nPersuasion,Jane Austen,9780141439686\n".utf8), to: "list.csv")
            #expect(try both.local(["catalog", "import", "list.csv"]).status == 0)
            try Self.scanned(both, "Sure|Aaa|Bbb|Ccc|Ddd|Eee?|Fff?")
            let environment = both.environment.merging(["COLORTERM": "truecolor"]) { $1 }
            let terminal = try PseudoTerminal(["review"], in: both.command.folder, environment: environment)
            let first = try await terminal.screen(showing: "[q]")
            #expect(first.contains("▀"), "the spine")
            try await terminal.press("v", until: "Verified: Aaa")
            try await terminal.press("e", until: "Title (Bbb)")
            try await terminal.answer("Emma", until: "Authors")
            try await terminal.answer("Jane Austen; Ann Editor", until: "ISBN")
            try await terminal.answer("123", until: "is not a valid ISBN")
            try await terminal.press("e", until: "Title (Bbb)")
            try await terminal.answer("Emma", until: "Authors")
            try await terminal.answer("Jane Austen; Ann Editor", until: "ISBN")
            try await terminal.answer("9780141439587", until: "Corrected: Emma")
            try await terminal.press("r", until: "Rejected: Ccc")
            try await terminal.press("u", until: "Undone: rejected")
            try await terminal.press("n", until: "Ddd")
            try await terminal.press("m", until: "Search for (Ddd)")
            try await terminal.answer("persuasion", until: "choose")
            let preview = try await terminal.press("1", until: "[y] change it")
            #expect(preview.contains("9780141439686"))
            try await terminal.press("y", until: "Matched: Persuasion")
            try await terminal.press("a", until: "All 2 of “read, not checked”")
            // The book that was skipped is left for another time.
            #expect(try await terminal.quit("y") == 0)
            let list = try both.local(["library", "list"]).output
            for title in ["Aaa", "Emma", "Ccc", "Persuasion", "Eee?", "Fff?"] { #expect(list.contains(title)) }
            #expect(try both.local(["review", "list"]).output.contains("Ccc"))
        }
    }

    @Test("A session decides only on the book as it was shown")
    func staleSession() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            try Self.scanned(both, "Sure|Aaa|Bbb")
            let terminal = try PseudoTerminal(["review"], in: both.command.folder, environment: both.environment)
            try await terminal.screen(showing: "[q]")
            #expect(try both.local(["review", "correct", "2", "--title", "Changed"]).status == 0)
            try await terminal.press("v", until: "changed")
            #expect(try await terminal.quit("q") == 0)
            #expect(try both.local(["library", "show", "2"]).output.contains("userEdited"))
        }
    }
}
