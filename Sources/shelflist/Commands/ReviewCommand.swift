public import ArgumentParser
package import Bibliography
import Foundation
import Library
import ShelflistAPI
import Terminal

struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review",
        abstract: "Review books that were not recognised with confidence.",
        discussion: "Without a subcommand, on a terminal: shows one spine at a time, with one key per decision.",
        subcommands: [
            ReviewSessionCommand.self, ReviewListCommand.self, ReviewVerifyCommand.self, ReviewCorrectCommand.self,
            ReviewRejectCommand.self, ReviewMatchCommand.self, ReviewUndoCommand.self, ReviewAutomaticCommand.self,
            ReviewStatsCommand.self,
            ReviewCropCommand.self, ReviewRecropCommand.self, ReviewReportCommand.self,
        ], defaultSubcommand: ReviewSessionCommand.self)
}

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

    func run(_ library: any LibraryAccess) async throws {
        let list = try await library.reviewQueue(kind, tier: tier, limit: limit)
        try await library.recordView(of: list.counts)
        options.show(list) { kind == nil ? Self.lines(list) : Self.linesOfOneKind(list) }
    }

    private static func lines(_ list: ReviewList) -> [String] {
        guard list.counts.books > 0 else {
            let others = ReviewWords.counts(list.counts)
            return ["Nothing left to review."] + (others.isEmpty ? [] : ["", others])
        }
        let table = TerminalTable(
            columns: [
                .init("id", isRightAligned: true), .init("title", atLeast: 18),
                .init("author", atLeast: 10, dropped: 1), .init("confidence"),
                .init("on the spine", atLeast: 10, dropped: 2),
            ],
            rows: list.items.map { item in
                [
                    .init(item.number, .dim), .init(item.title ?? ""), .init(item.author ?? ""),
                    .init(ReviewWords.sureness(item), item.confidenceTier?.style ?? .plain),
                    .init(item.problem ?? ReviewWords.spine(item) ?? "", .dim),
                ]
            })
        return table.onTerminal() + ["", ReviewWords.counts(list.counts)]
    }
}

extension ReviewQueueItem {
    /// The number by which commands take it: of the book, else of the question or the row.
    var number: String { entryId ?? id.trimmingCharacters(in: .letters) }
}

enum ReviewWords {
    static func sureness(_ item: ReviewQueueItem) -> String {
        guard let confidence = item.confidence, let tier = item.confidenceTier else { return "not rated" }
        return tier.sureness(confidence)
    }

    /// - Parameter word: the API's word for an action.
    static func action(_ word: String) -> String { ReviewActionKind(rawValue: word).map(action) ?? word }

    static func action(_ kind: ReviewActionKind) -> String {
        switch kind {
        case .verify: "verified"
        case .verifyAll: "verified all"
        case .keepEdit: "saved an edit"
        case .correct: "corrected"
        case .reject: "rejected"
        case .match: "matched"
        case .recrop: "another crop"
        case .duplicate: "decided on duplicates"
        case .remove: "removed"
        case .move: "moved"
        case .addScan: "added a scan"
        case .addBook: "added a book"
        case .addList: "imported a list"
        case .edit: "edited"
        case .renameShelf: "renamed a shelf"
        case .removeShelf: "removed a shelf"
        case .dismiss: "dismissed rows of a list"
        case .enrich: "found records and covers"
        case .identify: "identified online"
        }
    }

    static func spine(_ item: ReviewQueueItem) -> String? {
        item.text.isEmpty ? nil : item.text.map(\.text).joined(separator: " · ")
    }

    static func counts(_ counts: ReviewQueueCounts) -> String {
        func tier(_ tier: ConfidenceTier, _ count: Int) -> (Int, String) {
            (count, "\(tier.mark) \(count) \(tier.words)")
        }
        let parts = [
            tier(.needsReview, counts.needsReview), tier(.verify, counts.verify), tier(.ready, counts.ready),
            tier(.notChecked, counts.notChecked),
            (counts.failedRows, "\(counts.failedRows) rows of lists failed"),
            (counts.duplicateQuestions, "\(counts.duplicateQuestions) may be duplicates"),
            (counts.missing, "\(counts.missing) missing on their shelf"),
            (counts.incomplete, "\(counts.incomplete) without a record or cover"),
        ]
        return parts.filter { $0.0 > 0 }.map(\.1).joined(separator: "   ")
    }
}

struct ReviewVerifyCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Confirm what was read: some books, a tier, or all.",
        discussion: "Look at them first with: shelflist review list. One undo takes all of them back.")

    @Argument(help: "The books' numbers.") var ids: [RowID<LibraryEntry>] = []
    @Option(help: "All books of this tier: needsReview, verify, ready or notChecked.") var tier: ConfidenceTier?
    @Flag(help: "All books in the queue, including those with saved edits.") var all = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard [!ids.isEmpty, tier != nil, all].count(where: { $0 }) == 1 else {
            throw ValidationError("Name books by number, or add --tier or --all.")
        }
    }

    func run(_ library: any LibraryAccess) async throws {
        let count = try await ids.isEmpty ? library.verifyAll(tier: tier) : library.verify(ids)
        options.show(["verified": count]) { [count == 1 ? "1 book is verified." : "\(count) books are verified."] }
    }
}

struct ReviewCorrectCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "correct", abstract: "Correct title, authors, ISBN or edition of a book.")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @OptionGroup(title: "The book") var book: BookFields
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        if book.isEmpty {
            throw ValidationError("Nothing to correct. Add an option, or confirm with: shelflist review verify \(id)")
        }
    }

    func run(_ library: any LibraryAccess) async throws {
        let corrected = try await library.correct(id, try book.correction(), ifMatch: nil)
        options.show(corrected) { [corrected.reviewStatus == .userEdited ? "Corrected." : "No change: verified."] }
    }
}

struct ReviewRejectCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Mark detections as not a book; they are not offered again.")

    @Argument(help: "The books' numbers.") var ids: [RowID<LibraryEntry>]
    @OptionGroup var options: LibraryOptions

    func run(_ library: any LibraryAccess) async throws {
        let count = try await library.reject(ids)
        options.show(["rejected": count]) { [count == 1 ? "Rejected." : "Rejected \(count)."] }
    }
}

struct ReviewUndoCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last decision, also one of another member or program.")

    @OptionGroup var options: LibraryOptions

    func run(_ library: any LibraryAccess) async throws {
        let undone = try await library.undo()
        options.show(["undone": undone]) {
            [undone.map { "Undone: \(ReviewWords.action($0))." } ?? "Nothing to undo."]
        }
    }
}

extension ConfidenceTier: ExpressibleByArgument {}
