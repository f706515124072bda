import ArgumentParser
import Library
import ShelflistAPI

extension InboxKind: ExpressibleByArgument {}

extension ReviewListCommand {
    private struct Document: Encodable {
        var counts: ReviewCounts
        var items: [InboxItem]
    }

    /// Lists the items of one kind.
    func list(_ kind: InboxKind, in store: LibraryStore) async throws {
        let document = Document(
            counts: try await store.reviewCounts(),
            items: try await store.inbox(InboxFilter(kinds: [kind]), limit: limit).items)
        options.show(document) { Self.lines(document) }
    }

    private static func lines(_ document: Document) -> [String] {
        guard !document.items.isEmpty else { return ["Nothing of this kind waits for you."] }
        let table = TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("title", atLeast: 18),
                .init("author", atLeast: 10, dropped: 1), .init("shelf", atLeast: 6, dropped: 2),
                .init("why", atLeast: 20),
            ],
            rows: document.items.map { item in
                let number = item.book?.id.rawValue ?? item.question?.id.rawValue ?? item.row?.id.rawValue
                let authors = item.book?.authors ?? item.question?.authors ?? []
                return [
                    .init(number.map(String.init) ?? "", .dim),
                    .init(item.book?.title ?? item.question?.title ?? item.row?.content ?? ""),
                    .init(authors.joined(separator: ", ")), .init(item.shelf?.name ?? "", .dim),
                    .init(why(item), .dim),
                ]
            })
        return table.onTerminal() + ["", ReviewWords.counts(document.counts)]
    }

    private static func why(_ item: InboxItem) -> String {
        switch item.kind {
        case .detection: item.book.map(ReviewWords.sureness) ?? ""
        case .duplicateQuestion: item.question.map { "may be “\($0.existingTitle)”" } ?? ""
        case .missing: "not in the latest photos of its shelf"
        case .failedEnrichment: item.book?.failedEnrichment?.reason ?? ""
        case .failedRow: item.row.map { "line \($0.line) of \(TerminalText.safe($0.name)): \($0.reason)" } ?? ""
        case .incomplete:
            item.entry?.cover == nil ? "no cover" : "no record"
        }
    }
}
