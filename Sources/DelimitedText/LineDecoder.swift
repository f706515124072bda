/// Converts a list to UTF-8 piece by piece: by its byte order mark or, without one, each line from UTF-8 or, if it is
/// invalid, from the most plausible other encoding.
///
/// Lists that were pasted together contain two encodings; decoding them with one would damage the other's letters.
package struct LineDecoder {
    /// The first line, counted from 1, whose encoding differs from an earlier line's; nil if all lines agree.
    package var mixedLine: Int? {
        guard let firstUTF8, let firstOther else { return nil }
        return max(firstUTF8, firstOther)
    }
    /// The encoding of the lines that are not UTF-8; nil if it was named or there are none.
    package let guess: EncodingGuess?

    /// The length in bytes from which on a line is decoded in pieces.
    private static let longestLine = 1 << 20

    private var marked: TextEncoding.Decoder?
    /// The encoding of every line, if it was named.
    private let named: TextEncoding?
    /// Of the named encoding, or of the lines that are not UTF-8.
    private var table: CharacterTable
    private var pending: [UInt8] = []
    private var isAtStart = true
    private var line = 1
    /// The first non-ASCII line in each encoding.
    private var firstUTF8: Int?
    private var firstOther: Int?

    /// - Parameters:
    ///   - start: the first bytes of the file.
    ///   - encoding: that of the file, instead of the detected one.
    package init(start: [UInt8], encoding: TextEncoding? = nil) {
        let marked = encoding ?? TextEncoding.of(start.prefix(16))
        named = marked.isUTF16 ? nil : encoding
        self.marked = marked.isUTF16 ? TextEncoding.Decoder(encoding: marked) : nil
        let others = marked.isUTF16 || encoding != nil ? [] : Self.linesBeyondUTF8(start)
        guess = others.isEmpty ? nil : EncodingGuess(others)
        table = CharacterTable(named ?? guess?.encoding ?? .windows1252)
    }

    /// How often Foundation was called to convert characters.
    package var conversions: Int { table.conversions }

    /// Returns the encoding of a file: of the lines that are not UTF-8, if there are any.
    package var encoding: TextEncoding { marked?.encoding ?? named ?? guess?.encoding ?? .utf8 }

    /// Returns lines that are not UTF-8, as many as a guess needs.
    private static func linesBeyondUTF8(_ text: [UInt8]) -> [UInt8] {
        guard String(validating: text, as: UTF8.self) == nil else { return [] }
        var rest = text[...]
        var found: [UInt8] = []
        while !rest.isEmpty, found.count < EncodingGuess.sampleSize {
            let next = rest.endOfLine
            let line = rest[..<(next ?? rest.endIndex)]
            // A last line without an end may be cut off.
            if !isUTF8(line), found.isEmpty || next != nil { found += line }
            rest = rest[line.endIndex...]
        }
        return found
    }

    /// Returns the complete lines so far as UTF-8; the rest is kept for the next call.
    package mutating func decode(_ chunk: [UInt8]) -> [UInt8] {
        if marked != nil { return marked?.decode(chunk) ?? [] }
        pending += chunk
        guard let end = endOfLines else { return [] }
        let whole = Array(pending[..<end])
        pending.removeFirst(end)
        return text(whole)
    }

    /// Returns a file as UTF-8, megabyte by megabyte.
    ///
    /// - Parameter limit: the number of bytes from which on nothing more is decoded; nil to decode the whole file. What is
    ///   returned then ends with a whole line, if possible.
    /// - Throws: `CancellationError`.
    package mutating func decode(file: [UInt8], limit: Int? = nil) throws -> (text: [UInt8], isWhole: Bool) {
        var text: [UInt8] = []
        for start in stride(from: 0, to: file.count, by: Self.pieceSize) {
            try Task.checkCancellation()
            if let limit, start >= limit {
                let end = text.lastIndex(where: \.isLineBreak).map { $0 + 1 } ?? text.endIndex
                return (Array(text[..<end]), false)
            }
            text += decode(Array(file[start..<min(start + Self.pieceSize, file.count)]))
        }
        return (text + finish(), true)
    }

    private static let pieceSize = 1 << 20

    /// The end of the last complete pending line, or the position at which a line that is too long may be split.
    private var endOfLines: Int? {
        // A CR at the end may be the first half of a CR LF.
        let whole = pending.last == 0x0D ? pending.dropLast() : pending[...]
        if let end = whole.lastIndex(where: \.isLineBreak) { return end + 1 }
        guard pending.count >= Self.longestLine else { return nil }
        // Does not split a character.
        return pending.lastIndex { $0 < 0x80 }.map { $0 + 1 } ?? pending.count
    }

    /// Returns the rest at the end of the file.
    package mutating func finish() -> [UInt8] {
        if marked != nil { return marked?.finish() ?? [] }
        defer { pending = [] }
        return text(pending)
    }

    private mutating func text(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes[...]
        if isAtStart, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        isAtStart = isAtStart && bytes.isEmpty
        if Self.isUTF8(bytes), named == nil, firstUTF8 != nil || bytes.allSatisfy({ $0 < 0x80 }) {
            let text = Array(bytes)
            while let next = bytes.endOfLine {
                bytes = bytes[next...]
                line += 1
            }
            return text
        }
        var text: [UInt8] = []
        while !bytes.isEmpty {
            let next = bytes.endOfLine
            text += decoded(bytes[..<(next ?? bytes.endIndex)])
            bytes = bytes[(next ?? bytes.endIndex)...]
            if next != nil { line += 1 }
        }
        return text
    }

    private mutating func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard !bytes.allSatisfy({ $0 < 0x80 }) else { return Array(bytes) }
        if named != nil { return Array(table.text(bytes).utf8) }
        if Self.isUTF8(bytes) {
            firstUTF8 = firstUTF8 ?? line
            return Array(bytes)
        }
        firstOther = firstOther ?? line
        return Array(table.text(bytes).utf8)
    }

    private static func isUTF8(_ bytes: ArraySlice<UInt8>) -> Bool { String(validating: bytes, as: UTF8.self) != nil }
}

extension ArraySlice<UInt8> {
    /// The index after the first line break (LF, CR LF or CR); nil if there is none.
    package var endOfLine: Int? {
        guard let first = firstIndex(where: \.isLineBreak) else { return nil }
        let isPair = self[first] == 0x0D && first + 1 < endIndex && self[first + 1] == 0x0A
        return first + (isPair ? 2 : 1)
    }
}

extension UInt8 {
    fileprivate var isLineBreak: Bool { self == 0x0A || self == 0x0D }
}
