/// A label with the code of a shelf, as a photo shows it.
package struct ShelfLabel: Codable, Hashable, Sendable {
    /// `PlaceCode`'s description.
    package var code: String
    package var outline: SpineOutline

    package init(code: PlaceCode, outline: SpineOutline) { (self.code, self.outline) = (code.description, outline) }
}

extension PlaceCode {
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
