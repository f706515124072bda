/// The number of a row in the library, of a kind that cannot be taken for another's.
///
/// Written as a plain number.
public struct RowID<Owner>: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    public var rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension RowID: CustomStringConvertible {
    public var description: String { String(rawValue) }
}
