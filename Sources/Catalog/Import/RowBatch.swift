/// A range of text within a batch; empty text is stored as NULL.
struct TextRange {
    var start: Int32 = 0
    var count: Int32 = 0
    var isEmpty: Bool { count == 0 }
}

struct AuthorRow {
    var id: Int64
    var name: TextRange
}

struct WorkRow {
    var id: Int64
    var title = TextRange()
    var subtitle = TextRange()
    /// IDs of the authors, decimal, separated by spaces.
    var authors = TextRange()
}

struct EditionRow {
    var id: Int64
    var work: Int64 = 0
    var isbn = 0
    var title = TextRange()
    var subtitle = TextRange()
    var authors = TextRange()
    var series = TextRange()
    var publisher = TextRange()
    var language = TextRange()
    var year = 0
    var pages = 0
    var cover = 0
}

/// Rows passed from the parser's thread to the writer's.
///
/// All text is in one array of bytes, so that dump lines need no allocations of their own.
struct RowBatch: Sendable {
    var text: [UInt8] = []
    var authors: [AuthorRow] = []
    var works: [WorkRow] = []
    var editions: [EditionRow] = []
    /// Further ISBNs of editions.
    var otherISBNs: [(isbn: Int, edition: Int64)] = []
    var skipped: [SkippedLine] = []
    var skippedCount = 0
    var remarks: [SkippedLine] = []
    /// Lines or records of the file that gave rows; one may give several.
    var describedCount = 0
    /// The position after this batch, in bytes and lines (or records) of the decompressed file.
    var endOffset = 0
    var endLine = 0
    /// The number of bytes read from the file on disk, for progress reports.
    var filePosition = 0

    /// The maximum number of skipped lines described per batch; all are counted.
    static let describedSkips = 20

    var rowCount: Int { authors.count + works.count + editions.count }
    var isFull: Bool { rowCount >= 4096 || text.count > 1 << 20 }

    init() {
        text.reserveCapacity(1 << 18)
    }

    /// Adds a remark on a line that is imported nevertheless.
    mutating func remark(line: Int, _ reason: String) {
        if remarks.count < Self.describedSkips { remarks.append(SkippedLine(line: line, reason: reason)) }
    }

    mutating func skip(line: Int, _ reason: String) {
        skippedCount += 1
        if skipped.count < Self.describedSkips { skipped.append(SkippedLine(line: line, reason: reason)) }
    }

    mutating func append(_ string: String) -> TextRange {
        let start = text.count
        text.append(contentsOf: string.utf8)
        return TextRange(start: Int32(start), count: Int32(text.count - start))
    }

    /// Appends the numbers in decimal, separated by spaces.
    mutating func append(ids: [Int64]) -> TextRange {
        ids.isEmpty ? TextRange() : append(ids.map(String.init).joined(separator: " "))
    }
}
