import Bibliography
import DelimitedText

/// Reads a file and passes its rows on in batches.
package enum ImportParser {
    /// Returns the number of books that an import of a file would store, for tests with damaged files.
    ///
    /// - Throws: the errors that `Catalog.importFiles` reports.
    package static func countBooks(inFileAt path: String) throws -> Int {
        var books = 0
        try parse(ImportFile(path: path), from: ImportPosition(), keeping: RowFilter()) { batch in
            books += batch.describedCount
            return true
        }
        return books
    }

    /// - Parameters:
    ///   - position: the start position, which is the end of an earlier import.
    ///   - filter: the rows of a dump to keep; it does not apply to other formats.
    ///   - send: receives a batch; returns false to stop.
    /// - Throws: `ImportFailure`, `CSVError`, after everything before the fault was sent.
    static func parse(
        _ file: ImportFile, from position: ImportPosition, keeping filter: RowFilter,
        _ send: @escaping (RowBatch) -> Bool
    ) throws {
        let source = try file.open()
        let sink = BatchSink(source: source, position: position, send: send)
        defer { sink.flush() }
        if let plain = source as? FileBytes {
            try plain.seek(to: position.offset)
        } else {
            try source.skip(position.offset)
        }
        switch file.format {
        case .openLibrary: try parseDump(source, sink, position, filter)
        case .marc: try parseMARC(source, sink, position)
        case .marcXML: try MARCXMLReader(reader: XMLReader(source), sink: sink).parse()
        case .csv: try parseCSV(source, sink)
        }
    }

    private static func parseDump(
        _ source: any ByteSource, _ sink: BatchSink, _ position: ImportPosition, _ filter: RowFilter
    ) throws {
        var lines = LineReader(source, offset: position.offset, number: position.line)
        let tooLong = "the line is longer than \(LineReader.lineLimit >> 20) MB"
        try lines.forEachLine(onLongLine: { sink.batch.skip(line: $0, tooLong) }) { line in
            let before = sink.batch.rowCount
            if let fault = OpenLibraryLine.parse(line.bytes, into: &sink.batch, keeping: filter) {
                sink.batch.skip(line: line.number, fault)
            } else if sink.batch.rowCount > before {
                sink.batch.describedCount += 1
            }
            return sink.advance(offset: line.endOffset, line: line.number)
        }
    }

    private static func parseMARC(_ source: any ByteSource, _ sink: BatchSink, _ position: ImportPosition) throws {
        var records = MARCRecordReader(source, offset: position.offset, number: position.line)
        while let next = try records.next() {
            switch next.result {
            case .success(let record): sink.append(record, line: next.number)
            case .failure(let fault): sink.batch.skip(line: next.number, fault.reason)
            }
            guard sink.advance(offset: next.endOffset, line: next.number) else { return }
        }
    }

    private static func parseCSV(_ source: any ByteSource, _ sink: BatchSink) throws {
        var chunk = try source.chunk(1 << 20)
        guard !chunk.isEmpty else { throw CSVError.empty }
        var decoder = LineDecoder(start: chunk)
        var text = decoder.decode(chunk)
        var parser = CSVParser(delimiter: CSVColumns.delimiter(ofHeader: TextEncoding.utf8(chunk)))
        var columns: CSVColumns?
        var isWanted = true
        var isRemarked = false
        let onRow = { (row: CSVParser.Row) throws in
            if let line = decoder.mixedLine, !isRemarked {
                isRemarked = true
                sink.batch.remark(
                    line: line,
                    "from here on UTF-8 and \(decoder.encoding.rawValue) lines alternate; each was decoded separately, "
                        + "so check its letters, or save the file as UTF-8")
            }
            guard let known = columns else {
                columns = try CSVColumns(header: row.fields)
                return
            }
            if let foreign = known.foreignDelimiter(in: row) {
                sink.batch.skip(
                    line: row.line,
                    "the row is separated by “\(foreign)”, the header by another character; use the same one")
            } else {
                sink.append(known.record(from: row)?.separated, line: row.line)
            }
            isWanted = sink.advance(offset: 0, line: row.line) && isWanted
        }
        while !chunk.isEmpty, isWanted {
            do {
                try parser.parse(text, onRow: onRow)
            } catch CSVError.rowTooLong(let line) {
                sink.batch.skip(
                    line: line, "the row is longer than \(CSVParser.rowLimit) bytes; is a quote not closed?")
            }
            chunk = try source.chunk(1 << 20)
            text = decoder.decode(chunk)
        }
        guard isWanted else { return }
        try parser.parse(decoder.finish(), onRow: onRow)
        try parser.finish(onRow: onRow)
    }
}

/// Fills batches and sends them when they are full.
final class BatchSink {
    var batch = RowBatch()
    private let source: any ByteSource
    private var position: ImportPosition
    private let send: (RowBatch) -> Bool
    private var unsentLines = 0

    /// Bounds the time between reports of progress where a filter keeps few lines.
    private static let lineLimit = 8192

    init(source: any ByteSource, position: ImportPosition, send: @escaping (RowBatch) -> Bool) {
        (self.source, self.position, self.send) = (source, position, send)
    }

    /// Adds a book, or records that a record or row does not describe one.
    func append(_ book: BookRecord?, line: Int) {
        if let book {
            batch.append(book, isbns: [])
            batch.describedCount += 1
        } else {
            batch.skip(line: line, "there is no title")
        }
    }

    func append(_ record: MARCRecord, line: Int) {
        let books = record.descriptions
        guard let book = books.first else { return append(nil, line: line) }
        batch.append(book, isbns: record.isbns, alsoAs: books.dropFirst().first)
        batch.describedCount += 1
    }

    /// Records how far the file has been read; returns false if parsing should stop.
    func advance(offset: Int, line: Int) -> Bool {
        position.offset = offset
        position.line = line
        unsentLines += 1
        return batch.isFull || unsentLines >= Self.lineLimit ? flush() : true
    }

    /// Sends the current batch; returns false if parsing should stop.
    @discardableResult
    func flush() -> Bool {
        batch.endOffset = position.offset
        batch.endLine = position.line
        batch.filePosition = source.filePosition
        let isWanted = send(batch)
        batch = RowBatch()
        unsentLines = 0
        return isWanted
    }
}
