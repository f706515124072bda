package import Foundation
import GRDB

/// Names actions that are undone together.
package struct UndoToken: RawRepresentable, Hashable, Codable, Sendable {
    package var rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init() { rawValue = UUID().uuidString.lowercased() }
}

/// The result of an undo.
package struct UndoneAction: Codable, Hashable, Sendable {
    package var kind: ReviewActionKind
    package var at: Date
    /// The works that were changed back, including those that are not in the library any more.
    package var works: [RowID<Work>]
}

extension LibraryStore {
    /// Returns the token as clients get it; nil if it has no actions that were not undone.
    package func shown(_ token: UndoToken) async throws -> String? {
        try await read { try $0.openActions(of: token).isEmpty ? nil : token.rawValue }
    }

    /// Undoes the actions of a token, in reverse order, for at least 24 hours after the last of them.
    ///
    /// Later actions stay. Automatic changes of the same books are undone, too.
    ///
    /// - Throws: `LibraryError.alreadyUndone`; `.notPossible` if the token is unknown or too old, or a later action
    ///   changed the same books. Nothing is undone then.
    package func undo(_ token: UndoToken) async throws -> UndoneAction {
        try await write { db in
            let actions = try db.openActions(of: token)
            guard !actions.isEmpty else {
                let isKnown = try Bool.fetchOne(
                    db, sql: "SELECT EXISTS (SELECT 1 FROM reviewAction WHERE undoToken = ? AND undoneAt IS NOT NULL)",
                    arguments: [token.rawValue])
                throw isKnown == true
                    ? LibraryError.alreadyUndone
                    : .notPossible("This action is too old to be undone. Change the books by hand.")
            }
            return try db.undo(actions)
        }
    }

    /// Undoes the user's last decision of review that has not been undone, for at least 24 hours.
    ///
    /// Later changes to other fields of the book (status, notes, tags, shelf, dates) are kept.
    ///
    /// - Returns: `nil` if there is nothing to undo.
    /// - Throws: `LibraryError.notPossible` if a later action changed the same fields.
    package func undo() async throws -> UndoneAction? {
        let kinds = ReviewActionKind.decisions.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return try await write { db in
            let last = try RowID<ReviewAction>.fetchOne(
                db,
                sql: """
                    SELECT id FROM reviewAction WHERE undoneAt IS NULL AND kind IN (\(kinds))
                        AND EXISTS (SELECT 1 FROM undoChange WHERE action = reviewAction.id)
                    ORDER BY id DESC LIMIT 1
                    """)
            return try last.map { try db.undo([$0]) }
        }
    }
}

extension Database {
    /// Returns the actions of a token that can be undone.
    fileprivate func openActions(of token: UndoToken) throws -> [RowID<ReviewAction>] {
        try RowID.fetchAll(
            self,
            sql: """
                SELECT id FROM reviewAction WHERE undoToken = ? AND undoneAt IS NULL
                    AND EXISTS (SELECT 1 FROM undoChange WHERE action = reviewAction.id)
                """, arguments: [token.rawValue])
    }

    /// Undoes actions, and the automatic actions after them on the same rows.
    ///
    /// - Parameter actions: at least one.
    /// - Throws: `LibraryError.notPossible`.
    func undo(_ actions: [RowID<ReviewAction>]) throws -> UndoneAction {
        let order = try undoOrder(of: actions)
        let last = order.filter { actions.contains($0) }[0]
        guard
            let row = try Row.fetchOne(self, sql: "SELECT kind, at FROM reviewAction WHERE id = ?", arguments: [last])
        else { throw LibraryError.notFound("action \(last)") }
        var undone = UndoneAction(
            kind: try row.decode(forColumn: "kind"), at: Date(milliseconds: row["at"]), works: [])
        undone.works = try UndoRestoring(self).restore(order)
        for action in order {
            for table in ["undoChange", "undoSet"] {
                try execute("DELETE FROM \(table) WHERE action = ?", [action])
            }
            try execute("UPDATE reviewAction SET undoneAt = ? WHERE id = ?", [milliseconds, action])
        }
        return undone
    }

    /// Undoes automatic actions on one work.
    ///
    /// - Parameter actions: at least one.
    /// - Throws: `LibraryError.notPossible`.
    func undo(automatic actions: [RowID<ReviewAction>]) throws -> UndoneAction {
        guard try areRecorded(actions) else {
            throw LibraryError.notPossible("The change is too old to be undone. Correct the book by hand.")
        }
        return try undo(actions)
    }

    /// Returns whether `undo(automatic:)` can undo these actions.
    func areUndoable(_ actions: [RowID<ReviewAction>]) throws -> Bool {
        guard try areRecorded(actions) else { return false }
        do {
            _ = try undoOrder(of: actions)
            return true
        } catch LibraryError.notPossible {
            return false
        }
    }

    private func areRecorded(_ actions: [RowID<ReviewAction>]) throws -> Bool {
        try !actions.isEmpty
            && actions.allSatisfy { action in
                try Bool.fetchOne(
                    self, sql: "SELECT EXISTS (SELECT 1 FROM undoChange WHERE action = ?)", arguments: [action])
                    ?? false
            }
    }

    /// Returns the actions to undo, latest first: these, and automatic ones that changed the same rows since.
    ///
    /// - Throws: `LibraryError.notPossible` if a later action of a user changed the same rows.
    private func undoOrder(of actions: [RowID<ReviewAction>]) throws -> [RowID<ReviewAction>] {
        var order = Set(actions)
        while true {
            let byRows = try RowID<ReviewAction>.fetchSet(
                self,
                sql: """
                    SELECT DISTINCT later.action FROM undoChange mine CROSS JOIN undoChange later
                    WHERE mine.action IN (SELECT value FROM json_each(:actions))
                        AND later.rowKey = mine.rowKey AND later.tableName = mine.tableName
                        AND later.action > mine.action
                        AND (mine.columnName IS NULL OR later.columnName IS NULL
                            OR later.columnName = mine.columnName)
                        AND later.action NOT IN (SELECT value FROM json_each(:actions))
                    """, arguments: ["actions": order.jsonArray()])
            let later = try Row.fetchAll(
                self, sql: "SELECT id, kind FROM reviewAction WHERE id IN (SELECT value FROM json_each(?))",
                arguments: [byRows.union(laterActions(bySetsOf: order)).jsonArray()])
            guard !later.isEmpty else { return order.sorted(by: >) }
            for row in later {
                let kind: ReviewActionKind = try row.decode(forColumn: "kind")
                guard kind.follows else { throw LibraryError.changedSince }
                order.insert(row["id"])
            }
        }
    }
}

extension LibraryError {
    /// A later action changed the books of an action that is to be undone.
    static let changedSince = LibraryError.notPossible(
        "This cannot be undone: a later action changed the same books. Undo the later action first, or correct the "
            + "books by hand.")
}
