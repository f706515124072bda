package import Bibliography
import Foundation
import GRDB
package import ShelflistAPI

/// The filter and order of a list of copies.
package struct EntryQuery: Hashable, Sendable {
    /// Words of title, author or ISBN, of which the last may be a prefix; or a whole barcode.
    ///
    /// Accents, case and punctuation make no difference.
    package var text: String?
    /// Limits the list to copies on this shelf and on those inside it.
    package var shelf: RowID<Shelf>?
    /// Limits the list to copies on this shelf itself.
    var home: RowID<Shelf>?
    package var tag: String?
    package var series: RowID<Series>?
    package var ownership: Ownership?
    /// Limits the list to loans that should have ended before today.
    package var isOverdue = false
    package var reading: ReadingStatus?
    package var reviewStatus: ReviewStatus?
    /// Limits the list to copies whose edition has no cover.
    package var isMissingCover = false
    /// Limits the list to copies that are missing.
    package var isMissing = false
    package var barcode: String?
    package var condition: CopyCondition?
    package var sort = LibraryQuery.Sort.title
    package var descending = false
    /// Limits the list to copies of these works.
    var works: [RowID<Work>]?
    /// Limits the list to these copies.
    package var ids: [RowID<LibraryEntry>]?
    package var limit: Int?
    package var offset = 0

    /// The number of words of `text` that are searched for.
    package static let wordLimit = 64

    package init(text: String? = nil, sort: LibraryQuery.Sort = .title, limit: Int? = nil) {
        (self.text, self.sort, self.limit) = (text, sort, limit)
    }
}

extension LibraryStore {
    /// Returns a page of the library, and the total number of copies.
    package func entries(
        _ query: EntryQuery = EntryQuery()
    ) async throws -> (entries: [LibraryBook], total: Int) {
        if query.sort == .shelf { try await compareChangedShelves() }
        return try await read { try $0.entries(query) }
    }
}

extension EntryQuery {
    /// Whether the condition names columns of works.
    var isOfWorks: Bool {
        series != nil || reviewStatus != nil || text.map { TextNormalisation.words($0).isEmpty } ?? false
    }

    /// Returns the condition that copies have to meet, of the tables `entry` and, if `isOfWorks`, `work`.
    func condition(today: PartialDate) -> (sql: String, arguments: StatementArguments) {
        var parts: [String] = []
        var arguments = StatementArguments()
        func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            parts.append(condition)
            arguments += [value]
        }
        if let text {
            // Text without letters or digits, such as one of emoji only, is searched for literally.
            let words = TextNormalisation.words(text)
            if words.isEmpty {
                add("instr(work.title, ?) > 0", text.trimmed)
            } else {
                // Each word makes the search slower.
                let pattern = words.prefix(Self.wordLimit).map { "\"\($0)\"" }.joined(separator: " ") + "*"
                parts.append("(entry.work IN (SELECT rowid FROM workWords WHERE workWords MATCH ?) OR barcode = ?)")
                arguments += [pattern, text.trimmed]
            }
        }
        add("entry.work IN (SELECT value FROM json_each(?))", works?.jsonArray())
        add("entry.id IN (SELECT value FROM json_each(?))", ids?.jsonArray())
        add("entry.shelf IN \(Database.inside("?"))", shelf)
        add("entry.shelf = ?", home)
        add("entry.id IN (SELECT entry FROM tag WHERE name = ?)", tag)
        add("work.seriesKey = (SELECT nameKey FROM series WHERE series.id = ?)", series)
        add("ownership = ?", ownership)
        // A month or a year is over when the next one begins.
        add("dueOn < substr(?, 1, length(dueOn))", isOverdue ? today : nil)
        add("reading = ?", reading)
        add("reviewStatus = ?", reviewStatus)
        add("barcode = ?", barcode?.trimmed)
        add("condition = ?", condition)
        if isMissing { parts.append("missingSince IS NOT NULL") }
        if isMissingCover {
            parts.append("NOT EXISTS (SELECT 1 FROM edition e WHERE e.id = entry.edition AND e.cover IS NOT NULL)")
        }
        return (parts.isEmpty ? "1" : parts.joined(separator: " AND "), arguments)
    }
}
