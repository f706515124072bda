import Bounds

/// The number of a book in a series: `3`, `2.5`, or `1-3` for several volumes in one.
public struct SeriesNumber: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    /// The number as it is stored: with a decimal point, without zeros that say nothing, and a hyphen between both ends.
    public let rawValue: String
    /// The first and the last volume, in hundredths.
    private let first: Int
    private let last: Int

    /// Parses a number with at most five digits and two decimals, or two with a hyphen or a dash between them; nil for
    /// anything else.
    ///
    /// Decimals may follow a point or a comma.
    public init?(rawValue text: String) {
        let ends = text.split(omittingEmptySubsequences: false) { "-–".contains($0) }.map { Self.hundredths($0) }
        guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last else {
            return nil
        }
        (self.first, self.last) = (first, last)
        rawValue = Self.text(first) + (first == last ? "" : "-" + Self.text(last))
    }

    /// The whole volumes; nil for `2.5`.
    package var volumes: ClosedRange<Int>? {
        let (low, high) = ((first + 99) / 100, last / 100)
        return low <= high ? ClosedRange(ordered: low, high) : nil
    }

    public static func < (a: Self, b: Self) -> Bool { (a.first, a.last) < (b.first, b.last) }

    /// A text whose byte order is the order of numbers.
    package var sortKey: String {
        let digits = String(first)
        return String(repeating: "0", count: max(0, Self.digits + 2 - digits.count)) + digits
    }

    /// The largest number of digits before the decimals, as in `hundredths`.
    private static let digits = 5

    private static func hundredths(_ text: some StringProtocol) -> Int? {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }.map { String($0).trimmed }
        guard (1...2).contains(parts.count), (1...5).contains(parts[0].utf8.count),
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let whole = Int(parts[0])
        else { return nil }
        guard parts.count == 2 else { return whole * 100 }
        guard (1...2).contains(parts[1].utf8.count), let part = Int(parts[1]) else { return nil }
        return whole * 100 + (parts[1].utf8.count == 1 ? part * 10 : part)
    }

    private static func text(_ hundredths: Int) -> String {
        let (whole, part) = hundredths.quotientAndRemainder(dividingBy: 100)
        guard part > 0 else { return String(whole) }
        return "\(whole)." + (part.isMultiple(of: 10) ? String(part / 10) : (part < 10 ? "0" : "") + String(part))
    }
}

/// A series and the number of a book in it, as catalogs and lists write them in one text.
package struct SeriesStatement: Hashable, Sendable {
    package var name: String
    package var number: SeriesNumber?

    package init(name: String, number: SeriesNumber? = nil) { (self.name, self.number) = (name, number) }

    /// The name, and the number as lists write it: `Earthsea, #3`.
    package var text: String { number.map { "\(name), #\($0.rawValue)" } ?? name }

    /// Splits `Earthsea, #3`, `Earthsea ; 3`, `Earthsea (Bd. 3)`, `Earthsea, vol. 3`, `Earthsea #1-3`.
    ///
    /// A number without a mark before it belongs to the name (`Area 51`), and so does a year (`Best Stories, 2003`). Of
    /// several series (`Discworld, #8; City Watch, #1`) the first counts.
    package init(_ text: String) {
        let whole = text.trimmed
        self.init(name: whole)
        guard whole.utf8.count <= Title.lengthLimit else { return }
        let parts = whole.split(separator: ";").map { String($0).trimmed }
        let isSeveral = parts.count > 1 && parts.allSatisfy { $0.contains("#") }
        if let (name, number) = Self.split(isSeveral ? parts[0] : whole) { (self.name, self.number) = (name, number) }
    }

    /// Whether a text names several series, of which `init` keeps the first.
    package static func namesSeveral(_ text: String) -> Bool {
        let parts = text.split(separator: ";")
        return parts.count > 1 && parts.allSatisfy { $0.contains("#") }
    }

    private static func split(_ text: String) -> (String, SeriesNumber)? {
        var rest = Substring(text)
        let isBracketed = rest.last == ")" || rest.last == "]"
        if isBracketed { rest.removeLast() }
        if rest.last == "." { rest.removeLast() }
        var digits = String(rest.reversed().prefix { $0.isASCII && $0.isNumber || ".,-–".contains($0) }.reversed())[...]
        while let mark = digits.first, ".,-–".contains(mark) { digits.removeFirst() }
        guard let number = SeriesNumber(rawValue: String(digits)) else { return nil }
        let before = trimmedEnd(rest.dropLast(digits.count)) { $0.isWhitespace }
        guard let mark = before.last else { return nil }
        let name: Substring
        if mark == "#" {
            name = trimmedEnd(before.dropLast(), while: isMark)
        } else if let named = withoutVolumeWord(before) {
            name = named
        } else if ",;:([".contains(mark), !isYear(digits) {
            name = trimmedEnd(before, while: isMark)
        } else {
            return nil
        }
        // A bracket that began before the mark is part of the name.
        let opened = name.count { "([".contains($0) } - name.count { ")]".contains($0) }
        return name.isEmpty || opened != 0 ? nil : (String(name), number)
    }

    /// Returns the text before a word for volumes at its end; nil if there is none.
    private static func withoutVolumeWord(_ text: Substring) -> Substring? {
        let bare = trimmedEnd(text) { $0 == "." }
        let word = String(bare.reversed().prefix { $0.isLetter }.reversed())
        guard volumeWords.contains(TextNormalisation.fold(word)) else { return nil }
        let before = bare.dropLast(word.count)
        guard let mark = before.last, mark.isWhitespace || isMark(mark) else { return nil }
        return trimmedEnd(before, while: isMark)
    }

    private static func isMark(_ character: Character) -> Bool {
        character.isWhitespace || ",;:.([#".contains(character)
    }

    private static func isYear(_ digits: Substring) -> Bool { Int(digits).map { (1500...2100).contains($0) } ?? false }

    private static func trimmedEnd(_ text: Substring, while isPart: (Character) -> Bool) -> Substring {
        var text = text
        while let last = text.last, isPart(last) { text.removeLast() }
        return text
    }

    /// Folded words before the number of a volume, in the languages of western libraries.
    private static let volumeWords: Set<String> = [
        "vol", "volume", "volumen", "volum", "v", "tomo", "tom", "t", "book", "bk", "libro", "llibre", "livre", "part",
        "parte", "teil", "band", "bd", "tome", "no", "nr", "num", "numero", "number", "n", "heft", "deel", "del",
    ]
}
