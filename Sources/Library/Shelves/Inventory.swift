import GRDB

/// The differences between a shelf in a scan and in the library.
package struct ShelfComparison: Hashable, Codable, Sendable {
    package var shelf: Shelf
    /// Copies of this shelf that the scan shows.
    package var present: [EntrySummary]
    /// Copies that the scan added to the library.
    package var new: [EntrySummary]
    /// Copies of this shelf that the scan does not show; they are not changed until the user decides.
    package var missing: [EntrySummary]
    /// Copies of this shelf that are lent.
    package var lent: [EntrySummary]
    /// Copies of another shelf, or of none, that the scan shows.
    package var moved: [EntrySummary]
    /// Open questions about detections of the scan.
    package var questions: [DuplicateQuestion]
}

extension LibraryStore {
    /// Compares what scans of a shelf found with the copies recorded for it.
    ///
    /// - Parameter jobs: the scans that together show the whole shelf; a shelf may take several photos.
    /// - Throws: `LibraryError.notFound`.
    package func compareShelf(_ shelf: RowID<Shelf>, with jobs: [String]) async throws -> ShelfComparison {
        let (known, seen, new, questions) = try await read { db in
            let shelf = try db.shelf(shelf)
            let names = "[" + (try jobs.map { try JSONColumn.text($0) }).joined(separator: ",") + "]"
            // A photo scanned before is not imported again; its detections count for this scan.
            let photos = """
                (SELECT photo.id FROM scanPhoto JOIN photo ON photo.id = photo
                WHERE job IN (SELECT value FROM json_each(:jobs)) AND (shelf IS NULL OR shelf = :shelf))
                """
            let arguments: StatementArguments = ["jobs": names, "shelf": shelf.id]
            let seen = try RowID<LibraryEntry>.fetchAll(
                db, sql: "SELECT DISTINCT entry FROM detection WHERE entry IS NOT NULL AND photo IN \(photos)",
                arguments: arguments)
            // A copy is new if no other scan has detected it and it was added after these scans began.
            let new = try RowID<LibraryEntry>.fetchAll(
                db,
                sql: """
                    SELECT entry FROM detection WHERE entry IS NOT NULL GROUP BY entry
                    HAVING min(createdAt) <= (SELECT addedAt FROM entry e WHERE e.id = detection.entry)
                        AND entry NOT IN (SELECT entry FROM detection JOIN scanPhoto USING (photo)
                            WHERE entry IS NOT NULL AND scanPhoto.job NOT IN (SELECT value FROM json_each(:jobs)))
                    """, arguments: ["jobs": names])
            let questions = try db.questions(
                "q.detection IN (SELECT id FROM detection WHERE photo IN \(photos))", arguments)
            return (shelf, Set(seen), Set(new), questions)
        }
        var comparison = ShelfComparison(
            shelf: known, present: [], new: [], missing: [], lent: [], moved: [], questions: questions)
        for entry in try await entries(EntryQuery(sort: .shelf)).entries {
            let isSeen = seen.contains(entry.id)
            switch (isSeen, entry.shelf == shelf) {
            case (true, _) where new.contains(entry.id) && [shelf, nil].contains(entry.shelf):
                comparison.new.append(entry)
            case (true, true): comparison.present.append(entry)
            case (true, false): comparison.moved.append(entry)
            case (false, true) where entry.ownership == .lent: comparison.lent.append(entry)
            case (false, true): comparison.missing.append(entry)
            case (false, false): break
            }
        }
        return comparison
    }

    /// Returns the latest scan of the shelf, or `nil` if there is none.
    package func latestScan(of shelf: RowID<Shelf>) async throws -> String? {
        try await read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT job FROM scanPhoto JOIN photo ON photo.id = photo WHERE shelf = ?
                    ORDER BY at DESC, position DESC LIMIT 1
                    """, arguments: [shelf])
        }
    }

    /// Records that copies are on a shelf now, or on none.
    ///
    /// - Throws: `LibraryError.notFound`; nothing is moved then.
    package func move(_ entries: [RowID<LibraryEntry>], to shelf: RowID<Shelf>?) async throws {
        try await write { db in
            try db.checkShelf(shelf)
            for entry in entries {
                _ = try db.entry(entry)
                try db.execute(
                    "UPDATE entry SET shelf = ?, revision = revision + 1 WHERE id = ?",
                    [shelf, entry])
            }
        }
    }
}
