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
    /// Begins an export of the whole library, in the order of titles.
    package func export(_ format: ListFormat) async throws -> LibraryExport {
        let order = try await read { db in
            try RowID<LibraryEntry>.fetchAll(
                db,
                sql: "SELECT entry.id FROM entry JOIN work ON work.id = work ORDER BY sortTitle, sortAuthor, entry.id")
        }
        let writer: any ExportWriter =
            switch format {
            case .csv: FullCSVWriter()
            case .goodreads: GoodreadsWriter()
            case .json: JSONWriter()
            case .bibtex: BibTeXWriter()
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

protocol ExportWriter: Sendable {
    var opening: String { get }
    mutating func text(for book: ExportedBook) throws -> String
    var closing: String { get }
}

struct FullCSVWriter: ExportWriter {
    let opening = CSVWriter.record([
        "title", "subtitle", "series", "authors", "author_roles", "isbn", "publisher", "year", "pages", "language",
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
            work.title, work.subtitle, work.series, ListText.joined(work.authors.map(\.name)), ListText.joined(roles),
        ]
        let ofEdition: [String?] = [
            edition?.isbn?.isbn13, edition?.publisher, year, pages, edition?.language, edition?.binding,
        ]
        let ofEntry: [String?] = [
            details.ownership.rawValue, details.lentTo, details.lentOn?.rawValue, details.dueOn?.rawValue,
            details.reading?.rawValue, details.rating.map { String($0) },
            details.startedOn?.rawValue, details.finishedOn?.rawValue, ListText.text(book.entry.addedAt),
            book.shelfName, ListText.joined(details.tags), details.notes, details.callNumber,
        ]
        let ofCopy: [String?] = [
            details.barcode, details.condition?.rawValue, details.paid?.number, details.currency, details.worth?.number,
            details.valueCurrency, details.valuedOn?.rawValue, details.acquiredOn?.rawValue, details.acquiredFrom,
            details.missingSince.map(ListText.text),
        ]
        return CSVWriter.record(
            ofWork + ofEdition + ofEntry + ofCopy + [work.reviewStatus.rawValue, String(work.id.rawValue)])
    }
}

/// Writes the columns and conventions of a Goodreads export.
struct GoodreadsWriter: ExportWriter {
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
            // Every book on Goodreads is on one of its three shelves.
            case .toRead, nil: "to-read"
            }
        func slashes(_ date: String) -> String { date.replacingOccurrences(of: "-", with: "/") }
        let (isbn10, isbn13) = (edition?.isbn?.isbn10, edition?.isbn?.isbn13)
        let heading = names.first.flatMap { PersonName($0) }.map { name in
            [name.family, name.given].filter { !$0.isEmpty }.joined(separator: ", ")
        }
        let title = [work.title, work.subtitle].compactMap { $0 }.joined(separator: ": ")
        let (year, pages) = (edition?.year.map { String($0) }, edition?.pages.map { String($0) })
        // Goodreads has whole stars only.
        let stars = String(Int(saturating: (details.rating ?? 0).rounded()))
        let tags = details.tags.map { $0.replacingOccurrences(of: ",", with: " ") }
        // Goodreads marks numbers as text with ="…"; this is part of its format and not an injected formula.
        let numbers = [isbn10, isbn13].map { "=\"\($0 ?? "")\"" }
        let of: [String?] = [nil, title, names.first, heading, names.dropFirst().joined(separator: ", ")]
        let edited: [String?] = [stars, nil, edition?.publisher, edition?.binding, pages, year, nil]
        let read: [String?] = [
            details.finishedOn.map { slashes($0.rawValue) },
            slashes(String(ListText.text(book.entry.addedAt).prefix(10))),
            (tags + [exclusive]).joined(separator: ", "), nil, exclusive, nil, nil, details.notes,
            details.reading == .read ? "1" : "0", details.ownership == .wishlist ? "0" : "1",
        ]
        func guarded(_ fields: [String?]) -> [String] { fields.map { CSVWriter.guarded($0 ?? "") } }
        return CSVWriter.plainRecord(guarded(of) + numbers + guarded(edited + read))
    }
}

struct JSONWriter: ExportWriter {
    let opening = "{\"books\": [\n"
    let closing = "\n]}\n"
    private var isFirst = true

    mutating func text(for book: ExportedBook) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(ListText.text(date))
        }
        defer { isFirst = false }
        return (isFirst ? "" : ",\n") + String(decoding: try encoder.encode(book), as: UTF8.self)
    }
}

/// Writes BibTeX in UTF-8, as BibLaTeX and current reference managers read it.
struct BibTeXWriter: ExportWriter {
    let opening = ""
    let closing = ""
    private var keys: [String: Int] = [:]

    mutating func text(for book: ExportedBook) -> String {
        let (work, edition) = (book.work, book.edition)
        func names(_ roles: Set<AuthorCredit.Role>) -> String? {
            let names = work.authors.filter { roles.contains($0.role) }.map { credit in
                PersonName(credit.name).map { name in
                    let family = [name.particles, name.family].filter { !$0.isEmpty }.joined(separator: " ")
                    return [family, name.suffix, name.given.isEmpty ? nil : name.given].compactMap { $0 }.joined(
                        separator: ", ")
                } ?? credit.name
            }
            return names.isEmpty ? nil : names.joined(separator: " and ")
        }
        let fields: [(String, String?)] = [
            ("title", work.title), ("subtitle", work.subtitle), ("author", names([.author, .contributor])),
            ("editor", names([.editor])), ("translator", names([.translator])), ("series", work.series),
            ("publisher", edition?.publisher), ("year", edition?.year.map(String.init)),
            ("isbn", edition?.isbn?.isbn13), ("pagetotal", edition?.pages.map(String.init)),
            ("language", edition?.language),
            ("keywords", book.entry.details.tags.isEmpty ? nil : book.entry.details.tags.joined(separator: ", ")),
            ("note", book.entry.details.notes),
        ]
        let lines = fields.compactMap { name, value in value.map { "  \(name) = {\(Self.escaped($0))},\n" } }
        return "@book{\(key(for: book)),\n\(lines.joined())}\n\n"
    }

    /// Returns a key of family name, year and first title word, numbered if it is taken: `herbert1990dune`.
    private mutating func key(for book: ExportedBook) -> String {
        let family = book.work.authors.first.flatMap { PersonName($0.name) }.map {
            TextNormalisation.words($0.family).joined()
        }
        let word = TextNormalisation.withoutLeadingArticles(TextNormalisation.words(book.work.title)).first
        let parts = [family, book.edition?.year.map(String.init), word].compactMap { $0 }
        let ascii = parts.joined().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let key = ascii.isEmpty ? "book\(book.entry.id)" : ascii
        keys[key, default: 0] += 1
        let count = keys[key] ?? 1
        return count == 1 ? key : "\(key)-\(count)"
    }

    /// Escapes the ten characters that TeX reads as commands.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\textbackslash{}"
            case "{", "}", "$", "&", "#", "_", "%": result += "\\\(character)"
            case "~": result += "\\textasciitilde{}"
            case "^": result += "\\textasciicircum{}"
            default: result.append(character)
            }
        }
        return result
    }
}
