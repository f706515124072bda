import Bibliography
import Bounds
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns the spines and the loose lines on which a text was read, best first, and of equally good ones the latest.
    ///
    /// Words of three letters or more may be incomplete or misread: half of their sequences of three letters are enough.
    /// Shorter words do not count.
    ///
    /// - Parameter limit: of each.
    package func findSpines(
        _ text: String, limit: Int = 10
    ) async throws -> (spines: [FoundSpine], lines: [FoundLine]) {
        try await indexChangedPhotos()
        return try await read { db in
            let found = try db.texts(matching: text)
            return (try db.spines(found, limit: limit), try db.looseLines(found, limit: limit))
        }
    }

    /// Returns a page of all texts of the index, latest first, and their total number; for searching without the server.
    package func spineWords(limit: Int, offset: Int = 0) async throws -> (words: [SpineWords], total: Int) {
        try await indexChangedPhotos()
        return try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT t.text, d.entry, p.id AS photo, p.shelf, p.addedAt
                    FROM (SELECT rowid AS id, text FROM spineText ORDER BY rowid DESC LIMIT ? OFFSET ?) t
                    LEFT JOIN detection d ON d.id = t.id LEFT JOIN looseLine l ON l.id = -t.id
                    JOIN photo p ON p.id = coalesce(d.photo, l.photo) ORDER BY t.id DESC
                    """, arguments: [limit, offset])
            let words = rows.map { row in
                SpineWords(
                    text: row["text"], entryId: (row["entry"] as Int64?).map { "\($0)" },
                    shelfId: (row["shelf"] as Int64?).map { "\($0)" }, photoId: "\(row["photo"] as Int64)",
                    seenAt: row["addedAt"])
            }
            return (words, try Int.fetchOne(db, sql: "SELECT count(*) FROM spineText") ?? 0)
        }
    }

    /// Brings the index of texts up to date with the photos that changed.
    private func indexChangedPhotos() async throws {
        let isChanged = try await read {
            try Bool.fetchOne($0, sql: "SELECT EXISTS (SELECT 1 FROM textToIndex)") ?? false
        }
        guard isChanged else { return }
        try await writeUnseen { db in
            for photo in try RowID<Photo>.fetchAll(db, sql: "SELECT photo FROM textToIndex") { try db.index(photo) }
            try db.execute("DELETE FROM textToIndex")
        }
    }
}

/// A text of the index: a spine, or the negative number of a loose line.
private typealias TextID = Int64

extension Database {
    /// The number of texts that are compared with each other.
    private static let candidateLimit = 200

    fileprivate func index(_ photo: RowID<Photo>) throws {
        func add(_ id: TextID, _ text: String) throws {
            try execute("INSERT INTO spineText (rowid, text) VALUES (?, ?)", [id, TextNormalisation.fold(text)])
        }
        try execute(
            """
            DELETE FROM spineText WHERE rowid IN (
                SELECT id FROM detection WHERE photo = :photo UNION ALL SELECT -id FROM looseLine WHERE photo = :photo)
            """, ["photo": photo])
        for spine in try detections("photo = ? AND outcome <> 'rejected'", [photo]) where !spine.text.isEmpty {
            try add(spine.id.rawValue, spine.allText)
        }
        for line in try Row.fetchAll(self, sql: "SELECT id, text FROM looseLine WHERE photo = ?", arguments: [photo]) {
            try add(-(line["id"] as Int64), line["text"])
        }
    }

    /// Returns the texts that have half of the sequences of each word, best first.
    ///
    /// A text with half of a word's n sequences has at least one of any ⌊n/2⌋ + 1 of them: only texts with one of the
    /// rarest are compared, so that a word that few spines have takes little time however common its syllables are.
    fileprivate func texts(matching text: String) throws -> [TextID] {
        let words = TextNormalisation.words(text).filter { $0.count >= 3 }.prefix(EntryQuery.wordLimit)
            .map { Self.sequences($0).sorted() }
        guard !words.isEmpty else { return [] }
        let all = Set(words.joined()).sorted()
        let numbers = try Row.fetchAll(
            self,
            sql: "SELECT term, doc FROM spineTextTerm WHERE term IN (\(all.map { _ in "?" }.joined(separator: ", ")))",
            arguments: StatementArguments(all))
        let number = Dictionary(numbers.map { ($0["term"] as String, $0["doc"] as Int) }) { first, _ in first }
        // Folded words have no quotation marks.
        let pattern: String = words.map { word -> String in
            let rarest = word.sorted { number[$0, default: 0] < number[$1, default: 0] }.prefix(word.count / 2 + 1)
            return "(\(rarest.map { "\"\($0)\"" }.joined(separator: " OR ")))"
        }.joined(separator: " AND ")
        let shares = words.map { word -> String in
            "(\(word.map { _ in "(instr(text, ?) > 0)" }.joined(separator: " + "))) * 1.0 / \(word.count)"
        }
        let columns = shares.indices.map { "share\($0)" }
        return try TextID.fetchAll(
            self,
            sql: """
                WITH compared AS MATERIALIZED (
                    SELECT rowid AS id, \(zip(shares, columns).map { "\($0) AS \($1)" }.joined(separator: ", "))
                    FROM spineText WHERE spineText MATCH ?)
                SELECT id FROM compared WHERE \(columns.map { "\($0) >= 0.5" }.joined(separator: " AND "))
                ORDER BY \(columns.joined(separator: " + ")) DESC, abs(id) DESC LIMIT \(Self.candidateLimit)
                """, arguments: StatementArguments(Array(words.joined()) + [pattern]))
    }

    /// Returns the sequences of three letters of a word.
    private static func sequences(_ word: String) -> Set<String> {
        let letters = Array(word)
        return Set(letters.indices.dropLast(2).map { String(letters.dropFirst($0).prefix(3)) })
    }

    // MARK: Spines

    fileprivate func spines(_ texts: [TextID], limit: Int) throws -> [FoundSpine] {
        var photos: [RowID<Photo>: [Detection]] = [:]
        var (found, copies) = ([FoundSpine](), Set<RowID<LibraryEntry>>())
        for text in texts where text > 0 && found.count < limit {
            let spine = try detection(RowID(text))
            // Each copy is shown once, on its latest photo.
            if let copy = spine.entry, !copies.insert(copy).inserted { continue }
            let beside = try photos[spine.photo] ?? detections("photo = ? AND outcome <> 'rejected'", [spine.photo])
            photos[spine.photo] = beside
            found.append(try self.found(spine, among: beside))
        }
        return found
    }

    private func found(_ spine: Detection, among neighbours: [Detection]) throws -> FoundSpine {
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

    // MARK: Loose lines

    fileprivate func looseLines(_ texts: [TextID], limit: Int) throws -> [FoundLine] {
        try texts.filter { $0 < 0 }.prefix(limit).compactMap { text -> FoundLine? in
            let row = try Row.fetchOne(
                self, sql: "SELECT photo, text, quad FROM looseLine WHERE id = ?", arguments: [-text])
            guard let row else { return nil }
            let photo = try self.photo(row["photo"])
            return FoundLine(
                text: row["text"], photoId: "\(photo.id)",
                photoUrl: photo.shownFile == nil ? nil : PictureURL.photo(photo.id),
                quad: (try StoredJSON.value(row["quad"]) as UnitQuad).inFourDigits,
                shelf: try photo.shelf.map { ShelfReference(try shelf($0)) }, seenAt: photo.addedAt)
        }
    }

    /// Stores the text of a photo that belongs to no spine, in place of what was stored before.
    func setLooseLines(_ lines: [TextInPhoto], of photo: RowID<Photo>) throws {
        let new = try lines.prefix(TextInPhoto.limit).map {
            ($0.text.shortened(to: TextInPhoto.longest), try StoredJSON.text($0.outline.quad))
        }
        let old = try Row.fetchAll(
            self, sql: "SELECT text, quad FROM looseLine WHERE photo = ? ORDER BY id", arguments: [photo])
        guard !new.elementsEqual(old, by: { $0.0 == $1["text"] as String && $0.1 == $1["quad"] as String }) else {
            return
        }
        try execute("DELETE FROM looseLine WHERE photo = ?", [photo])
        for (text, quad) in new {
            try execute("INSERT INTO looseLine (photo, text, quad) VALUES (?, ?, ?)", [photo, text, quad])
        }
    }
}

extension TextInPhoto {
    /// The largest number of lines that are stored of a photo.
    fileprivate static let limit = 300
    /// The largest length of a line, in bytes of UTF-8.
    fileprivate static let longest = 200
}

extension Detection {
    /// All lines that were read.
    var allText: String { text.map(\.text).joined(separator: " ") }
}
