/// Text for a terminal: escapes unsafe characters and measures columns.
///
/// Text read in a photo and file names may contain anything; an escape sequence could move the cursor or worse.
package enum TerminalText {
    /// `text` on one line without anything that steers a terminal: line breaks and tabs become spaces, other
    /// control characters U+FFFD, and marks that reverse the direction of the text around them are dropped.
    package static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: steers) else { return text }
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": scalars.append(" ")
            case _ where scalar.properties.generalCategory == .control: scalars.append("\u{FFFD}")
            case _ where steers(scalar): break
            default: scalars.append(scalar)
            }
        }
        return String(scalars)
    }

    /// As `safe`, for text of several lines: line breaks are kept.
    package static func safeLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { safe(String($0)) }.joined(separator: "\n")
    }

    /// The number of terminal columns that `text` takes.
    package static func width(_ text: String) -> Int { text.reduce(0) { $0 + width($1) } }

    /// Returns `text` if it takes at most `columns`, otherwise its start and an ellipsis.
    package static func fitted(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        guard columns > 0 else { return "" }
        var kept = ""
        var used = 1  // the ellipsis
        for character in text {
            used += width(character)
            guard used <= columns else { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        return kept + "…"
    }

    /// Columns of one grapheme: 2 for East Asian wide characters and emoji, 0 for isolated combining marks, otherwise
    /// 1.
    private static func width(_ character: Character) -> Int {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return wide.contains { $0.contains(first.value) } ? 2 : 1
        }
    }

    /// Blocks of East Asian width W and F (Unicode Standard Annex #11), apart from emoji.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
        0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]

    /// Control characters, line and paragraph separators, and format characters except the joiners used by some
    /// scripts and emoji.
    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}

extension TerminalText {
    /// Wraps `text` at spaces into lines of at most `columns`.
    ///
    /// Longer words are broken.
    package static func wrapped(_ text: String, to columns: Int?) -> [String] {
        guard let columns else { return [text] }
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, width(last) + 1 + width(String(word)) <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(fitted(String(word), to: columns))
            }
        }
        return lines
    }
}
