import Bibliography
import Bounds
import DelimitedText
package import Foundation
import ShelflistAPI

/// The fields of one row by folded column name.
struct BookListFields {
    let row: CSVParser.Row
    let place: [String: Int]
    let isOurs: Bool
    let dates: LocalDate
    /// Collects what cannot be read.
    let unread = UnreadValues()

    var line: Int { row.line }

    /// Returns the field, trimmed unless the list is our own, or `nil` if it is empty.
    subscript(name: String) -> String? {
        guard let index = place[name], index < row.fields.count else { return nil }
        let text =
            isOurs
            ? EscapedText.withoutGuards(row.fields[index])
            : row.fields[index].trimmingCharacters(in: .whitespacesAndNewlines)
        return text.isEmpty ? nil : text
    }

    func known<Value: RawRepresentable & CaseIterable>(_ text: String, _ field: String) throws -> Value
    where Value.RawValue == String {
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw LibraryError.invalid(field: field, reason: "“\(text)” is not valid. Use one of \(allowed).")
        }
        return value
    }

    /// Returns the parsed field, or `nil` if it is empty.
    ///
    /// - Parameter expected: the end of the sentence “… is not …” for a field that cannot be parsed.
    private func parsed<Value>(_ name: String, _ expected: String, _ parse: (String) -> Value?) throws -> Value? {
        try self[name].map { text in
            guard let value = parse(text) else {
                throw LibraryError.invalid(field: name, reason: "“\(text)” is not \(expected)")
            }
            return value
        }
    }

    func number(_ name: String) throws -> Double? {
        try parsed(name, "a number.", Self.decimal)
    }

    /// Parses a number with a decimal point or comma.
    static func decimal(_ text: String) -> Double? {
        Double(text.trimmingCharacters(in: .whitespaces).replacing(scalar: ",", with: "."))
    }

    /// Reads a rating as stars, 0.25 to 5, or returns `nil` if there is none, which zero also means.
    ///
    /// In lists of other programs, one that is not valid does not reject the book; it is noted.
    ///
    /// - Parameter best: the best rating of the list's scale.
    func starsIfAny(_ name: String, outOf best: Double = 5) -> Double? {
        guard let text = self[name] else { return nil }
        guard let rating = Self.decimal(text), rating >= 0, rating <= best else { return unread.note(name, text) }
        guard rating > 0 else { return nil }
        // Quarters, as the library shows them.
        return max(0.25, (rating / best * 20).rounded() / 4)
    }

    func integer(_ name: String) throws -> Int? { try parsed(name, "a whole number.") { Int($0) } }

    func isbn(_ name: String) throws -> ISBN? { try parsed(name, "a valid ISBN.") { ISBN($0) } }

    func seriesNumber(_ name: String) throws -> SeriesNumber? {
        try parsed(name, "a number in a series. Write 3, 2.5 or 1-3.") { SeriesNumber(rawValue: $0) }
    }

    func money(_ name: String, currency: String) throws -> Money? {
        try parsed(name, "an amount with a currency. Write 12.50, and EUR in the column \(currency).") {
            Money($0, currency: self[currency])
        }
    }

    func date(_ name: String) throws -> PartialDate? {
        try parsed(name, "a date. Write 2026-11-21.") { PartialDate(rawValue: $0) }
    }

    /// Reads a date, or returns `nil` if there is none.
    ///
    /// In lists of other programs, one that is not valid does not reject the book; it is noted.
    func dateIfAny(_ name: String) -> PartialDate? {
        guard let text = self[name] else { return nil }
        return dates.date(text) ?? unread.note(name, text)
    }

    func time(_ name: String) throws -> Date? {
        try parsed(name, "a time. Write 2026-11-21T10:00:00.000Z.", ListTime.time)
    }

    /// Returns the parts of a field that are separated by commas.
    func list(_ name: String) -> [String] {
        (self[name] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}

/// The values of a row that cannot be read.
final class UnreadValues {
    private(set) var notes: [String] = []

    func note<Value>(_ name: String, _ text: String) -> Value? {
        notes.append("\(name) “\(text.prefix(60))”")
        return nil
    }
}

extension PartialDate {
    /// The day (UTC) of a moment.
    package init(_ moment: Date) {
        let day = moment.formatted(.iso8601.year().month().day())
        guard let date = PartialDate(rawValue: day) else { preconditionFailure("'\(day)' is not a day.") }
        self = date
    }

    /// Noon (UTC) of the day, or of the first day of the month or year.
    var noon: Date? { moment("T12:00:00.000Z") }

    /// The first moment (UTC) of the day, month or year.
    package var firstMoment: Date? { moment("T00:00:00.000Z") }

    private func moment(_ time: String) -> Date? {
        ListTime.time(rawValue + "-01-01".suffix(10 - rawValue.count) + time)
    }
}
