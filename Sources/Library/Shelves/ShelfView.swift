import Bounds
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryShelfView {
    /// The number of photos that are joined, latest first.
    package static let photoLimit = 40
}

extension LibraryStore {
    /// Returns the books of a shelf in their order on its boards.
    ///
    /// Photos that overlap, and photos of several scans, are joined by the books that both show. A book that an earlier
    /// scan shows between, or in the frame of, books of a later one is a gap.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func shelfView(_ shelf: RowID<Shelf>) async throws -> LibraryShelfView {
        try await read { try $0.shelfView(shelf) }
    }

    /// Records that copies are on a shelf although its latest photos do not show them.
    ///
    /// They are recorded on this shelf unless they are on one inside it, and are not lent any more.
    ///
    /// - Returns: the number of copies that were changed.
    /// - Throws: `LibraryError.notFound`; nothing is changed then.
    package func markFound(_ entries: [RowID<LibraryEntry>], on shelf: RowID<Shelf>) async throws -> Int {
        try await write { db in
            try db.checkShelf(shelf)
            let action = try db.beginAction(.edit)
            for entry in entries { try db.markFound(try db.entry(entry), on: shelf) }
            try db.finish(action)
            return entries.count
        }
    }
}

/// A photo of a shelf and the scan that showed it last.
private struct ShelfPhoto {
    var photo: Photo
    var job: String
    var position: Int
    var at: Date

    var scan: String { ScanName.scan(job) }
    /// The photo's place in its scan.
    var order: (Int, Int) { (job.split(separator: "/").dropFirst().last.flatMap { Int($0) } ?? 0, position) }
}

/// The photos of a shelf, joined.
struct JoinedShelf {
    var joining = ShelfJoining()
    /// The latest detection of each copy, with its photo.
    var detections: [RowID<LibraryEntry>: (Detection, Photo)] = [:]
    /// The row of the latest detection of each copy.
    var rows: [RowID<LibraryEntry>: [SpineSighting]] = [:]
    /// Latest first.
    var scans: [String] = []
    /// The time of the latest scan.
    var scannedAt: Date?

    /// Returns the IDs of the copies in places that the compared photos do not show: beyond their frames, and in rows of
    /// other photos of which they show nothing.
    ///
    /// - Parameter seen: the IDs of the copies that the compared photos show.
    func unshown(besides seen: Set<String>) -> Set<String> {
        func isSeen(_ sighting: SpineSighting) -> Bool { seen.contains("\(sighting.entry)") }
        var unshown: Set<String> = []
        for board in joining.boards {
            let isJoined = board.contains { isSeen($0.sighting) }
            for place in board where !place.isGap && !isSeen(place.sighting) {
                let row = rows[place.sighting.entry] ?? []
                if isJoined || !row.contains(where: isSeen) { unshown.insert("\(place.sighting.entry)") }
            }
        }
        return unshown
    }
}

extension Database {
    func shelfView(_ id: RowID<Shelf>) throws -> LibraryShelfView {
        let shelf = try shelf(id)
        let joined = try joinedShelf(id)
        var view = try view(of: shelf, joined.joining, joined.detections, scannedAt: joined.scannedAt)
        try markNew(in: &view, of: joined.scans)
        return view
    }

    func markFound(_ copy: LibraryEntry, on shelf: RowID<Shelf>) throws {
        try noteFound(copy.id, on: shelf)
        var details = copy.details
        // A copy on a board of a bookcase stays on its board.
        if try !(details.shelf.map { try shelves(inside: shelf).contains($0) } ?? false) { details.shelf = shelf }
        if details.ownership == .lent { details.comesBack() }
        details.missingSince = nil
        if details != copy.details { try update(copy, to: details) }
    }

    func noteFound(_ entry: RowID<LibraryEntry>, on shelf: RowID<Shelf>) throws {
        try execute(
            """
            INSERT INTO foundCopy (entry, shelf, at) VALUES (:entry, :shelf, :now)
            ON CONFLICT (entry) DO UPDATE SET shelf = excluded.shelf, at = excluded.at
            """, ["entry": entry, "shelf": shelf, "now": milliseconds])
        try noteSeen([entry], on: shelf, by: .hand)
    }

    /// Determines again where the copies of a shelf stand.
    func compareShelf(_ shelf: RowID<Shelf>) throws {
        try execute("DELETE FROM standing WHERE shelf = ?", [shelf])
        let joined = try joinedShelf(shelf)
        for (board, places) in joined.joining.boards.enumerated() {
            for (rank, place) in places.enumerated() {
                try execute(
                    """
                    INSERT INTO standing (shelf, entry, board, rank, detection, scannedAt, isGap)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                    [
                        shelf, place.sighting.entry, board, rank, joined.detections[place.sighting.entry]?.0.id,
                        joined.scannedAt?.milliseconds ?? 0, place.isGap,
                    ])
            }
        }
    }

    /// - Parameter compared: photos that count as one scan, later than the others.
    func joinedShelf(_ id: RowID<Shelf>, comparing compared: Set<RowID<Photo>> = []) throws -> JoinedShelf {
        let photos = try photos(ofShelf: id)
        let others = photos.filter { !compared.contains($0.photo.id) }
        var joined = JoinedShelf(scannedAt: photos.first?.at)
        for photo in others where !joined.scans.contains(photo.scan) { joined.scans.append(photo.scan) }
        let scans =
            [photos.filter { compared.contains($0.photo.id) }]
            + joined.scans.map { scan in others.filter { $0.scan == scan } }
        for (rank, scan) in scans.filter({ !$0.isEmpty }).enumerated() {
            for photo in scan.sorted(by: { $0.order < $1.order }) {
                let all = try self.detections("photo = ? AND entry IS NOT NULL ORDER BY id", [photo.photo.id])
                for row in PlaceInPhoto.rows(
                    all + (try repeatedDetections(in: photo.photo.id)), \.boundingBox)
                {
                    let sorted = row.sorted { ($0.middle, $0.boundingBox.y) < ($1.middle, $1.boundingBox.y) }
                    let spines = sorted.compactMap { detection in
                        detection.entry.map {
                            SpineSighting(entry: $0, scan: rank, photo: photo.photo.id, middle: detection.middle)
                        }
                    }
                    for case let (detection, entry?) in sorted.map({ ($0, $0.entry) })
                    where joined.detections[entry] == nil {
                        joined.detections[entry] = (detection, photo.photo)
                        joined.rows[entry] = spines
                    }
                    joined.joining.add(spines)
                }
            }
        }
        return joined
    }

    /// Returns the detections of other photos of the same scan that a photo shows again, with their outlines in it.
    private func repeatedDetections(in photo: RowID<Photo>) throws -> [Detection] {
        let rows = try Row.fetchAll(
            self, sql: "SELECT * FROM repeatedSpine WHERE photo = ? ORDER BY id", arguments: [photo])
        return try rows.compactMap { row in
            let shown: RowID<Detection> = row["detection"]
            guard var detection = try detections("id = ? AND entry IS NOT NULL", [shown]).first else { return nil }
            detection.photo = photo
            detection.boundingBox = UnitRect(x: row["x"], y: row["y"], width: row["width"], height: row["height"])
            detection.quad = try StoredJSON.value(row["quad"])
            return detection
        }
    }

    /// Returns the photos of a shelf, latest first.
    private func photos(ofShelf shelf: RowID<Shelf>) throws -> [ShelfPhoto] {
        // With a single `max`, SQLite takes the other columns from the row of the maximum.
        let rows = try Row.fetchAll(
            self,
            sql: """
                SELECT photo.*, job, position, max(at) AS scannedAt
                FROM scanPhoto JOIN photo ON photo.id = scanPhoto.photo
                WHERE photo.shelf = ? GROUP BY photo.id ORDER BY scannedAt DESC, photo.id DESC LIMIT ?
                """, arguments: [shelf, LibraryShelfView.photoLimit])
        return try rows.map { row in
            ShelfPhoto(
                photo: try Photo(row: row), job: row["job"], position: row["position"],
                at: Date(milliseconds: row["scannedAt"]))
        }
    }

    private func view(
        of shelf: Shelf, _ joining: ShelfJoining, _ detections: [RowID<LibraryEntry>: (Detection, Photo)],
        scannedAt: Date?
    ) throws -> LibraryShelfView {
        var placed = EntryQuery()
        placed.ids = Array(detections.keys)
        let entries = Dictionary(
            try self.entries(placed).entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let found = try RowID<LibraryEntry>.fetchSet(
            self, sql: "SELECT entry FROM foundCopy WHERE shelf IN \(Self.inside("?")) AND at >= ?",
            arguments: [shelf.id, scannedAt?.milliseconds ?? 0])
        let inside = try Set(shelves(inside: shelf.id).map { "\($0)" })
        let putBack = try copiesPutBack(from: shelf.id, since: scannedAt)
        var boards = joining.boards.map { board in
            board.compactMap { place -> LibraryShelfView.Spine? in
                let id = place.sighting.entry
                guard let entry = entries["\(id)"], let (detection, photo) = detections[id],
                    let state = LibraryShelfView.Spine.State(
                        entry, place, isFound: found.contains(id),
                        isHere: entry.shelf.map { inside.contains($0.id) } ?? false),
                    state != .elsewhere || !putBack.contains(id)
                else { return nil }
                let box = detection.boundingBox
                return LibraryShelfView.Spine(
                    entry: entry, state: state, detectionId: "\(detection.id)",
                    photoId: "\(detection.photo)", cropUrl: PictureURL.crop(detection),
                    width: Int(saturating: (box.width * Double(photo.width)).rounded()),
                    height: Int(saturating: (box.height * Double(photo.height)).rounded()))
            }
        }.filter { !$0.isEmpty }
        try markStrays(on: &boards, of: shelf, since: scannedAt)
        var recorded = EntryQuery(sort: .author)
        recorded.home = shelf.id
        let shown = Set(boards.joined().map(\.entry.id))
        return LibraryShelfView(
            shelfId: "\(shelf.id)", scannedAt: scannedAt, boards: boards,
            unseen: try self.entries(recorded).entries.filter { !shown.contains($0.id) })
    }
}

extension LibraryShelfView.Spine.State {
    /// - Returns: `nil` for a copy that has left the shelf.
    fileprivate init?(_ entry: LibraryBook, _ place: ShelfJoining.Place, isFound: Bool, isHere: Bool) {
        switch (isHere, place.isGap) {
        case (true, false): self = entry.ownership == .lent && place.sighting.scan > 0 ? .lent : .present
        case (true, true): self = isFound ? .found : entry.ownership == .lent ? .lent : .missing
        case (false, false) where place.sighting.scan == 0: self = .elsewhere
        case (false, _): return nil
        }
    }
}

extension Detection {
    /// The middle of the spine, as a fraction of the photo's width.
    fileprivate var middle: Double { boundingBox.x + boundingBox.width / 2 }
}
