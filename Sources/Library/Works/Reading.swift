import Bibliography
import Foundation
public import GRDB
package import ShelflistAPI

/// A value decoded from a row by the names of its properties.
///
/// Times are milliseconds since 1970; arrays and objects are JSON.
package protocol LibraryRecord: FetchableRecord, Decodable {}

extension LibraryRecord {
    package static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
        .millisecondsSince1970
    }
}

extension Work: LibraryRecord {}
extension Edition: LibraryRecord {}
extension LibraryEntry: LibraryRecord {}
extension PastLoan: LibraryRecord {}
extension Shelf: LibraryRecord {}
extension Photo: LibraryRecord {}
extension Detection: LibraryRecord {}
extension RecordedActivity: LibraryRecord {}
extension Feedback: LibraryRecord {}
extension LibraryStats.Count: LibraryRecord {}
extension LibraryStats.ScanMonth: LibraryRecord {}

// Stored by their raw values.
extension ReviewStatus: DatabaseValueConvertible, StatementColumnConvertible {}
extension AuthorCredit.Role: DatabaseValueConvertible {}
extension Ownership: DatabaseValueConvertible, StatementColumnConvertible {}
extension ReadingStatus: DatabaseValueConvertible, StatementColumnConvertible {}
extension EntrySource: DatabaseValueConvertible {}
extension PartialDate: DatabaseValueConvertible {}
extension SeriesNumber: DatabaseValueConvertible {}
extension ShelfSort: DatabaseValueConvertible {}
extension CopyCondition: DatabaseValueConvertible {}
extension LabelQuestion.Kind: DatabaseValueConvertible {}
extension OrderDecision: DatabaseValueConvertible {}
extension Detection.Outcome: DatabaseValueConvertible {}
extension DuplicateKind: DatabaseValueConvertible {}
extension InboxKind: DatabaseValueConvertible {}
extension DuplicateDecision: DatabaseValueConvertible {}
extension ReviewJudgement: DatabaseValueConvertible {}
extension ReviewActionKind: DatabaseValueConvertible {}

extension Database {
    func check(_ expected: Int?, against current: Int, _ what: String) throws {
        if let expected, expected != current { throw LibraryError.changedMeanwhile(what, current: current) }
    }

    private func one<Value: LibraryRecord>(_ sql: String, _ id: RowID<Value>, _ name: String) throws -> Value {
        guard let value = try Value.fetchOne(cachedStatement(sql: sql), arguments: [id]) else {
            throw LibraryError.notFound("\(name) \(id)")
        }
        return value
    }

    func work(_ id: RowID<Work>) throws -> Work {
        try one(
            """
            SELECT *, (SELECT json_group_array(json_object('name', name, 'role', role)) FROM
                (SELECT name, role FROM workAuthor JOIN author ON author.id = author WHERE work = work.id
                ORDER BY position)) AS authors
            FROM work WHERE id = ?
            """, id, "work")
    }

    func edition(_ id: RowID<Edition>) throws -> Edition {
        try one("SELECT * FROM edition WHERE id = ?", id, "edition")
    }

    func entry(_ id: RowID<LibraryEntry>) throws -> LibraryEntry {
        try one(
            """
            SELECT *, (SELECT json_group_array(name) FROM
                (SELECT name FROM tag WHERE entry = entry.id ORDER BY position)) AS tags
            FROM entry WHERE id = ?
            """, id, "entry")
    }

    func photo(_ id: RowID<Photo>) throws -> Photo { try one("SELECT * FROM photo WHERE id = ?", id, "photo") }

    private static let detectionColumns = """
        *, lines AS text, EXISTS (SELECT 1 FROM photo p
            WHERE p.id = detection.photo AND coalesce(p.file, p.picture) IS NOT NULL) AS hasPicture
        """

    func detection(_ id: RowID<Detection>) throws -> Detection {
        try one("SELECT \(Self.detectionColumns) FROM detection WHERE id = ?", id, "detection")
    }

    func shelf(_ id: RowID<Shelf>) throws -> Shelf {
        try one("\(Self.shelfQuery) WHERE shelf.id = ?", id, "shelf")
    }

    /// - Parameter condition: the text after `WHERE`.
    func detections(_ condition: String, _ arguments: StatementArguments) throws -> [Detection] {
        let statement = try cachedStatement(sql: "SELECT \(Self.detectionColumns) FROM detection WHERE \(condition)")
        return try Detection.fetchAll(statement, arguments: arguments)
    }

    /// Returns title, authors and edition of a copy, as input for a correction.
    func book(ofEntry id: RowID<LibraryEntry>) throws -> BookDetails {
        let entry = try self.entry(id)
        let work = try self.work(entry.work)
        let edition = try entry.edition.map { try self.edition($0) }
        return BookDetails(
            title: work.title, subtitle: work.subtitle, series: work.series, seriesNumber: work.seriesNumber,
            authors: work.authors, isbn: edition?.isbn, publisher: edition?.publisher, year: edition?.year,
            pages: edition?.pages,
            language: edition?.language, binding: edition?.binding)
    }
}

/// Values that a column holds as JSON.
package enum StoredJSON {
    package static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    package static func value<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
