import Bibliography
import Foundation
import Library
import ShelflistAPI
import TestSupport
import Testing
import shelflist

@Suite(.blocks) struct LibraryCommands {
    private static let csv = """
        title,author,isbn
        Dune,Frank Herbert,9780441172719
        Emma,Jane Austen,
        =1+1,"Unknown",
        """

    private static func environment(_ command: borrowing CommandRunner) -> [String: String] {
        ["SHELFLIST_DATA": command.folder.appending(path: "data").path]
    }

    @Test("Library commands import, find, change, export and check")
    func listCommands() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        try command.write(Array(Self.csv.utf8), to: "books.csv")
        let imported = try command.run("library", "import", "books.csv", environment: environment)
        #expect(imported.output == "books.csv: 3 added.\n", "\(imported.errors)")
        let list = try command.run("library", "list", environment: environment)
        #expect(
            list.output.contains("Dune") && list.output.contains("Jane Austen") && list.output.hasSuffix("3 books\n"))
        #expect(
            try command.run(
                "library", "edit", "1", "--shelf", "Hall", "--tag", "gift", "--rating", "4.5", environment: environment
            ).output == "Changed.\n")
        let found = try command.run("library", "find", "dune", environment: environment)
        #expect(found.output.contains("shelf “Hall”"))
        let export = try command.run("library", "export", environment: environment)
        #expect(export.output.contains("'=1+1"), "a spreadsheet must not take it for a formula")
        #expect(export.output.contains("Dune,,,,Frank Herbert"))
        #expect(try command.run("library", "check", environment: environment).output == "The library is sound.\n")
    }

    @Test("A stocktake is started, seen by barcode, closed and reported")
    func stocktake() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        func run(_ arguments: String...) throws -> String {
            let outcome = try command.launch(["library"] + arguments, environment: environment).outcome()
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.output
        }
        _ = try run("add", "--title", "Dune", "--shelf", "Hall")
        _ = try run("add", "--title", "Emma", "--shelf", "Hall")
        let started = try run("stocktake", "start", "--name", "Spring", "--shelf", "Hall")
        #expect(started == "Stocktake 1, “Spring”: 2 copies to be seen.\n")
        #expect(try run("value").hasPrefix("No copy has a price or a value yet."))
        #expect(try run("stocktake", "seen", "--barcode", "1") == "1 seen; 1 of 2 in all.\n")
        let status = try run("stocktake", "status", "--left")
        #expect(status.hasPrefix("Spring: 1 of 2 seen\n") && status.contains("Emma") && !status.contains("Dune"))
        #expect(try run("stocktake", "close") == "Closed “Spring”: 1 copy is missing.\n")
        #expect(try run("stocktake", "report").contains(",Emma,,,,unseen,"))
        #expect(try run("stocktake", "report", "--page", "--language", "de").contains("Nicht gesehen"))
        #expect(try run("stocktake").contains("1 of 2 seen, closed"))
        _ = try run("edit", "1", "--barcode", "4711", "--price", "12.50 EUR", "--condition", "good")
        #expect(try run("list", "--barcode", "4711").contains("Dune"))
        #expect(try run("show", "1").contains("12.50 EUR"))
        #expect(try run("value").contains("12.50 EUR"))
    }

    @Test("A book of the library is owned by title and ISBN, a wish and another book are not")
    func own() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        try command.write(Array(Self.csv.utf8), to: "books.csv")
        #expect(try command.run("library", "import", "--no-lookup", "books.csv", environment: environment).status == 0)
        func own(_ words: String...) throws -> Outcome {
            try command.launch(["library", "own"] + words, environment: environment).outcome()
        }
        let dune = try own("9780441172719")
        #expect(dune.status == 0 && dune.output.hasPrefix("You have it.\n  Dune · Frank Herbert"), "\(dune)")
        #expect(try own("pride", "and", "prejudice").output == "Not yours.\n")
        #expect(try own("Emma", "--author", "Austen").status == 0)
        _ = try command.run("library", "edit", "2", "--ownership", "wishlist", environment: environment)
        let emma = try own("Emma")
        #expect(emma.status == 1 && emma.output.hasPrefix("On your wish list.\n"), "\(emma)")
        for number in ["1", "3"] {
            let volume = ["--title", "Part of \(number)", "--series", "Earthsea", "--series-number", number]
            #expect(try command.launch(["library", "add"] + volume, environment: environment).outcome().status == 0)
        }
        let gap = try own("Earthsea", "2")
        #expect(gap.status == 1 && gap.output == "Fills a gap in a series.\n  volume 2 of Earthsea\n", "\(gap)")
    }

    @Test("Library commands correct, undo, back up and restore")
    func reviewCommands() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        #expect(
            try command.run("library", "add", "--title", "Enma", "--author", "Jane Austen", environment: environment)
                .output
                == "Added as book 1.\n")
        #expect(
            try command.run("review", "correct", "1", "--title", "Emma", environment: environment).output
                == "Corrected.\n")
        let backup = try command.run("backup", "b.tar", environment: environment)
        #expect(backup.status == 0, "\(backup.errors)")
        #expect(try command.run("review", "undo", environment: environment).output == "Undone: corrected.\n")
        let refused = try command.run("restore", "b.tar", environment: environment)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("--replace"))
        try command.write(Array("a shelf of one's own\n".utf8), to: "passphrase")
        let options = ["restore", "b.tar", "--replace", "--passphrase-file", "passphrase"]
        let plain = try command.launch(options, environment: environment).outcome()
        #expect(plain.status == 1 && plain.errors.contains("It is not encrypted"), "\(plain)")
        let restored = try command.launch(options + ["--not-encrypted"], environment: environment).outcome()
        #expect(restored.status == 0 && restored.output.hasSuffix("The backup was not encrypted.\n"), "\(restored)")
        #expect(try command.run("library", "show", "1", environment: environment).output.contains("Emma"))
    }

    @Test("The activity export contains reports, also on books that were never added")
    func exportsReports() async throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        let folder = LibraryFolder(command.folder.appending(path: "data"))
        do {
            let book = DetectedBook(
                id: "book-1", title: "Ema", author: nil, confidence: 0.4, checked: true, reviewStatus: .needsReview,
                outline: SpineOutline(UnitRect(x: 0.1, y: 0.1, width: 0.1, height: 0.8)), text: [], matches: [])
            try await LibraryStore(folder: folder).report(
                book, ofScan: "job/1", crop: [0xFF, 0xD8],
                SpineReport(correct: false, problem: .wrongTitle, right: .init(title: "Emma")))
        }
        let text = try command.run("activity", "export", environment: environment)
        #expect(text.output.contains("wrongTitle") && text.output.contains("Emma"), "\(text.errors)")
        let json = try command.run("activity", "export", "--format", "json", environment: environment)
        #expect(json.output.contains("\"rightTitle\"") && json.output.contains("\"crop\""))
        let later = try command.run("activity", "export", "--since", "2999-01-01", environment: environment)
        #expect(later.output == "Nothing has happened yet.\n")
    }

    @Test("A failed command exits with 1, and a misunderstood one with 2")
    func exitCodes() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        let missing = try command.run("library", "show", "7", environment: environment)
        #expect(missing.status == 1)
        #expect(missing.errors.hasPrefix("shelflist: There is no entry 7."))
        #expect(try command.run("library", "import", "none.csv", environment: environment).status == 1)
        #expect(try command.run("library", "show", "x", environment: environment).status == 2)
        // Without a terminal there is no session.
        #expect(try command.run("review", environment: environment).status == 2)
        #expect(try command.run("review", "list", environment: environment).output == "Nothing left to review.\n")
    }

    @Test(
        "Contradictory options are refused with what to use",
        arguments: [
            (["library", "list", "--limit", "0"], "--limit is 0. Choose 1 or more"),
            (["library", "list", "--sort", "size"], "--sort"), (["library", "find"], "words"),
            (["library", "edit", "1"], "Nothing to change"),
            (["library", "edit", "1", "--due", "2099-01-01"], "Add --lent-to with the borrower's name."),
            (["library", "add", "--title", "x", "--due", "2099-01-01"], "Add --lent-to"),
            (["library", "export", "--as", "pdf"], "- marcxml"),
            (["library", "edit", "1", "--condition", "chewed"], "--condition"),
            (["library", "stocktake", "seen"], "Name books"),
            (["library", "stocktake", "seen", "1", "2", "--spine", "3"], "--spine is for one book"),
            (["library", "inventory", "Attic", "--fail-on", "theft"], "--fail-on"),
            (["library", "inventory", "Attic", "--mark", "stolen=1"], "--mark"),
            (["library", "inventory", "Attic", "--mark", "gone="], "--mark"),
            (["library", "inventory", "Attic", "--mark", "gone=1", "--mark", "found=1"], "Decide once on each."),
            (["library", "labels", "--sheet", "L1"], "--sheet"),
            (["library", "labels", "--first", "22"], "has 21 labels"),
            (["library", "labels", "--size", "5x5"], "--size"), (["library", "labels", "--kind", "spine"], "--copy"),
            (["library", "labels", "--copy", "1"], "--kind copy"),
            (["library", "signs", "--shelf", "Hall"], "--accept"),
            (["library", "duplicates", "--decide", "skip"], "Name the duplicates by number"),
            (["library", "duplicates", "1"], "Add --decide"), (["library", "add"], "A book needs a title"),
            (["library", "shelves", "--rename", "x"], "Add --shelf"),
            (["library", "shelves", "--add", "x", "--import", "x.csv"], "cannot be combined"),
            (["review", "list", "--limit", "0"], "--limit is 0. Choose 1 or more"),
            (["review", "correct", "1"], "confirm with: shelflist review verify 1"),
            (["review", "verify"], "Name books by number, or add --tier or --all"),
            (["review", "verify", "--tier", "sure"], "'needsReview', 'verify' or 'ready'"),
        ])
    func refusesOptions(arguments: [String], message: String) throws {
        let end = try #require(CommandEnd(parsing: arguments), "\(arguments)")
        #expect(end.status == 2 && end.output.isEmpty && end.errors.contains(message), "\(end)")
    }

    /// One after another on one library, whose book is the only one at the end.
    @Test("What cannot be done is refused with the reason, and changes nothing")
    func refusesNonsense() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        try command.write(Array(Self.csv.utf8), to: "books.csv")
        try command.write(Array("secret\n".utf8), to: "short")
        #expect(try command.run("library", "add", "--title", "Emma", environment: environment).status == 0)
        let before = try command.run("library", "show", "1", "--format", "json", environment: environment).output
        for (arguments, message) in [
            (["library", "list", "--shelf", "Attic"], "no shelf “Attic”. There are none yet."),
            (["library", "find", "nothing"], ""),
            (["library", "edit", "1", "--rating", "7"], "rating: it is 7.0; stars go from 0 to 5."),
            (["library", "edit", "1", "--started", "soon"], "--started: “soon” is not a date. Use the form 2026"),
            (["library", "import", "none.csv"], "none.csv: There is no such file or folder."),
            (["library", "import", "."], ".: This is not a file."),
            (["library", "export", "-o", "none/x.csv"], "none/x.csv: There is no such file or folder."),
            (["library", "edit", "1", "--price", "much"], "“much” is not an amount. Use the form 12.50 EUR."),
            (["library", "stocktake", "seen", "1"], "There is no open stocktake. Start one"),
            (["library", "stocktake", "start", "--tag", "none"], "there is no copy to be seen"),
            (["library", "stocktake", "start", "--shelf", "Attic"], "no shelf “Attic”"),
            (["library", "stocktake", "report", "--stocktake", "9"], "There is no stocktake 9."),
            (["library", "inventory", "Attic"], "no shelf “Attic”"),
            (["library", "labels", "--kind", "copy", "--copy", "99"], "does not exist"),
            (["library", "signs", "--keep", "9"], "question 9"),
            (["library", "labels", "--shelf", "Attic"], "no shelf “Attic”"),
            (["library", "settings", "--threshold", "0.39"], "it may be 0.40 to 0.90"),
            (["library", "duplicates", "9", "--decide", "skip"], "There is no open question 9."),
            (["library", "remove", "9"], "There is no entry 9."),
            (["library", "add", "--title", "x", "--isbn", "123"], "“123” is not a valid ISBN"),
            (["library", "add", "--title", "x", "--year", "99999"], "years go from 1000 to 2100"),
            (["library", "shelves", "--add", "x", "--code", "SL-AAAAC"], "is not a valid code"),
            (["library", "shelves", "--import", "none.csv"], "none.csv: There is no such file or folder."),
            (["library", "shelves", "--import", "books.csv"], "no column “path”"),
            (["review", "crop", "1", "-o", "x.jpg"], "No photo shows this book."),
            (["review", "recrop", "1", "--box", "0,0,1,1"], "No photo shows this book"),
            (["backup", "none/b.tar"], "none/b.tar: It could not be written: No such file or directory"),
            (["backup", "b.tar", "--passphrase-file", "none"], "none: It cannot be read. Name the file"),
            (["backup", "b.tar", "--passphrase-file", "short"], "Write at least 10 characters"),
            (["backup", "."], "It could not be written: Is a directory"),
            (["backup", "data/library.sqlite"], "This is a file of the library itself. Name another file"),
            (["restore", "none.tar", "--replace"], "none.tar: There is no such file"),
            (["restore", "books.csv", "--replace"], "Take another backup; nothing was changed."),
            (["activity", "export", "--since", "then"], "--since: “then” is not a day. Use the form 2026-11-21."),
        ] {
            let outcome = try command.launch(arguments, environment: environment).outcome()
            #expect(outcome.status == 1, "\(arguments): \(outcome)")
            #expect(message.isEmpty || outcome.errors.contains(message), "\(arguments): \(outcome)")
            #expect(!outcome.errors.contains("NS"), "\(arguments): \(outcome)")
        }
        #expect(try command.run("library", "list", environment: environment).output.hasSuffix("1 book\n"))
        #expect(try command.run("library", "show", "1", "--format", "json", environment: environment).output == before)
    }

    @Test("Shelves are added by path, imported, moved and named by path, name or code")
    func shelves() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        func run(_ arguments: String...) throws -> Outcome {
            try command.launch(["library"] + arguments, environment: environment).outcome()
        }
        try command.write(Array("path,code,note\nHome / Study / Board 2,SL-AAAAA,left\n".utf8), to: "places.csv")
        #expect(try run("shelves", "--import", "places.csv").errors == "3 shelves added, 0 changed.\n")
        _ = try run("add", "--title", "Dune", "--shelf", "sl-aaaaa")
        _ = try run("add", "--title", "Emma", "--shelf", "board 2")
        _ = try run("add", "--title", "Babel", "--shelf", "Home / Hall")
        #expect(try run("list", "--shelf", "Home").output.hasSuffix("3 books\n"))
        #expect(try run("list", "--shelf", "Study").output.contains("Home / Study / Board 2"))
        let moved = try run("shelves", "--shelf", "Board 2", "--move", "Home / Hall", "--tree")
        #expect(moved.output.contains("    Board 2") && moved.output.contains("SL-AAAAA"), "\(moved)")
        #expect(try run("shelves").output.contains("Home / Hall / Board 2"))
        _ = try run("shelves", "--add", "Home / Study / Board 2")
        let several = try run("list", "--shelf", "Board 2")
        #expect(several.status == 1 && several.errors.contains("2 shelves are called “Board 2”"), "\(several)")
    }

    @Test("Each command prints one JSON document")
    func jsonOutput() throws {
        let command = try CommandRunner()
        let environment = Self.environment(command)
        try command.write(Array(Self.csv.utf8), to: "books.csv")
        let lines: [[String]] = [
            ["library", "import", "books.csv"], ["library", "list"], ["library", "show", "1"],
            ["library", "find", "dune"],
            ["library", "shelves"], ["library", "signs"], ["library", "duplicates"], ["library", "clean-up"],
            ["library", "settings"],
            ["library", "check"], ["review", "list"], ["review", "stats"], ["review", "undo"], ["activity", "export"],
            ["backup", "b.tar"], ["library", "export"],
        ]
        for line in lines {
            let outcome = try command.launch(line + ["--format", "json"], environment: environment).outcome()
            #expect(outcome.status == 0, "\(line): \(outcome.errors)")
            #expect(throws: Never.self, "\(line)") {
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
            }
        }
    }
}
