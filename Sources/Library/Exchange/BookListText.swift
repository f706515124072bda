import Bounds
import DelimitedText
import Foundation
import ShelflistAPI

/// The text of a list, and its parser.
struct BookListText {
    private let text: [UInt8]
    private let delimiterByte: UInt8
    /// The references of a file that is not a table.
    private var references: (format: BookListFormat, table: ReferenceTable)?
    /// The lines of the file before the header.
    private let skippedLines: Int
    /// Whether the whole file was read.
    let isWhole: Bool
    let encoding: TextEncoding
    let otherEncoding: TextEncoding?
    var delimiter: Character { Character(Unicode.Scalar(delimiterByte)) }

    /// - Parameter limit: the number of bytes from which on nothing more is read, for a preview; nil to read the whole
    ///   file.
    /// - Throws: `CSVError.empty`, `LibraryError.invalid` beyond the limits and for JSON that is not CSL-JSON,
    ///   `CancellationError`.
    init(_ file: [UInt8], _ encoding: TextEncoding?, limit: Int? = nil) throws {
        guard file.count <= BookList.byteLimit else {
            throw LibraryError.invalid(
                field: "file",
                reason:
                    "it has \(file.count / 1_000_000) MB; the limit is \(BookList.byteLimit / 1_000_000) MB. Split it.")
        }
        var decoder = LineDecoder(start: file, encoding: encoding)
        let (decoded, isWhole) = try decoder.decode(file: file, limit: limit)
        self.isWhole = isWhole
        (self.encoding, otherEncoding) = (decoder.encoding, decoder.guess?.alternative)
        // Excel writes the delimiter into a line before the header.
        let named = Self.namedDelimiter(decoded)
        text = named.map { Array(decoded.dropFirst($0.length)) } ?? decoded
        skippedLines = named == nil ? 0 : 1
        guard !text.isEmpty else { throw CSVError.empty }
        delimiterByte = named?.delimiter ?? CSVColumns.delimiter(ofHeader: text)
        if RISReader.reads(text) {
            references = (.ris, try RISReader.table(text, isWhole: isWhole))
        } else if CSLReader.reads(text) {
            references = (.csl, try CSLReader.table(text, isWhole: isWhole))
        }
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
    ) throws -> (header: BookListHeader, problems: [ListImport.FailedRow]) {
        if let references { return try read(references.format, references.table, onRow) }
        var header: BookListHeader?
        var problems: [ListImport.FailedRow] = []
        var count = 0
        var (rest, linesBefore) = (text[...], skippedLines)
        while true {
            let take = { (row: CSVParser.Row) throws in
                guard let known = header else {
                    guard row.fields.count <= Self.columnLimit else { throw Self.tooManyColumns }
                    header = BookListHeader(row.fields)
                    return
                }
                guard count < BookList.rowLimit else { throw Self.tooManyRows }
                count += 1
                if count.isMultiple(of: 100) { try Task.checkCancellation() }
                try onRow(CSVParser.Row(line: linesBefore + row.line, fields: row.fields), known)
            }
            do {
                var parser = CSVParser(delimiter: delimiterByte)
                try parser.parse(rest, onRow: take)
                // The last row may continue after the limit.
                if isWhole { try parser.finish(onRow: take) }
                break
            } catch let error as CSVError where header != nil {
                guard let bad = error.badRow else { throw error }
                problems.append(ListImport.FailedRow(line: linesBefore + bad.line, reason: bad.reason, content: nil))
                for _ in Range(from: 0, upTo: bad.line) { rest = rest[(rest.endOfLine ?? rest.endIndex)...] }
                linesBefore += bad.line
                guard problems.count < Self.restartLimit else {
                    problems.append(
                        ListImport.FailedRow(
                            line: linesBefore + 1,
                            reason: "nothing from here on was read: \(Self.restartLimit) lines before it are not rows. "
                                + "Fix them and import the file again.", content: nil))
                    break
                }
            }
        }
        guard let header else { throw CSVError.empty }
        return (header, problems)
    }

    static let tooManyRows = LibraryError.invalid(
        field: "file", reason: "it has more than \(BookList.rowLimit) rows. Split it.")

    /// Columns are compared with each other.
    private static let columnLimit = 1000
    private static let tooManyColumns = LibraryError.invalid(
        field: "file", reason: "its first line has more than \(columnLimit) columns. Remove some.")

    /// Calls `onRow` with the references of a file; as `read`.
    private func read(
        _ format: BookListFormat, _ table: ReferenceTable, _ onRow: (CSVParser.Row, BookListHeader) throws -> Void
    ) throws -> (header: BookListHeader, problems: [ListImport.FailedRow]) {
        let header = BookListHeader(ReferenceTable.columns, format: format)
        var problems: [ListImport.FailedRow] = []
        for (index, row) in table.rows.enumerated() {
            if index.isMultiple(of: 100) { try Task.checkCancellation() }
            switch row.fields {
            case .success(let fields): try onRow(CSVParser.Row(line: row.line, fields: fields), header)
            case .failure(let error):
                problems.append(ListImport.FailedRow(line: row.line, reason: error.description, content: nil))
            }
        }
        return (header, problems)
    }

    /// Returns the delimiter in a first line `sep=;`, and the length of that line with its end.
    private static func namedDelimiter(_ text: [UInt8]) -> (delimiter: UInt8, length: Int)? {
        let line = text.prefix { $0 != 0x0A && $0 != 0x0D }
        let words = String(decoding: line, as: UTF8.self).trimmingCharacters(
            in: CharacterSet(charactersIn: "\" \u{FEFF}"))
        guard words.utf8.count == 5, words.lowercased().hasPrefix("sep="), let delimiter = words.utf8.last else {
            return nil
        }
        let end = text.dropFirst(line.count).prefix(2)
        return (delimiter, line.count + (end.elementsEqual([0x0D, 0x0A]) ? 2 : min(1, end.count)))
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
