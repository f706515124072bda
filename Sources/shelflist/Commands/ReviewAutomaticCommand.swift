import ArgumentParser
import Foundation
import Library

/// `shelflist review automatic`: what changed without a decision of the user.
struct ReviewAutomaticCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "automatic",
        abstract: "List the books that were verified, renamed or removed automatically, or undo the changes of one.",
        discussion: """
            While providers answer, a running server changes books that no person has touched. Undoing restores the \
            book as it was imported; it is not changed again.
            """)

    @Option(help: "Undo the changes of the book with this number.") var undo: RowID<ReviewAction>?
    @Option(help: "Maximum number of books.") var limit = 100
    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "The web app shows these changes"

    func validate() throws { try limit.checkAsLimit() }

    func run(_ store: LibraryStore) async throws {
        if let undo {
            let undone = try await store.undo(automatic: undo)
            options.show(["undone": undone]) { ["Undone: \(ReviewWords.action(undone.kind))."] }
        } else {
            let changes = try await store.automaticChanges(limit: limit).changes
            options.show(changes) { Self.lines(changes) }
        }
    }

    private static func lines(_ changes: [AutomaticChange]) -> [String] {
        guard !changes.isEmpty else { return ["No book was changed automatically."] }
        return TerminalTable(
            columns: [.init(""), .init("time"), .init("change"), .init("source"), .init("book", atLeast: 20)],
            rows: changes.map { change in
                [
                    .init("\(change.action)", .dim), .init(change.at.formatted(.iso8601), .dim),
                    .init(change.judgement == .withdrawn ? "removed" : "identified"), .init(change.source ?? ""),
                    .init(
                        [change.readTitle, change.finalTitle].compactMap(\.self).map { "“\($0)”" }
                            .joined(separator: " → ")),
                ]
            }
        ).onTerminal()
    }
}
