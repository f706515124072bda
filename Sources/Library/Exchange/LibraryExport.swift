import Bibliography
import Bounds
import DelimitedText
import Foundation
import GRDB
package import ShelflistAPI

/// One copy with all its data except photos.
package struct ExportedBook: Hashable, Codable, Sendable {
    package var entry: LibraryEntry
    package var work: Work
    package var edition: Edition?
    /// The path of its shelf.
    package var shelfName: String?
}

extension LibraryStore {
    /// Begins an export in the order of titles; copies of one edition follow each other.
    ///
    /// - Parameter ids: the copies to export, those that were deleted left out; nil for the whole library.
    package func export(_ format: ListFormat, of ids: [RowID<LibraryEntry>]? = nil) async throws -> LibraryExport {
        let order = try await read { db in
            try RowID<LibraryEntry>.fetchAll(
                db,
                sql: """
                    SELECT entry.id FROM entry JOIN work ON work.id = work
                    WHERE :ids IS NULL OR entry.id IN (SELECT value FROM json_each(:ids))
                    ORDER BY sortTitle, sortAuthor, work.id, edition, entry.id
                    """, arguments: ["ids": ids?.jsonArray()])
        }
        let writer: any ExportWriter =
            switch format {
            case .csv: FullCSVWriter()
            case .goodreads: GoodreadsWriter()
            case .json: JSONWriter()
            case .bibtex: BibTeXWriter()
            case .ris: RISWriter()
            case .csl: CSLWriter()
            case .marcxml: MARCXMLWriter()
            }
        return LibraryExport(library: self, writer: writer, ahead: order[...], opening: writer.opening)
    }
}

/// An export that reads the books in pages, so that a large library is not held in memory.
package struct LibraryExport: Sendable {
    fileprivate let library: LibraryStore
    fileprivate var writer: any ExportWriter
    /// The books that are not exported yet.
    fileprivate var ahead: ArraySlice<RowID<LibraryEntry>>
    fileprivate var opening: String
    fileprivate var hasEnded = false

    package var mediaType: String { type(of: writer).mediaType }
    /// A name for the file, such as `shelflist.csv`: another for each format.
    package var fileName: String { type(of: writer).fileName }

    /// Returns the next piece of the document; `nil` after the last one.
    package mutating func next() async throws -> String? {
        guard !hasEnded else { return nil }
        try Task.checkCancellation()
        let page = ahead.prefix(500)
        let books = try await library.read { db in try page.compactMap { try db.exportedBook($0) } }
        var text = opening
        for book in books { text += try writer.text(for: book) }
        (opening, ahead) = ("", ahead.dropFirst(page.count))
        hasEnded = ahead.isEmpty
        return hasEnded ? text + writer.closing : text
    }
}

extension Database {
    /// Returns a copy with its data, or `nil` if it was removed during the export.
    fileprivate func exportedBook(_ id: RowID<LibraryEntry>) throws -> ExportedBook? {
        guard try Int.fetchOne(cachedStatement(sql: "SELECT 1 FROM entry WHERE id = ?"), arguments: [id]) != nil else {
            return nil
        }
        let entry = try entry(id)
        return ExportedBook(
            entry: entry, work: try work(entry.work),
            edition: try entry.edition.map { try edition($0) },
            shelfName: try entry.details.shelf.map { try shelf($0).path })
    }
}

/// Writes one format, copy by copy.
protocol ExportWriter: Sendable {
    static var mediaType: String { get }
    /// A name for the file that no other format has.
    static var fileName: String { get }
    var opening: String { get }
    mutating func text(for book: ExportedBook) throws -> String
    /// The end of the document, after the last copy.
    var closing: String { get }
}

extension ExportWriter {
    static var mediaType: String { "text/csv; charset=utf-8" }
}

struct FullCSVWriter: ExportWriter {
    static let fileName = "shelflist.csv"
    let opening = CSVWriter.record([
        "title", "subtitle", "series", "series_number", "authors", "author_roles", "isbn", "publisher", "year", "pages",
        "language",
        "binding", "ownership", "lent_to", "lent_on", "due_on", "reading", "rating", "started_on", "finished_on",
        "added_at", "shelf",
        "tags", "notes", "call_number",
        "barcode", "condition", "price", "currency", "value", "value_currency", "valued_on", "acquired_on",
        "acquired_from", "missing_since",
        "review_status", "work",
    ])
    let closing = ""

    func text(for book: ExportedBook) -> String {
        let (work, edition, details) = (book.work, book.edition, book.entry.details)
        // Roles are written only if one of them is not "author".
        let roles = work.authors.contains { $0.role != .author } ? work.authors.map(\.role.rawValue) : []
        let (year, pages) = (edition?.year.map { String($0) }, edition?.pages.map { String($0) })
        let ofWork: [String?] = [
            work.title, work.subtitle, work.series, work.seriesNumber?.rawValue,
            EscapedText.list(work.authors.map(\.name)), EscapedText.list(roles),
        ]
        let ofEdition: [String?] = [
            edition?.isbn?.isbn13, edition?.publisher, year, pages, edition?.language, edition?.binding,
        ]
        let ofEntry: [String?] = [
            details.ownership.rawValue, details.lentTo, details.lentOn?.rawValue, details.dueOn?.rawValue,
            details.reading?.rawValue, details.rating.map { String($0) },
            details.startedOn?.rawValue, details.finishedOn?.rawValue, ListTime.text(book.entry.addedAt),
            book.shelfName, EscapedText.list(details.tags), details.notes, details.callNumber,
        ]
        let ofCopy: [String?] = [
            details.barcode, details.condition?.rawValue, details.paid?.number, details.currency, details.worth?.number,
            details.valueCurrency, details.valuedOn?.rawValue, details.acquiredOn?.rawValue, details.acquiredFrom,
            details.missingSince.map(ListTime.text),
        ]
        return CSVWriter.record(
            ofWork + ofEdition + ofEntry + ofCopy + [work.reviewStatus.rawValue, String(work.id.rawValue)])
    }
}

/// Writes the columns and conventions of a Goodreads export.
struct GoodreadsWriter: ExportWriter {
    static let fileName = "shelflist-goodreads.csv"
    let opening = CSVWriter.record([
        "Book Id", "Title", "Author", "Author l-f", "Additional Authors", "ISBN", "ISBN13", "My Rating",
        "Average Rating", "Publisher", "Binding", "Number of Pages", "Year Published", "Original Publication Year",
        "Date Read", "Date Added", "Bookshelves", "Bookshelves with positions", "Exclusive Shelf", "My Review",
        "Spoiler",
        "Private Notes", "Read Count", "Owned Copies",
    ])
    let closing = ""

    func text(for book: ExportedBook) -> String {
        let (work, edition, details) = (book.work, book.edition, book.entry.details)
        let names = work.authors.map(\.name)
        let exclusive =
            switch details.reading {
            case .read: "read"
            case .reading: "currently-reading"
            case .toRead: "to-read"
            // Each book on Goodreads is on one exclusive shelf. A wish is to be read; of a copy without a reading status
            // only the ownership is known.
            case nil: details.ownership == .wishlist ? "to-read" : GoodreadsShelf.owned
            }
        func slashes(_ date: String) -> String { date.replacing(scalar: "-", with: "/") }
        let (isbn10, isbn13) = (edition?.isbn?.isbn10, edition?.isbn?.isbn13)
        let heading = names.first.flatMap { PersonName($0) }.map { name in
            [name.family, name.given].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        let title = [work.title, work.subtitle].compactMap { $0 }.joined(separator: ": ")
        let (year, pages) = (edition?.year.map { String($0) }, edition?.pages.map { String($0) })
        // Goodreads has whole stars only.
        let stars = String(Int(saturating: (details.rating ?? 0).rounded()))
        let tags = details.tags.map { $0.replacing(scalar: ",", with: " ") }
        // Goodreads marks numbers as text with ="…"; this is part of its format and not an injected formula.
        let numbers = [isbn10, isbn13].map { "=\"\($0 ?? "")\"" }
        let of: [String?] = [nil, title, names.first, heading, names.dropFirst().joined(separator: ", ")]
        let edited: [String?] = [stars, nil, edition?.publisher, edition?.binding, pages, year, nil]
        let read: [String?] = [
            details.finishedOn.map { slashes($0.rawValue) },
            slashes(String(ListTime.text(book.entry.addedAt).prefix(10))),
            (tags + [exclusive]).joined(separator: ", "), nil, exclusive, nil, nil, details.notes,
            details.reading == .read ? "1" : "0", details.ownership == .wishlist ? "0" : "1",
        ]
        func guarded(_ fields: [String?]) -> [String] { fields.map { EscapedText.guardingFormulas($0 ?? "") } }
        return CSVWriter.plainRecord(guarded(of) + numbers + guarded(edited + read))
    }
}

struct JSONWriter: ExportWriter {
    static let mediaType = "application/json"
    static let fileName = "shelflist.json"
    let opening = "{\"books\": [\n"
    let closing = "\n]}\n"
    private var isFirst = true

    mutating func text(for book: ExportedBook) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ListTime.text(date))
        }
        defer { isFirst = false }
        return (isFirst ? "" : ",\n") + String(decoding: try encoder.encode(book), as: UTF8.self)
    }
}
