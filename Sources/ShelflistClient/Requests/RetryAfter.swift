import Foundation

/// The header `Retry-After` (RFC 9110, 10.2.3).
enum RetryAfter {
    /// Returns how long a server asks to wait, not below zero; nil if it does not say.
    ///
    /// A date is compared with that of the response, because the clock of this device may be wrong.
    ///
    /// - Parameter headers: by lower-case name.
    static func wait(_ headers: [String: String]) -> Duration? {
        guard let value = headers["retry-after"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Int(value) { return .seconds(max(0, seconds)) }
        guard let end = date(value), let now = headers["date"].flatMap(date) else { return nil }
        return .seconds(max(0, Int(end.timeIntervalSince(now))))
    }

    private static func date(_ text: String) -> Date? {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = .gmt
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return format.date(from: text)
    }
}
