import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Records that copies were seen by hand or by their barcode, as one action.
    ///
    /// Copies that were missing are not any more.
    ///
    /// - Parameters:
    ///   - shelf: where they were seen; nil for their own shelves.
    ///   - spine: a detection that shows the only copy, and becomes its detection; a book that a photo added for it goes.
    /// - Returns: the number of copies that were not seen before, and all of them as they are now.
    /// - Throws: `LibraryError.notFound`, `.notPossible` for a closed stocktake, `.invalid` for copies that are not part of it;
    ///   nothing is changed then.
    package func see(
        _ copies: [RowID<LibraryEntry>], in stocktake: RowID<Stocktake>, on shelf: RowID<Shelf>? = nil,
        by method: StocktakeCopy.Method = .hand, spine: RowID<Detection>? = nil
    ) async throws -> (changed: Int, copies: [StocktakeCopy]) {
        try await write { db in
            try db.check(copies, areIn: stocktake)
            try db.checkShelf(shelf)
            let action = try db.beginAction(.seeCopies)
            let unseen = try db.copies(of: stocktake, only: copies).count { $0.seenAt == nil }
            if let spine {
                guard copies.count == 1 else {
                    throw LibraryError.invalid(field: "detection", reason: "a spine shows one copy. Name one.")
                }
                try db.assign(spine, to: copies[0])
            }
            // A spine says where its copy is.
            let isShown = try spine != nil && db.copies(of: stocktake, only: copies).allSatisfy { $0.seenAt != nil }
            if !isShown { try db.noteSeen(copies, on: shelf, by: method, in: stocktake) }
            try db.finish(action)
            return (unseen, try db.copies(of: stocktake, only: copies))
        }
    }

    /// Takes back that copies were seen, as one action.
    ///
    /// - Returns: the number of copies that were seen before, and all of them as they are now.
    /// - Throws: as `see`.
    package func unsee(
        _ copies: [RowID<LibraryEntry>], in stocktake: RowID<Stocktake>
    ) async throws -> (changed: Int, copies: [StocktakeCopy]) {
        try await write { db in
            try db.check(copies, areIn: stocktake)
            let action = try db.beginAction(.seeCopies)
            let seen = try db.copies(of: stocktake, only: copies).count { $0.seenAt != nil }
            try db.execute(
                "DELETE FROM stocktakeSeen WHERE stocktake = ? AND entry IN (SELECT value FROM json_each(?))",
                [stocktake, copies.jsonArray()])
            try db.finish(action)
            return (seen, try db.copies(of: stocktake, only: copies))
        }
    }

    /// Returns the copy with a barcode, or else with the number that its label has.
    ///
    /// - Throws: `LibraryError.invalid` if there is none.
    package func copy(withBarcode text: String) async throws -> RowID<LibraryEntry> {
        try await read { try $0.copy(withBarcode: text) }
    }

    /// Returns a page of the spines that were photographed since the stocktake began and are not recognised for sure, oldest
    /// first, with the unseen copies that each may be, and their total number; none for a closed stocktake.
    ///
    /// - Parameter shelf: limits them to photos of this shelf and those inside it.
    /// - Throws: `LibraryError.notFound`.
    package func unsureSpines(
        of stocktake: RowID<Stocktake>, on shelf: RowID<Shelf>?, limit: Int, offset: Int
    ) async throws -> (spines: [UnsureSpine], total: Int) {
        try await read { db in
            guard try db.stocktake(stocktake).closedAt == nil else { return ([], 0) }
            try db.checkShelf(shelf)
            return try db.unsureSpines(of: stocktake, on: shelf, limit: limit, offset: offset)
        }
    }
}

extension Database {
    /// Records in open stocktakes that copies were seen now.
    ///
    /// - Parameters:
    ///   - shelf: nil for the copies' own.
    ///   - stocktake: nil for all open ones.
    func noteSeen(
        _ copies: [RowID<LibraryEntry>], on shelf: RowID<Shelf>?, by method: StocktakeCopy.Method,
        in stocktake: RowID<Stocktake>? = nil
    ) throws {
        try execute(
            """
            INSERT INTO stocktakeSeen (stocktake, entry, at, shelf, method)
            SELECT i.stocktake, i.entry, :now, coalesce(:shelf, entry.shelf), :method
            FROM stocktakeItem i JOIN stocktake s ON s.id = i.stocktake JOIN entry ON entry.id = i.entry
            WHERE s.closedAt IS NULL AND i.entry IN (SELECT value FROM json_each(:copies))
                AND (:stocktake IS NULL OR s.id = :stocktake)
            """,
            [
                "now": milliseconds, "shelf": shelf, "method": method.rawValue, "copies": copies.jsonArray(),
                "stocktake": stocktake,
            ])
        try execute(
            """
            UPDATE entry SET missingSince = NULL, revision = revision + 1
            WHERE missingSince IS NOT NULL AND id IN (SELECT value FROM json_each(?))
            """, [copies.jsonArray()])
    }

    func copy(withBarcode text: String) throws -> RowID<LibraryEntry> {
        let clean = try CleanText.line(text, field: "barcode") ?? ""
        let known =
            try copy(barcode: clean)
            ?? RowID.fetchOne(
                self, sql: "SELECT id FROM entry WHERE id = ?", arguments: [RowID<LibraryEntry>(clean)])
        guard let known else {
            throw LibraryError.invalid(
                field: "barcode", reason: "no copy has the barcode “\(CleanText.shown(clean))”. Check its label.")
        }
        return known
    }

    fileprivate func check(_ copies: [RowID<LibraryEntry>], areIn stocktake: RowID<Stocktake>) throws {
        _ = try openStocktake(stocktake)
        for copy in copies {
            _ = try entry(copy)
            let isItem = try Bool.fetchOne(
                self, sql: "SELECT EXISTS (SELECT 1 FROM stocktakeItem WHERE stocktake = ? AND entry = ?)",
                arguments: [stocktake, copy])
            guard isItem == true else {
                let title = try work(entry(copy).work).title
                throw LibraryError.invalid(
                    field: "copies", reason: "“\(title)” (\(copy)) is not part of this stocktake. Put it on its shelf.")
            }
        }
    }

    /// Makes a spine a detection of a copy, and deletes the book that the photo added for it, unless other spines show it.
    fileprivate func assign(_ spine: RowID<Detection>, to copy: RowID<LibraryEntry>) throws {
        let detection = try self.detection(spine)
        guard detection.entry != copy else { return }
        try execute("DELETE FROM duplicateQuestion WHERE detection = ?", [spine])
        try execute("UPDATE detection SET entry = ?, outcome = 'entry' WHERE id = ?", [copy, spine])
        guard let old = detection.entry, try detections("entry = ?", [old]).isEmpty else { return }
        let book = try entry(old)
        guard try work(book.work).reviewStatus == .needsReview else { return }
        try deleteEntry(old, ofWork: book.work, detections: .removed)
    }

    fileprivate func unsureSpines(
        of stocktake: RowID<Stocktake>, on shelf: RowID<Shelf>?, limit: Int, offset: Int
    ) throws -> (spines: [UnsureSpine], total: Int) {
        let condition = """
            photo IN (SELECT scanPhoto.photo FROM scanPhoto JOIN photo ON photo.id = scanPhoto.photo
                WHERE at >= (SELECT startedAt FROM stocktake WHERE id = :stocktake)
                    AND (:shelf IS NULL OR photo.shelf IN \(Self.inside(":shelf"))))
            AND (outcome = 'pending' OR entry IN (
                SELECT e.id FROM entry e JOIN work ON work.id = e.work WHERE reviewStatus = 'needsReview'
                    AND e.id NOT IN (SELECT entry FROM stocktakeItem WHERE stocktake = :stocktake)))
            """
        let unseen = try copies(of: stocktake).filter { $0.state == .unseen || $0.state == .missing }
        let all = try detections("\(condition) ORDER BY id", ["stocktake": stocktake, "shelf": shelf])
        let spines = try all.dropFirst(offset).prefix(limit).map { detection in
            let place = try self.shelf(ofPhoto: detection.photo).map { try self.shelf($0) }
            var spine = UnsureSpine(
                detectionId: "\(detection.id)", text: detection.allText, cropUrl: PictureURL.crop(detection),
                shelf: place.map(ShelfReference.init))
            let inside = try place.map { try Set(shelves(inside: $0.id).map { "\($0)" }) }
            let here = unseen.filter { copy in
                inside.map { inside in copy.shelf.map { inside.contains($0.id) } ?? false } ?? true
            }
            spine.candidates = Self.ranked(here, like: detection.allText)
            return spine
        }
        return (spines, all.count)
    }

    /// The number of candidates of a spine.
    private static let candidateLimit = 5

    /// Returns the copies whose title and author share the most sequences of three letters with a text.
    private static func ranked(_ copies: [StocktakeCopy], like text: String) -> [StocktakeCopy] {
        func sequences(_ text: String) -> Set<String> {
            let letters = Array(TextNormalisation.fold(text))
            return Set(letters.indices.dropLast(2).map { String(letters[$0..<min($0 + 3, letters.count)]) })
        }
        let read = sequences(text)
        let shares = copies.map { copy in
            let own = sequences("\(copy.title) \(copy.author)")
            return Double(own.intersection(read).count) / Double(max(1, own.count))
        }
        let order = copies.indices.sorted { (shares[$1], $0) < (shares[$0], $1) }
        return order.prefix(candidateLimit).map { copies[$0] }
    }
}
