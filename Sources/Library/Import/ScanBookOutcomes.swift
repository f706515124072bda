import Bibliography
package import Foundation
package import GRDB
import Imaging
package import ShelflistAPI

extension LibraryStore {
    /// Returns what became of the spines of a scan's photo, by their names.
    ///
    /// A spine that an earlier scan of the same picture added has that scan's state.
    ///
    /// - Parameter places: their boxes by their names.
    package func states(
        of places: [String: UnitRect], inScan job: String, in db: Database
    ) throws -> [String: ScanBookOutcome] {
        let detections = try db.detections(
            "photo IN (SELECT photo FROM scanPhoto WHERE job = ?) ORDER BY id", [job])
        var states: [String: ScanBookOutcome] = [:]
        for (book, box) in places {
            if let shown = detections.spine(of: book, in: job, at: box) { states[book] = try db.outcome(of: shown) }
        }
        return states
    }

    /// Returns a shelf, or nil if it was deleted.
    package func ifExists(_ shelf: RowID<Shelf>, in db: Database) throws -> RowID<Shelf>? {
        try RowID.fetchOne(db, sql: "SELECT id FROM shelf WHERE id = ?", arguments: [shelf])
    }

    /// Returns the file of a scan's first photo; nil if it was deleted, or was not stored.
    package func photoFile(ofScan job: String) async throws -> URL? {
        let name = try await read {
            try String.fetchOne(
                $0,
                sql: """
                    SELECT file FROM scanPhoto JOIN photo ON photo.id = photo WHERE job = ? AND file IS NOT NULL
                    ORDER BY position LIMIT 1
                    """, arguments: [job])
        }
        return name.map { folder.photo($0) }
    }

    /// Returns the scans with photos that were not deleted yet.
    package func scansWithPhotos() async throws -> Set<String> {
        try await read {
            try String.fetchSet(
                $0, sql: "SELECT job FROM scanPhoto JOIN photo ON photo.id = photo WHERE file IS NOT NULL")
        }
    }
}

extension Database {
    /// Returns what became of a spine, with the current data of the copy that it shows.
    fileprivate func outcome(of detection: Detection) throws -> ScanBookOutcome {
        let status = try detection.entry.map { try work(try entry($0).work).reviewStatus }
        let state: ScanBookOutcome.State =
            switch detection.outcome {
            case .entry: status == .needsReview ? .review : .added
            case .pending: .question
            case .skipped: .skipped
            case .rejected: .rejected
            case .removed: .removed
            }
        var outcome = ScanBookOutcome(state)
        outcome.detectionId = "\(detection.id)"
        guard let entry = detection.entry else { return outcome }
        let book = try book(ofEntry: entry)
        outcome.entryId = "\(entry)"
        outcome.reviewStatus = status
        outcome.title = book.title
        outcome.author = book.authors.map(\.name).joined(separator: ", ")
        outcome.isbn = book.isbn?.isbn13
        return outcome
    }
}
