/// The order of call numbers, as libraries put books on their shelves: `796.1 ABC`, `QA76.73.S95`, `Kinder 12`.
package enum CallNumber {
    /// Returns a text by which call numbers are compared.
    ///
    /// - Whole numbers are compared by their value: `Kinder 9` comes before `Kinder 12`.
    /// - Digits after a point between digits are decimals: `813.54` comes before `813.6`.
    /// - After the first number, digits that follow a letter are decimals, too, as in Cutter numbers: `A12` before `A2`.
    /// - Nothing comes before something: `796` before `796 ABC`, and that before `796.1`.
    package static func sortKey(_ text: String) -> String {
        var (key, digits, kind, hasNumber, isApart) = ("", "", Kind.whole, false, false)
        var (last, beforeLast): (Character, Character) = (" ", " ")
        func separate() {
            if !key.isEmpty, isApart { key.append(" ") }
            isApart = false
        }
        for character in Array(text.lowercased()) + [" "] {
            defer { (beforeLast, last) = (last, character) }
            if character.isASCII, character.isNumber {
                if digits.isEmpty {
                    kind =
                        last == "." && beforeLast.isNumber
                        ? .fraction : hasNumber && last.isLetter ? .cutter : .whole
                }
                digits.append(character)
                continue
            }
            if !digits.isEmpty {
                switch kind {
                case .fraction: key += "." + digits
                case .cutter: key += digits
                case .whole:
                    isApart = true
                    separate()
                    key += padded(digits)
                }
                (digits, hasNumber, isApart) = ("", true, true)
            } else if !character.isLetter, character != "." || !last.isNumber {
                isApart = true
            }
            if character.isLetter {
                separate()
                key.append(character)
            }
        }
        return key
    }

    /// How digits count.
    private enum Kind { case whole, fraction, cutter }

    /// The number of digits to which whole numbers are filled; longer ones keep theirs.
    private static let width = 8

    private static func padded(_ digits: String) -> String {
        let digits = String(digits.drop { $0 == "0" })
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
