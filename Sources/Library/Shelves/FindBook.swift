import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns the first ten copies whose title, author or ISBN match the text, exactly or approximately, with their places.
    package func find(_ text: String) async throws -> [LocatedBook] {
        var entries = try await self.entries(EntryQuery(text: text, limit: 10)).entries
        if entries.isEmpty {
            let key = BookKey(title: text, authors: [])
            let works = try await read { try SimilarTitles($0).similar(to: key, minimum: 0.65) }
            var query = EntryQuery()
            query.works = works
            let copies = try await self.entries(query).entries
            entries = works.flatMap { work in copies.filter { $0.workId == "\(work)" } }
        }
        let found = entries
        return try await read { db in try found.map { try db.place(of: $0) } }
    }
}

extension Database {
    fileprivate func place(of copy: LibraryBook) throws -> LocatedBook {
        var book = copy
        let seen = try detections("entry = ? ORDER BY hasPicture DESC, id DESC LIMIT 1", [RowID<LibraryEntry>(copy.id)])
            .first
        guard let seen else { return LocatedBook(book: book, place: nil) }
        book.position = SpinePosition(seen)
        let neighbours = try detections("photo = ? AND outcome <> 'rejected'", [seen.photo])
        return LocatedBook(book: book, place: PlaceInPhoto(of: seen, among: neighbours))
    }
}

extension PlaceInPhoto {
    init(of detection: Detection, among all: [Detection]) {
        let rows = Self.rows(all, \.boundingBox)
        let index = rows.firstIndex { $0.contains { $0.id == detection.id } } ?? 0
        let row = rows.indices.contains(index) ? rows[index] : [detection]
        func middle(_ detection: Detection) -> Double { detection.boundingBox.x + detection.boundingBox.width / 2 }
        // Two scans of one photo would otherwise count a spine twice.
        let places = Set(row.map { ($0.entry?.rawValue ?? -$0.id.rawValue) })
        let before = Set(
            row.filter { middle($0) < middle(detection) }.map { ($0.entry?.rawValue ?? -$0.id.rawValue) })
        self.init(row: index + 1, rows: max(1, rows.count), place: before.count + 1, places: max(1, places.count))
    }

    /// Groups spines into rows: spines whose vertical extents overlap by half of the smaller one share a row.
    static func rows<Spine>(_ all: [Spine], _ outline: (Spine) -> UnitRect) -> [[Spine]] {
        var rows: [(top: Double, bottom: Double, spines: [Spine])] = []
        for spine in all.sorted(by: { outline($0).height > outline($1).height }) {
            let box = outline(spine)
            let place = rows.firstIndex { row in
                min(row.bottom, box.y + box.height) - max(row.top, box.y) >= 0.5 * min(row.bottom - row.top, box.height)
            }
            if let place {
                rows[place].spines.append(spine)
            } else {
                rows.append((box.y, box.y + box.height, [spine]))
            }
        }
        return rows.sorted { $0.top < $1.top }.map(\.spines)
    }
}
