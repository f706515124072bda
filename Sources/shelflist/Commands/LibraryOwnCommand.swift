import ArgumentParser
import Bibliography
import ShelflistAPI
import ShelflistClient
import Terminal

struct LibraryOwnCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "own", abstract: "Answer whether the library has a book.",
        discussion: """
            The exit code is 0 if it has the book in any edition, otherwise 1. A missing volume of one of your series fills \
            a gap; series and number are those of the record of an ISBN, or of the title that you write.

            Examples:
              shelflist library own 9780141439518
              shelflist library own Pride and Prejudice --author Austen
              shelflist library own Earthsea, vol. 2
            """)

    @Argument(help: "The title, or the ISBN.") var words: [String]
    @Option(help: "An author: distinguishes books of one title.") var author: String?
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let text = words.joined(separator: " ")
        let answer =
            if let isbn = ISBN(text) {
                try await client.library.own(isbn: isbn.isbn13)
            } else {
                try await client.library.own(title: text, author: author)
            }
        options.show(answer) { answer.lines }
        guard answer.verdict.isOwned else { throw ExitCode.failure }
    }
}

extension OwnVerdict {
    /// As a heading of the terminal.
    var words: String {
        switch self {
        case .have: "You have it."
        case .otherEdition: "You have another edition."
        case .wished: "On your wish list."
        case .fillsGap: "Fills a gap in a series."
        case .unsure: "Not sure."
        case .notYours: "Not yours."
        }
    }
}

extension OwnAnswer {
    /// The volume of a series that the book is; nil if the answer is not by it.
    var volumeOfSeries: String? {
        guard let series, let volume else { return nil }
        return "volume \(volume) of \(series.name)"
    }

    /// The verdict, the volume, and a line for each copy.
    var lines: [String] {
        let asked = record.map { found in
            [TerminalText.safe(([found.record.title] + found.record.authors).joined(separator: " · "))]
        }
        let volume = volumeOfSeries.map { ["  " + TerminalText.safe($0)] }
        return [verdict.words] + (asked ?? []) + (volume ?? [])
            + copies.map { "  " + TerminalText.safe($0.whereabouts) }
    }
}

extension LibraryBook {
    /// Where the copy is: its borrower, its shelf or the wish list.
    var place: String {
        if ownership == .wishlist { return "wish list" }
        return loan.map { "lent to \($0.to)" } ?? shelf.map { "shelf “\($0.path)”" } ?? "no shelf"
    }

    /// Title, author, edition and where the copy is, in one line.
    fileprivate var whereabouts: String {
        let edition = [isbn, year.map { String($0) }].compactMap(\.self).joined(separator: ", ")
        return [title, author, edition, place].filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
