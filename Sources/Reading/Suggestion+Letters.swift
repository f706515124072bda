package import ShelflistAPI
package import SpineReading

extension Suggestion {
    /// Names the letters that are not known, and what to do with their books.
    package static func unknown(_ letters: UnknownLetters) -> Suggestion {
        let advice = "Add the books by barcode or by typing."
        return switch letters {
        case .cyrillic:
            Suggestion(
                code: .unknownLetters,
                message: "Spines are in Cyrillic letters, which Shelflist does not read. \(advice)")
        case .other:
            Suggestion(
                code: .unknownLetters, message: "Spines are in letters that Shelflist does not read. \(advice)")
        }
    }
}
