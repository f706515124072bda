package import Foundation
import GRDB

/// The kind of an action on the library's books: the user's, or an automatic one.
package enum ReviewActionKind: String, Codable, CaseIterable, Sendable {
    case verify, verifyAll, keepEdit, correct, reject, match, recrop, duplicate, remove, move
    /// An automatic change, after sources answered.
    case identify
}

/// An action in progress, with a snapshot of the rows it may change, so that it can be undone.
package struct ReviewAction {
    let id: RowID<ReviewAction>
    let kind: ReviewActionKind
    fileprivate let works: [RowID<Work>]
    fileprivate let detections: [RowID<Detection>]
    fileprivate let snapshot: LibrarySnapshot
}

extension Database {
    /// The number of the user's actions that can be undone.
    static let undoDepth = 100
    /// The number of automatic changes that can be undone; a scan of five photos may make some hundred.
    static let automaticUndoDepth = 500

    /// - Parameters:
    ///   - works: all works that the action may change.
    ///   - detections: detections without a copy that the action may change.
    func beginAction(_ kind: ReviewActionKind, works: [RowID<Work>], detections: [RowID<Detection>] = []) throws
        -> ReviewAction
    {
        let id: RowID<ReviewAction> = try insert(
            "INSERT INTO reviewAction (kind, at) VALUES (?, ?)", [kind, milliseconds])
        let works = Array(Set(works)).sorted()
        var detections = detections
        for work in works {
            // If the work is deleted, these detections become separate books.
            detections += try RowID.fetchAll(
                self, sql: "SELECT detection FROM duplicateQuestion WHERE work = ? AND detection IS NOT NULL",
                arguments: [work])
        }
        return ReviewAction(
            id: id, kind: kind, works: works, detections: detections,
            snapshot: try LibrarySnapshot(self, works: works, detections: detections))
    }

    func finish(_ action: ReviewAction) throws {
        var snapshot = action.snapshot
        // A detection that waited for an answer may have its own work now.
        let made = try action.detections.flatMap { detection in
            try RowID<Work>.fetchAll(
                self, sql: "SELECT work FROM entry JOIN detection ON entry.id = detection.entry WHERE detection.id = ?",
                arguments: [detection])
        }
        for work in Set(action.works + made) {
            let revision =
                try Int.fetchOne(self, sql: "SELECT revision FROM work WHERE id = ?", arguments: [work]) ?? 0
            snapshot.revisionsAfter[work] = revision
            if revision == snapshot.revision(of: work) { snapshot.unchanged.insert(work) }
        }
        try execute("UPDATE reviewAction SET snapshot = ? WHERE id = ?", [try JSONColumn.text(snapshot), action.id])
        // Automatic changes must not make the user's actions permanent.
        try execute(
            """
            UPDATE reviewAction SET snapshot = NULL
            WHERE snapshot IS NOT NULL AND (kind = 'identify') = :automatic AND id <= (
                SELECT id FROM reviewAction WHERE (kind = 'identify') = :automatic
                ORDER BY id DESC LIMIT 1 OFFSET :depth)
            """,
            [
                "automatic": action.kind == .identify,
                "depth": action.kind == .identify ? Self.automaticUndoDepth : Self.undoDepth,
            ])
    }

    /// Updates the revisions in the snapshots of earlier actions after `action` has been undone.
    ///
    /// The works are otherwise as those actions left them.
    fileprivate func follow(_ moved: [RowID<Work>: (from: Int, to: Int)], before action: RowID<ReviewAction>) throws {
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT id, snapshot FROM reviewAction WHERE id < ? AND undoneAt IS NULL AND snapshot IS NOT NULL
                """, arguments: [action])
        for row in rows {
            let text: String = row["snapshot"]
            var snapshot = try JSONDecoder().decode(LibrarySnapshot.self, from: Data(text.utf8))
            let known = snapshot.revisionsAfter
            for (work, revision) in moved where known[work] == revision.from {
                snapshot.revisionsAfter[work] = revision.to
            }
            guard snapshot.revisionsAfter != known else { continue }
            try execute(
                "UPDATE reviewAction SET snapshot = ? WHERE id = ?",
                [try JSONColumn.text(snapshot), row["id"] as RowID<ReviewAction>])
        }
    }
}

/// The result of an undo.
package struct UndoneAction: Codable, Hashable, Sendable {
    package var kind: ReviewActionKind
    package var at: Date
    /// The works that were restored.
    package var works: [RowID<Work>]
}

extension LibraryStore {
    /// Undoes the user's last action that has not been undone, for up to 100 actions.
    ///
    /// The user's later changes to a copy (status, notes, tags, shelf, dates) are kept.
    ///
    /// - Returns: `nil` if there is nothing to undo.
    /// - Throws: `LibraryError.notPossible` if one of the works has changed since.
    package func undo() async throws -> UndoneAction? {
        try await write { db in
            guard
                let row = try Row.fetchOne(
                    db,
                    sql: """
                        SELECT * FROM reviewAction WHERE undoneAt IS NULL AND kind <> 'identify' ORDER BY id DESC LIMIT 1
                        """)
            else { return nil }
            return try db.undo(row)
        }
    }
}

extension Database {
    /// Restores the state before an action.
    ///
    /// - Returns: nil if the action is too old.
    fileprivate func undo(_ row: Row) throws -> UndoneAction? {
        guard let text = row["snapshot"] as String? else { return nil }
        let snapshot = try JSONDecoder().decode(LibrarySnapshot.self, from: Data(text.utf8))
        guard try isCurrent(snapshot) else {
            throw LibraryError.notPossible(
                "The last action cannot be undone: one of its books was changed since. Correct it by hand.")
        }
        let id: RowID<ReviewAction> = row["id"]
        let moved = try snapshot.restore(self)
        try follow(moved, before: id)
        try execute("UPDATE reviewAction SET undoneAt = ?, snapshot = NULL WHERE id = ?", [milliseconds, id])
        return UndoneAction(
            kind: try row.decode(forColumn: "kind"), at: Date(milliseconds: row["at"]),
            works: snapshot.revisionsAfter.keys.sorted())
    }

    /// Undoes automatic actions on one work.
    ///
    /// - Parameter actions: latest first; at least one.
    /// - Throws: `LibraryError.notPossible`.
    func undo(automatic actions: [RowID<ReviewAction>]) throws -> UndoneAction {
        var undone = UndoneAction(kind: .identify, at: Date(milliseconds: try milliseconds), works: [])
        for action in actions {
            // Read one by one, because undoing one updates the snapshots of those before it.
            guard let row = try Row.fetchOne(self, sql: "SELECT * FROM reviewAction WHERE id = ?", arguments: [action]),
                let one = try undo(row)
            else { throw LibraryError.notPossible("The change is too old to be undone. Correct the book by hand.") }
            undone.at = one.at
            undone.works = Set(undone.works).union(one.works).sorted()
        }
        return undone
    }

    /// Whether `undo(automatic:)` can undo these actions.
    func areUndoable(_ actions: [RowID<ReviewAction>]) throws -> Bool {
        let texts = try actions.map { action in
            try String.fetchOne(self, sql: "SELECT snapshot FROM reviewAction WHERE id = ?", arguments: [action])
        }
        guard let latest = texts.first ?? nil, !texts.contains(nil) else { return false }
        return try isCurrent(try JSONDecoder().decode(LibrarySnapshot.self, from: Data(latest.utf8)))
    }

    /// Whether the works are as the snapshot's action left them.
    private func isCurrent(_ snapshot: LibrarySnapshot) throws -> Bool {
        try snapshot.revisionsAfter.allSatisfy { work, expected in
            let now = try Int.fetchOne(self, sql: "SELECT revision FROM work WHERE id = ?", arguments: [work]) ?? 0
            return now == expected
        }
    }
}
