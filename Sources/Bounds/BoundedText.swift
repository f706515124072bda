/// A text from outside, within a limit.
package struct BoundedText: Hashable, Sendable {
    /// Combining marks in a row that are kept: more than any script needs.
    ///
    /// A letter with any number of marks is one
    /// character, so marks alone can make a text, and what is shown of it, endless.
    package static let marksInARow = 8

    /// The text, at most as long as the limit.
    package let text: String
    /// The length in UTF-8 before it was cut, without the marks that were left out.
    package let bytes: Int
    /// Whether the text was longer than the limit.
    package let isCut: Bool

    /// Leaves out the combining marks after the eighth in a row, and cuts what is over the limit.
    ///
    /// It is cut between two characters if the first one fits, else between two scalars. What is left is valid Unicode.
    ///
    /// - Parameter limit: in bytes of UTF-8.
    package init(_ text: some StringProtocol, limit: Int) {
        let whole = Self.withoutExcessMarks(String(text))
        bytes = whole.utf8.count
        isCut = bytes > limit
        self.text = isCut ? Self.prefix(whole, limit: limit) : whole
    }

    /// Returns a text to be shown in one line: without control and format characters, which change how others are shown.
    ///
    /// Line breaks and tabs become spaces.
    package static func line(_ text: some StringProtocol) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case _ where scalar.dividesLines: line.append(" ")
            case .control, .format, .surrogate, .privateUse: break
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    private static func withoutExcessMarks(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var marks = 0
        var isChanged = false
        for scalar in text.unicodeScalars {
            // No mark is in ASCII; asking for the category is much slower.
            marks = scalar.isASCII || !isMark(scalar) ? 0 : marks + 1
            if marks <= marksInARow { scalars.append(scalar) } else { isChanged = true }
        }
        return isChanged ? String(scalars) : text
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// - Precondition: the text is longer than the limit.
    private static func prefix(_ text: String, limit: Int) -> String {
        var end = text.utf8.index(text.startIndex, offsetBy: max(0, limit))
        while end.samePosition(in: text.unicodeScalars) == nil { text.utf8.formIndex(before: &end) }
        guard end.samePosition(in: text) == nil else { return String(text[..<end]) }
        // The last character of the part would be cut.
        let part = text.unicodeScalars[..<end]
        let characters = String(part).dropLast()
        return String(characters.isEmpty ? String(part)[...] : characters)
    }
}

extension Unicode.Scalar {
    /// Whether programs may begin another line or cell after it.
    ///
    /// A carriage return is not: it belongs to the line feed after it, or moves the cursor.
    package var dividesLines: Bool {
        switch self {
        case "\n", "\t", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// Whether it is a sign before a number, such as U+0600, which is one character with whatever follows it.
    ///
    /// Unicode's property Prepended_Concatenation_Mark, version 16.
    package var isPrependedMark: Bool {
        switch self {
        case "\u{600}"..."\u{605}", "\u{6DD}", "\u{70F}", "\u{890}"..."\u{891}", "\u{8E2}", "\u{110BD}", "\u{110CD}":
            true
        default: false
        }
    }
}

extension StringProtocol {
    /// The beginning of a text from outside, in one line, for messages and logs.
    ///
    /// - Parameter limit: in bytes of UTF-8.
    package func shortened(to limit: Int) -> String { BoundedText(BoundedText.line(self), limit: limit).text }
}
