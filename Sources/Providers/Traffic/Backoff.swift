import Foundation

/// Delays before a request is retried.
enum Backoff {
    /// The longest pause that a provider may request, in seconds: a day.
    static let longest: TimeInterval = 86_400

    /// Returns a random delay of at most `base` · 2^`attempt` seconds ("full jitter"), so that clients do not retry
    /// simultaneously.
    ///
    /// - Parameter attempt: 0 after the first failure.
    static func delay(attempt: Int, base: TimeInterval, using random: inout some RandomNumberGenerator) -> TimeInterval
    {
        let most = min(30, base * pow(2, Double(max(0, attempt))))
        return TimeInterval.random(in: 0...most, using: &random)
    }

    /// Returns the time given by a `Retry-After` field: seconds from now, or an HTTP date (RFC 9110, 10.2.3).
    ///
    /// - Returns: at most a day from now; nil if the field is missing or invalid.
    static func retryAfter(_ field: String?, now: Date) -> Date? {
        guard let field = field?.trimmingCharacters(in: .whitespaces) else { return nil }
        let latest = now.addingTimeInterval(longest)
        if let seconds = Int(field) { return seconds < 0 ? nil : min(latest, now.addingTimeInterval(Double(seconds))) }
        return HTTPDate.parse(field).map { min(latest, max(now, $0)) }
    }
}

/// Dates in HTTP format: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    static func parse(_ text: String) -> Date? {
        let parts = text.split(whereSeparator: { " ,:-".contains($0) }).map(String.init)
        guard parts.count == 8, parts[7] == "GMT", let month = months.firstIndex(of: parts[2]),
            let day = Int(parts[1]), let year = Int(parts[3]), let hour = Int(parts[4]), let minute = Int(parts[5]),
            let second = Int(parts[6])
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second))
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
