import GRDB

extension LibraryStore {
    /// Checks the consistency of the database; used by `doctor`, after a crash, and in tests.
    ///
    /// - Returns: a sentence for each problem found.
    package func problems() async throws -> [String] {
        try await read { db in
            var found = try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
            found += try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map {
                "A row of \($0[0] as String) refers to a missing \($0[2] as String)."
            }
            for (query, sentence) in Self.invariants {
                found += try Int64.fetchAll(db, sql: query).map { "\(sentence) (\($0))" }
            }
            return found
        }
    }

    /// Each query finds the rows that break an invariant.
    private static let invariants = [
        ("SELECT id FROM work WHERE id NOT IN (SELECT work FROM entry)", "A work has no copy."),
        (
            "SELECT id FROM work WHERE id NOT IN (SELECT rowid FROM workWords)",
            "A work is missing from the search index."
        ),
        (
            "SELECT rowid FROM workWords WHERE rowid NOT IN (SELECT id FROM work)",
            "The search index has a deleted work."
        ),
        (
            """
            SELECT id FROM detection WHERE outcome = 'pending'
                AND id NOT IN (SELECT detection FROM duplicateQuestion WHERE detection IS NOT NULL)
            """, "A detection waits for an answer, but has no question."
        ),
        (
            """
            SELECT q.id FROM duplicateQuestion q JOIN detection d ON d.id = q.detection WHERE d.outcome <> 'pending'
            """, "A question refers to a detection that is not waiting."
        ),
        (
            "SELECT q.id FROM duplicateQuestion q JOIN entry ON entry.id = q.entry WHERE entry.work = q.work",
            "A question compares a work with itself."
        ),
        (
            """
            WITH RECURSIVE place(id) AS (SELECT id FROM shelf WHERE parent IS NULL
                UNION SELECT shelf.id FROM place JOIN shelf ON shelf.parent = place.id)
            SELECT id FROM shelf WHERE id NOT IN (SELECT id FROM place)
            """, "A shelf is inside itself."
        ),
        (
            """
            SELECT work.id FROM work WHERE authorNames <> coalesce((SELECT group_concat(name, char(31)) FROM
                (SELECT name FROM workAuthor JOIN author ON author.id = author WHERE work = work.id ORDER BY position)), '')
            """, "A work's author names differ from its authors."
        ),
    ]
}
