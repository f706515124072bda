import ArgumentParser
import Bibliography
import Library
import ShelflistAPI
import ShelflistClient
import Terminal

struct ReviewListCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the books that need review, lowest confidence first; then those not checked.",
        discussion: "With --kind: what else waits for you.")

    @Option(
        help: "Only this kind: detection, duplicateQuestion, missing, failedRow or incomplete.")
    var kind: InboxKind?
    @Option(help: "Only this tier: needsReview, verify, ready or notChecked.") var tier: ConfidenceTier?
    @Option(help: "Maximum number of books.") var limit = 100
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        try limit.checkAsLimit()
        guard kind == nil || tier == nil else { throw ValidationError("--kind cannot be combined with --tier.") }
    }

    /// A part of the review queue.
    private struct Document: Encodable {
        var counts: ReviewQueueCounts
        var items: [ReviewQueueItem]
    }

    func run(_ client: ShelflistClient) async throws {
        let (items, counts) = try await client.review.first(limit, tier: tier, kind: kind ?? .detection)
        let list = Document(counts: counts, items: items)
        options.show(list) { kind == nil ? Self.lines(list) : Self.linesOfOneKind(list) }
    }

    private static func lines(_ list: Document) -> [String] {
        guard list.counts.books > 0 else {
            let others = ReviewWords.counts(list.counts)
            return ["Nothing left to review."] + (others.isEmpty ? [] : ["", others])
        }
        return table(list, [.init("confidence"), .init("on the spine", atLeast: 10, dropped: 2)]) { item in
            [
                .init(ReviewWords.sureness(item), item.tier?.style ?? .plain),
                .init(item.problem ?? ReviewWords.spine(item) ?? "", .dim),
            ]
        }
    }

    private static func linesOfOneKind(_ list: Document) -> [String] {
        guard !list.items.isEmpty else { return ["Nothing of this kind waits for you."] }
        return table(list, [.init("shelf", atLeast: 6, dropped: 2), .init("why", atLeast: 20)]) { item in
            [.init(item.shelf?.path ?? "", .dim), .init(why(item), .dim)]
        }
    }

    /// - Parameters:
    ///   - columns: after number, title and author.
    ///   - cells: of these columns.
    private static func table(
        _ list: Document, _ columns: [TerminalTable.Column], _ cells: (ReviewQueueItem) -> [TerminalTable.Cell]
    ) -> [String] {
        TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("title", atLeast: 18),
                .init("author", atLeast: 10, dropped: 1),
            ] + columns,
            rows: list.items.map { item in
                [.init(item.number, .dim), .init(item.title ?? ""), .init(item.author ?? "")] + cells(item)
            }
        ).onTerminal() + ["", ReviewWords.counts(list.counts)]
    }

    private static func why(_ item: ReviewQueueItem) -> String {
        switch item.kind {
        case .detection: ReviewWords.sureness(item)
        case .duplicateQuestion: item.duplicates.first.map { "may be “\($0.existing.title)”" } ?? ""
        case .missing: "not in the latest photos of its shelf"
        case .failedRow: item.problem ?? ""
        case .incomplete: item.coverUrl == nil ? "no cover" : "no record"
        case nil: ""
        }
    }
}
