/// A label with the code of a shelf, as a photo shows it.
package struct ShelfLabel: Codable, Hashable, Sendable {
    /// `PlaceCode`'s description.
    package var code: String
    package var outline: SpineOutline

    package init(code: PlaceCode, outline: SpineOutline) { (self.code, self.outline) = (code.description, outline) }
}

extension PlaceCode {
    /// Whether a line is nothing but a code of which a part is misread or covered, such as `SL-9C4`.
    package static func isUnreadable(_ line: String) -> Bool {
        let text = line.uppercased()
        guard text.hasPrefix("SL"), let dash = text.dropFirst(2).first, "-–—−".contains(dash) else { return false }
        let rest = text.dropFirst(3)
        return (1...6).contains(rest.count) && rest.allSatisfy { $0.isLetter || $0.isNumber } && PlaceCode(line) == nil
    }

    /// Returns the codes in a line of text, such as one with the path of the shelf beside its code.
    ///
    /// A code may be read in two words: `SL- 9C4JV`.
    package static func all(in line: String) -> [PlaceCode] {
        let words = line.split(whereSeparator: \.isWhitespace)
        var (codes, index) = ([PlaceCode](), 0)
        while index < words.count {
            if let code = PlaceCode(words[index]) {
                codes.append(code)
            } else if index + 1 < words.count, let code = PlaceCode(words[index] + words[index + 1]) {
                codes.append(code)
                index += 1
            }
            index += 1
        }
        return codes
    }
}
