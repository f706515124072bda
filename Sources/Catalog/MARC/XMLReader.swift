import DelimitedText

/// A small streaming XML reader: elements, attributes and text, without external entities.
///
/// Foundation's parser crashes on some damaged files on Linux, and imported files are not trusted. This reader checks
/// that tags match and stops at the first fault. Comments, processing instructions and the document type are skipped;
/// entities other than the five predefined and numeric ones become U+FFFD and are never fetched. Supports UTF-8
/// and, by their byte order mark or declaration, UTF-16 and ISO 8859-1.
final class XMLReader {
    enum Event: Equatable {
        /// Names are local names, without a prefix.
        case start(String, attributes: [String: String])
        case end(String)
        case text(String)
    }

    /// Maximum nesting depth; catalog records need five levels.
    static let depthLimit = 100
    /// Maximum size of one text or tag in bytes.
    static let tokenLimit = 4 << 20

    private let source: any ByteSource
    private var decoder: TextEncoding.Decoder
    private var buffer: [UInt8]
    private var position = 0
    private(set) var line = 1
    private var open: [String] = []
    private var pendingEnd: String?
    private var sawElement = false

    /// - Throws: `ImportFailure` if the file cannot be read.
    init(_ source: any ByteSource) throws {
        self.source = source
        let start = try source.chunk(1 << 16)
        let declaration = String(decoding: start.prefix(200), as: UTF8.self).lowercased()
        let isLatin = declaration.hasPrefix("<?xml") && declaration.prefix { $0 != ">" }.contains("iso-8859-1")
        let marked = TextEncoding.of(start.prefix(2))
        decoder = TextEncoding.Decoder(encoding: isLatin ? .windows1252 : marked == .windows1252 ? .utf8 : marked)
        buffer = decoder.decode(start)
    }

    /// Returns the next event; nil at the end of the document.
    ///
    /// - Throws: `ImportFailure.malformedXML`, and errors of the source.
    func next() throws -> Event? {
        if let name = pendingEnd {
            pendingEnd = nil
            return try close(name)
        }
        while let byte = try peek() {
            if byte != UInt8(ascii: "<") {
                let text = try readText()
                if open.isEmpty {
                    guard text.allSatisfy(\.isWhitespace) else { throw fault("text outside of the root element") }
                    continue
                }
                return .text(text)
            }
            advance()
            switch try peek() {
            case UInt8(ascii: "!"):
                if let text = try readDeclaration() { return .text(text) }
            case UInt8(ascii: "?"):
                try skip(past: "?>")
            case UInt8(ascii: "/"):
                advance()
                let name = try readName()
                try skipBlanks()
                try expect(UInt8(ascii: ">"))
                return try close(name)
            default:
                return try readStartTag()
            }
        }
        if let name = open.last { throw fault("the file ends inside <\(name)>") }
        if !sawElement { throw fault("no root element") }
        return nil
    }

    // MARK: - Markup

    private func readStartTag() throws -> Event {
        let name = try readName()
        var attributes: [String: String] = [:]
        while true {
            try skipBlanks()
            switch try peek() {
            case UInt8(ascii: ">"):
                advance()
                try push(name)
                return .start(name, attributes: attributes)
            case UInt8(ascii: "/"):
                advance()
                try expect(UInt8(ascii: ">"))
                try push(name)
                pendingEnd = name
                return .start(name, attributes: attributes)
            case nil:
                throw fault("the file ends inside a tag")
            default:
                let attribute = try readName()
                try skipBlanks()
                try expect(UInt8(ascii: "="))
                try skipBlanks()
                attributes[attribute] = try readQuoted()
                guard attributes.count <= 100 else { throw fault("a tag has more than 100 attributes") }
            }
        }
    }

    private func push(_ name: String) throws {
        guard open.count < Self.depthLimit else {
            throw fault("more than \(Self.depthLimit) nested elements")
        }
        guard !open.isEmpty || !sawElement else { throw fault("a second root element") }
        sawElement = true
        open.append(name)
    }

    private func close(_ name: String) throws -> Event {
        guard let expected = open.popLast() else { throw fault("</\(name)> without a start tag") }
        guard expected == name else { throw fault("</\(name)> instead of </\(expected)>") }
        return .end(name)
    }

    /// Reads the markup after `<!`: returns the text of a CDATA section; nil for a comment or a document type.
    private func readDeclaration() throws -> String? {
        advance()
        let start = try lookAhead(7)
        if start.starts(with: "--".utf8) {
            try skip(past: "-->")
            return nil
        }
        if start.elementsEqual("[CDATA[".utf8), !open.isEmpty {
            for _ in 0..<7 { advance() }
            return String(decoding: try bytes(until: Array("]]>".utf8)), as: UTF8.self)
        }
        guard start.elementsEqual("DOCTYPE".utf8), !sawElement else { throw fault("unknown markup") }
        var depth = 1  // of < and >: an internal subset contains declarations
        while depth > 0 {
            guard let byte = try take() else { throw fault("the file ends inside the document type") }
            if byte == UInt8(ascii: "<") { depth += 1 }
            if byte == UInt8(ascii: ">") { depth -= 1 }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { try skip(past: String(Unicode.Scalar(byte))) }
        }
        return nil
    }

    private func readName() throws -> String {
        var name: [UInt8] = []
        while let byte = try peek(), Self.isNameByte(byte) {
            if byte == UInt8(ascii: ":") { name.removeAll() } else { name.append(byte) }
            guard name.count <= 200 else { throw fault("a name longer than 200 bytes") }
            advance()
        }
        guard !name.isEmpty else { throw fault("a name is missing after <") }
        return String(decoding: name, as: UTF8.self)
    }

    private func readQuoted() throws -> String {
        guard let quote = try take(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault("an attribute value is not quoted")
        }
        return Self.resolve(try bytes(until: [quote]))
    }

    private func readText() throws -> String {
        var text: [UInt8] = []
        while try peek() != nil {
            let stop = buffer[position...].firstIndex(of: UInt8(ascii: "<")) ?? buffer.count
            let piece = buffer[position..<stop]
            line += piece.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
            text += piece
            position = stop
            if stop < buffer.count { break }
            guard text.count <= Self.tokenLimit else { throw fault("more than \(Self.tokenLimit >> 20) MB of text") }
        }
        return Self.resolve(text)
    }

    // MARK: - Text

    private static func resolve(_ bytes: [UInt8]) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var output: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&"), let end = rest.prefix(40).firstIndex(of: UInt8(ascii: ";")) else {
                output.append(byte)
                continue
            }
            output += character(named: String(decoding: rest[..<end], as: UTF8.self)).utf8
            rest = rest[(end + 1)...]
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func character(named name: String) -> String {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let value =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            return value.flatMap(Unicode.Scalar.init).map { String($0) } ?? "\u{FFFD}"
        }
    }

    // MARK: - Bytes

    private func peek() throws -> UInt8? {
        if position == buffer.count {
            buffer = decoder.decode(try source.read(1 << 16))
            position = 0
        }
        return position < buffer.count ? buffer[position] : nil
    }

    private func advance() {
        if buffer[position] == 0x0A { line += 1 }
        position += 1
    }

    private func take() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        advance()
        return byte
    }

    private func expect(_ byte: UInt8) throws {
        guard try take() == byte else { throw fault("“\(Character(Unicode.Scalar(byte)))” is missing in a tag") }
    }

    private func skipBlanks() throws {
        while let byte = try peek(), byte <= 0x20 { advance() }
    }

    /// Returns the next bytes without consuming them; fewer at the end of the file.
    private func lookAhead(_ count: Int) throws -> ArraySlice<UInt8> {
        while buffer.count - position < count {
            let more = decoder.decode(try source.read(1 << 16))
            if more.isEmpty { break }
            buffer = Array(buffer[position...]) + more
            position = 0
        }
        return buffer[position...].prefix(count)
    }

    private func skip(past end: String) throws { _ = try bytes(until: Array(end.utf8)) }

    /// Returns the bytes before `end`, and consumes both.
    private func bytes(until end: [UInt8]) throws -> [UInt8] {
        var taken: [UInt8] = []
        while let byte = try take() {
            taken.append(byte)
            if byte == end.last, taken.suffix(end.count) == end[...] { return taken.dropLast(end.count) }
            guard taken.count <= Self.tokenLimit else {
                throw fault("more than \(Self.tokenLimit >> 20) MB without an end")
            }
        }
        throw fault("the file ends before “\(String(decoding: end, as: UTF8.self))”")
    }

    private func fault(_ reason: String) -> ImportFailure { .malformedXML(line: line, reason: reason) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}
