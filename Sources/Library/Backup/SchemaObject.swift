import GRDB

/// A table, index, view or trigger of a database.
struct SchemaObject: Hashable {
    let kind: String
    let name: String
    /// The table that it belongs to; its own name for a table or view.
    let table: String
    /// Of the statement that creates it.
    ///
    /// Comments and line breaks are left out, because those of a released version may be changed.
    let words: [String]

    /// Returns those of the main database.
    ///
    /// Indexes that the statement of a table creates have none of their own, and are left out.
    static func all(in db: Database) throws -> [SchemaObject] {
        // In a crafted file, a value may be of any type.
        let query = """
            SELECT CAST(type AS TEXT), CAST(name AS TEXT), CAST(tbl_name AS TEXT), CAST(coalesce(sql, '') AS TEXT)
            FROM sqlite_master WHERE type IS NOT 'index' OR sql IS NOT NULL ORDER BY name
            """
        return try Row.fetchAll(db, sql: query).map { row in
            let texts = (0..<4).map { (row[$0] as String?) ?? "" }
            return SchemaObject(kind: texts[0], name: texts[1], table: texts[2], words: SQLWords.all(in: texts[3]))
        }
    }

    /// Returns what is wrong with the schema of a backup, as the end of a sentence; nil if it is that of its version.
    ///
    /// Anything that Shelflist did not create could run code of others, or take any time, whenever it is read: triggers,
    /// views, computed columns, conditions, indexes of expressions. Triggers may be missing, because all are replaced.
    static func difference(of db: Database, from own: DatabaseQueue) throws -> String? {
        let known = try own.read { try all(in: $0) }
        let found = try all(in: db)
        let (knownObjects, foundObjects) = (Set(known), Set(found))
        if let other = found.first(where: { !knownObjects.contains($0) }) {
            guard known.contains(where: { $0.kind == other.kind && $0.name == other.name }) else {
                return "its database has “\(other.name)”, which Shelflist did not create"
            }
            return "its database has another \(other.kind) “\(other.name)” than Shelflist creates"
        }
        let missing = known.first { $0.kind != "trigger" && !foundObjects.contains($0) }
        return missing.map { "its database lacks the \($0.kind) “\($0.name)”" }
    }
}

/// The words of SQL: names, numbers, quoted texts, and each other sign.
enum SQLWords {
    static func all(in sql: String) -> [String] {
        let bytes = Array(sql.utf8)
        var words: [String] = []
        var index = 0
        while index < bytes.count {
            let end = endOfWord(bytes, at: index)
            if !isLeftOut(bytes, at: index) { words.append(String(decoding: bytes[index..<end], as: UTF8.self)) }
            index = end
        }
        return words
    }

    private static func isLeftOut(_ bytes: [UInt8], at index: Int) -> Bool {
        [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(bytes[index]) || begins("--", bytes, index)
            || begins("/*", bytes, index)
    }

    private static func begins(_ text: String, _ bytes: [UInt8], _ index: Int) -> Bool {
        bytes[index...].starts(with: text.utf8)
    }

    private static func endOfWord(_ bytes: [UInt8], at index: Int) -> Int {
        if begins("--", bytes, index) { return bytes[index...].firstIndex(of: 0x0A) ?? bytes.count }
        if begins("/*", bytes, index) {
            return bytes.indices.dropFirst(index + 2).first { begins("*/", bytes, $0) }.map { $0 + 2 } ?? bytes.count
        }
        if let close = closingQuote(of: bytes[index]) {
            var end = index
            // A quote is doubled inside.
            repeat {
                end = bytes[(end + 1)...].firstIndex(of: close).map { $0 + 1 } ?? bytes.count
            } while end < bytes.count && bytes[end] == close
            return end
        }
        return bytes[index...].firstIndex { !isPartOfName($0) }.map { max($0, index + 1) } ?? bytes.count
    }

    private static func closingQuote(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): byte
        case UInt8(ascii: "["): UInt8(ascii: "]")
        default: nil
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default: false
        }
    }
}
