public import ArgumentParser
package import Bibliography
import Foundation
package import Library
import ShelflistAPI

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
        help: "Only this kind: detection, duplicateQuestion, missing, failedEnrichment, failedRow or incomplete.")
    var kind: InboxKind?
    @Option(help: "Only this tier: needsReview, verify, ready or notChecked.") var tier: ConfidenceTier?
    @Flag(name: .customLong("failed-enrichments"), help: "Only rows of imported lists that were not found.")
    var failed = false
    @Option(help: "Maximum number of books.") var limit = 100
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        try limit.checkAsLimit()
        guard kind == nil || tier == nil && !failed else {
            throw ValidationError("--kind cannot be combined with --tier or --failed-enrichments.")
        }
    }

    func run(_ library: any LibraryAccess) async throws {
        let chosen = failed ? .failedEnrichment : tier.map { _ in .detection } ?? kind
        let list = try await library.reviewQueue(chosen, tier: failed ? nil : tier, limit: limit)
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

extension ReviewQueueCounts {
    /// The number of books that need review.
    var books: Int { needsReview + verify + ready + notChecked + failedEnrichment }
}

extension ReviewQueueItem {
    /// The number by which commands take it: of the book, else of the question or the row.
    var number: String { entryId ?? id.trimmingCharacters(in: .letters) }
}

enum ReviewWords {
    static func sureness(_ item: ReviewItem) -> String {
        if let failed = item.failedEnrichment { return "line \(failed.line) of \(TerminalText.safe(failed.file))" }
        return sureness(item.confidence, item.tier)
    }

    static func sureness(_ item: ReviewQueueItem) -> String {
        item.problem == nil ? sureness(item.confidence, item.confidenceTier) : "not found"
    }

    private static func sureness(_ confidence: Double?, _ tier: ConfidenceTier?) -> String {
        guard let confidence, let tier else { return "not rated" }
        return tier.sureness(confidence)
    }

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

    static func spine(_ item: ReviewItem) -> String? { spine(item.detection?.text ?? []) }

    static func spine(_ item: ReviewQueueItem) -> String? { spine(item.text) }

    private static func spine(_ lines: [ReadText]) -> String? {
        lines.isEmpty ? nil : lines.map(\.text).joined(separator: " · ")
    }

    static func counts(_ counts: ReviewQueueCounts) -> String {
        func tier(_ tier: ConfidenceTier, _ count: Int) -> (Int, String) {
            (count, "\(tier.mark) \(count) \(tier.words)")
        }
        let parts = [
            tier(.needsReview, counts.needsReview), tier(.verify, counts.verify), tier(.ready, counts.ready),
            tier(.notChecked, counts.notChecked),
            (counts.failedEnrichment, "\(counts.failedEnrichment) from lists, not in the catalog"),
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
        if try options.place.address() != nil, book.series != nil || book.language != nil {
            throw ValidationError("--series and --language are not available with a server. Leave them out.")
        }
    }

    func run(_ library: any LibraryAccess) async throws {
        let corrected = try await library.correct(id, book)
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

struct ReviewUndoCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(commandName: "undo", abstract: "Undo the last decision.")

    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "Undo the decision in the web app"

    func run(_ store: LibraryStore) async throws {
        let undone = try await store.undo()
        options.show(["undone": undone]) {
            [undone.map { "Undone: \(ReviewWords.action($0.kind))." } ?? "Nothing to undo."]
        }
    }
}

struct ReviewCropCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "crop", abstract: "Write the picture of a book's spine as JPEG.")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Option(name: .shortAndLong, help: "The file to write.", completion: .file()) var output: String
    @Option(help: "Rotation of the spine: none, reading (text from left to right), 90, 180 or 270.")
    var turn = SpineTurn.none
    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "The web app shows the spine"

    func run(_ store: LibraryStore) async throws {
        let detection = try await store.shownDetection(of: id)
        let jpeg = try await store.spineJPEG(detection.id, turn: turn)
        try await reportingErrors(output) { try Data(jpeg).write(to: URL(filePath: output), options: .atomic) }
    }
}

struct ReviewReportCommand: UsesLocalLibrary {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Save a report of a misread spine with its picture; nothing is sent.")

    @Argument(help: "The book's number.") var id: RowID<LibraryEntry>
    @Option(help: "What is wrong: wrongTitle, twoBooks, notABook or cutOff (the outline does not fit).")
    var problem: FeedbackProblem?
    @Option(help: "The title on the spine.") var title: String?
    @Option(help: "The author on the spine.") var author: String?
    @Option(help: "Anything else.") var note: String?
    @OptionGroup var options: LocalLibraryOptions

    static let onServers = "Report the spine in the web app"

    func run(_ store: LibraryStore) async throws {
        let detection = try await store.shownDetection(of: id)
        let report = try await store.report(
            detection.id,
            DetectionReport(correct: false, problem: problem, note: note, rightTitle: title, rightAuthor: author))
        options.show(["report": report]) { ["Saved. To see all: shelflist activity export --format json"] }
    }
}

extension LibraryStore {
    /// Returns the detection of a book.
    ///
    /// - Throws: `LibraryError.notPossible` if no photo shows the book.
    fileprivate func shownDetection(of id: RowID<LibraryEntry>) async throws -> Detection {
        guard let detection = try await reviewItem(id).detection else {
            throw LibraryError.notPossible("No photo shows this book.")
        }
        return detection
    }
}

extension ConfidenceTier: ExpressibleByArgument {}
extension FeedbackProblem: ExpressibleByArgument {}
extension SpineTurn: ExpressibleByArgument {}
