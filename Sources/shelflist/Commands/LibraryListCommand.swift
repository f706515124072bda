import ArgumentParser
import Bibliography
import Foundation
import Library
import Server
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryListCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the books.",
        discussion: "Searches titles, authors and ISBNs; the last word may be incomplete.")

    @Argument(help: "Words to search for.") var words: [String] = []
    @Option(help: "Only books on this shelf or inside it.") var shelf: String?
    @Option(help: "Only books with this tag.") var tag: String?
    @Option(help: "Only books of this series: its name or a part of it, or its number in 'library series'.")
    var series: String?
    @Option(help: "Only books with this reading status.") var reading: ReadingStatus?
    @Option(help: "Only owned, wishlist or lent books.") var ownership: Ownership?
    @Option(help: "Only the book with this barcode.") var barcode: String?
    @Option(help: "Only books in this condition: new, fine, good, worn, poor or damaged.") var condition: CopyCondition?
    @Flag(help: "Only books that a stocktake did not find.") var missing = false
    @Option(help: "Sort order.") var sort = LibraryQuery.Sort.title
    @Flag(help: "Reverse the order.") var descending = false
    @Option(help: "Maximum number of books.") var limit: Int?
    @OptionGroup var options: LibraryOptions

    func validate() throws { try limit?.checkAsLimit() }

    func run(_ client: ShelflistClient) async throws {
        let text = words.joined(separator: " ")
        var query = LibraryQuery(text: text.isEmpty ? nil : text, sort: sort, descending: descending)
        if let shelf { query.shelf = try await client.shelves.existing(named: shelf).id }
        if let series { query.series = try await client.library.existingSeries(named: series).id }
        query.tag = tag
        (query.missing, query.barcode, query.condition) = (missing, barcode, condition)
        query.ownership = ownership
        query.readingStatus = reading
        let list = try await ListedBooks(query, in: client.library, limit: limit)
        options.show(list) { Self.lines(list, isSearch: !words.isEmpty) }
    }

    private static func lines(_ list: ListedBooks, isSearch: Bool) -> [String] {
        guard list.total > 0 else {
            return [
                isSearch
                    ? "No book matches." : "No books yet. Photograph a shelf to begin: shelflist scan --import PHOTO"
            ]
        }
        let count = list.total == 1 ? "1 book" : "\(list.total) books"
        let shown = list.items.count < list.total ? "\(list.items.count) of \(count)" : count
        return table(list.items).onTerminal() + ["", shown]
    }

    static func table(_ books: [LibraryBook]) -> TerminalTable {
        TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("title", atLeast: 20), .init("author", atLeast: 12),
                .init("year", dropped: 3), .init("shelf", dropped: 2), .init("status", dropped: 1),
            ],
            rows: books.map { book in
                [
                    .init(book.id, .dim),
                    .init([book.title, book.subtitle].compactMap { $0 }.joined(separator: ": ")),
                    .init(book.author), .init(book.year.map { String($0) } ?? "", .dim),
                    .init(book.shelf?.path ?? "", .dim),
                    status(of: book),
                ]
            })
    }

    private static func status(of book: LibraryBook) -> TerminalTable.Cell {
        if book.reviewStatus == .needsReview { return .init("needs review", .yellow) }
        if book.missingSince != nil { return .init("missing", .yellow) }
        if book.ownership == .wishlist { return .init("wish list", .dim) }
        return .init(book.readingStatus?.word ?? "", .dim)
    }
}

/// The books of a list, as a document.
struct ListedBooks: Encodable {
    var items: [LibraryBook]
    /// How many books there are without a limit.
    var total: Int

    /// - Parameter limit: nil for all books.
    init(_ query: LibraryQuery, in library: LibraryRequests, limit: Int? = nil) async throws {
        (items, total) = try await library.books(query).first(limit)
    }
}
