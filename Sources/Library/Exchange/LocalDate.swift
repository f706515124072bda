import Bibliography
import Foundation

/// Reads dates as people and programs write them.
struct LocalDate {
    /// The order of day and month in dates such as `1/5/21`; nil where it is not known.
    enum Order { case dayFirst, monthFirst }

    var order: Order?

    /// Returns the date in a text, or nil if it is not one, or could be two.
    ///
    /// `2021-02-03`, also with a time; `2021/2/3`, `3.2.2021`, `05.2023`, `17/05/2024`, `May 17, 2024`, `17 May 2024`,
    /// `17. Mai 2024`, and in other languages of western libraries. Years of two digits are those from 80 years ago to
    /// 19 years ahead.
    func date(_ text: String) -> PartialDate? {
        let text = text.trimmed
        if let date = PartialDate(rawValue: text) ?? Self.dayOfMoment(text) { return date }
        let words = text.split { $0 == " " || $0 == "," || $0 == "." || $0 == "/" || $0 == "-" }.map(String.init)
        let numbers = words.map { Int($0) }
        switch (words.count, numbers.first ?? nil) {
        case (2, let month?) where words[1].count == 4: return Self.date(year: numbers[1], month: month, day: nil)
        case (2, nil) where words[1].count == 4:
            return Self.date(year: numbers[1], month: Self.month(words[0]), day: nil)
        case (3, nil): return Self.date(year: Self.year(words[2]), month: Self.month(words[0]), day: numbers[1])
        case (3, let year?) where words[0].count == 4: return Self.date(year: year, month: numbers[1], day: numbers[2])
        case (3, let first?):
            if numbers[1] == nil {
                return Self.date(year: Self.year(words[2]), month: Self.month(words[1]), day: first)
            }
            guard let second = numbers[1], let isDayFirst = isDayFirst(text, first, second) else { return nil }
            let (day, month) = isDayFirst ? (first, second) : (second, first)
            return Self.date(year: Self.year(words[2]), month: month, day: day)
        default: return nil
        }
    }

    /// Dates with points have the day first everywhere.
    private func isDayFirst(_ text: String, _ first: Int, _ second: Int) -> Bool? {
        if text.contains(".") || first > 12 || first == second { return true }
        if second > 12 { return false }
        return order.map { $0 == .dayFirst }
    }

    /// Returns the order that a text shows: the one of `17/05/2024` is certain.
    static func order(in text: String) -> Order? {
        let parts = text.trimmed.split { $0 == "/" || $0 == "-" }.map { Int($0) }
        guard parts.count == 3, let first = parts[0], let second = parts[1], first <= 31, second <= 31 else {
            return nil
        }
        return first > 12 && second <= 12 ? .dayFirst : second > 12 && first <= 12 ? .monthFirst : nil
    }

    /// `2021-02-03T09:15:00Z`, `2020-12-24 18:30:11`: the day as it is written.
    private static func dayOfMoment(_ text: String) -> PartialDate? {
        guard let end = text.firstIndex(where: { $0 == "T" || $0 == " " }),
            text.distance(from: text.startIndex, to: end) >= 8,
            text[end...].dropFirst().prefix(2).allSatisfy({ $0.isASCII && $0.isNumber }), text[end...].contains(":")
        else { return nil }
        return PartialDate(rawValue: String(text[..<end]))
    }

    private static func year(_ text: String) -> Int? {
        guard let number = Int(text), text.count == 4 || text.count == 2 else { return nil }
        guard text.count == 2 else { return number }
        let now = Calendar(identifier: .gregorian).component(.year, from: Date())
        let near = now / 100 * 100 + number
        return near > now + 19 ? near - 100 : near <= now - 81 ? near + 100 : near
    }

    private static func date(year: Int?, month: Int?, day: Int?) -> PartialDate? {
        guard let year, let month else { return nil }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return PartialDate(rawValue: "\(year)-\(two(month))" + (day.map { "-\(two($0))" } ?? ""))
    }

    /// The month of a name, whole or shortened to at least three letters, in the languages of the locale data.
    private static func month(_ name: String) -> Int? {
        let folded = TextNormalisation.fold(name)
        guard folded.count >= 3 else { return nil }
        return names.firstIndex { $0.contains { $0.hasPrefix(folded) } }.map { $0 + 1 }
    }

    private static let names: [[String]] = {
        let months = ["en", "de", "fr", "es", "it", "pt", "ca", "nl", "sv", "da", "nb"].map { language -> [String] in
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = Locale(identifier: language)
            return calendar.monthSymbols.map(TextNormalisation.fold)
        }
        return (0..<12).map { month in months.compactMap { $0.indices.contains(month) ? $0[month] : nil } }
    }()
}
