import Bibliography
import Bounds
import Foundation

/// Writes RIS, which reference managers read: lines of a tag of two characters and a value, in UTF-8 and with CRLF.
struct RISWriter: ExportWriter {
    static let mediaType = "application/x-research-info-systems; charset=utf-8"
    static let fileName = "shelflist.ris"
    let opening = ""
    let closing = ""
    private var written = WrittenReferences()

    mutating func text(for book: ExportedBook) -> String {
        guard let name = written.name(for: book) else { return "" }
        let reference = Reference(book)
        var lines: [(String, String?)] = [("TY", "BOOK"), ("ID", name), ("TI", reference.fullTitle)]
        if reference.fullTitle != reference.title { lines.append(("ST", reference.title)) }
        lines += reference.names(.author, .contributor).map { ("AU", Self.heading($0)) }
        lines += reference.names(.editor).map { ("ED", Self.heading($0)) }
        lines += reference.names(.translator).map { ("A4", Self.heading($0)) }
        let edition = reference.edition
        lines += [
            ("T2", reference.series), ("M1", reference.seriesNumber), ("PB", edition?.publisher),
            ("PY", edition?.year.map { String($0) }),
            ("SN", edition?.isbn?.isbn13), ("SP", edition?.pages.map { String($0) }), ("LA", edition?.language),
            ("CN", reference.callNumber),
        ]
        lines += reference.tags.map { ("KW", $0) }
        // A value is one line.
        lines += EscapedText.lines(ofRIS: (reference.notes ?? "").utf8).filter { !$0.isEmpty }.map {
            ("N1", String(Substring($0)))
        }
        lines.append(("ER", ""))
        return lines.compactMap { tag, value in value.map { "\(tag)  - \(EscapedText.ris($0))\r\n" } }.joined() + "\r\n"
    }

    private static func heading(_ name: String) -> String { PersonName(name)?.heading ?? name }
}

/// Reads RIS.
enum RISReader {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Whether a text begins with the type of a reference, after blank lines and a byte order mark.
    static func reads(_ text: some Sequence<UInt8>) -> Bool {
        EscapedText.lines(ofRIS: Array(text.prefix(1_000))).lazy.map(withoutMark).first { !isBlank($0) }.flatMap {
            tag(ofLine: $0)
        }?.tag
            == "TY"
    }

    /// - Parameter isWhole: whether nothing follows the text. Otherwise its last reference may continue, and is left out.
    /// - Throws: `LibraryError.invalid` beyond the limit, `CancellationError`.
    static func table(_ text: [UInt8], isWhole: Bool) throws -> ReferenceTable {
        var table = ReferenceTable()
        var reference: (values: [(tag: String, value: String)], line: Int)?
        for (index, line) in EscapedText.lines(ofRIS: text).lazy.map(withoutMark).enumerated() {
            if index.isMultiple(of: 10_000) { try Task.checkCancellation() }
            guard let (tag, value) = tag(ofLine: line) else {
                // A long value may continue on the next line.
                let more = trimmed(line)
                if !more.isEmpty, let last = reference?.values.indices.last {
                    reference?.values[last].value += " " + more
                }
                continue
            }
            switch tag {
            case "TY":
                if let known = reference { try table.add(read(known.values), line: known.line) }
                reference = ([(tag, value)], index + 1)
            case "ER":
                if let known = reference { try table.add(read(known.values), line: known.line) }
                reference = nil
            default: reference?.values.append((tag, value))
            }
        }
        if isWhole, let known = reference { try table.add(read(known.values), line: known.line) }
        return table
    }

    private static func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        line.starts(with: byteOrderMark) ? line.dropFirst(byteOrderMark.count) : line
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool { trimmed(line).isEmpty }

    /// Returns the parts of a line `TY  - BOOK`; nil for another line.
    private static func tag(ofLine line: ArraySlice<UInt8>) -> (tag: String, value: String)? {
        let (capitals, digits) = (UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"))
        let (tag, rest) = (line.prefix(2), line.dropFirst(2))
        guard tag.count == 2, tag.first.map(capitals.contains) == true,
            tag.allSatisfy({ capitals.contains($0) || digits.contains($0) }),
            let dash = rest.firstIndex(of: UInt8(ascii: "-")), rest.startIndex < dash,
            rest[..<dash].allSatisfy({ $0 == UInt8(ascii: " ") })
        else { return nil }
        return (String(decoding: tag, as: UTF8.self), trimmed(rest[(dash + 1)...]))
    }

    /// Returns what is between the white space at both ends.
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.drop { $0.properties.isWhitespace }
        let end = scalars.lastIndex { !$0.properties.isWhitespace }.map(scalars.index(after:)) ?? scalars.startIndex
        return String(String.UnicodeScalarView(scalars[..<end]))
    }

    private static let bookTypes: Set = ["BOOK", "EBOOK", "EDBOOK", "CLSWK", "CTLG", "DICT", "ENCYC", "MUSIC", "PAMP"]

    private static func read(_ values: [(tag: String, value: String)]) -> ReadReference {
        var reference = ReadReference()
        func all(_ tags: String...) -> [String] {
            tags.flatMap { tag in values.filter { $0.tag == tag && !$0.value.isEmpty }.map(\.value) }
        }
        reference.type = all("TY").first
        reference.isBook = reference.type.map { bookTypes.contains($0.uppercased()) } ?? false
        reference.title = all("TI", "T1", "BT").first
        reference.shortTitle = all("ST").first
        reference.authors = AuthorCredit.credits(
            [(.author, all("AU", "A1")), (.editor, all("ED", "A2", "A3")), (.translator, all("A4"))],
            AuthorCredit.list)
        // Several numbers may be on one line.
        reference.numbers = all("SN").flatMap { $0.split { $0 == ";" || $0 == "," || $0 == " " }.map(String.init) }
        reference.publisher = all("PB").first
        reference.date = all("PY", "Y1", "DA").first
        reference.pages = all("SP").first
        reference.language = all("LA").first
        reference.series = all("T2", "T3").first
        reference.volume = all("M1", "VL").first
        reference.callNumber = all("CN").first
        reference.tags = all("KW")
        reference.notes = all("N1")
        return reference
    }
}
