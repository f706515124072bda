import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

extension LibraryStore {
    /// Returns a page of the spines that were photographed since the stocktake began and are not recognised for sure, oldest
    /// first, with the unseen copies that each may be, and their total number; none for a closed stocktake.
    ///
    /// - Parameter shelf: limits them to photos of this shelf and those inside it.
    /// - Throws: `LibraryError.notFound`.
    package func unsureSpines(
        of stocktake: RowID<Stocktake>, on shelf: RowID<Shelf>?, limit: Int, offset: Int
    ) async throws -> (spines: [UnsureSpine], total: Int) {
        try await read { db in
            guard try !db.row(of: stocktake).isClosed else { return ([], 0) }
            try db.checkShelf(shelf)
            let all = try RowID<Detection>.fetchAll(
                db, sql: Self.unsureQuery, arguments: ["stocktake": stocktake, "shelf": shelf])
            let page = try db.detections(
                "id IN (SELECT value FROM json_each(?)) ORDER BY id",
                [all.dropFirst(offset).prefix(limit).jsonArray()])
            return (try db.unsureSpines(page, of: stocktake), all.count)
        }
    }

    /// Spines that wait for an answer, or are books in the review queue that are not part of the stocktake.
    ///
    /// There are few of both, but a stocktake has photos of every spine.
    static let unsureQuery = """
        WITH found(id) AS (
            SELECT detection FROM duplicateQuestion WHERE detection IS NOT NULL
            UNION SELECT d.id FROM work CROSS JOIN entry e ON e.work = work.id CROSS JOIN detection d ON d.entry = e.id
            WHERE reviewStatus = 'needsReview'
                AND NOT EXISTS (SELECT 1 FROM stocktakeItem WHERE stocktake = :stocktake AND entry = e.id))
        SELECT d.id FROM found CROSS JOIN detection d ON d.id = found.id CROSS JOIN photo ON photo.id = d.photo
        WHERE EXISTS (SELECT 1 FROM scanPhoto WHERE scanPhoto.photo = d.photo
                AND at >= (SELECT startedAt FROM stocktake WHERE id = :stocktake))
            AND (:shelf IS NULL OR photo.shelf IN \(Database.inside(":shelf")))
        ORDER BY d.id
        """
}

extension Database {
    fileprivate func unsureSpines(
        _ detections: [Detection], of stocktake: RowID<Stocktake>
    ) throws -> [UnsureSpine] {
        var (shelves, unseen) = (StocktakeShelves(self), UnseenCopies(self, of: stocktake))
        let found = try detections.map { detection in
            let shelf = try shelf(ofPhoto: detection.photo)
            let spine = UnsureSpine(
                detectionId: "\(detection.id)", text: detection.allText, cropUrl: PictureURL.crop(detection),
                shelf: try shelf.flatMap { try shelves.reference($0) })
            return (spine: spine, candidates: try unseen.like(detection.allText, on: shelf))
        }
        let copies = try copies(found.flatMap(\.candidates), ofOpen: stocktake)
        let byID = Dictionary(copies.map { ($0.entryId, $0) }, uniquingKeysWith: { first, _ in first })
        return found.map { spine, candidates in
            var spine = spine
            spine.candidates = candidates.compactMap { byID["\($0)"] }
            return spine
        }
    }
}

/// Finds the unseen copies of a stocktake that spines may show.
///
/// A copy is compared with a spine by the sequences of three letters that they share. Those of a shelf with few unseen copies
/// are all compared; of more, those with a word that begins as one on the spine does. Each is read at most once.
private struct UnseenCopies {
    /// The number of candidates of a spine.
    private static let candidateLimit = 5
    /// The number of copies with which a spine is compared.
    private static let comparedLimit = 300
    /// Beginnings of words that more works have count only together with others.
    private static let commonLimit = 1000
    /// The number of beginnings of words of a spine that are searched for.
    private static let beginningLimit = 16

    private let db: Database
    private let stocktake: RowID<Stocktake>
    /// The unseen copies of shelves with those inside them, or of all; nil if they are too many.
    private var few: [RowID<Shelf>?: [RowID<LibraryEntry>]?] = [:]
    /// The works with a word that begins so; nil if they are too many.
    private var works: [String: [RowID<Work>]?] = [:]
    private var sequences: [RowID<LibraryEntry>: Set<UInt32>] = [:]

    init(_ db: Database, of stocktake: RowID<Stocktake>) { (self.db, self.stocktake) = (db, stocktake) }

    /// Returns the copies whose title and author share the most sequences with a text, best first.
    ///
    /// - Parameter shelf: limits them to those on it and inside it; nil if it is not known.
    mutating func like(_ text: String, on shelf: RowID<Shelf>?) throws -> [RowID<LibraryEntry>] {
        let copies = try few(on: shelf) ?? withWords(of: text, on: shelf)
        try readSequences(of: copies)
        let read = Self.sequences(of: text)
        let shares = copies.map { copy in
            let own = sequences[copy] ?? []
            return Double(own.count { read.contains($0) }) / Double(max(1, own.count))
        }
        let order = copies.indices.sorted { (shares[$1], $0) < (shares[$0], $1) }
        return order.prefix(Self.candidateLimit).map { copies[$0] }
    }

    private static let isUnseen = """
        e.ownership <> 'lent' AND NOT EXISTS (
            SELECT 1 FROM stocktakeSeen s WHERE s.stocktake = i.stocktake AND s.entry = i.entry)
        """

    private mutating func few(on shelf: RowID<Shelf>?) throws -> [RowID<LibraryEntry>]? {
        if let known = few[shelf] { return known }
        let items =
            shelf == nil
            ? "stocktakeItem i CROSS JOIN entry e ON e.id = i.entry"
            : "\(Database.inside("?")) place CROSS JOIN entry e ON e.shelf = place.id CROSS JOIN stocktakeItem i ON i.entry = e.id"
        let arguments: StatementArguments = shelf.map { [$0] } ?? []
        let copies = try RowID<LibraryEntry>.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT e.id FROM \(items) WHERE i.stocktake = ? AND \(Self.isUnseen) LIMIT \(Self.comparedLimit + 1)
                    """), arguments: arguments + [stocktake])
        let found = copies.count > Self.comparedLimit ? nil : copies
        few[shelf] = .some(found)
        return found
    }

    // MARK: Words

    private mutating func withWords(of text: String, on shelf: RowID<Shelf>?) throws -> [RowID<LibraryEntry>] {
        let words = TextNormalisation.words(text).filter { $0.count >= 3 }.sorted { ($1.count, $0) < ($0.count, $1) }
        var beginnings: [String] = []
        for word in words.map({ String($0.prefix(3)) }) where !beginnings.contains(word) { beginnings.append(word) }
        var scores: [RowID<Work>: Double] = [:]
        var common: [String] = []
        for beginning in beginnings.prefix(Self.beginningLimit) {
            guard let works = try works(beginning) else {
                common.append(beginning)
                continue
            }
            let weight = log2(Double(2 * Self.commonLimit) / Double(max(1, works.count)))
            for work in works { scores[work, default: 0] += weight }
        }
        // Works with several common ones: all of them, or else those of the two longest words.
        for beginnings in [common[...], common.prefix(2)] where !beginnings.isEmpty {
            let works = try works(withAll: beginnings, limit: Self.commonLimit)
            for work in works { scores[work, default: 0] += Double(beginnings.count) }
            if !works.isEmpty { break }
        }
        let best = scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(2 * Self.comparedLimit).map(\.key)
        let isHere = shelf == nil ? "" : "AND e.shelf IN \(Database.inside("?"))"
        let arguments: StatementArguments = shelf.map { [$0] } ?? []
        return try RowID<LibraryEntry>.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT e.id FROM json_each(?) c CROSS JOIN entry e ON e.work = c.value
                    CROSS JOIN stocktakeItem i ON i.entry = e.id WHERE i.stocktake = ? AND \(Self.isUnseen) \(isHere)
                    ORDER BY c.key LIMIT \(Self.comparedLimit / 6)
                    """), arguments: [best.jsonArray(), stocktake] + arguments)
    }

    private mutating func works(_ beginning: String) throws -> [RowID<Work>]? {
        if let known = works[beginning] { return known }
        let found = try works(withAll: [beginning], limit: Self.commonLimit + 1)
        let result = found.count > Self.commonLimit ? nil : found
        works[beginning] = .some(result)
        return result
    }

    private func works(withAll beginnings: ArraySlice<String>, limit: Int) throws -> [RowID<Work>] {
        // Folded words have no quotation marks.
        let pattern = beginnings.map { "\"\($0)\"*" }.joined(separator: " AND ")
        return try RowID<Work>.fetchAll(
            db.cachedStatement(sql: "SELECT rowid FROM workWords WHERE workWords MATCH ? LIMIT ?"),
            arguments: ["{title author} : (\(pattern))", limit])
    }

    // MARK: Sequences

    private mutating func readSequences(of copies: [RowID<LibraryEntry>]) throws {
        let new = copies.filter { sequences[$0] == nil }
        guard !new.isEmpty else { return }
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT e.id, title, authorNames FROM json_each(?) c CROSS JOIN entry e ON e.id = c.value
                    JOIN work ON work.id = e.work
                    """), arguments: [new.jsonArray()])
        while let row = try rows.next() {
            sequences[row[0]] = Self.sequences(of: "\(row[1] as String) \(row[2] as String)")
        }
    }

    /// Returns the sequences of three bytes of the folded text.
    private static func sequences(of text: String) -> Set<UInt32> {
        let letters = Array(TextNormalisation.fold(text).utf8)
        var found: Set<UInt32> = []
        for index in letters.indices.dropLast(2) {
            found.insert(UInt32(letters[index]) << 16 | UInt32(letters[index + 1]) << 8 | UInt32(letters[index + 2]))
        }
        return found
    }
}
