import Bibliography
import Bounds
import Library
import ShelflistAPI

extension RawRepresentable where Self: CaseIterable, RawValue == String {
    /// Returns the value of a field of a body.
    ///
    /// - Throws: `Problem` that lists the known values.
    static func named(_ text: String, field: String) throws -> Self {
        guard let value = Self(rawValue: text) else {
            let known = allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem.invalidField(field, "'\(field)' must be one of \(known).")
        }
        return value
    }
}

extension ISBN {
    static func named(_ text: String) throws -> ISBN {
        guard let number = ISBN(text) else {
            throw Problem.invalidField("isbn", "'\(text.shortened(to: 40))' is not a valid ISBN. Check its digits.")
        }
        return number
    }
}

extension PartialDate {
    static func named(_ text: String, field: String) throws -> PartialDate {
        guard let date = PartialDate(rawValue: text) else {
            throw Problem.invalidField(field, "'\(field)' must be a date such as 2026-11-21, 2026-11 or 2026.")
        }
        return date
    }
}

extension RowID {
    static func named(_ text: String) throws -> RowID {
        guard let id = RowID(text) else {
            throw Problem.invalidField(
                "id", "'\(text.shortened(to: 40))' is not a valid ID. Use an ID from the library.")
        }
        return id
    }
}

extension Query {
    func row<Owner>(_ name: String) throws -> RowID<Owner>? {
        guard let text = try text(name, maxLength: 20) else { return nil }
        guard let id = RowID<Owner>(text) else {
            throw invalid(name, "'\(name)' is not a valid ID. Use an ID from the library.")
        }
        return id
    }
}
