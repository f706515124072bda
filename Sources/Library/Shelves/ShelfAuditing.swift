import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

/// What a person decided on the place of a copy that is out of order.
enum OrderDecision: String {
    /// It was put in order; this counts until the next scan.
    case done
    case ignored
}

extension LibraryStore {
    /// Returns the copies of a shelf as its photos show them, by what is to do about them.
    ///
    /// - Throws: `LibraryError.notFound`.
    package func audit(_ shelf: RowID<Shelf>) async throws -> ShelfAudit {
        try await read { db in
            let view = try db.shelfView(shelf)
            var copies: [ShelfAudit.Copy] = []
            for (board, spines) in view.boards.enumerated() {
                for place in spines.indices {
                    var copy = ShelfAudit.Copy(spines, at: place, board: board + 1)
                    let seen = RowID<Detection>(spines[place].detectionId)
                    copy.entry.position = try seen.map { SpinePosition(try db.detection($0)) }
                    copies.append(copy)
                }
            }
            return ShelfAudit(
                shelfId: view.shelfId, sort: try db.sortRule(of: shelf), scannedAt: view.scannedAt,
                copies: copies + view.unseen.map { ShelfAudit.Copy(entry: $0, state: .unseen) })
        }
    }

    /// Carries out decisions on copies of a shelf, as one action.
    ///
    /// - Returns: the number of copies.
    /// - Throws: `LibraryError.notFound`, `.invalid` for a copy that was put back but is recorded nowhere; nothing is changed
    ///   then.
    package func decide(
        _ decisions: [(entry: RowID<LibraryEntry>, action: AuditAction)], on shelf: RowID<Shelf>
    ) async throws -> Int {
        try await write { db in
            try db.checkShelf(shelf)
            let action = try db.beginAction(.edit)
            for (entry, decision) in decisions { try db.carryOut(decision, on: try db.entry(entry), at: shelf) }
            try db.finish(action)
            return decisions.count
        }
    }
}

extension Database {
    /// Returns the rule of a shelf, or of the closest one around it that has one.
    func sortRule(of shelf: RowID<Shelf>) throws -> ShelfSort? {
        try ShelfSort.fetchOne(
            self,
            sql: """
                WITH RECURSIVE up(rule, parent, level) AS (
                    SELECT sortRule, parent, 1 FROM shelf WHERE id = ?
                    UNION ALL SELECT s.sortRule, s.parent, level + 1 FROM up JOIN shelf s ON s.id = up.parent
                    WHERE rule IS NULL AND level < \(PlacePath.depthLimit))
                SELECT rule FROM up WHERE rule IS NOT NULL
                """, arguments: [shelf])
    }

    /// Returns the copies that were put back on another shelf since the latest scan of this one.
    func copiesPutBack(from shelf: RowID<Shelf>, since scannedAt: Date?) throws -> Set<RowID<LibraryEntry>> {
        try RowID.fetchSet(
            self, sql: "SELECT entry FROM foundCopy WHERE at >= ? AND shelf NOT IN \(Self.inside("?"))",
            arguments: [scannedAt?.milliseconds ?? 0, shelf])
    }

    /// Marks the fewest copies of each board that are out of order.
    ///
    /// Only copies that the photos show in their place count.
    func markStrays(on boards: inout [[LibraryShelfView.Spine]], of shelf: Shelf, since scannedAt: Date?) throws {
        guard let rule = try sortRule(of: shelf.id) else { return }
        let decided = try copies(
            "SELECT entry FROM orderDecision WHERE shelf = ? AND (decision = 'ignored' OR at >= ?)",
            [shelf.id, scannedAt?.milliseconds ?? 0])
        for board in boards.indices {
            let places = boards[board].indices.filter { boards[board][$0].state == .present }
            let ids = places.map { boards[board][$0].entry.id }
            let keys = try ids.map { try decided.contains($0) ? nil : sortKey(ofCopy: $0, by: rule) }
            for stray in BoardOrder.strays(keys) {
                boards[board][places[stray.place]].outOfOrder = OutOfOrder(
                    standsAfter: stray.standsAfter.map { ids[$0] }, belongsAfter: stray.belongsAfter.map { ids[$0] })
            }
        }
    }

    /// Marks the copies that the latest scan added, unless nothing of the shelf was known before.
    ///
    /// - Parameter scans: of the shelf, latest first.
    func markNew(in view: inout LibraryShelfView, of scans: [String]) throws {
        guard let scan = scans.first else { return }
        let present = view.boards.joined().filter { $0.state == .present }
        let ids = present.compactMap { RowID<LibraryEntry>($0.entry.id) }
        let new = try copies(
            """
            SELECT entry FROM detection JOIN scanPhoto USING (photo)
            WHERE entry IN (SELECT value FROM json_each(:copies)) GROUP BY entry
            HAVING min(createdAt) <= (SELECT addedAt FROM entry e WHERE e.id = detection.entry)
                AND max(scanPhoto.job <> :scan AND instr(scanPhoto.job, :scan || '/') <> 1) = 0
            """, ["copies": ids.jsonArray(), "scan": scan])
        guard scans.count > 1 || !view.unseen.isEmpty || new.count < present.count else { return }
        for board in view.boards.indices {
            for place in view.boards[board].indices where new.contains(view.boards[board][place].entry.id) {
                view.boards[board][place].isNew = true
            }
        }
    }

    private func sortKey(ofCopy id: String, by rule: ShelfSort) throws -> String? {
        let row = try Row.fetchOne(
            cachedStatement(
                sql: """
                    SELECT sortAuthor, sortTitle, seriesKey, callNumber, seriesNumber FROM entry JOIN work ON work.id = entry.work WHERE entry.id = ?
                    """), arguments: [RowID<LibraryEntry>(id)])
        guard let row else { return nil }
        let (author, title, series) = (row[0] as String, row[1] as String, row[2] as String?)
        let first: String? =
            switch rule {
            case .title: ""
            case .author: author.isEmpty ? nil : author
            case .series: series.map { "\($0)\u{1}\((row[4] as SeriesNumber?)?.sortKey ?? "")" }
            case .callNumber: (row[3] as String?).map { "\(CallNumber.sortKey($0))\u{1}\(author)" }
            }
        return first.map { "\($0)\u{1}\(title)" }
    }

    fileprivate func carryOut(_ action: AuditAction, on copy: LibraryEntry, at shelf: RowID<Shelf>) throws {
        var details = copy.details
        switch action {
        case .found: return try markFound(copy, on: shelf)
        case .belongsHere: details.shelf = shelf
        case .putBack:
            guard let home = details.shelf else {
                throw LibraryError.invalid(
                    field: "action", reason: "entry \(copy.id) is recorded on no shelf. Record it on this one.")
            }
            return try noteFound(copy.id, on: home)
        case .putInOrder: return try noteOrder(copy.id, .done, on: shelf)
        case .ignoreOrder: return try noteOrder(copy.id, .ignored, on: shelf)
        case .cameBack: details.comesBack()
        case .gone: return try deleteEntry(copy.id, ofWork: copy.work, detections: .removed)
        }
        if details != copy.details { try update(copy, to: details) }
    }

    private func noteOrder(_ entry: RowID<LibraryEntry>, _ decision: OrderDecision, on shelf: RowID<Shelf>) throws {
        try execute(
            """
            INSERT INTO orderDecision (entry, shelf, decision, at) VALUES (:entry, :shelf, :decision, :now)
            ON CONFLICT (entry) DO UPDATE SET shelf = excluded.shelf, decision = excluded.decision, at = excluded.at
            """, ["entry": entry, "shelf": shelf, "decision": decision, "now": milliseconds])
    }
}

extension ShelfAudit.Copy {
    /// Describes a spine of a board.
    fileprivate init(_ spines: [LibraryShelfView.Spine], at place: Int, board: Int) {
        let spine = spines[place]
        self.init(entry: spine.entry, state: ShelfAudit.State(spine))
        (self.board, rank) = (board, place + 1)
        left = place > 0 ? spines[place - 1].entry.id : nil
        right = place + 1 < spines.count ? spines[place + 1].entry.id : nil
        outOfOrder = spine.outOfOrder
    }
}

extension ShelfAudit.State {
    fileprivate init(_ spine: LibraryShelfView.Spine) {
        switch spine.state {
        case .elsewhere: self = .misplaced
        case .missing: self = .missing
        case .lent: self = .lent
        case .found: self = .found
        case .present, nil:
            let isLent = spine.entry.ownership == .lent
            self = isLent ? .lentHere : spine.outOfOrder != nil ? .outOfOrder : spine.isNew == true ? .new : .present
        }
    }
}
