/// What a change does to one field: keeps it, clears it with `null`, or sets it.
public enum FieldPatch<Value: Codable & Hashable & Sendable>: Hashable, Sendable {
    case keep
    case clear
    case set(Value)

    /// Clears the field if the value is nil, and sets it otherwise.
    public init(_ value: Value?) { self = value.map(Self.set) ?? .clear }

    package func apply(to value: inout Value?) { value = self.value(from: value) { $0 } }

    /// Returns the changed field of another type.
    package func value<T>(from old: T?, _ make: (Value) throws -> T) rethrows -> T? {
        switch self {
        case .keep: old
        case .clear: nil
        case .set(let new): try make(new)
        }
    }
}

extension FieldPatch: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .clear : .set(try container.decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .set(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a missing field as `keep`.
    public func decode<Value>(_ type: FieldPatch<Value>.Type, forKey key: Key) throws -> FieldPatch<Value> {
        guard contains(key) else { return .keep }
        return try FieldPatch(from: superDecoder(forKey: key))
    }
}

extension KeyedEncodingContainer {
    /// Leaves out a field that is kept.
    public mutating func encode<Value>(_ value: FieldPatch<Value>, forKey key: Key) throws {
        if case .keep = value { return }
        try value.encode(to: superEncoder(forKey: key))
    }
}
