import GRDB

/// The ID of a row in the library, typed by the kind of row.
///
/// Encoded as a plain number.
package struct RowID<Owner>: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension RowID: LosslessStringConvertible {
    package var description: String { String(rawValue) }

    /// - Parameter description: a positive decimal number.
    package init?(_ description: String) {
        guard let number = Int64(description), number > 0 else { return nil }
        self.init(number)
    }
}

extension RowID: DatabaseValueConvertible, StatementColumnConvertible {}

extension Sequence {
    /// The IDs as a JSON array, for `json_each`.
    func jsonArray<Owner>() -> String where Element == RowID<Owner> {
        "[" + map(\.description).joined(separator: ",") + "]"
    }
}
