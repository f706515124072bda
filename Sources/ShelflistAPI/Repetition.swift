package import Foundation

/// How long to wait before a failed request is sent again.
package struct Backoff: Hashable, Sendable {
    /// The longest wait after the first failure, in seconds; it doubles with each further failure.
    package var first: TimeInterval
    /// The longest wait of all, in seconds.
    package var longest: TimeInterval

    package init(first: TimeInterval, longest: TimeInterval = 30) { (self.first, self.longest) = (first, longest) }

    /// Returns a wait in seconds, between half of the longest one and all of it, so that clients do not repeat their
    /// requests at the same time.
    ///
    /// - Parameters:
    ///   - failures: the number of failed attempts, from 1.
    ///   - random: 0..<1.
    package func delay(after failures: Int, random: Double = .random(in: 0..<1)) -> TimeInterval {
        min(longest, first * pow(2, Double(max(1, failures) - 1))) * (0.5 + random / 2)
    }
}

/// The header `Retry-After` (RFC 9110, 10.2.3).
package enum RetryAfter {
    /// Returns how long a server asks to wait, in seconds, not below zero; nil if the field is missing or invalid.
    ///
    /// - Parameter now: with which a date is compared; nil if it is not known.
    package static func seconds(_ field: String?, now: Date?) -> TimeInterval? {
        guard let field = field?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int(field) { return Double(max(0, seconds)) }
        guard let end = date(field), let now else { return nil }
        return max(0, end.timeIntervalSince(now))
    }

    /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil if it is invalid.
    package static func date(_ text: String) -> Date? { try? format.parse(text) }

    private static let format = Date.ParseStrategy(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
}
