import Bibliography
import Foundation
import Library
import ShelflistAPI

extension ReadingStatus {
    var apiName: String { self == .toRead ? "toRead" : rawValue }

    static func named(_ text: String) throws -> ReadingStatus {
        guard let status = text == "toRead" ? .toRead : ReadingStatus(rawValue: text) else {
            throw Problem.invalidField("readingStatus", "'readingStatus' must be toRead, reading or read.")
        }
        return status
    }
}

extension Ownership {
    static func named(_ text: String) throws -> Ownership {
        guard let ownership = Ownership(rawValue: text) else {
            throw Problem.invalidField("ownership", "'ownership' must be owned, wishlist or lent.")
        }
        return ownership
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
        guard let number = Int64(text), number > 0 else {
            throw Problem.invalidField("id", "'\(text.prefix(40))' is not a valid ID. Use an ID from the library.")
        }
        return RowID(number)
    }
}

extension Query {
    func row<Owner>(_ name: String) throws -> RowID<Owner>? {
        guard let text = try text(name, maxLength: 20) else { return nil }
        guard let number = Int64(text), number > 0 else {
            throw Problem.invalidField(name, "'\(name)' is not a valid ID. Use an ID from the library.", status: 400)
        }
        return RowID(number)
    }
}
