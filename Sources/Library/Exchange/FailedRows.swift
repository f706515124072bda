import Bounds
import GRDB
import ShelflistAPI

/// A row of an imported list that did not become a book.
package struct FailedRow: Identifiable, Hashable, Codable, Sendable {
    package var id: RowID<FailedRow>
    /// The name of the file.
    package var name: String
    package var line: Int
    package var reason: String
    /// The beginning of the row; empty if it could not be parsed.
    package var content: String

    /// The maximum number of rows that are kept of one file.
    package static let limit = 1000
}

extension LibraryStore {
    /// Removes rows from the queue; those that are not in it are ignored.
    ///
    /// - Returns: the number of rows removed.
    @discardableResult
    package func dismiss(_ rows: [RowID<FailedRow>]) async throws -> Int {
        try await write { db in
            let action = try db.beginAction(.dismiss)
            try db.execute(
                "DELETE FROM failedRow WHERE id IN (SELECT value FROM json_each(?))", [Set(rows).jsonArray()])
            let count = db.changesCount
            try db.finish(action)
            return count
        }
    }

    /// Keeps the rows of a list that are not books until the user dismisses them, without blank rows.
    ///
    /// - Parameters:
    ///   - file: identifies the file with its mapping; rows that are known already are not kept twice.
    ///   - name: the name of the file.
    func keep(_ problems: [ListImport.FailedRow], ofFile file: String, named name: String) async throws {
        let problems = problems.filter { $0.content != "" }
        guard !problems.isEmpty else { return }
        try await write { db in
            let action = try db.beginAction(.addList)
            for problem in problems.prefix(FailedRow.limit) {
                try db.execute(
                    """
                    INSERT INTO failedRow (file, line, name, reason, content, at) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (file, line) DO NOTHING
                    """, [file, problem.line, name, problem.reason, problem.content ?? "", db.milliseconds])
            }
            try db.finish(action)
        }
    }
}

extension FailedRow: FetchableRecord {}

extension ListImport.FailedRow {
    /// - Parameter content: empty for a blank row; only its beginning is kept.
    init(line: Int, reason: String, beginning content: String) {
        self.init(line: line, reason: reason, content: BoundedText(content, limit: 300).text)
    }
}
