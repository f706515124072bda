/// The number of a row in the library, of a kind that cannot be taken for another's.
///
/// Written as a plain number.
package struct RowID<Owner>: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    package var rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    package init(_ rawValue: Int64) { self.rawValue = rawValue }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension RowID: CustomStringConvertible {
    package var description: String { String(rawValue) }
}
