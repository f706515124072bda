/// A title, split into the title proper and its other parts.
public struct Title: Hashable, Sendable {
    /// The title proper: `Bulos científicos`.
    public var main: String
    /// The text after the first colon: `de la tierra plana al coronavirus`.
    public var subtitle: String?
    public var series: String?
    /// The number within the series or of the set: `Vol. 2`, `#1`, `Book Three` is not read as 3.
    public var volume: Int?

    /// Reads a title in the notations of catalogs, shops and reading lists.
    ///
    /// - `Main : subtitle : more`; the subtitle is everything after the first colon.
    /// - `Main / statement of responsibility` (ISBD); the statement is omitted.
    /// - `Main (Series, #1)`, `Main (Series Book 1)`, `Main (2nd ed.)`.
    /// - `Main, vol. 2`, `Main. Tomo 2`.
    ///
    /// Text longer than `lengthLimit` is the title proper as a whole.
    public init(_ text: String) {
        var rest = text.trimmed
        main = rest
        guard rest.utf8.count <= Self.lengthLimit else { return }
        if let slash = rest.quickRange(of: " / ") { rest = String(rest[..<slash.lowerBound]) }
        while let (before, inside) = Self.trailingBrackets(of: rest), !before.isEmpty {
            guard read(bracketed: inside) else { break }
            rest = before
        }
        let (head, tail) = Self.splitSubtitle(rest)
        (main, subtitle) = (readVolume(atEndOf: head), tail.map { readVolume(atEndOf: $0) })
        if subtitle?.isEmpty == true { subtitle = nil }
    }

    /// The largest number of bytes that is split into parts.
    public static let lengthLimit = 20_000

    /// The folded title proper without leading articles: equal for `The Stand` and `Stand`.
    public var sortKey: String {
        TextNormalisation.withoutLeadingArticles(TextNormalisation.words(main)).joined(separator: " ")
    }

    /// Splits at the first colon after a word (not in `3:10 to Yuma`), or at ` = ` (a parallel title) or ` - `.
    package static func splitSubtitle(_ text: String) -> (String, String?) {
        let marks = [" : ", ": ", " = ", " – ", " — ", " - ", "; "].compactMap(text.quickRange)
        guard let mark = marks.min(by: { $0.lowerBound < $1.lowerBound }) else { return (text.trimmed, nil) }
        let head = String(text[..<mark.lowerBound]).trimmed
        guard !head.isEmpty else { return (text.trimmed, nil) }
        return (head, String(text[mark.upperBound...]).trimmed)
    }

    private static func trailingBrackets(of text: String) -> (before: String, inside: String)? {
        let text = text.trimmed
        guard text.last == ")", let open = text.lastIndex(of: "(") else { return nil }
        return (String(text[..<open]).trimmed, String(text[text.index(after: open)...].dropLast()))
    }

    /// Reads bracketed text as a series, or skips an edition statement (`2nd ed.`, `3a edición`).
    ///
    /// - Returns: false if it is neither and stays part of the title.
    private mutating func read(bracketed text: String) -> Bool {
        let words = TextNormalisation.words(text)
        if words.contains(where: { ["ed", "edition", "edicion", "edicio", "edn", "auflage"].contains($0) }) {
            return true
        }
        let (name, number) = Self.numbered(text)
        guard number != nil || text.contains("#") else { return false }
        volume = number
        if !name.isEmpty { series = name }
        return true
    }

    private mutating func readVolume(atEndOf text: String) -> String {
        let (name, number) = Self.numbered(text, needsMarker: true)
        guard let number, !name.isEmpty else { return text }
        volume = volume ?? number
        return name
    }

    /// Splits a number off the end: `Twilight, #1` → (`Twilight`, 1), `¡Vaya timo!   14` → (`¡Vaya timo!`, 14).
    ///
    /// - Parameter needsMarker: whether the number counts only after `vol.`, `tomo`, `#` and the like.
    package static func numbered(_ text: String, needsMarker: Bool = false) -> (name: String, number: Int?) {
        let text = text.trimmed
        let digits = String(text.reversed().prefix { $0.isASCII && $0.isNumber }.reversed())
        guard let number = Int(digits), digits.count <= 4, !isPartOfNumber(text.dropLast(digits.count)) else {
            return (text, nil)
        }
        let isMark = { (character: Character) in character.isWhitespace || ",;.:#(".contains(character) }
        let hash = text.dropLast(digits.count).last == "#"
        var name = Self.dropLast(text.dropLast(digits.count), while: isMark)
        var hasMarker = hash
        if let word = name.split(whereSeparator: { $0.isWhitespace || $0 == "," }).last,
            volumeWords.contains(TextNormalisation.fold(String(word))), name.count > word.count
        {
            name = Self.dropLast(name.dropLast(word.count), while: isMark)
            hasMarker = true
        }
        guard hasMarker || !needsMarker else { return (text, nil) }
        return (String(name).trimmed, number)
    }

    /// Whether the digits after this text are the end of `1.5` or `1-3`, which is not the number of one volume.
    private static func isPartOfNumber(_ before: Substring) -> Bool {
        guard let mark = before.last, ".,-–".contains(mark), let digit = before.dropLast().last else { return false }
        return digit.isASCII && digit.isNumber
    }

    private static func dropLast(_ text: Substring, while isMark: (Character) -> Bool) -> Substring {
        var text = text
        while let last = text.last, isMark(last) { text.removeLast() }
        return text
    }

    private static let volumeWords: Set<String> = [
        "vol", "volume", "volumen", "volum", "v", "tomo", "tom", "t", "book", "bk", "libro", "llibre", "part", "parte",
        "band",
        "bd", "tome", "no", "num", "number", "n",
    ]
}
