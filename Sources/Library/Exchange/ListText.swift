import Foundation

/// Formats lists and times inside a field of Shelflist's CSV.
enum ListText {
    /// Returns `Ann; Bob`, with `\;` for a semicolon inside and `\\` for a backslash.
    static func joined(_ items: [String]) -> String {
        items.map { $0.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: ";", with: "\\;") }
            .joined(separator: "; ")
    }

    static func items(_ text: String?) -> [String] {
        guard let text else { return [] }
        var items: [String] = []
        var item = ""
        var isEscaped = false
        for character in text {
            if isEscaped {
                item.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == ";" {
                items.append(item)
                item = ""
            } else if character != " " || !item.isEmpty {
                item.append(character)
            }
        }
        return (items + [item]).filter { !$0.isEmpty }
    }

    /// Returns ISO 8601 with milliseconds, UTC.
    static func text(_ date: Date) -> String {
        // The style truncates below a millisecond, and 0.849 s may be slightly smaller in binary.
        Date(timeIntervalSince1970: Double(date.milliseconds) / 1000 + 0.0002).formatted(style)
    }

    static func time(_ text: String) -> Date? { try? style.parse(text) }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
