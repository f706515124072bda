import Concurrency
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Counts copies, works, photos and disk space.
    ///
    /// - Throws: `LibraryError`, errors of reading the folders.
    package func stats() async throws -> LibraryStats {
        let storage = try await BlockingExecutor.interactive.run { try diskSpace() }
        return try await read { db in
            func count(_ rows: String) throws -> Int {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows)") ?? 0
            }
            func counts(_ key: String, _ rows: String, order: String, limit: Int = -1) throws -> [LibraryStats.Count] {
                try LibraryStats.Count.fetchAll(
                    db,
                    sql: """
                        SELECT \(key) AS key, count(*) AS count FROM \(rows) GROUP BY key ORDER BY \(order) LIMIT \(limit)
                        """)
            }
            let largest = "count DESC, key"
            var stats = LibraryStats(storageBytes: storage)
            stats.entries = try count("entry")
            stats.works = try count("work")
            stats.authors = try count("(SELECT DISTINCT author FROM workAuthor)")
            stats.shelves = try count("shelf")
            stats.photos = try count("photo WHERE coalesce(file, picture) IS NOT NULL")
            var paths = ShelfPaths(db)
            stats.byShelf = try counts("CAST(coalesce(shelf, '') AS TEXT)", "entry", order: largest).map { shelf in
                let path = try RowID(shelf.key).flatMap { try paths.path(of: $0) }
                return LibraryStats.Count(key: path ?? "", count: shelf.count)
            }
            stats.byShelf.sort { ($1.count, $0.key) < ($0.count, $1.key) }
            stats.byStatus = try counts(
                "CASE WHEN missingSince IS NOT NULL THEN 'missing' WHEN ownership <> 'owned' THEN ownership ELSE coalesce(reading, 'none') END",
                "entry",
                order: largest)
            stats.byDecade = try counts(
                "CAST(year / 10 * 10 AS TEXT)",
                "entry JOIN edition ON edition.id = entry.edition WHERE year IS NOT NULL",
                order: "key")
            stats.byAuthor = try counts(
                "name", "entry JOIN workAuthor USING (work) JOIN author ON author.id = author", order: largest,
                limit: 20)
            stats.addedByMonth = try counts(
                "strftime('%Y-%m', addedAt / 1000, 'unixepoch')", "entry", order: "key")
            stats.bySource = try counts("addedFrom", "entry", order: largest)
            stats.scansByMonth = try LibraryStats.ScanMonth.fetchAll(
                db,
                sql: """
                    SELECT strftime('%Y-%m', at / 1000, 'unixepoch') AS month, count(*) AS started,
                        count(*) FILTER (WHERE json_extract(data, '$.scan') IN (
                            SELECT json_extract(data, '$.scan') FROM activity WHERE name = 'scan_completed')) AS completed
                    FROM activity WHERE name = 'scan_started' GROUP BY month ORDER BY month
                    """)
            return stats
        }
    }

    /// Returns a page of the tags in use with the number of copies of each, and the number of tags.
    package func tags(limit: Int, offset: Int) async throws -> (tags: [LibraryStats.Count], total: Int) {
        try await read { db in
            let tags = try LibraryStats.Count.fetchAll(
                db,
                sql: """
                    SELECT name AS key, count(*) AS count FROM tag GROUP BY name ORDER BY name LIMIT ? OFFSET ?
                    """, arguments: [limit, offset])
            return (tags, try Int.fetchOne(db, sql: "SELECT count(DISTINCT name) FROM tag") ?? 0)
        }
    }

    private func diskSpace() throws -> LibraryStats.Storage {
        try LibraryStats.Storage(
            photos: Self.size(of: folder.photos), covers: Self.size(of: folder.covers),
            database: Self.bytes(of: folder.database) + Self.bytes(of: URL(filePath: folder.database.path + "-wal")))
    }

    private static func size(of folder: URL) throws -> Int {
        do {
            return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
                .reduce(0) { $0 + (try bytes(of: $1)) }
        } catch CocoaError.fileReadNoSuchFile {
            // The folder is created with its first file.
            return 0
        }
    }

    private static func bytes(of file: URL) throws -> Int {
        do {
            return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        } catch CocoaError.fileReadNoSuchFile {
            // The file was deleted after the folder was listed.
            return 0
        }
    }
}
