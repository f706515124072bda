/// Reads MARCXML (http://www.loc.gov/MARC21/slim) as a stream, in the memory of one record.
struct MARCXMLReader {
    let reader: XMLReader
    let sink: BatchSink

    /// The maximum size of the text in a record, about a thousand times that of real records; larger records are
    /// skipped.
    private static let recordLimit = 4 << 20

    /// - Throws: `ImportFailure`, after everything before the fault was sent.
    func parse() throws {
        while let event = try reader.next() {
            guard case .start("record", _) = event else { continue }
            let line = reader.line
            if let record = try readRecord() {
                sink.append(record, line: line)
            } else {
                sink.batch.skip(line: line, "the record has more than \(Self.recordLimit >> 20) MB of text")
            }
            guard sink.advance(offset: 0, line: line) else { return }
        }
    }

    /// Reads the record whose start tag was read; nil if it is too large.
    private func readRecord() throws -> MARCRecord? {
        var record = MARCRecord()
        var field = MARCRecord.Field(tag: "")
        var subfield: Character?
        var text = ""
        var size = 0
        while let event = try reader.next() {
            switch event {
            case .start("controlfield", let attributes), .start("datafield", let attributes):
                field = MARCRecord.Field(tag: attributes["tag"] ?? "")
                text = ""
            case .start("subfield", let attributes):
                subfield = attributes["code"]?.first
                text = ""
            case .start:
                break
            case .text(let piece):
                size += piece.utf8.count
                if size <= Self.recordLimit { text += piece }
            case .end("subfield"):
                if let subfield { field.subfields.append((subfield, text)) }
            case .end("controlfield"):
                field.value = text
                record.fields.append(field)
            case .end("datafield"):
                record.fields.append(field)
            case .end("record"):
                return size <= Self.recordLimit ? record : nil
            case .end:
                break
            }
        }
        return nil
    }
}
