import Bibliography
import Foundation
import GRDB

/// Rows to values.
extension Database {
    func check(_ expected: Int?, against current: Int, _ what: String) throws {
        if let expected, expected != current { throw LibraryError.changedMeanwhile(what, current: current) }
    }

    func work(_ id: Int64) throws -> Work {
        guard let row = try Row.fetchOne(cachedStatement(sql: "SELECT * FROM work WHERE id = ?"), arguments: [id])
        else { throw LibraryError.notFound("work \(id)") }
        return Work(
            id: RowID(id), title: row["title"], subtitle: row["subtitle"], series: row["series"],
            authors: try authors(ofWork: id), reviewStatus: try row.value("reviewStatus"),
            createdAt: Date(milliseconds: row["createdAt"]), changedAt: Date(milliseconds: row["changedAt"]),
            revision: row["revision"])
    }

    func authors(ofWork id: Int64) throws -> [AuthorCredit] {
        let statement = try cachedStatement(
            sql: "SELECT name, role FROM workAuthor JOIN author ON author.id = author WHERE work = ? ORDER BY position")
        return try Row.fetchAll(statement, arguments: [id]).map {
            AuthorCredit(name: $0["name"], role: try $0.value("role"))
        }
    }

    func edition(_ id: Int64) throws -> Edition {
        guard let row = try Row.fetchOne(cachedStatement(sql: "SELECT * FROM edition WHERE id = ?"), arguments: [id])
        else { throw LibraryError.notFound("edition \(id)") }
        return Edition(
            id: RowID(id), work: RowID(row["work"]), isbn: (row["isbn"] as String?).flatMap { ISBN($0) },
            publisher: row["publisher"], year: row["year"], pages: row["pages"], language: row["language"],
            binding: row["binding"], cover: row["cover"], source: row["source"], sourceID: row["sourceID"])
    }

    func entry(_ id: Int64) throws -> LibraryEntry {
        guard let row = try Row.fetchOne(cachedStatement(sql: "SELECT * FROM entry WHERE id = ?"), arguments: [id])
        else { throw LibraryError.notFound("entry \(id)") }
        let tags = try String.fetchAll(
            cachedStatement(sql: "SELECT name FROM tag WHERE entry = ? ORDER BY position"), arguments: [id])
        return LibraryEntry(
            id: RowID(id), work: RowID(row["work"]), edition: (row["edition"] as Int64?).map { RowID($0) },
            details: EntryDetails(
                ownership: try row.value("ownership"), lentTo: row["lentTo"], reading: try row.optionalValue("reading"),
                rating: row["rating"], startedOn: try row.optionalValue("startedOn"),
                finishedOn: try row.optionalValue("finishedOn"), notes: row["notes"], tags: tags,
                shelf: (row["shelf"] as Int64?).map { RowID($0) }),
            addedAt: Date(milliseconds: row["addedAt"]), revision: row["revision"])
    }

    /// Title, authors and edition of a copy, as a correction takes them.
    func book(ofEntry id: Int64) throws -> BookDetails {
        let entry = try self.entry(id)
        let work = try self.work(entry.work.rawValue)
        let edition = try entry.edition.map { try self.edition($0.rawValue) }
        return BookDetails(
            title: work.title, subtitle: work.subtitle, series: work.series, authors: work.authors,
            isbn: edition?.isbn, publisher: edition?.publisher, year: edition?.year, pages: edition?.pages,
            language: edition?.language, binding: edition?.binding)
    }

    func shelf(_ id: Int64) throws -> Shelf? {
        try Row.fetchOne(
            self,
            sql:
                "SELECT id, name, (SELECT count(*) FROM entry WHERE shelf = shelf.id) AS entries FROM shelf WHERE id = ?",
            arguments: [id]
        ).map { Shelf(id: RowID($0["id"]), name: $0["name"], entries: $0["entries"]) }
    }

    /// - Parameter condition: what follows WHERE.
    func detections(_ condition: String, _ arguments: StatementArguments) throws -> [Detection] {
        let statement = try cachedStatement(sql: "SELECT * FROM detection WHERE \(condition)")
        return try Row.fetchAll(statement, arguments: arguments).map(Detection.init(row:))
    }
}

extension Row {
    /// A column that holds the raw value of an enumeration.
    func value<Value: RawRepresentable>(_ column: String) throws -> Value where Value.RawValue == String {
        let text: String = self[column]
        guard let value = Value(rawValue: text) else {
            throw LibraryError.damaged("The column \(column) of the library holds “\(text)”. Restore a backup.")
        }
        return value
    }

    func optionalValue<Value: RawRepresentable>(_ column: String) throws -> Value? where Value.RawValue == String {
        let text: String? = self[column]
        return text == nil ? nil : try value(column) as Value
    }

    /// A column that holds JSON.
    func json<Value: Decodable>(_ column: String, as type: Value.Type = Value.self) throws -> Value {
        let text: String = self[column]
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

enum JSONColumn {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
