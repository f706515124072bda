import Bounds
import GRDB

/// The kind of an action on the library: the user's, or an automatic one.
package enum ReviewActionKind: String, Codable, CaseIterable, Sendable {
    case verify, verifyAll, keepEdit, correct, reject, match, recrop, duplicate, remove, move
    /// Changes that are not decisions of review.
    case addScan, addBook, addList, edit, addShelf, renameShelf, moveShelf, removeShelf
    /// A stocktake was started, closed or removed, or copies were seen in it.
    case startStocktake, closeStocktake, removeStocktake, seeCopies
    /// The dismissal of a row of a list.
    case dismiss
    /// A record or cover that was found for a book.
    case enrich
    /// The identification of a book that waits for review, after sources answered.
    case lookUp
    /// An automatic change: of a book that did not wait for review any more, or one that leaves the library.
    case identify

    /// The kinds of actions that are not the user's.
    ///
    /// Undoing an action that changed the same rows before undoes these, too.
    private static let automatic: [ReviewActionKind] = [.enrich, .lookUp, .identify]

    static let automaticSQL = automatic.map { "'\($0.rawValue)'" }.joined(separator: ", ")

    var follows: Bool { Self.automatic.contains(self) }

    /// The actions that `undo()` undoes without a token.
    static let decisions: [ReviewActionKind] = [
        .verify, .verifyAll, .keepEdit, .correct, .reject, .match, .recrop, .duplicate, .remove, .move,
    ]
}

/// An action in progress; the rows it changes are recorded until it is finished.
package struct ReviewAction {
    let id: RowID<ReviewAction>
    let kind: ReviewActionKind
}

extension Database {
    /// Seconds for which every action can be undone.
    static let undoAge: Double = 24 * 60 * 60
    /// The number of the user's latest actions that can be undone after `undoAge`, too.
    static let undoDepth = 100
    /// The number of automatic changes that can be undone after `undoAge`; a scan of five photos may make some hundred.
    static let automaticUndoDepth = 500

    /// Begins an action: until `finish`, which is in the same transaction, changed rows are recorded.
    func beginAction(_ kind: ReviewActionKind) throws -> ReviewAction {
        // Automatic actions are undone with the actions that they follow.
        let id: RowID<ReviewAction> = try insert(
            """
            INSERT INTO reviewAction (kind, at, undoToken)
            SELECT :kind, :now, CASE WHEN :kind NOT IN ('lookUp', 'identify') THEN undoToken END FROM libraryState
            """, ["kind": kind, "now": milliseconds])
        try execute("UPDATE libraryState SET action = ?", [id])
        return ReviewAction(id: id, kind: kind)
    }

    /// Ends an action, and deletes what was recorded of actions that are too old to be undone.
    func finish(_ action: ReviewAction) throws {
        try endFulfilledWishes(of: action)
        try execute("UPDATE libraryState SET action = NULL")
        // An action that changed nothing cannot be undone.
        try execute(
            """
            DELETE FROM reviewAction WHERE id = ?
                AND NOT EXISTS (SELECT 1 FROM undoChange WHERE action = reviewAction.id)
                AND NOT EXISTS (SELECT 1 FROM reviewHistory WHERE action = reviewAction.id)
            """, [action.id])
        // Automatic changes must not make the user's actions permanent.
        let isAutomatic = action.kind.follows
        for table in ["undoChange", "undoSet"] {
            try execute(
                """
                DELETE FROM \(table) WHERE action IN (
                    SELECT id FROM reviewAction
                    WHERE (kind IN (\(ReviewActionKind.automaticSQL))) = :automatic AND at < :oldest
                        AND id >= (SELECT min(action) FROM \(table))
                        AND id <= (SELECT id FROM reviewAction WHERE at < :oldest ORDER BY at DESC, id DESC LIMIT 1)
                        AND id <= (
                            SELECT id FROM reviewAction WHERE (kind IN (\(ReviewActionKind.automaticSQL))) = :automatic
                            ORDER BY id DESC LIMIT 1 OFFSET :depth))
                """,
                [
                    "automatic": isAutomatic, "oldest": try milliseconds - Int64(saturating: Self.undoAge * 1000),
                    "depth": isAutomatic ? Self.automaticUndoDepth : Self.undoDepth,
                ])
        }
    }
}
