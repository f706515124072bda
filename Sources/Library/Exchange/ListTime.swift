import Foundation

/// Formats times inside a field of Shelflist's CSV.
enum ListTime {
    /// Returns ISO 8601 with milliseconds, UTC.
    static func text(_ date: Date) -> String {
        // The style truncates below a millisecond, and 0.849 s may be slightly smaller in binary.
        Date(timeIntervalSince1970: Double(date.milliseconds) / 1000 + 0.0002).formatted(style)
    }

    static func time(_ text: String) -> Date? { try? style.parse(text) }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
