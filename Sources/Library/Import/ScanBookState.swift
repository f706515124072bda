package import Bibliography
package import Foundation
import GRDB
import Imaging
package import ShelflistAPI

/// A spine of a scan: its name in the scan and its place in the photo.
package struct ScanPlace: Hashable, Sendable {
    package var book: String
    package var box: UnitRect

    package init(book: String, box: UnitRect) {
        self.book = book
        self.box = box
    }
}

/// What became of a spine of a scan in the library.
package struct ScanBookState: Hashable, Sendable {
    package var detection: RowID<Detection>
    package var outcome: Detection.Outcome
    /// The copy that the spine shows, with its current data; nil if it shows none.
    package var copy: Copy?

    package init(detection: RowID<Detection>, outcome: Detection.Outcome, copy: Copy? = nil) {
        self.detection = detection
        self.outcome = outcome
        self.copy = copy
    }

    package struct Copy: Hashable, Sendable {
        package var entry: RowID<LibraryEntry>
        package var reviewStatus: ReviewStatus
        package var book: BookDetails
    }
}

extension LibraryStore {
    /// Returns what became of the spines of a scan's photo, by their names.
    ///
    /// A spine that an earlier scan of the same picture added has that scan's state.
    package func states(of places: [ScanPlace], inScan job: String) async throws -> [String: ScanBookState] {
        try await read { db in
            let detections = try db.detections(
                "photo IN (SELECT photo FROM scanPhoto WHERE job = ?) ORDER BY id", [job])
            var states: [String: ScanBookState] = [:]
            for place in places {
                let box = place.box.inUnits
                let shown =
                    detections.first { $0.job == job && $0.book == place.book }
                    ?? detections.first {
                        $0.job != job && $0.outcome != .removed
                            && $0.boundingBox.inUnits.overlap(with: box) >= ScanImporting.sameSpot
                    }
                guard let shown else { continue }
                states[place.book] = ScanBookState(
                    detection: shown.id, outcome: shown.outcome,
                    copy: try shown.entry.map { entry in
                        ScanBookState.Copy(
                            entry: entry, reviewStatus: try db.work(try db.entry(entry).work).reviewStatus,
                            book: try db.book(ofEntry: entry))
                    })
            }
            return states
        }
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
