import Bibliography
package import DelimitedText
import Foundation

/// The kinds of lists that the library imports.
package enum BookListFormat: String, Codable, CaseIterable, Sendable {
    /// Shelflist's own format, which holds all data.
    case shelflist
    case goodreads
    case libraryThing
    case storyGraph
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

/// A row of a list that could not be imported, and the reason.
package struct RowProblem: Hashable, Codable, Sendable {
    /// The line of the file on which the row begins, counted from 1.
    package var line: Int
    package var reason: String
    /// The beginning of the row, empty if it is blank; `nil` if it could not be parsed.
    package var content: String?

    /// The maximum number of characters of `content`.
    static let contentLimit = 300
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
}

/// The contents of a list before it is imported.
package struct BookListPreview: Sendable {
    package var format = BookListFormat.other
    package var encoding: TextEncoding
    package var delimiter: Character
    /// The names in the first line.
    package var columns: [String] = []
    /// The field of each column; `nil` if it is not one that can be chosen.
    package var fields: [BookListField?] = []
    /// The first rows, with long texts truncated.
    package var sample: [[String]] = []
    package var rows = 0
    /// Lines that cannot be parsed as rows.
    package var problems: [RowProblem] = []

    /// The size limit of a file, in bytes.
    package static let byteLimit = BookList.byteLimit

    /// Throws if the list cannot be imported with this mapping.
    ///
    /// - Parameter mapping: as for `LibraryStore.importBooks`.
    /// - Throws: `CSVError.noTitleColumn`, `LibraryError.invalid` for an invalid mapping.
    package func check(_ mapping: [String: BookListField?]) throws {
        _ = try BookListColumns(BookListHeader(columns), mapping: mapping)
    }

    /// - Throws: `CSVError.empty`, `LibraryError.invalid` beyond the limits.
    package init(_ file: [UInt8]) throws {
        let text = try BookListText(file)
        (encoding, delimiter) = (TextEncoding.of(file), text.delimiter)
        var (rows, sample) = (0, [[String]]())
        let reading = try text.read { row, header in
            rows += 1
            if sample.count < 10 { sample.append(row.fields.prefix(header.names.count).map { String($0.prefix(200)) }) }
        }
        (self.rows, self.sample) = (rows, sample)
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
    let problems: [RowProblem]

    /// - Parameter mapping: the user's choice of fields for columns.
    /// - Throws: `CSVError`, `LibraryError.invalid` beyond the limits and for an invalid mapping.
    init(_ file: [UInt8], mapping: [String: BookListField?] = [:]) throws {
        let text = try BookListText(file)
        let bestRating = try Self.bestRating(in: text, mapping)
        try Task.checkCancellation()
        var columns: BookListColumns?
        var rows: [BookListRow] = []
        var problems: [RowProblem] = []
        let reading = try text.read { row, header in
            let known = try columns ?? BookListColumns(header, mapping: mapping, bestRating: bestRating)
            columns = known
            do {
                rows.append(try known.book(row))
            } catch let error as LibraryError {
                let content = row.fields.filter { !$0.isEmpty }.joined(separator: " · ")
                problems.append(
                    RowProblem(
                        line: row.line, reason: error.description,
                        content: String(CleanText.withoutControls(content).prefix(RowProblem.contentLimit))))
            }
        }
        // The header and mapping of a list without rows are checked, too.
        if columns == nil { _ = try BookListColumns(reading.header, mapping: mapping) }
        format = reading.header.format
        self.rows = rows
        self.problems = (problems + reading.problems).sorted { $0.line < $1.line }
    }

    /// Returns the best rating of the list's scale, by its highest rating: 5, 10 or 100.
    private static func bestRating(in text: BookListText, _ mapping: [String: BookListField?]) throws -> Double {
        var column: Int?
        var isFirst = true
        var highest = 5.0
        _ = try text.read { row, header in
            if isFirst, header.format == .other {
                column = try header.names(mapping: mapping).firstIndex { TextNormalisation.fold($0) == "rating" }
            }
            isFirst = false
            guard let column, row.fields.indices.contains(column) else { return }
            highest = max(highest, BookListFields.decimal(row.fields[column]) ?? 0)
        }
        return highest <= 5 ? 5 : highest <= 10 ? 10 : 100
    }
}

/// The text of a list, and its parser.
private struct BookListText {
    private let text: [UInt8]
    private let delimiterByte: UInt8
    var delimiter: Character { Character(Unicode.Scalar(delimiterByte)) }

    /// - Throws: `CSVError.empty`, `LibraryError.invalid` beyond the limit.
    init(_ file: [UInt8]) throws {
        guard file.count <= BookList.byteLimit else {
            throw LibraryError.invalid(
                field: "file",
                reason:
                    "it has \(file.count / 1_000_000) MB; the limit is \(BookList.byteLimit / 1_000_000) MB. Split it.")
        }
        text = LineDecoder.utf8(file)
        guard !text.isEmpty else { throw CSVError.empty }
        delimiterByte = CSVColumns.delimiter(ofHeader: text)
    }

    /// Calls `onRow` with the rows after the first line.
    ///
    /// An unclosed quote would include everything after it, so its line is skipped and parsing continues with the
    /// next.
    ///
    /// - Returns: the first line, and the problems of lines that cannot be parsed as rows.
    /// - Throws: `CSVError`, `LibraryError.invalid` beyond the limit, `CancellationError`, and the errors of `onRow`.
    func read(
        _ onRow: (CSVParser.Row, BookListHeader) throws -> Void
    ) throws -> (header: BookListHeader, problems: [RowProblem]) {
        var header: BookListHeader?
        var problems: [RowProblem] = []
        var count = 0
        var (rest, linesBefore) = (text[...], 0)
        while true {
            let take = { (row: CSVParser.Row) throws in
                guard let known = header else {
                    header = BookListHeader(row.fields)
                    return
                }
                guard count < BookList.rowLimit else {
                    throw LibraryError.invalid(
                        field: "file", reason: "it has more than \(BookList.rowLimit) rows. Split it.")
                }
                count += 1
                if count.isMultiple(of: 100) { try Task.checkCancellation() }
                try onRow(CSVParser.Row(line: linesBefore + row.line, fields: row.fields), known)
            }
            do {
                var parser = CSVParser(delimiter: delimiterByte)
                try parser.parse(rest, onRow: take)
                try parser.finish(onRow: take)
                break
            } catch let error as CSVError where header != nil {
                guard let bad = error.badRow else { throw error }
                problems.append(RowProblem(line: linesBefore + bad.line, reason: bad.reason))
                for _ in 0..<bad.line { rest = rest[(rest.endOfLine ?? rest.endIndex)...] }
                linesBefore += bad.line
                guard problems.count < Self.restartLimit else {
                    problems.append(
                        RowProblem(
                            line: linesBefore + 1,
                            reason: "nothing from here on was read: \(Self.restartLimit) lines before it are not rows. "
                                + "Fix them and import the file again."))
                    break
                }
            }
        }
        guard let header else { throw CSVError.empty }
        return (header, problems)
    }

    /// The number of restarts is limited because each may read to the end of the file.
    private static let restartLimit = 100
}

extension CSVError {
    /// The line that cannot be parsed as a row, and the reason; `nil` if the whole file is affected.
    fileprivate var badRow: (line: Int, reason: String)? {
        switch self {
        case .empty, .noTitleColumn: nil
        case .unclosedQuote(let line):
            (line, "a quote (\") in this row is not closed. Close it and import the file again.")
        case .rowTooLong(let line):
            (line, "the row is longer than \(CSVParser.rowLimit) bytes; is a quote (\") not closed?")
        }
    }
}
