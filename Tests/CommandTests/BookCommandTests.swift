import Bibliography
import Foundation
import Imaging
import Library
import ShelflistAPI
import TestSupport
import Testing
import shelflist

/// Commands about books and copies, on a data folder.
@Suite(.blocks) struct BookCommands {
    private static let everything = [
        "--title", "Dune", "--subtitle", "A Novel", "--author", "Frank Herbert", "--author", "Ann Editor", "--isbn",
        "0441172717", "--series", "Dune", "--publisher", "Ace", "--year", "1990", "--pages", "535", "--language", "en",
        "--shelf", "Hall", "--reading", "to-read", "--rating", "4.5", "--started", "2026-11", "--notes", "Signed",
        "--tag", "gift", "--tag", "old", "--lent-to", "Bob",
    ]

    @Test("Series are listed with their gaps, changed, and completed with wishes")
    func series() throws {
        let library = try LibraryRunner()
        #expect(try library.run("library", "series").output.contains("No book is in a series."))
        for number in ["1", "3"] {
            _ = try library.run(
                "library", "add", "--title", "Part of \(number)", "--series", "Earthsea", "--series-number", number)
        }
        _ = try library.run("library", "add", "--title", "Faust", "--series", "Reclam ; 45")
        let listed = try library.run("library", "list", "--series", "earth").output
        #expect(listed.contains("Part of") && !listed.contains("Faust"), "\(listed)")
        let gaps = try library.run("library", "series", "--gaps").output
        #expect(gaps.contains("Earthsea") && !gaps.contains("Reclam"), "\(gaps)")
        let changed = try library.run("library", "series", "earth", "--volumes", "6", "--rename", "Erdsee").output
        #expect(changed.contains("Erdsee, 6 volumes") && changed.contains("Missing: 2, 4-6"), "\(changed)")
        let wished = try library.run("library", "series", "Erdsee", "--wish").output
        #expect(wished.contains("Erdsee 5") && wished.contains("wish list") && !wished.contains("Missing"), "\(wished)")
        #expect(try library.run("library", "list").output.contains("wish list"))
        #expect(try library.run("library", "series", "Erdsee", "--complete").output.contains("Erdsee, complete"))
        #expect(try library.run("library", "show", "1").output.contains("Erdsee, 1"))
        for (arguments, words) in [
            (["Dune"], "no series “Dune”"), (["e"], "several series"),
            (["Erdsee", "--volumes", "1001"], "volumes go from 1 to 1000"),
        ] {
            let run = try library.run(["library", "series"] + arguments)
            #expect(run.status == 1 && run.errors.contains(words), "\(arguments): \(run)")
        }
        for (arguments, words) in [(["--wish"], "Name the series"), (["Erdsee", "--gaps"], "--gaps")] {
            let end = try #require(CommandEnd(parsing: ["library", "series"] + arguments))
            #expect(end.status == 2 && end.errors.contains(words), "\(end)")
        }
        let edited = try library.run("review", "correct", "1", "--series-number", "x")
        #expect(edited.status == 1 && edited.errors.contains("Write 3, 2.5 or 1-3."), "\(edited)")
    }

    @Test("A book is added with all its details, and shown")
    func addAndShow() throws {
        let library = try LibraryRunner()
        #expect(try library.run(["library", "add"] + Self.everything).output == "Added as book 1.\n")
        let added = try library.run(["library", "add"] + Self.everything)
        #expect(
            added.output == """
                Added as book 2.
                It may be in the library already: Dune
                Decide with: shelflist library duplicates

                """, "\(added)")
        let shown = try library.run("library", "show", "2").output
        for part in [
            "A Novel", "Frank Herbert, Ann Editor", "9780441172719", "Ace", "535", "lent to Bob", "4.5 of 5", "Signed",
            "gift, old", "2026-11", "verified",
        ] { #expect(shown.contains(part), "\(part): \(shown)") }
        for arguments in [
            ["library", "show", "99"], ["library", "add", "--title", "X", "--isbn", "9780441172710"],
            ["library", "add", "--title", "X", "--rating", "7"],
            ["library", "add", "--title", "X", "--started", "soon"],
            ["library", "add", "--title", " "],
        ] {
            let refused = try library.run(arguments)
            #expect(refused.status == 1 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errors.hasPrefix("shelflist: ") && !refused.errors.contains("HTTP"), "\(refused)")
        }
        #expect(try library.run("library", "list").output.contains("2 books"))
    }

    @Test("Copies are changed, lent and removed")
    func copies() throws {
        let library = try LibraryRunner()
        try library.command.write(
            Array("title,author\nDune,Frank Herbert\nEmma,Jane Austen\nFaust,Goethe\n".utf8), to: "books.csv")
        #expect(try library.run("library", "import", "books.csv", "--no-lookup").status == 0)
        let fields = [
            "--shelf", "Hall", "--reading", "to-read", "--rating", "4.5", "--tag", "gift", "--tag", "old", "--notes",
            "Signed", "--started", "2026-11", "--lent-to", "Bob", "--due", "2099-01-01",
        ]
        #expect(try library.run(["library", "edit", "2"] + fields).output == "Changed.\n")
        let shown = try library.run("library", "show", "2").output
        for part in [
            "Hall", "to-read", "4.5 of 5", "gift, old", "Signed", "2026-11", "lent to Bob since", "2099-01-01",
        ] {
            #expect(shown.contains(part), "\(part): \(shown)")
        }
        #expect(try library.run("library", "loans").output.contains("1 book"))
        #expect(try library.run("library", "loans", "--overdue").output == "No book is overdue.\n")
        let cleared = [
            "--shelf", "", "--notes", "", "--started", "", "--lent-to", "", "--reading", "read", "--finished", "2026",
        ]
        #expect(try library.run(["library", "edit", "2"] + cleared).status == 0)
        let later = try library.run("library", "show", "2").output
        for part in ["Hall", "Signed", "\nstarted"] { #expect(!later.contains(part), "\(part): \(later)") }
        #expect(later.contains("lent before") && later.contains("owned"), "\(later)")
        #expect(try library.run("library", "remove", "2", "3").output == "Removed 2 books.\n")
        #expect(try library.run("library", "list").output.contains("1 book\n"))
        #expect(try library.run("review", "undo").output == "Undone: removed.\n")
        #expect(try library.run("library", "list").output.contains("3 books\n"))
        // Nothing is removed with a wrong number.
        let wrong = try library.run("library", "remove", "1", "9")
        #expect(wrong.status == 1 && wrong.errors.contains("There is no entry 9."), "\(wrong)")
        #expect(try library.run("library", "list").output.contains("3 books\n"))
    }

    @Test("A list longer than a page of the API is complete, and so is its export")
    func longList() throws {
        let library = try LibraryRunner()
        let rows = (1...1_203).map { "Book \($0),Author \($0 % 7)" }.joined(separator: "\n")
        try library.command.write(Array("title,author\n\(rows)\n".utf8), to: "books.csv")
        #expect(
            try library.run("library", "import", "books.csv", "--no-lookup", "--duplicates", "different").status == 0)
        let list = try library.run("library", "list")
        #expect(list.output.hasSuffix("\n1203 books\n") && list.output.contains("Book 1203 "))
        let json = try library.run("library", "list", "--limit", "700", "--format", "json")
        struct Document: Decodable {
            struct Item: Decodable { var title: String }
            var items: [Item]
            var total: Int
        }
        let document = try JSONDecoder().decode(Document.self, from: Data(json.output.utf8))
        #expect(document.items.count == 700 && document.total == 1_203)
        let export = try library.run("library", "export")
        #expect(export.output.split(separator: "\r\n").count == 1_204)
        #expect(try library.run("library", "export", "-o", "out.csv").output.isEmpty)
        let file = try String(contentsOf: library.command.folder.appending(path: "out.csv"), encoding: .utf8)
        #expect(file == export.output)
    }

    @Test("Commands work with damaged settings of providers, warn, and leave the file as it is")
    func damagedSettings() throws {
        let library = try LibraryRunner()
        #expect(try library.run("library", "add", "--title", "Dune").status == 0)
        let file = library.folder.url.appending(path: "services.json")
        try Data("{".utf8).write(to: file)
        let list = try library.run("library", "list")
        #expect(list.status == 0 && list.output.contains("Dune"), "\(list)")
        #expect(list.errors.contains("services.json is damaged. "), "\(list)")
        #expect(list.errors.contains(" Books are not looked up online until then."), "\(list)")
        let doctor = try library.command.checkup(environment: ["SHELFLIST_DATA": library.folder.url.path])
        #expect(doctor.contains("✗ settings") && doctor.contains("services.json is damaged.\n"), "\(doctor)")
        #expect(doctor.contains("Fix: Delete it and choose the settings again."), "\(doctor)")
        let refused = try library.run("providers", "on", "openlibrary")
        #expect(refused.status == 1 && refused.errors.contains("services.json is damaged. "), "\(refused)")
        #expect(try Data(contentsOf: file) == Data("{".utf8))
    }

    @Test("Questions about duplicates are listed, answered and undone")
    func duplicates() throws {
        let library = try LibraryRunner()
        #expect(try library.run("library", "duplicates").output == "Nothing to decide.\n")
        for title in ["Dune", "Dune", "Emma", "Emma"] {
            #expect(try library.run("library", "add", "--title", title, "--author", "Writer").status == 0)
        }
        let first = try #require(
            try library.run("library", "duplicates").output.split(separator: "\n").dropFirst().first?
                .split(separator: " ").first)
        #expect(
            try library.run("library", "duplicates", String(first), "--decide", "different").output == "Decided 1.\n")
        #expect(try library.run("library", "duplicates", "--all", "--decide", "existing").output == "Decided 1.\n")
        #expect(try library.run("library", "duplicates", "--all", "--decide", "skip").output == "Decided 0.\n")
        #expect(try library.run("review", "undo").output == "Undone: decided on duplicates.\n")
        #expect(try library.run("library", "duplicates").output.contains("Emma"))
    }

    @Test("Records are searched, and one of them is applied")
    func match() throws {
        let library = try LibraryRunner()
        #expect(try library.run("library", "add", "--title", "Ema", "--author", "Austen").status == 0)
        #expect(try library.run("library", "add", "--title", "Dune").status == 0)
        let none = try library.run("review", "match", "1", "Emma")
        #expect(none.status == 1 && none.errors.contains("There is nothing to search."), "\(none)")
        try library.command.write(
            Array("title,author,isbn,year\nEmma: A Novel,Jane Austen,,1815\nDune,Frank Herbert,,1965\n".utf8),
            to: "catalog.csv")
        #expect(try library.run("catalog", "import", "catalog.csv").status == 0)
        #expect(try library.run("review", "match", "1", "Emma").output.contains("Jane Austen"))
        let json = try library.run("review", "match", "1", "Emma", "--offline", "--format", "json")
        #expect(json.output.contains("\"title\": \"Emma\""), "\(json)")
        #expect(
            try library.run("review", "match", "1", "nothing like it", "--offline").output
                == "Nothing found. Try other words, or --scope author.\n")
        let declined = try library.run("review", "match", "2", "Emma", "--offline", "--take", "1")
        #expect(declined.status == 1 && declined.output.isEmpty, "\(declined)")
        #expect(declined.errors.contains("title") && declined.errors.contains("Dune"), "\(declined)")
        let absent = try library.run("review", "match", "1", "Emma", "--take", "9")
        #expect(absent.status == 1 && absent.errors.contains("There is no record 9"), "\(absent)")
        let matched = try library.run("review", "match", "1", "Emma", "--offline", "--take", "1", "--yes")
        #expect(matched.output == "Matched: Emma.\n", "\(matched)")
        #expect(try library.run("library", "list").output.contains("1815"))
    }

    // MARK: Books of photos

    private static func scan(_ books: [DetectedBook]) -> ScanImport {
        ScanImport(job: "1", stored: nil, size: PixelSize(width: 400, height: 300), books: books)
    }

    private static func book(_ title: String, _ confidence: Double, place: Int = 0, checked: Bool = true)
        -> DetectedBook
    {
        DetectedBook(
            id: "\(place)", title: title, author: "Jane Austen", confidence: confidence, checked: checked,
            reviewStatus: confidence < 0.6 || !checked ? .needsReview : .verified,
            outline: SpineOutline(UnitRect(x: Double(place) / 10, y: 0, width: 0.1, height: 0.9)),
            text: [ReadText(text: title.uppercased(), score: 0.9)],
            matches: [BookMatch(title: title, author: "Jane Austen", confidence: confidence, source: "openlibrary")])
    }

    @Test("Decisions are listed, undone, and counted in the statistics")
    func decisions() async throws {
        let library = try LibraryRunner()
        #expect(try library.run("review", "undo").output == "Nothing to undo.\n")
        #expect(try library.run("review", "stats").output == "Nothing was reviewed yet.\n")
        _ = try await LibraryStore(folder: library.folder).importScan(
            Self.scan([
                Self.book("Emma", 0.9), Self.book("Dune", 0.4, place: 1), Self.book("Ulysses", 0.3, place: 2),
                Self.book("Faust", 0.2, place: 3), Self.book("Walden", 0.9, place: 4, checked: false),
            ]))
        let queue = try library.run("review", "list").output
        #expect(queue.contains("Faust") && !queue.contains("Emma"), "\(queue)")
        let lowest = try library.run("review", "list", "--tier", "needsReview", "--limit", "2").output
        #expect(lowest.contains("Faust") && !lowest.contains("Dune"), "\(lowest)")
        #expect(try library.run("review", "list", "--kind", "incomplete").output.contains("Emma"))
        #expect(try library.run("review", "verify", "2").output == "1 book is verified.\n")
        #expect(
            try library.run("review", "correct", "3", "--title", "Odyssey", "--series", "Epics").output
                == "Corrected.\n")
        #expect(try library.run("library", "show", "3").output.contains("Epics"))
        #expect(try library.run("review", "reject", "4").output == "Rejected.\n")
        let stats = try library.run("review", "stats").output
        #expect(stats.contains("threshold") && stats.contains("now"), "\(stats)")
        #expect(try library.run("review", "verify", "--tier", "notChecked").output == "1 book is verified.\n")
        #expect(try library.run("review", "undo").output == "Undone: verified all.\n")
        #expect(try library.run("review", "undo").output == "Undone: rejected.\n")
        #expect(try library.run("review", "undo").output == "Undone: corrected.\n")
        #expect(try library.run("review", "undo", "--format", "json").output.contains("verify"))
        let missing = try library.run("review", "reject", "99")
        #expect(missing.status == 1 && missing.errors.hasPrefix("shelflist: There is no entry 99."), "\(missing)")
        #expect(try library.run("activity", "export").output.contains("review_queue_viewed"))
    }

    @Test("The texts of spines are exported with the books that a person made of them, and nothing else")
    func exportsSpines() async throws {
        let library = try LibraryRunner()
        let store = try LibraryStore(folder: library.folder)
        _ = try await store.importScan(Self.scan([Self.book("Northanger Abey", 0.3)]))
        let header = "id,text,title,author,in_catalog\r\n"
        #expect(try library.run("activity", "export", "--spines").output == header)
        #expect(try library.run("review", "correct", "1", "--title", "Northanger Abbey").status == 0)
        let lines = try library.run("activity", "export", "--spines").output.split(separator: "\r\n")
        #expect(lines.count == 2 && lines.last?.hasPrefix("own/1,") == true, "\(lines)")
        #expect(lines.last?.contains(",Northanger Abbey,") == true, "\(lines)")
    }

    @Test("Automatic changes are listed and undone")
    func automatic() async throws {
        let library = try LibraryRunner()
        #expect(try library.run("review", "automatic").output == "No book was changed automatically.\n")
        let store = try LibraryStore(folder: library.folder)
        _ = try await store.importScan(Self.scan([Self.book("Northanger Abey", 0.3, checked: false)]))
        func update(to title: String) async throws {
            let better = Self.scan([Self.book(title, 0.95)])
            try await store.writeUnseen { try store.update(better, importing: [], in: $0) }
        }
        // Its first look-up.
        try await update(to: "Northanger Abbey")
        #expect(try library.run("review", "automatic").output == "No book was changed automatically.\n")
        try await update(to: "Sanditon")
        let listed = try library.run("review", "automatic").output
        #expect(listed.contains("“Northanger Abbey” → “Sanditon”"), "\(listed)")
        let id = try #require(listed.split(separator: "\n").last?.split(separator: " ").first)
        let undone = try library.run("review", "automatic", "--undo", String(id))
        #expect(undone.output == "Undone: identified online.\n", "\(undone)")
        #expect(try library.run("review", "automatic").output == "No book was changed automatically.\n")
        let again = try library.run("review", "automatic", "--undo", String(id))
        #expect(again.status == 1 && again.output.isEmpty, "\(again)")
    }
}
