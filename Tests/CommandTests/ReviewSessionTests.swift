import Bibliography
import Foundation
import Imaging
import Library
import ShelflistAPI
import Testing

/// `shelflist review` on a terminal, key by key.
@Suite struct ReviewSessions {
    private static let catalog = """
        title,author,isbn,publisher,year
        Persuasion,Jane Austen,9780141439686,Penguin,2003
        """

    private static func book(_ title: String, _ confidence: Double, place: Int) -> DetectedBook {
        DetectedBook(
            id: "\(place)", title: title, author: "Writer", isbn: place == 2 ? "9780441172719" : nil,
            confidence: confidence, checked: true, reviewStatus: .needsReview,
            outline: SpineOutline(UnitRect(x: Double(place) / 10, y: 0.1, width: 0.08, height: 0.8)),
            text: [ReadText(text: title.uppercased(), score: 0.9)],
            matches: [
                BookMatch(
                    title: "Babel", author: "R. F. Kuang", isbn: "9780063021426", confidence: 0.2, source: "local")
            ])
    }

    /// A library in whose queue are six books, from `Aaa` to `Fff`.
    private static func fill(_ command: borrowing CommandRunner) async throws -> (LibraryStore, [String: String]) {
        let folder = command.folder.appending(path: "data")
        let environment = ["SHELFLIST_DATA": folder.path]
        try command.write(Array(catalog.utf8), to: "catalog.csv")
        #expect(try command.run("catalog", "import", "catalog.csv", environment: environment).status == 0)
        let store = try LibraryStore(folder: LibraryFolder(folder))
        let titles = ["Aaa", "Bbb", "Ccc", "Ddd", "Eee", "Fff"]
        let books = titles.enumerated().map { book($1, 0.1 + Double($0) / 50, place: $0) }
        _ = try await store.importScan(
            ScanImport(
                job: "1", stored: nil, size: PixelSize(width: 4000, height: 3000), books: books))
        return (store, environment)
    }

    @Test("Every key works in a review session")
    func keys() async throws {
        let command = try CommandRunner()
        let (store, environment) = try await Self.fill(command)
        let terminal = try PseudoTerminal(["review"], in: command.folder, environment: environment)
        try await terminal.screen(showing: "[q]")

        try await terminal.press("v", until: "Verified: Aaa")
        try await terminal.press("e", until: "Title (Bbb)")
        try await terminal.answer("Emma", until: "Authors")
        try await terminal.answer("Jane Austen; Ann Editor", until: "ISBN")
        try await terminal.answer("123", until: "is not a valid ISBN")
        try await terminal.press("e", until: "Title (Bbb)")
        try await terminal.answer("Emma", until: "Authors")
        try await terminal.answer("Jane Austen; Ann Editor", until: "ISBN")
        try await terminal.answer("9780141439587", until: "Corrected: Emma")
        // An arrow is Escape and two letters; none of them is a key of ours.
        try await terminal.press("\u{1B}[A", until: "Ccc")
        try await terminal.press("1", until: "Matched: Babel")
        try await terminal.press("r", until: "Rejected: Ddd")
        try await terminal.press("u", until: "Undone: rejected")
        try await terminal.press("n", until: "EEE")
        try await terminal.press("m", until: "Search for (Eee)")
        try await terminal.answer("persuasion", until: "choose")
        let preview = try await terminal.press("1", until: "[y] change it")
        #expect(preview.contains("Penguin") && preview.contains("9780141439686"))
        #expect(try await store.entries(EntryQuery(text: "eee")).total == 1, "nothing is changed before the yes")
        try await terminal.press("y", until: "Matched: Persuasion")
        // All of the tier: only when it is said twice.
        try await terminal.press("a", until: "All 2 of “needs review”")
        try await terminal.press("n", until: "FFF")
        #expect(try await store.reviewCounts().needsReview == 2)
        try await terminal.press("a", until: "All 2 of “needs review”")
        try await terminal.press("y", until: "Verified 2 of “needs review”")
        #expect(try await terminal.end() == 0, "nothing is left")

        #expect(try await store.reviewCounts().books == 0)
        let titles = try await store.entries().entries.map(\.title)
        #expect(titles == ["Aaa", "Babel", "Ddd", "Emma", "Fff", "Persuasion"])
        let emma = try #require(try await store.entries(EntryQuery(text: "emma")).entries.first)
        #expect(emma.authors == ["Jane Austen", "Ann Editor"])
        #expect(try await store.problems() == [])
    }

    @Test("A session decides only on the book as it was shown")
    func staleSession() async throws {
        let command = try CommandRunner()
        let (store, environment) = try await Self.fill(command)
        let terminal = try PseudoTerminal(["review"], in: command.folder, environment: environment)
        try await terminal.screen(showing: "[q]")
        let first = try #require(try await store.entries(EntryQuery(text: "aaa")).entries.first)
        #expect(
            try command.run("review", "correct", "\(first.id)", "--title", "Changed", environment: environment).status
                == 0)
        try await terminal.press("v", until: "changed")
        #expect(try await terminal.quit("q") == 0)
        #expect(try await store.entries(EntryQuery(text: "changed")).entries.first?.reviewStatus == .userEdited)
    }

    @Test("A review session ends at a key and restores the terminal", arguments: ["q", "\u{1B}", "\u{3}", "\u{4}"])
    func restoresTerminal(key: String) async throws {
        let command = try CommandRunner()
        let (_, environment) = try await Self.fill(command)
        let terminal = try PseudoTerminal(["review"], in: command.folder, environment: environment)
        try await terminal.screen(showing: "[q]")
        #expect(try await terminal.quit(key) == 0)
        #expect(terminal.isAsItWas)
    }

    @Test("A review session fits a narrow terminal and respects NO_COLOR", arguments: [30, 60])
    func narrowTerminal(columns: Int) async throws {
        let command = try CommandRunner()
        let (_, environment) = try await Self.fill(command)
        let terminal = try PseudoTerminal(
            ["review"], in: command.folder, environment: environment.merging(["NO_COLOR": "1"]) { $1 },
            columns: columns)
        let screen = try await terminal.screen(showing: "[q]").replacing("\u{1B}[2J\u{1B}[H", with: "")
        #expect(!screen.contains("\u{1B}"))
        for line in screen.split(whereSeparator: \.isNewline) { #expect(line.count <= columns, "\(line)") }
    }
}
