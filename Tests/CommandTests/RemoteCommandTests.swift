import Bibliography
import Catalog
import Fixtures
import Foundation
import Library
import ReadingFixtures
import ServerFixtures
import Terminal
import TestSupport
import Testing

/// Commands with `--server`, beside the same commands on the server's own data folder.
@Suite(.serialized, .endsHangs) struct RemoteCommandTests {
    @Test("Lists, searches, shelves and exports are the same as on the server's machine")
    func library() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
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

    @Test("Copies are changed, lent and removed as on the server's machine")
    func copies() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
            try both.command.write(
                Array("title,author\nDune,Frank Herbert\nEmma,Jane Austen\nFaust,Goethe\n".utf8), to: "books.csv")
            #expect(try both.local(["library", "import", "books.csv", "--no-lookup"]).status == 0)
            let fields = [
                "--shelf", "Hall", "--reading", "to-read", "--rating", "4.5", "--tag", "gift", "--tag", "old",
                "--notes",
                "Signed", "--started", "2026-11", "--lent-to", "Bob",
            ]
            func show(_ id: String) throws -> String {
                let shown = try both.local(["library", "show", id]).output
                return shown.split(separator: "\n").dropFirst().filter {
                    !$0.contains("author") && !$0.contains("added")
                }
                .joined(separator: "\n")
            }
            #expect(try both.local(["library", "edit", "1"] + fields).output == "Changed.\n")
            #expect(try both.remote(["library", "edit", "2"] + fields).output == "Changed.\n")
            #expect(try show("2") == show("1"))
            #expect(try show("2").contains("lent to Bob"))
            let cleared = [
                "--shelf", "", "--notes", "", "--started", "", "--lent-to", "", "--reading", "read", "--finished",
                "2026",
            ]
            #expect(try both.local(["library", "edit", "1"] + cleared).status == 0)
            #expect(try both.remote(["library", "edit", "2"] + cleared).status == 0)
            #expect(try show("2") == show("1"))
            #expect(try !show("2").contains("Signed"))
            for wrong in [["--rating", "7"], ["--started", "soon"]] {
                let refused = try both.remote(["library", "edit", "2"] + wrong)
                #expect(refused.status == 1 && refused.output.isEmpty && refused.errors.hasPrefix("shelflist: "))
                #expect(refused.errors == (try both.local(["library", "edit", "2"] + wrong).errors))
            }
            #expect(try both.remote(["library", "remove", "2", "3"]).output == "Removed 2 books.\n")
            try both.expectSame("library", "list")
            #expect(try both.remote(["library", "remove", "3"]).status == 1)
        }
    }

    @Test("A list longer than a page of the API is complete")
    func longList() async throws {
        try await withServer { server in
            let both = try BothPlaces(server)
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
            let both = try BothPlaces(server)
            try both.command.write(ScriptedReader.picture("books:Emma|Dune|Ulysses|Faust"), to: "shelf.jpg")
            let scan = try both.remote(["scan", "--import", "--shelf", "Hall", "shelf.jpg"])
            #expect(
                scan.status == 0
                    && scan.errors.contains(
                        "Library: 1 added, 3 need review.\nLook at them with: shelflist review\n"),
                "\(scan)")
            for format in ["table", "json"] {
                try both.expectSame("review", "list", "--format", format)
                try both.expectSame("review", "list", "--tier", "needsReview", "--limit", "2", "--format", format)
                try both.expectSame("review", "list", "--kind", "incomplete", "--format", format)
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
            let both = try BothPlaces(server)
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
            let both = try BothPlaces(server)
            try both.command.write(
                Array("title,author,isbn,year\nEmma: A Novel,Jane Austen,,1815\nDune,Frank Herbert,,1965\n".utf8),
                to: "catalog.csv")
            #expect(try both.local(["catalog", "import", "catalog.csv"]).status == 0)
            try both.command.write(Array("title,author\nEma,Austen\nDune,Frank Herbert\n,Anon\n".utf8), to: "books.csv")
            try both.command.write(Array("no list".utf8), to: "text.csv")
            let imported = try both.remote(["library", "import", "none.csv", "text.csv", "books.csv"])
            #expect(imported.status == 1)
            #expect(
                imported.output == "books.csv: 2 added, 1 without catalog data, 1 left out.\n", "\(imported)")
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
}
