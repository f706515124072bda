import ArgumentParser
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryLoansCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "loans", abstract: "List the books that are lent.",
        discussion: """
            Lend a book with: shelflist library edit BOOK --lent-to NAME --due 2026-12-24
            When it is back: shelflist library edit BOOK --lent-to ""
            """)

    @Flag(help: "Only books that should be back.") var overdue = false
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let list = try await ListedBooks(LibraryQuery(ownership: .lent, overdue: overdue), in: client.library)
        options.show(list) { Self.lines(list.items, overdue: overdue) }
    }

    private static func lines(_ books: [LibraryBook], overdue: Bool) -> [String] {
        guard !books.isEmpty else { return [overdue ? "No book is overdue." : "No book is lent."] }
        let table = TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("title", atLeast: 20), .init("lent to", atLeast: 12),
                .init("since", dropped: 1), .init("due"),
            ],
            rows: books.map { book in
                [
                    .init(book.id, .dim), .init(book.title), .init(book.loan?.to ?? ""),
                    .init(book.loan?.since ?? "", .dim), .init(book.loan?.due ?? "", overdue ? .yellow : .plain),
                ]
            })
        return table.onTerminal() + ["", books.count == 1 ? "1 book" : "\(books.count) books"]
    }
}

extension Loan {
    /// The loan as text: `Bea since 2026-11-26, due 2026-12-24`.
    var inWords: String { to + (since.map { " since \($0)" } ?? "") + (due.map { ", due \($0)" } ?? "") }
}

extension PastLoan {
    /// The loan as text: `Bea, 2026-11-26 to 2026-12-24`.
    var inWords: String { "\(to), \(since ?? "?") to \(returned)" }
}
