package import ShelflistAPI
package import SpineReading

extension Suggestion {
    /// Names the letters that were not read, and what to do with their books.
    package static func unknown(_ letters: UnknownLetters) -> Suggestion {
        let name =
            switch letters {
            case .cyrillic: "Cyrillic letters"
            case .greek: "Greek letters"
            case .other: "letters"
            }
        return Suggestion(
            code: .unknownLetters,
            message: "Spines are in \(name) that could not be read. 'shelflist doctor' says how to read more letters. "
                + "Or add the books by barcode or by typing.")
    }
}
