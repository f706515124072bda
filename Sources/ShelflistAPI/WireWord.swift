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

/// An enumeration of words that clients send, too.
///
/// Another word in a request is an error that lists the known ones. Messages to clients have such a word as `@Known`.
public protocol WireChoice: RawRepresentable, CaseIterable, Codable, Hashable, Sendable where RawValue == String {}

extension WireChoice {
    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        guard let choice = Self(rawValue: word) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "'\(word)' is unknown.",
                    underlyingError: UnknownChoice(known: Self.allWords)))
        }
        self = choice
    }

    /// All words, separated by commas.
    package static var allWords: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// A word that is not one of those which a field can have.
package struct UnknownChoice: Error {
    /// Separated by commas.
    package var known: String
}

/// A word of a message; nil if it is missing, or if a later version added it.
@propertyWrapper
public struct Known<Word: WireChoice>: Codable, Hashable, Sendable {
    public var wrappedValue: Word?

    public init(wrappedValue: Word?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : Word(rawValue: try container.decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws { try Null(wrappedValue: wrappedValue).encode(to: encoder) }
}

extension KeyedDecodingContainer {
    /// Decodes a missing field as `nil`.
    public func decode<Word>(_ type: Known<Word>.Type, forKey key: Key) throws -> Known<Word> {
        try decodeIfPresent(type, forKey: key) ?? Known(wrappedValue: nil)
    }
}
