import Bounds

/// The normal form in which titles, names and spine text are compared.
///
/// Folded text consists of lower-case letters and digits, in words separated by single spaces: compatibility
/// decomposition (NFKD), case folding, diacritics and ligatures removed (`ß` → `ss`, `œ` → `oe`, `ø` → `o`), digits of
/// every script as 0–9, `&` as `and`, and everything else as a word boundary. Each character of a script that is
/// written without spaces (Han, kana) is a separate word. Catalan `l·l` becomes `ll`.
///
/// Folding is idempotent, and composed and decomposed spellings fold alike.
public enum TextNormalisation {
    /// Returns the folded text.
    ///
    /// O(n); ASCII is folded without tables.
    public static func fold(_ text: String) -> String {
        var text = text
        return text.withUTF8 { utf8 in
            var isASCII = true
            let folded = String(unsafeUninitializedCapacity: utf8.count) { buffer in
                guard let count = foldASCII(utf8, into: buffer) else {
                    isASCII = false
                    return 0
                }
                return count
            }
            if isASCII { return folded }
            var writer = FoldedWriter(capacity: utf8.count + utf8.count / 4)
            writer.append(utf8)
            return String(decoding: writer.bytes, as: UTF8.self)
        }
    }

    /// Appends the folded form of UTF-8 to `output`, for callers that work on bytes.
    ///
    /// Bytes that are not UTF-8 are word boundaries. The existing content of `output` does not affect the result and is
    /// not separated from it by a space.
    public static func fold(_ utf8: UnsafeBufferPointer<UInt8>, into output: inout [UInt8]) {
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: utf8.count))
        let count = output.withUnsafeMutableBufferPointer { buffer in
            foldASCII(utf8, into: UnsafeMutableBufferPointer(rebasing: buffer[start...]))
        }
        output.removeLast(utf8.count - (count ?? 0))
        guard count == nil else { return }
        var writer = FoldedWriter(continuing: output)
        output = []  // the writer must own the storage uniquely
        writer.append(utf8)
        output = writer.bytes
    }

    /// Returns the words of the folded text in order, including repeats.
    public static func words(_ text: String) -> [String] {
        fold(text).utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }

    /// Returns whether a folded word is an article in a common language of western libraries.
    public static func isArticle(_ word: String) -> Bool { articles.contains(word) }

    /// Returns folded words without leading articles; at least one word is kept.
    public static func withoutLeadingArticles(_ words: [String]) -> [String] {
        let first = words.firstIndex { !isArticle($0) } ?? max(0, words.count - 1)
        return Array(words[first...])
    }

    /// Definite and indefinite articles that begin titles: English, Spanish, Catalan, French, Italian, Portuguese,
    /// German, Dutch, the Scandinavian languages.
    private static let articles: Set<String> = [
        "the", "a", "an",
        "el", "la", "lo", "los", "las", "un", "una", "unos", "unas",
        "els", "les", "l", "uns", "unes", "en", "na",
        "le", "une", "des",
        "il", "i", "gli", "uno",
        "o", "os", "as", "um", "uma",
        "der", "die", "das", "den", "dem", "ein", "eine", "einen", "einem", "einer",
        "de", "het", "een",
        "et", "ett",
    ]

    /// Folds ASCII without `&` into `output`, which must be as long as the input; nil at the first other byte.
    private static func foldASCII(
        _ utf8: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var count = 0
        var gap = false
        for byte in utf8 {
            let folded: UInt8
            if byte &- 0x61 < 26 || byte &- 0x30 < 10 {
                folded = byte
            } else if byte &- 0x41 < 26 {
                folded = byte | 0x20
            } else if byte < 0x80 && byte != UInt8(ascii: "&") {
                gap = true
                continue
            } else {
                return nil
            }
            // Writes at most one byte for each byte read; a space replaces a boundary that was read before.
            if gap && count > 0 {
                output[count] = 0x20
                count += 1
            }
            gap = false
            output[count] = folded
            count += 1
        }
        return count
    }
}

/// Collects folded bytes and merges consecutive word boundaries.
private struct FoldedWriter {
    private(set) var bytes: [UInt8]
    private let start: Int
    private var gap = false

    init(capacity: Int) {
        bytes = []
        bytes.reserveCapacity(capacity)
        start = 0
    }

    init(continuing output: [UInt8]) {
        bytes = output
        start = output.count
    }

    mutating func append(_ utf8: UnsafeBufferPointer<UInt8>) {
        let table = FoldingTable.shared
        var index = 0
        while index < utf8.count {
            let byte = utf8[index]
            if byte < 0x80 {
                put(ascii: byte)
                index += 1
                continue
            }
            guard let (scalar, length) = scalar(in: utf8, at: index) else {
                gap = true
                index += 1
                continue
            }
            index += length
            if scalar == 0xB7 {  // Catalan l·l
                let between =
                    bytes.last == UInt8(ascii: "l") && !gap && index < utf8.count
                    && utf8[index] | 0x20 == UInt8(ascii: "l")
                if !between { gap = true }
                continue
            }
            table.withFolding(of: scalar) { folded in
                for byte in folded { put(folded: byte) }
            }
        }
    }

    private mutating func put(ascii byte: UInt8) {
        if byte &- 0x61 < 26 || byte &- 0x30 < 10 {
            put(folded: byte)
        } else if byte &- 0x41 < 26 {
            put(folded: byte | 0x20)
        } else {
            gap = true
            if byte == UInt8(ascii: "&") {
                for letter in "and".utf8 { put(folded: letter) }
                gap = true
            }
        }
    }

    private mutating func put(folded byte: UInt8) {
        if byte == 0x20 {
            gap = true
            return
        }
        if gap && bytes.count > start { bytes.append(0x20) }
        gap = false
        bytes.append(byte)
    }

    /// Returns the scalar at `index` and its length in bytes; nil if the bytes are not UTF-8.
    private func scalar(in utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt32, Int)? {
        let first = utf8[index]
        let length = first &- 0xC2 < 0x1E ? 2 : first & 0xF0 == 0xE0 ? 3 : first &- 0xF0 < 5 ? 4 : 0
        guard length > 0, index + length <= utf8.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for offset in Range(from: 1, upTo: length) {
            let next = utf8[index + offset]
            guard next & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(next & 0x3F)
        }
        let smallest: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard value >= smallest, Unicode.Scalar(value) != nil else { return nil }
        return (value, length)
    }
}
