package import Bibliography

/// Lists of books as CSV: our own, spreadsheets, exports of Goodreads, LibraryThing and StoryGraph.
package enum CatalogCSV {
    /// The records of a whole file, in its order.
    ///
    /// Encoding (UTF-16 with a byte order mark, else each line UTF-8 or Windows-1252) and delimiter (comma, semicolon, tab, bar)
    /// are recognised. Rows without a title are left out.
    ///
    /// - Throws: `CSVError`.
    package static func records(from file: some Collection<UInt8>) throws -> [Record] {
        let text = LineDecoder.utf8(Array(file))
        guard !text.isEmpty else { throw CSVError.empty }
        var parser = CSVParser(delimiter: CSVColumns.delimiter(ofHeader: text))
        var columns: CSVColumns?
        var records: [Record] = []
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
