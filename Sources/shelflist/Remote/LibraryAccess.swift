import Bibliography
import Foundation
import Library
import Lookup
import Server
import ShelflistAPI
import ShelflistClient
import Terminal

/// The library that a command works with: of a data directory of this machine, or of a server.
///
/// Both return the messages of the API, so that each command formats its output once.
protocol LibraryAccess: Sendable {
    // MARK: Books

    /// - Parameter limit: nil for all books.
    func books(_ query: LibraryQuery, limit: Int?) async throws -> BookList
    func book(_ id: RowID<LibraryEntry>) async throws -> LibraryBook
    /// Returns everything about one book.
    func record(_ id: RowID<LibraryEntry>) async throws -> BookRecord
    /// Returns the books that match the text, exactly or approximately, with their places.
    func find(_ text: String) async throws -> [LocatedBook]
    /// Returns the stored photo of a book; nil if none is stored.
    func photo(of book: LocatedBook) async throws -> [UInt8]?
    /// - Parameter write: receives the document in pieces.
    func export(_ format: ListFormat, to write: (String) throws -> Void) async throws

    func add(_ book: NewBook) async throws -> LibraryBook
    /// Changes the details of a copy, and returns it.
    func edit(_ id: RowID<LibraryEntry>, _ fields: EntryFields) async throws -> LibraryBook
    func remove(_ id: RowID<LibraryEntry>) async throws

    // MARK: Shelves

    func shelves() async throws -> [LibraryShelf]
    /// Returns the shelf with a name, which is created if there is none.
    func shelf(named name: String) async throws -> LibraryShelf
    func rename(_ shelf: LibraryShelf, to name: String) async throws
    func remove(_ shelf: LibraryShelf) async throws
    /// Compares scans that together show a shelf with its books.
    ///
    /// - Parameter scans: nil for the latest.
    /// - Throws: `LibraryError.notPossible` if no photo shows the shelf.
    func inventory(of shelf: LibraryShelf, scans: [String]?, since: Date?) async throws -> ShelfInventory
    func move(_ books: [LibraryBook], to shelf: LibraryShelf) async throws

    // MARK: The review queue

    /// Returns the first items of these kinds, and the counts of the whole queue.
    ///
    /// - Parameter kind: nil for the books that need review.
    func reviewQueue(_ kind: InboxKind?, tier: ConfidenceTier?, limit: Int) async throws -> ReviewList
    /// Records that the user looked at the queue, for the activity log.
    func recordView(of counts: ReviewQueueCounts) async throws
    func reviewStats() async throws -> ReviewStats
    /// Returns the books that were changed without a decision of the user, latest change first.
    func automaticChanges(limit: Int) async throws -> [AutomaticEdit]
    func undo(automatic change: RowID<ReviewAction>) async throws

    // MARK: Decisions

    /// - Returns: the number of books that were verified.
    func verify(_ ids: [RowID<LibraryEntry>]) async throws -> Int
    /// - Parameter tier: nil for all.
    func verifyAll(tier: ConfidenceTier?) async throws -> Int
    func reject(_ ids: [RowID<LibraryEntry>]) async throws -> Int
    /// Verifies a book as it was shown.
    ///
    /// - Throws: an error if it was changed since.
    func verify(_ id: RowID<LibraryEntry>, ifMatch etag: String) async throws
    func reject(_ id: RowID<LibraryEntry>, ifMatch etag: String) async throws
    /// Corrects a book, which confirms it, and returns it.
    ///
    /// - Parameter etag: of the book that was shown; nil to correct whatever it is now.
    func correct(
        _ id: RowID<LibraryEntry>, _ correction: BookCorrection, ifMatch etag: String?
    ) async throws -> LibraryBook
    /// Undoes the latest decision.
    ///
    /// - Returns: the API's word for it, which a later server may have added; nil if there is nothing to undo.
    func undo() async throws -> String?
    /// Returns the open questions about duplicates.
    func duplicates() async throws -> [PossibleDuplicate]
    /// - Returns: the number of questions that were answered.
    func decide(_ questions: [PossibleDuplicate], _ decision: DuplicateDecision) async throws -> Int

    /// Searches the catalog and the providers for records of a book.
    ///
    /// - Parameters:
    ///   - text: nil for the book's title.
    ///   - offline: whether to ask no provider.
    func records(
        for id: RowID<LibraryEntry>, _ text: String?, in scope: SearchScope, offline: Bool
    ) async throws -> MatchResults
    func prepareMatch(of id: RowID<LibraryEntry>, with offer: MatchOffer) async throws -> PreparedMatch

    // MARK: Spines

    /// Returns the picture of a book's spine (JPEG).
    ///
    /// - Parameter longSide: 32...2000 pixels.
    /// - Throws: `LibraryError.notPossible` if no photo shows the book.
    func crop(of id: RowID<LibraryEntry>, turn: SpineTurn, longSide: Int) async throws -> [UInt8]
    /// Moves the outline of a book's spine and reads it again.
    func recrop(_ id: RowID<LibraryEntry>, to box: UnitRect) async throws -> ReviewQueueItem
    /// Stores a report on the spine of a book, and returns it with the spine's identifier.
    func report(_ report: SpineReport, on id: RowID<LibraryEntry>) async throws -> SpineReport
    /// What to run to see the reports.
    var howToSeeReports: String { get }
}

/// The library of a data directory.
struct LocalLibrary: LibraryAccess {
    let store: LibraryStore
}

/// The library of a server.
struct ServerLibrary: LibraryAccess {
    let client: ShelflistClient

    /// The identifier by which the API takes a book instead of its spine.
    static func item(_ id: RowID<LibraryEntry>) -> String { "e\(id)" }
}

/// Everything about one book.
struct BookRecord: Encodable {
    var book: LibraryBook
    var work: LibraryWork
    /// What was read on its spine.
    var item: ReviewQueueItem
    /// The decisions about it, latest first.
    var history: [WorkEvent]
}

/// What matching a book with a record changes.
struct PreparedMatch {
    var changes: [MatchChanges.Field]
    /// What the user's data has that stays.
    var stays: [String]
    var cover: URL?
    /// The version of the book that is matched.
    var etag: String
    /// Matches the book, unless it was changed since, and returns it.
    var apply: () async throws -> LibraryBook
}

/// The books of a list.
struct BookList: Encodable {
    var items: [LibraryBook]
    /// How many books there are without a limit.
    var total: Int
}

/// A part of the review queue.
struct ReviewList: Encodable {
    var counts: ReviewQueueCounts
    var items: [ReviewQueueItem]
}

extension LibraryAccess {
    func exported(_ format: ListFormat) async throws -> String {
        var text = ""
        try await export(format) { text += $0 }
        return text
    }

    /// Returns the shelf with this name.
    ///
    /// - Throws: `CommandError` with the names of the existing shelves.
    func existingShelf(named name: String) async throws -> LibraryShelf {
        let shelves = try await shelves()
        if let shelf = shelves.first(where: { $0.name.compare(name, options: .caseInsensitive) == .orderedSame }) {
            return shelf
        }
        let names = shelves.map(\.name).joined(separator: ", ")
        throw CommandError(
            "There is no shelf “\(name)”. " + (names.isEmpty ? "There are none yet." : "There are: \(names)."))
    }
}
