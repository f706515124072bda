import DelimitedText

/// Reads MARC 21 records in exchange format (ISO 2709), one at a time, in the memory of one record.
///
/// A damaged record is reported, and reading continues after the next record terminator.
struct MARCRecordReader {
    private let source: any ByteSource
    private var buffer: [UInt8] = []
    private var start = 0
    private var offset: Int
    private var number: Int
    private var isAtEnd = false

    private static let recordTerminator: UInt8 = 0x1D
    private static let fieldTerminator: UInt8 = 0x1E
    private static let subfieldDelimiter: UInt8 = 0x1F

    /// Whether a file that starts with these bytes consists of MARC records; the first record may be damaged.
    static func isMARC(start: [UInt8]) -> Bool {
        if start.count >= 24, start[..<5].allSatisfy({ $0 &- 0x30 < 10 }), start[10...11].elementsEqual("22".utf8) {
            return true
        }
        // These control characters do not occur in text; UTF-16 contains the bytes, but also zeros.
        return [fieldTerminator, subfieldDelimiter, recordTerminator].allSatisfy(start.contains) && !start.contains(0)
    }

    init(_ source: any ByteSource, offset: Int = 0, number: Int = 0) {
        (self.source, self.offset, self.number) = (source, offset, number)
    }

    /// Returns the next record, or its fault; nil at the end.
    ///
    /// - Throws: `ImportFailure` if the file cannot be read any further.
    mutating func next() throws -> (number: Int, endOffset: Int, result: Result<MARCRecord, MARCFault>)? {
        try skipBlanks()
        guard try fill(1) else { return nil }
        number += 1
        let length = try fill(5) ? Self.decimal(buffer[start..<start + 5]) : nil
        guard let length, length >= 26 else { return try damaged("the leader does not contain a length") }
        guard try fill(length) else {
            // The length may be too large while the record itself is intact.
            return try damaged("the file ends inside the record, which should be \(length) bytes long")
        }
        let record = buffer[start..<start + length]
        guard record.last == Self.recordTerminator, record.firstIndex(of: Self.recordTerminator) == record.endIndex - 1
        else { return try damaged("the length in the leader is wrong: there is no record terminator") }
        take(length)
        return (number, offset, Result { () throws(MARCFault) in try Self.parse(Array(record)) })
    }

    /// Skips the rest of a damaged record.
    private mutating func damaged(
        _ reason: String
    ) throws -> (number: Int, endOffset: Int, result: Result<MARCRecord, MARCFault>)? {
        while true {
            if let stop = buffer[start...].firstIndex(of: Self.recordTerminator) {
                take(stop + 1 - start)
                break
            }
            let left = buffer.count - start
            take(left)
            guard try fill(1) else { break }
        }
        return (number, offset, .failure(MARCFault(reason: reason)))
    }

    /// Skips line breaks between records, which are common although the format does not allow them.
    private mutating func skipBlanks() throws {
        while try fill(1), [0x0A, 0x0D, 0x20, 0x00, 0x1A].contains(buffer[start]) { take(1) }
    }

    private mutating func take(_ count: Int) {
        start += count
        offset += count
    }

    /// Reads until `count` bytes are available; returns false if the file ends before.
    private mutating func fill(_ count: Int) throws -> Bool {
        while buffer.count - start < count {
            if isAtEnd { return false }
            buffer.removeSubrange(..<start)
            start = 0
            let more = try source.read(1 << 18)
            isAtEnd = more.isEmpty
            buffer += more
        }
        return true
    }

    // MARK: - One record

    /// Parses a record by its directory.
    static func parse(_ bytes: [UInt8]) throws(MARCFault) -> MARCRecord {
        guard bytes.count >= 26, let base = decimal(bytes[12..<17]), base >= 25, base <= bytes.count else {
            throw MARCFault(reason: "the leader's base address is outside of the record")
        }
        let isUnicode = bytes[9] == UInt8(ascii: "a")
        var record = MARCRecord()
        var entry = 0
        var position = 24
        while position + 12 <= base, bytes[position] != fieldTerminator {
            entry += 1
            let tag = String(decoding: bytes[position..<position + 3], as: UTF8.self)
            guard let length = decimal(bytes[position + 3..<position + 7]),
                let start = decimal(bytes[position + 7..<position + 12])
            else { throw MARCFault(reason: "entry \(entry) of the directory is not numeric") }
            let (first, end) = (base + start, base + start + length)
            guard length >= 1, end < bytes.count, bytes[end - 1] == fieldTerminator else {
                throw MARCFault(reason: "the directory is wrong: field \(tag) is outside of the record")
            }
            record.fields.append(field(tag, bytes[first..<end - 1], isUnicode: isUnicode))
            position += 12
        }
        return record
    }

    private static func field(_ tag: String, _ data: ArraySlice<UInt8>, isUnicode: Bool) -> MARCRecord.Field {
        var field = MARCRecord.Field(tag: tag)
        if tag.hasPrefix("00") {
            field.value = text(data, isUnicode: isUnicode)
            return field
        }
        for part in data.split(separator: subfieldDelimiter, omittingEmptySubsequences: false).dropFirst() {
            guard let code = part.first, code > 0x20, code < 0x7F else { continue }
            field.subfields.append((Character(Unicode.Scalar(code)), text(part.dropFirst(), isUnicode: isUnicode)))
        }
        return field
    }

    /// Decodes text in the encoding given in the leader.
    ///
    /// Records that wrongly claim to be Unicode are common, and are decoded as Windows-1252.
    private static func text(_ bytes: ArraySlice<UInt8>, isUnicode: Bool) -> String {
        if bytes.allSatisfy({ $0 < 0x80 && $0 != 0x1B }) { return String(decoding: bytes, as: UTF8.self) }
        guard isUnicode else { return MARC8.decode(bytes) }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(decoding: TextEncoding.utf8(Array(bytes)), as: UTF8.self)
    }

    private static func decimal(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for byte in digits {
            guard byte &- 0x30 < 10 else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        return value
    }
}
