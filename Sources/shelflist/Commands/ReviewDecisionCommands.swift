import ArgumentParser
import Bibliography
import Library
import ShelflistAPI
import ShelflistClient
import Terminal

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

    func run(_ client: ShelflistClient) async throws {
        let review = client.review
        let count =
            try await ids.isEmpty ? review.verifyAll(tier: tier).changed : review.verify(all: ids.map(\.item)).changed
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

    func run(_ client: ShelflistClient) async throws {
        let correction = try book.correction()
        try await client.review.correct(try await client.review.item(id.item), correction)
        let corrected = try await client.library.book("\(id)")
        options.show(corrected) { [corrected.reviewStatus == .userEdited ? "Corrected." : "No change: verified."] }
    }
}

struct ReviewRejectCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Mark detections as not a book; they are not offered again.")

    @Argument(help: "The books' numbers.") var ids: [RowID<LibraryEntry>]
    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let count = try await client.review.reject(all: ids.map(\.item)).changed
        options.show(["rejected": count]) { [count == 1 ? "Rejected." : "Rejected \(count)."] }
    }
}

struct ReviewUndoCommand: UsesLibrary {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last decision, also one of another member or program.")

    @OptionGroup var options: LibraryOptions

    func run(_ client: ShelflistClient) async throws {
        let undone = try await client.review.undoLatest().undone
        options.show(["undone": undone]) {
            [undone.map { "Undone: \(ReviewWords.action($0))." } ?? "Nothing to undo."]
        }
    }
}
