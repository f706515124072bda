package import Foundation

package enum Backoff {
    /// The longest pause that a provider may request, in seconds: a day.
    static let longest: TimeInterval = 86_400

    /// Returns a random delay of at most `base` · 2^`attempt` seconds ("full jitter"), so that clients do not retry
    /// simultaneously.
    ///
    /// - Parameter attempt: 0 after the first failure.
    package static func delay(attempt: Int, base: TimeInterval) -> TimeInterval {
        .random(in: 0...min(30, base * pow(2, Double(max(0, attempt)))))
    }

    /// Returns the time given by a `Retry-After` field: seconds from now, or an HTTP date (RFC 9110, 10.2.3).
    ///
    /// - Returns: at most a day from now; nil if the field is missing or invalid.
    package static func retryAfter(_ field: String?, now: Date) -> Date? {
        guard let field = field?.trimmingCharacters(in: .whitespaces) else { return nil }
        let latest = now.addingTimeInterval(longest)
        if let seconds = Int(field) { return seconds < 0 ? nil : min(latest, now.addingTimeInterval(Double(seconds))) }
        return (try? httpDate.parse(field)).map { min(latest, max(now, $0)) }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static let httpDate = Date.ParseStrategy(
        format: """
            \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
            \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits) GMT
            """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
}
