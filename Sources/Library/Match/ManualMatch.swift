package import Bibliography
import Foundation
import Concurrency
import GRDB
import Imaging
package import ShelflistAPI

extension LibraryStore {
    /// Returns the changes that choosing `record` for a copy would make, and what the user's copy has that stays.
    ///
    /// Its tag is that of the work; pass its revision to `applyMatch`, so that only the changes shown are applied.
    ///
    /// - Throws: `LibraryError.notFound`, `.invalid` for a record that cannot be stored.
    package func previewMatch(
        _ entry: RowID<LibraryEntry>, with record: BookRecord
    ) async throws -> MatchChanges {
        try await read { db in
            let before = try db.book(ofEntry: entry)
            let after = try before.matched(with: record)
            let copy = try db.entry(entry)
            let photos = try db.detections("entry = ?", [entry])
            return MatchChanges(
                applied: false, changes: before.changes(to: after),
                keeps: copy.details.used + (photos.isEmpty ? [] : ["photo"]), workId: nil, undoToken: nil,
                etag: RevisionTag.of(try db.work(copy.work).revision))
        }
    }

    /// Replaces title, authors and edition by those of `record`, marks the work `userEdited` and removes it from the
    /// queue.
    ///
    /// The user's entry (status, notes, tags, shelf, dates, rating) is not touched.
    ///
    /// - Parameter ifRevision: the revision in the preview that the user confirmed.
    /// - Throws: `LibraryError.notFound`, `.changedMeanwhile`, `.invalid`.
    package func applyMatch(
        _ entry: RowID<LibraryEntry>, with record: BookRecord, ifRevision: Int? = nil
    ) async throws -> Work {
        try await write { db in
            let work = try db.workOf(entry, ifRevision: ifRevision)
            let before = try db.book(ofEntry: entry)
            let after = try before.matched(with: record)
            let action = try db.beginAction(.match)
            try db.apply(after, before: before, to: entry, .matched, action)
            try db.name(record, asSourceOf: try db.editionMade(ofEntry: entry))
            try db.record(.manualMatchApplied(source: record.source))
            try db.finish(action)
            return try db.work(work.id)
        }
    }
}

extension Database {
    func name(_ record: BookRecord, asSourceOf edition: RowID<Edition>) throws {
        let source = try CleanText.line(record.source, field: "source")
        let number = try CleanText.line(record.id, field: "record")
        try execute("UPDATE edition SET source = ?, sourceID = ? WHERE id = ?", [source, number, edition])
    }

    /// Returns the copy's edition, and creates it if there is none.
    func editionMade(ofEntry entry: RowID<LibraryEntry>) throws -> RowID<Edition> {
        let copy = try self.entry(entry)
        if let edition = copy.edition { return edition }
        let edition: RowID<Edition> = try insert("INSERT INTO edition (work) VALUES (?)", [copy.work])
        try execute("UPDATE entry SET edition = ? WHERE id = ?", [edition, entry])
        return edition
    }
}

extension BookDetails {
    /// Returns the record's description.
    ///
    /// Values that the record lacks are kept only if both describe the same edition, or the same book and the record
    /// names no edition.
    func matched(with record: BookRecord) throws -> BookDetails {
        var book = BookDetails(record)
        let isSameWork = BookKey(book).agreement(with: BookKey(self)) == .same
        if isbn != nil, book.isbn == isbn || book.isbn == nil && isSameWork {
            book.fillEdition(from: self)
            book.binding = book.binding ?? binding
        }
        if isSameWork { book.fillSeries(from: self) }
        return try book.cleaned()
    }

    func changes(to other: BookDetails) -> [MatchChanges.Field] {
        let fields: [(String, (BookDetails) -> String?)] = [
            ("title", { $0.title }), ("subtitle", { $0.subtitle }), ("authors", { $0.authorLine }),
            ("series", { $0.seriesText }),
            ("isbn", { $0.isbn?.isbn13 }), ("publisher", { $0.publisher }), ("year", { $0.year.map(String.init) }),
            ("pages", { $0.pages.map(String.init) }), ("language", { $0.language }), ("binding", { $0.binding }),
        ]
        return fields.compactMap { name, value in
            let (before, after) = (value(self), value(other))
            return before == after ? nil : MatchChanges.Field(field: name, from: before, to: after)
        }
    }
}

extension EntryDetails {
    /// The names of the fields that the user has filled for the copy.
    fileprivate var used: [String] {
        let fields: [(name: String, isFilled: Bool)] = [
            ("shelf", shelf != nil), ("notes", notes != nil), ("tags", !tags.isEmpty), ("status", true),
            ("dates", startedOn != nil || finishedOn != nil), ("rating", rating != nil),
        ]
        return fields.filter(\.isFilled).map(\.name)
    }
}
