package import Bibliography
package import Foundation
import GRDB

/// Records that a provider returned, and the questions that it answered.
extension Catalog {
    /// Adds records, indexes them at once, and notes the questions that they answer.
    ///
    /// Records that the catalog has already are skipped. Meant for some hundred records; files are imported by
    /// `importFiles`.
    /// - Throws: `DatabaseError`; nothing is added then.
    package func add(_ records: [BookRecord], answering questions: [String] = [], at now: Date = Date()) throws {
        var batch = RowBatch()
        for record in records { batch.append(record.separated, isbns: []) }
        try database.write { db in
            try Self.add(batch, in: db)
            for question in questions {
                try CatalogSchema.set(db, Self.key(question), String(now.timeIntervalSince1970))
            }
        }
    }

    /// Adds rows and indexes those that are new.
    static func add(_ batch: RowBatch, in db: Database) throws {
        let writer = try CatalogWriter(db, replaces: false)
        try writer.write(batch)
        // Nil only above 200,000 records.
        if let new = writer.newDocuments, !new.editions.isEmpty { try IndexBuilder.add(new, in: db) }
    }

    /// Returns those of the questions that were answered since a date.
    ///
    /// - Throws: `DatabaseError`.
    package func answered(_ questions: [String], since start: Date) throws -> Set<String> {
        try database.read { db in
            try Set(
                questions.filter { question in
                    let time = try CatalogSchema.value(db, Self.key(question)).flatMap { Double($0) }
                    return (time ?? 0) >= start.timeIntervalSince1970
                })
        }
    }

    private static func key(_ question: String) -> String { "answered " + question }
}
