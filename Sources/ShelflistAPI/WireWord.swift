/// An enumeration of words in messages.
///
/// A word that a later version added is decoded as `unknownWord`, so that it does not make a message unreadable.
public protocol WireWord: RawRepresentable, Codable where RawValue == String {
    static var unknownWord: Self { get }
}

extension WireWord {
    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        self = Self(rawValue: word) ?? Self.unknownWord
    }
}
