import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns the spines on which a text was read, best first, and of equally good ones the latest.
    ///
    /// Words of three letters or more may be incomplete or misread: half of their sequences of three letters are enough.
    /// Shorter words do not count.
    package func findSpines(_ text: String, limit: Int = 10) async throws -> [FoundSpine] {
        try await indexChangedSpines()
        return try await read { db in
            try db.spines(matching: text).prefix(limit).map { try db.found($0) }
        }
    }

    /// Brings the index of spine texts up to date with the photos that changed.
    private func indexChangedSpines() async throws {
        let isChanged = try await read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM textToIndex)") ?? false
        }
        guard isChanged else { return }
        try await writeUnseen { db in
            for photo in try RowID<Photo>.fetchAll(db, sql: "SELECT photo FROM textToIndex") {
                try db.execute(
                    "DELETE FROM spineText WHERE rowid IN (SELECT id FROM detection WHERE photo = ?)", [photo])
                for spine in try db.detections("photo = ? AND outcome <> 'rejected'", [photo]) where !spine.text.isEmpty
                {
                    try db.execute(
                        "INSERT INTO spineText (rowid, text) VALUES (?, ?)",
                        [spine.id, TextNormalisation.fold(spine.allText)])
                }
            }
            try db.execute("DELETE FROM textToIndex")
        }
    }
}

extension Database {
    /// The number of spines that are compared with the words of a search.
    private static let candidateLimit = 200
    /// The least share of a word's sequences of three letters that a spine has.
    private static let leastShare = 0.5

    fileprivate func spines(matching text: String) throws -> [Detection] {
        let words = TextNormalisation.words(text).filter { $0.count >= 3 }.prefix(EntryQuery.wordLimit).map(
            Self.sequences)
        guard !words.isEmpty else { return [] }
        // Folded words have no quotation marks.
        let pattern = Set(words.joined()).sorted().map { "\"\($0)\"" }.joined(separator: " OR ")
        let rows = try Row.fetchAll(
            self,
            sql: "SELECT rowid, text FROM spineText WHERE spineText MATCH ? ORDER BY rank LIMIT ?",
            arguments: [pattern, Self.candidateLimit])
        var found: [(id: RowID<Detection>, score: Double)] = []
        for row in rows {
            let read = TextNormalisation.words(row["text"]).reduce(into: Set<String>()) {
                $0.formUnion(Self.sequences($1))
            }
            let shares = words.map { Double($0.intersection(read).count) / Double($0.count) }
            guard shares.allSatisfy({ $0 >= Self.leastShare }) else { continue }
            found.append((row["rowid"], shares.reduce(0, +)))
        }
        found.sort { ($0.score, $0.id.rawValue) > ($1.score, $1.id.rawValue) }
        // Each copy is shown once, on its latest photo.
        var copies: Set<RowID<LibraryEntry>> = []
        return try found.map { try detection($0.id) }.filter { spine in
            spine.entry.map { copies.insert($0).inserted } ?? true
        }
    }

    /// Returns the sequences of three letters of a word.
    private static func sequences(_ word: String) -> Set<String> {
        let letters = Array(word)
        return Set(letters.indices.dropLast(2).map { String(letters.dropFirst($0).prefix(3)) })
    }

    fileprivate func found(_ spine: Detection) throws -> FoundSpine {
        let neighbours = try detections("photo = ? AND outcome <> 'rejected'", [spine.photo])
        var found = FoundSpine(
            text: spine.allText, position: SpinePosition(spine), place: PlaceInPhoto(of: spine, among: neighbours),
            seenAt: try photo(spine.photo).addedAt)
        found.entryId = spine.entry.map { "\($0)" }
        found.title = try spine.entry.map { try work(entry($0).work).title }
        found.shelf = try shelf(ofPhoto: spine.photo).map { ShelfReference(try shelf($0)) }
        let rows = PlaceInPhoto.rows(neighbours, \.boundingBox)
        let row = (rows.first { $0.contains { $0.id == spine.id } } ?? []).sorted {
            $0.boundingBox.x < $1.boundingBox.x
        }
        if let place = row.firstIndex(where: { $0.id == spine.id }) {
            found.left = place > 0 ? row[place - 1].resolvedTitle ?? row[place - 1].allText : nil
            found.right = place + 1 < row.count ? row[place + 1].resolvedTitle ?? row[place + 1].allText : nil
        }
        return found
    }
}

extension Detection {
    /// All lines that were read.
    fileprivate var allText: String { text.map(\.text).joined(separator: " ") }
}
