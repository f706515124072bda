import ShelflistAPI

/// A streaming CSV parser (RFC 4180), as lenient as spreadsheets.
///
/// Fields may be quoted, with `""` for a quote; rows end with LF, CRLF or CR. Quotes within an unquoted field are text.
/// Bytes that are not UTF-8 become U+FFFD. Memory is bounded by the longest row.
package struct CSVParser {
    /// The fields of a row, and the line on which it begins, counted from 1.
    package struct Row: Equatable, Sendable {
        package var line: Int
        package var fields: [String]

        package init(line: Int, fields: [String]) { (self.line, self.fields) = (line, fields) }
    }

    /// The maximum length of a row in bytes; without it, an unclosed quote would read the rest of the file into memory.
    package static let rowLimit = 1 << 20

    private enum State { case fieldStart, unquoted, quoted, quoteInQuoted }

    private let delimiter: UInt8
    private var state = State.fieldStart
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var line = 1
    private var rowLine = 1
    private var lastWasCarriageReturn = false

    package init(delimiter: UInt8 = UInt8(ascii: ",")) { self.delimiter = delimiter }

    /// Parses the next piece of the file and passes each completed row to `onRow`.
    ///
    /// Empty lines are skipped.
    ///
    /// - Throws: `CSVError.rowTooLong`, and what `onRow` throws.
    package mutating func parse(_ chunk: some Sequence<UInt8>, onRow: (Row) throws -> Void) throws {
        for byte in chunk {
            let isLineFeedOfPair = byte == 0x0A && lastWasCarriageReturn
            lastWasCarriageReturn = byte == 0x0D
            if isLineFeedOfPair {
                if state == .quoted { bytes.append(byte) }
                continue
            }
            try take(byte, onRow)
        }
    }

    /// Passes on the last row if the file does not end with a line break.
    ///
    /// - Throws: `CSVError.unclosedQuote`, with the line on which the row begins; that row is not passed on.
    package mutating func finish(onRow: (Row) throws -> Void) throws {
        if state == .quoted { throw CSVError.unclosedQuote(line: rowLine) }
        try endRow(onRow)
    }

    private mutating func take(_ byte: UInt8, _ onRow: (Row) throws -> Void) throws {
        let isLineBreak = byte == 0x0A || byte == 0x0D
        switch state {
        case .quoted where byte == UInt8(ascii: "\""):
            state = .quoteInQuoted
        case .quoted:
            bytes.append(byte)
        case .quoteInQuoted where byte == UInt8(ascii: "\""):
            bytes.append(byte)
            state = .quoted
        case .fieldStart where byte == UInt8(ascii: "\""):
            state = .quoted
        case _ where byte == delimiter:
            ends.append(bytes.count)
            state = .fieldStart
        case _ where isLineBreak:
            line += 1
            try endRow(onRow)
            return
        default:
            bytes.append(byte)
            state = .unquoted
        }
        if isLineBreak { line += 1 }
        if bytes.count > Self.rowLimit {
            let start = rowLine
            reset()
            throw CSVError.rowTooLong(line: start)
        }
    }

    private mutating func endRow(_ onRow: (Row) throws -> Void) throws {
        defer { reset() }
        guard !ends.isEmpty || !bytes.isEmpty || state != .fieldStart else { return }
        ends.append(bytes.count)
        var start = 0
        let fields = ends.map { end in
            defer { start = end }
            return String(decoding: bytes[start..<end], as: UTF8.self)
        }
        try onRow(Row(line: rowLine, fields: fields))
    }

    private mutating func reset() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        state = .fieldStart
        rowLine = line
    }
}

/// An error that prevents reading a CSV file or the rest of it.
package enum CSVError: ReportedError, Equatable {
    case empty
    case noTitleColumn(header: [String])
    case unclosedQuote(line: Int)
    case rowTooLong(line: Int)

    package var problemCode: String { "list_unreadable" }

    package var description: String {
        switch self {
        case .empty:
            "The file is empty. Name the columns in the first line, for example: title,author,isbn"
        case .noTitleColumn(let header):
            "Line 1 has no column “title” (found: \(header.prefix(8).map { $0.prefix(40) }.joined(separator: ", "))). "
                + "Name the columns there, separated by comma, semicolon, tab or |, for example: title,author,isbn"
        case .unclosedQuote(let line):
            "Line \(line): a quote (\") in the row that begins here is not closed. Close it and import again."
        case .rowTooLong(let line):
            "Line \(line): the row is longer than \(CSVParser.rowLimit) bytes. Close the quotes (\") in it and import again."
        }
    }
}
