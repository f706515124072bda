import Foundation

/// How long to wait before a request is tried again.
enum Backoff {
    /// A random time up to `base` · 2^`attempt` seconds ("full jitter"), so that many clients do not come back at once.
    ///
    /// - Parameter attempt: 0 after the first failure.
    static func delay(attempt: Int, base: TimeInterval, using random: inout some RandomNumberGenerator) -> TimeInterval
    {
        let most = min(30, base * pow(2, Double(max(0, attempt))))
        return TimeInterval.random(in: 0...most, using: &random)
    }

    /// The moment that a `Retry-After` field names: seconds from now, or an HTTP date (RFC 9110, 10.2.3).
    ///
    /// - Returns: nil where it says nothing; never later than a day from now.
    static func retryAfter(_ field: String?, now: Date) -> Date? {
        guard let field = field?.trimmingCharacters(in: .whitespaces) else { return nil }
        let latest = now.addingTimeInterval(86_400)
        if let seconds = Int(field) { return seconds < 0 ? nil : min(latest, now.addingTimeInterval(Double(seconds))) }
        return HTTPDate.parse(field).map { min(latest, max(now, $0)) }
    }
}

/// Dates as HTTP writes them: `Sun, 06 Nov 1994 08:49:37 GMT`.
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
