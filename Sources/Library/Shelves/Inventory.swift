import Bibliography
import Bounds
package import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Compares what scans of a shelf found with the copies recorded for it.
    ///
    /// - Parameters:
    ///   - scans: at least one; a shelf may take several photos. The name of a server's job stands for all its photos.
    ///   - isWhole: whether the scans together show the whole shelf; otherwise, copies in places that they do not show are
    ///     not missing.
    /// - Throws: `LibraryError.notFound` if there is no such shelf, or a scan has no photo in the library.
    package func compareShelf(
        _ shelf: RowID<Shelf>, with scans: [String], isWhole: Bool = true
    ) async throws -> ShelfInventory {
        try await compareChangedShelves()
        return try await read { db in
            let jobs = try scans.flatMap { scan in
                let names = try db.names(ofScan: scan)
                if names.isEmpty { throw LibraryError.notFound("scan '\(scan.shortened(to: 60))' in the library") }
                return names
            }
            return try db.compareShelf(shelf, with: jobs, isWhole: isWhole)
        }
    }

    /// Compares scans of a shelf with the copies recorded for it, as if their books were added; nothing is changed.
    ///
    /// A book that is nearly the same as a copy of the shelf that the scans do not show counts as that copy, so that a
    /// book that is misread otherwise than before is neither missing nor new. Books that were not added are named as in
    /// `scans`. Copies in places that the scans do not show are not missing.
    ///
    /// - Parameters:
    ///   - scans: photos of the shelf. Those that were imported count as they are.
    ///   - imported: scans of the library that show it, too.
    ///   - scannedAt: when they were taken, the first of them.
    /// - Throws: `LibraryError.notFound`, `.invalid`.
    package func compareShelf(
        _ shelf: RowID<Shelf>, withUnadded scans: [ScanImport], and imported: [String] = [], at scannedAt: Date
    ) async throws -> ShelfInventory {
        for scan in scans { for book in scan.books { try book.check() } }
        let threshold = try await reviewThreshold()
        return try await simulate { db in
            let names = try imported.flatMap { try db.names(ofScan: $0) }
            return try UnaddedComparison(db: db, shelf: shelf, threshold: threshold, scannedAt: scannedAt)
                .compare(scans, and: names)
        }
    }

    /// Returns the latest scan of the shelf, with all its photos; `nil` if there is none.
    package func latestScan(of shelf: RowID<Shelf>) async throws -> String? {
        try await read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT job FROM scanPhoto JOIN photo ON photo.id = photo WHERE shelf = ?
                    ORDER BY at DESC, position DESC LIMIT 1
                    """, arguments: [shelf]
            ).map(ScanName.scan)
        }
    }
}

/// The names of scans: a server imports each photo of a job as a scan of its own, named by the job and its number.
enum ScanName {
    /// Returns the job of a photo; other scans have all their photos under one name.
    static func scan(_ job: String) -> String { job.split(separator: "/").first.map(String.init) ?? job }
}

extension Database {
    /// Returns the names under which the photos of a scan were imported; empty if there are none.
    fileprivate func names(ofScan scan: String) throws -> [String] {
        try String.fetchAll(
            self,
            sql: """
                SELECT DISTINCT job FROM scanPhoto WHERE job = :scan OR substr(job, 1, length(:scan) + 1) = :scan || '/'
                """, arguments: ["scan": scan])
    }

    /// - Parameters:
    ///   - scannedAt: the time of the scans, after which a copy that is not in them may have been found; nil for the time of
    ///     their import.
    ///   - isWhole: whether the scans together show the whole shelf.
    func compareShelf(
        _ id: RowID<Shelf>, with jobs: [String], scannedAt: Date? = nil, isWhole: Bool
    ) throws -> ShelfInventory {
        try checkShelf(id)
        let names = try StoredJSON.text(jobs)
        // A photo scanned before is not imported again; its detections count for this scan.
        let photos = """
            (SELECT photo.id FROM scanPhoto JOIN photo ON photo.id = photo
            WHERE job IN (SELECT value FROM json_each(:jobs)) AND (shelf IS NULL OR shelf = :shelf))
            """
        let arguments: StatementArguments = ["jobs": names, "shelf": id]
        let seen = try copies(
            "SELECT DISTINCT entry FROM detection WHERE entry IS NOT NULL AND photo IN \(photos)", arguments)
        let found = try copies(
            """
            SELECT entry FROM foundCopy WHERE shelf IN \(Self.inside(":shelf")) AND at >= coalesce(:scannedAt, (
                SELECT max(at) FROM scanPhoto WHERE job IN (SELECT value FROM json_each(:jobs))))
            """, ["shelf": id, "jobs": names, "scannedAt": scannedAt?.milliseconds])
        let recorded = try copies("SELECT id FROM entry WHERE shelf = ?", [id])
        var query = EntryQuery(sort: .shelf)
        query.ids = seen.union(recorded).compactMap { RowID($0) }
        // A copy is new if no other scan has detected it and it was added after these scans began.
        let new = try copies(
            """
            SELECT entry FROM detection WHERE entry IN (SELECT value FROM json_each(:copies)) GROUP BY entry
            HAVING min(createdAt) <= (SELECT addedAt FROM entry e WHERE e.id = detection.entry)
                AND entry NOT IN (SELECT entry FROM detection JOIN scanPhoto USING (photo)
                    WHERE entry IS NOT NULL AND scanPhoto.job NOT IN (SELECT value FROM json_each(:jobs)))
            """, ["jobs": names, "copies": query.ids?.jsonArray()])
        let isUnseen =
            try Bool.fetchOne(
                self,
                sql: """
                    SELECT NOT EXISTS (SELECT 1 FROM scanPhoto JOIN photo ON photo.id = photo
                        WHERE shelf = :shelf AND job NOT IN (SELECT value FROM json_each(:jobs)))
                    """, arguments: arguments) ?? true
        let entries = try entries(query).entries
        // What a list or a person recorded on the shelf is known, and the rest is new.
        let isFirst = isUnseen && entries.allSatisfy { $0.shelf?.id != "\(id)" || new.contains($0.id) }
        var inventory = ShelfInventory(shelfId: "\(id)", isFirst: isFirst)
        inventory.questions = try questions(
            "q.detection IN (SELECT id FROM detection WHERE photo IN \(photos))", arguments
        ).map(PossibleDuplicate.init)
        let inside = try Set(shelves(inside: id).map { "\($0)" })
        let compared = try RowID<Photo>.fetchSet(self, sql: "SELECT id FROM \(photos)", arguments: arguments)
        let unshown = try isWhole ? [] : joinedShelf(id, comparing: compared).unshown(besides: seen)
        for entry in entries {
            let isSeen = seen.contains(entry.id)
            // The photos of a bookcase show copies of its boards, but need not show all boards.
            let isHere = entry.shelf.map { isSeen ? inside.contains($0.id) : $0.id == "\(id)" } ?? false
            let group: WritableKeyPath<ShelfInventory, [LibraryBook]>
            switch (isSeen, isHere) {
            case (true, _) where !isFirst && new.contains(entry.id) && (isHere || entry.shelf == nil): group = \.new
            case (true, true): group = \.present
            case (false, true) where found.contains(entry.id) && entry.ownership != .lent: group = \.present
            case (true, false): group = \.moved
            case (false, true) where entry.ownership == .lent: group = \.lent
            case (false, true) where unshown.contains(entry.id): group = \.notShown
            case (false, true): group = \.missing
            case (false, false): continue
            }
            inventory[keyPath: group].append(entry)
        }
        return inventory
    }

    /// Returns the IDs of the copies that a query finds, as messages have them.
    func copies(_ query: String, _ arguments: StatementArguments) throws -> Set<String> {
        Set(try RowID<LibraryEntry>.fetchAll(self, sql: query, arguments: arguments).map(\.description))
    }
}
