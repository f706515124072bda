import ArgumentParser
import Foundation
import Library

/// `shelflist review automatic`: what changed without a decision of the user.
struct ReviewAutomaticCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "automatic",
        abstract: "List the books that were verified, renamed or removed automatically, or undo one change.",
        discussion: """
            While providers answer, a running server changes books that no person has touched. A change that is undone \
            is not made again.
            """)

    @Option(help: "Undo the change with this number.") var undo: RowID<ReviewAction>?
    @Option(help: "Maximum number of changes.") var limit = 100
    @OptionGroup var options: LibraryOptions

    func validate() throws { try limit.checkAsLimit() }

    func run() async throws {
        try await options.withLibrary { store in
            if let undo {
                let undone = try await store.undo(automatic: undo)
                options.show(["undone": undone]) { ["Undone: \(ReviewWords.action(undone.kind))."] }
            } else {
                let changes = try await store.automaticChanges(limit: limit)
                options.show(changes) { Self.lines(changes) }
            }
        }
    }

    private static func lines(_ changes: [HistoryEvent]) -> [String] {
        guard !changes.isEmpty else { return ["No book was changed automatically."] }
        return TerminalTable(
            columns: [.init(""), .init("time"), .init("change"), .init("book", room: .flexible(atLeast: 20))],
            rows: changes.map { change in
                [
                    .init("\(change.action)", .dim), .init(change.at.formatted(.iso8601), .dim),
                    .init(change.judgement == .withdrawn ? "removed" : "identified"),
                    .init(
                        [change.readTitle, change.finalTitle].compactMap(\.self).map { "“\($0)”" }
                            .joined(separator: " → ")),
                ]
            }
        ).onTerminal()
    }
}
