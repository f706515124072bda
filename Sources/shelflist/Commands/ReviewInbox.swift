import ArgumentParser
import Library
import ShelflistAPI
import Terminal

extension InboxKind: ExpressibleByArgument {}

extension ReviewListCommand {
    static func linesOfOneKind(_ list: ReviewList) -> [String] {
        guard !list.items.isEmpty else { return ["Nothing of this kind waits for you."] }
        let table = TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("title", atLeast: 18),
                .init("author", atLeast: 10, dropped: 1), .init("shelf", atLeast: 6, dropped: 2),
                .init("why", atLeast: 20),
            ],
            rows: list.items.map { item in
                [
                    .init(item.number, .dim), .init(item.title ?? ""), .init(item.author ?? ""),
                    .init(item.shelf?.name ?? "", .dim), .init(why(item), .dim),
                ]
            })
        return table.onTerminal() + ["", ReviewWords.counts(list.counts)]
    }

    private static func why(_ item: ReviewQueueItem) -> String {
        switch InboxKind(rawValue: item.kind) {
        case .detection: ReviewWords.sureness(item)
        case .duplicateQuestion: item.duplicates.first.map { "may be “\($0.existing.title)”" } ?? ""
        case .missing: "not in the latest photos of its shelf"
        case .failedRow: item.problem ?? ""
        case .incomplete: item.coverUrl == nil ? "no cover" : "no record"
        case nil: item.kind
        }
    }
}
