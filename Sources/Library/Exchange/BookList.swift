import Bibliography
import Bounds
package import DelimitedText
import Foundation
package import ShelflistAPI

/// The kinds of lists that the library imports.
package enum BookListFormat: String, Codable, CaseIterable, Sendable {
    /// Shelflist's own format, which holds all data.
    case shelflist
    case goodreads
    case libraryThing
    case storyGraph
    /// References as reference managers export them.
    case ris, csl
    /// Any CSV with a title column.
    case other

    /// Detects the kind from the folded column names.
    init(header: [String]) {
        let names = Set(header.map(TextNormalisation.fold))
        func has(_ all: String...) -> Bool { all.allSatisfy(names.contains) }
        self =
            if has("title", "ownership", "review status", "added at") {
                .shelflist
            } else if has("title", "author", "exclusive shelf") || has("title", "author", "bookshelves", "my rating") {
                .goodreads
            } else if has("primary author", "collections") || has("primary author", "work id") {
                .libraryThing
            } else if has("read status", "star rating") { .storyGraph } else { .other }
    }
}

/// One book of a list.
struct BookListRow {
    var line: Int
    var book: BookDetails
    var entry: EntryDetails
    var shelf: String?
    var addedAt: Date?
    var reviewStatus: ReviewStatus?
    /// Rows of Shelflist lists with the same value are copies of one work.
    var work: String?
    /// How many copies the row is.
    var copies = 1
    /// What could not be read, with the value: `date added “1/5/21”`.
    var unread: [String] = []
}

/// The contents of a list before it is imported.
package struct BookListPreview: Sendable {
    package var format = BookListFormat.other
    package var encoding: TextEncoding
    /// Another encoding that is almost as plausible for a list of few letters beyond ASCII.
    package var otherEncoding: TextEncoding?
    package var delimiter: Character
    /// The names in the first line.
    package var columns: [String] = []
    /// The field of each column; `nil` if it is not one that can be chosen.
    package var fields: [BookListField?] = []
    /// The first rows, with long texts truncated.
    package var sample: [[String]] = []
    /// How many rows were read.
    package var rows = 0
    /// Whether the list has further rows, which were not read.
    package var hasMoreRows = false
    /// Lines that cannot be parsed as rows.
    package var problems: [ListImport.FailedRow] = []

    /// The size limit of a file, in bytes.
    package static let byteLimit = BookList.byteLimit
    /// The number of bytes that are read: 25,000 books or more.
    package static let readLimit = 8 << 20

    /// Throws if the list cannot be imported with this mapping.
    ///
    /// - Parameter mapping: as for `LibraryStore.importBooks`.
    /// - Throws: `CSVError.noTitleColumn`, `LibraryError.invalid` for an invalid mapping.
    package func check(_ mapping: [String: BookListField?]) throws {
        _ = try BookListColumns(BookListHeader(columns), mapping: mapping)
    }

    /// - Parameters:
    ///   - encoding: that of the file, instead of the detected one.
    ///   - readLimit: in bytes, rounded up to whole megabytes.
    /// - Throws: `CSVError.empty`, `LibraryError.invalid` beyond the limits, `CancellationError`.
    package init(_ file: [UInt8], encoding: TextEncoding? = nil, readLimit: Int = Self.readLimit) throws {
        let text = try BookListText(file, encoding, limit: readLimit)
        (self.encoding, otherEncoding, delimiter) = (text.encoding, text.otherEncoding, text.delimiter)
        var (rows, sample) = (0, [[String]]())
        let reading = try text.read { row, header in
            rows += 1
            if sample.count < 10 { sample.append(row.fields.prefix(header.names.count).map { String($0.prefix(200)) }) }
        }
        (self.rows, self.sample, hasMoreRows) = (rows, sample, !text.isWhole)
        (format, columns, fields) = (reading.header.format, reading.header.names, reading.header.fields)
        problems = reading.problems
    }
}

/// A list of books in memory, with its encoding, delimiter and kind detected.
struct BookList {
    /// The size limit of a file, in bytes.
    static let byteLimit = 50_000_000
    static let rowLimit = 200_000

    let format: BookListFormat
    let rows: [BookListRow]
    let problems: [ListImport.FailedRow]
    /// The columns with content that nothing is read from.
    let unusedColumns: [String]

    let encoding: TextEncoding
    /// As in `BookListPreview`.
    let otherEncoding: TextEncoding?

    /// - Parameters:
    ///   - mapping: the user's choice of fields for columns.
    ///   - encoding: that of the file, instead of the detected one.
    /// - Throws: `CSVError`, `LibraryError.invalid` beyond the limits and for an invalid mapping, `CancellationError`.
    init(_ file: [UInt8], mapping: [String: BookListField?] = [:], encoding: TextEncoding? = nil) throws {
        let text = try BookListText(file, encoding)
        (self.encoding, otherEncoding) = (text.encoding, text.otherEncoding)
        let habits = try Self.habits(of: text, mapping)
        try Task.checkCancellation()
        var columns: BookListColumns?
        var rows: [BookListRow] = []
        var problems: [ListImport.FailedRow] = []
        var used: Set<Int> = []
        let reading = try text.read { row, header in
            let known = try columns ?? BookListColumns(header, mapping: mapping, habits)
            columns = known
            used.formUnion(row.fields.indices.filter { !row.fields[$0].trimmed.isEmpty })
            do {
                rows.append(try known.book(row))
            } catch let error as LibraryError {
                let content = row.fields.filter { !$0.isEmpty }.joined(separator: " · ")
                problems.append(
                    ListImport.FailedRow(
                        line: row.line, reason: error.description,
                        beginning: CleanText.oneLine(content)))
            }
        }
        // The header and mapping of a list without rows are checked, too.
        if columns == nil { _ = try BookListColumns(reading.header, mapping: mapping) }
        format = reading.header.format
        let names = reading.header.names
        unusedColumns = names.indices.filter { used.contains($0) && columns?.reads($0) == false }.map { names[$0] }
        self.rows = rows
        self.problems = (problems + reading.problems).sorted { $0.line < $1.line }
    }

    /// Returns the scale of ratings, by the highest one, and the order of dates, by those that are certain.
    private static func habits(of text: BookListText, _ mapping: [String: BookListField?]) throws -> ListHabits {
        var (ratings, dates): (Int?, [Int]) = (nil, [])
        var isFirst = true
        var highest = 5.0
        var orders: Set<LocalDate.Order> = []
        _ = try text.read { row, header in
            if isFirst, header.format == .other {
                let names = try header.names(mapping: mapping).map(TextNormalisation.fold)
                ratings = names.firstIndex(of: "rating")
                dates = names.indices.filter {
                    ["date added", "date started", "date read", "acquired on"].contains(names[$0])
                }
            }
            isFirst = false
            // Values are not in their columns where one had a comma without quotes.
            guard row.fields.count <= header.names.count else { return }
            if let ratings, row.fields.indices.contains(ratings) {
                highest = max(highest, BookListFields.decimal(row.fields[ratings]) ?? 0)
            }
            for date in dates where row.fields.indices.contains(date) {
                if let order = LocalDate.order(in: row.fields[date]) { orders.insert(order) }
            }
        }
        return ListHabits(
            bestRating: highest <= 5 ? 5 : highest <= 10 ? 10 : 100, dateOrder: orders.count == 1 ? orders.first : nil)
    }
}

/// How a list writes ratings and dates.
struct ListHabits {
    var bestRating: Double = 5
    var dateOrder: LocalDate.Order?
}
