package import Bibliography
import Bounds
import DelimitedText

/// A book as reference managers describe it, without anything about the user's copy.
struct Reference {
    private let book: ExportedBook

    init(_ book: ExportedBook) { self.book = book }

    var title: String { book.work.title }
    /// Title and subtitle: these formats do not have a field for the subtitle.
    var fullTitle: String { [title, book.work.subtitle].compactMap(\.self).joined(separator: Self.subtitleMark) }
    static let subtitleMark = ": "

    var callNumber: String? { book.entry.details.callNumber }
    var tags: [String] { book.entry.details.tags }
    var notes: String? { book.entry.details.notes }
    var edition: Edition? { book.edition }
    var series: String? { book.work.series }
    var seriesNumber: String? { book.work.seriesNumber?.rawValue }

    func names(_ roles: AuthorCredit.Role...) -> [String] {
        book.work.authors.filter { roles.contains($0.role) }.map(\.name)
    }
}

/// Works and editions whose reference was written; further copies are the same reference.
struct WrittenReferences {
    private struct Key: Hashable {
        var work: RowID<Work>
        var edition: RowID<Edition>?
    }

    private var seen: Set<Key> = []
    private var editions: [RowID<Work>: Int] = [:]

    /// Returns the name of the book's reference, `work-12` or `work-12-2` for its second edition; nil if it was written.
    mutating func name(for book: ExportedBook) -> String? {
        guard seen.insert(Key(work: book.work.id, edition: book.edition?.id)).inserted else { return nil }
        let count = editions[book.work.id, default: 0] + 1
        editions[book.work.id] = count
        return "work-\(book.work.id)" + (count == 1 ? "" : "-\(count)")
    }
}

/// The references of a file as a table, which is imported as other lists are.
///
/// Names and tags are joined as in Shelflist's own lists.
struct ReferenceTable {
    static let columns = [
        "title", "subtitle", "authors", "author roles", "isbn", "publisher", "year", "pages", "language", "series",
        "call number", "tags", "notes",
    ]

    /// The rows, or why a reference is not a book, by line.
    private(set) var rows: [(line: Int, fields: Result<[String], LibraryError>)] = []

    /// - Parameter reference: nil for one that cannot be read.
    /// - Throws: `LibraryError.invalid` beyond the limit.
    mutating func add(_ reference: ReadReference?, line: Int) throws {
        guard rows.count < BookList.rowLimit else { throw BookListText.tooManyRows }
        let unreadable = LibraryError.invalid(field: "item", reason: "it is not a reference. Export it again.")
        rows.append((line, reference?.fields ?? .failure(unreadable)))
    }
}

extension AuthorCredit {
    /// Reads names by their roles, and stops after one more than a book may have, so that too many are refused.
    package static func credits<Name>(
        _ names: [(role: Role, names: [Name])], _ read: (Name) -> [AuthorCredit]
    ) -> [AuthorCredit] {
        var credits: [AuthorCredit] = []
        for (role, names) in names {
            for name in names {
                guard credits.count <= BookDetails.authorLimit else { return credits }
                credits += read(name).map { AuthorCredit(name: $0.name, role: role) }
            }
        }
        return credits
    }
}

/// One reference of a file.
struct ReadReference {
    var type: String?
    var title: String?
    var shortTitle: String?
    var authors: [AuthorCredit] = []
    /// Numbers of any kind; the first valid ISBN counts.
    var numbers: [String] = []
    var publisher: String?
    var date: String?
    var pages: String?
    var language: String?
    var series: String?
    var volume: String?
    var callNumber: String?
    var tags: [String] = []
    var notes: [String] = []

    /// Whether the type is one of books.
    var isBook = true

    /// The fields in the order of `ReferenceTable.columns`.
    var fields: Result<[String], LibraryError> {
        guard isBook else {
            return .failure(.invalid(field: "type", reason: "it is “\(type ?? "")”; only books are imported."))
        }
        let (title, subtitle) = titles
        let isbn = numbers.lazy.compactMap { ISBN($0)?.isbn13 }.first ?? numbers.first
        let pages = pages.flatMap { text in text.split { !$0.isASCII || !$0.isNumber }.first.map(String.init) }
        let year = date.flatMap(Year.first).map { String($0) }
        let place = series.map { name in volume.map { "\(name), #\($0)" } ?? name }
        let roles = authors.contains { $0.role != .author } ? authors.map(\.role.rawValue) : []
        let values: [String?] = [
            title, subtitle, EscapedText.list(authors.map(\.name)), EscapedText.list(roles), isbn, publisher, year,
            pages,
            language, place, callNumber, EscapedText.list(tags), notes.joined(separator: "\n"),
        ]
        return .success(values.map { $0 ?? "" })
    }

    /// Title and subtitle, which the short title separates.
    private var titles: (String?, String?) {
        guard let title, let shortTitle, title.hasPrefix(shortTitle + Reference.subtitleMark) else {
            return (title, nil)
        }
        return (shortTitle, String(title.dropFirst(shortTitle.count + Reference.subtitleMark.count)))
    }
}
