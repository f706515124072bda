package import Bibliography
import DelimitedText

/// Reads lists of books in CSV: our own exports, spreadsheets, and exports of Goodreads, LibraryThing and StoryGraph.
package enum CatalogCSV {
    /// Returns the records of a whole file in order.
    ///
    /// Detects the encoding as `LineDecoder` does, and the delimiter (comma, semicolon, tab, bar). Omits rows without a
    /// title.
    ///
    /// - Throws: `CSVError`.
    package static func records(from file: some Collection<UInt8>) throws -> [BookRecord] {
        let file = Array(file)
        var decoder = LineDecoder(start: file)
        let text = decoder.decode(file) + decoder.finish()
        guard !text.isEmpty else { throw CSVError.empty }
        var parser = CSVParser(delimiter: CSVColumns.delimiter(ofHeader: text))
        var columns: CSVColumns?
        var records: [BookRecord] = []
        let onRow = { (row: CSVParser.Row) throws in
            if let columns {
                if let record = columns.record(from: row) { records.append(record) }
            } else {
                columns = try CSVColumns(header: row.fields)
            }
        }
        try parser.parse(text, onRow: onRow)
        try parser.finish(onRow: onRow)
        return records
    }
}
