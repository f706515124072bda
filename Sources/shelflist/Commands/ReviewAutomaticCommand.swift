import ArgumentParser
import Foundation
import Library
import ShelflistAPI
import ShelflistClient
import Terminal

/// `shelflist review automatic`: what changed without a decision of the user.
struct ReviewAutomaticCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "automatic",
        abstract: "List the books that were verified, renamed or removed automatically, or undo the changes of one.",
        discussion: """
            While providers answer, a running server changes books that no person has touched. Undoing restores the \
            book as it was imported; it is not changed again.
            """)

    @Option(help: "Undo the changes of the book with this number.") var undo: RowID<ReviewAction>?
    @Option(help: "Maximum number of books.") var limit = 100
    @OptionGroup var options: LibraryOptions

    func validate() throws { try limit.checkAsLimit() }

    func run(_ client: ShelflistClient) async throws {
        if let undo {
            try await client.review.undo(automatic: "\(undo)")
            options.show(["undone": "\(undo)"]) { ["Undone: \(ReviewWords.action(.identify))."] }
        } else {
            let changes = try await client.review.automaticChanges.first(limit).items
            options.show(changes) { Self.lines(changes) }
        }
    }

    private static func lines(_ changes: [AutomaticEdit]) -> [String] {
        guard !changes.isEmpty else { return ["No book was changed automatically."] }
        return TerminalTable(
            columns: [.init(""), .init("time"), .init("change"), .init("source"), .init("book", atLeast: 20)],
            rows: changes.map { change in
                let titles = [change.before["title"] ?? nil, change.after?["title"] ?? nil].compactMap(\.self)
                return [
                    .init(change.id, .dim), .init(change.time.formatted(.iso8601), .dim),
                    .init(change.action == .withdrawn ? "removed" : "identified"),
                    .init(change.source ?? ""), .init(titles.map { "“\($0)”" }.joined(separator: " → ")),
                ]
            }
        ).onTerminal()
    }
}
