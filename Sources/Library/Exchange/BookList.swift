import Bibliography
import Foundation

/// The kinds of lists that the library takes in.
public enum BookListFormat: String, Codable, CaseIterable, Sendable {
    /// Our own, which holds everything.
    case shelflist
    case goodreads
    case libraryThing
    case storyGraph
    /// Any CSV with a column for the title.
    case other

    /// By the names of the columns, folded.
    init(header: [String]) {
        let names = Set(header.map(TextNormalisation.fold))
        func has(_ all: String...) -> Bool { all.allSatisfy(names.contains) }
        self =
            if has("title", "ownership", "review status", "added at") {
                .shelflist
            } else if has("exclusive shelf") || has("bookshelves", "my rating") {
                .goodreads
            } else if has("primary author", "collections") || has("primary author", "work id") {
                .libraryThing
            } else if has("read status", "star rating") { .storyGraph } else { .other }
    }
}

/// A row of a list that could not be taken in, and why.
public struct RowProblem: Hashable, Codable, Sendable {
    /// Line of the file, counted from 1, on which the row begins.
    public var line: Int
    public var reason: String
}

/// One book of a list.
struct BookListRow {
    var line: Int
    var book: BookDetails
    var entry: EntryDetails
    var shelf: String?
    var addedAt: Date?
    var reviewStatus: ReviewStatus?
    /// Rows of our own lists that share it are copies of one work.
    var work: String?
}

/// A list of books in memory, its encoding, delimiter and kind recognised.
struct BookList {
    /// Larger files are refused.
    static let byteLimit = 50_000_000
    static let rowLimit = 200_000

    let format: BookListFormat
    private(set) var rows: [BookListRow] = []
    private(set) var problems: [RowProblem] = []

    /// - Throws: `CSVError`, `LibraryError.invalid` beyond the limits.
    init(_ file: [UInt8]) throws {
        guard file.count <= Self.byteLimit else {
            throw LibraryError.invalid(
                field: "file",
                reason: "it has \(file.count / 1_000_000) MB; the limit is \(Self.byteLimit / 1_000_000) MB. Split it.")
        }
        let text = TextEncoding.utf8(file)
        guard !text.isEmpty else { throw CSVError.empty }
        var parser = CSVParser(delimiter: CSVColumns.delimiter(ofHeader: text))
        var header: BookListColumns?
        var rows: [BookListRow] = []
        var problems: [RowProblem] = []
        let onRow = { (row: CSVParser.Row) throws in
            guard let columns = header else {
                header = try BookListColumns(row.fields)
                return
            }
            guard rows.count + problems.count < Self.rowLimit else {
                throw LibraryError.invalid(
                    field: "file", reason: "it has more than \(Self.rowLimit) rows. Split it.")
            }
            do {
                rows.append(try columns.book(row))
            } catch let error as LibraryError {
                problems.append(RowProblem(line: row.line, reason: error.description))
            }
        }
        do {
            try parser.parse(text, onRow: onRow)
            try parser.finish(onRow: onRow)
        } catch let error as CSVError where header != nil {
            // What was read until here is sound; the rest of the file cannot be told apart.
            problems.append(RowProblem(line: error.line, reason: error.description))
        }
        guard let header else { throw CSVError.empty }
        format = header.format
        self.rows = rows
        self.problems = problems
    }
}

extension CSVError {
    fileprivate var line: Int {
        switch self {
        case .empty, .noTitleColumn: 1
        case .unclosedQuote(let line), .rowTooLong(let line): line
        }
    }
}
