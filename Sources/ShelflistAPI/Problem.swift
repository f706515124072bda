public import Foundation

/// What went wrong, as RFC 9457 has it, with fields of our own.
public struct Problem: Codable, Hashable, Sendable, Error {
    /// Names the kind of problem: `/problems/CODE`.
    public var type: String
    /// The kind of problem, for people.
    public var title: String
    public var status: Int
    /// What happened, to which file or field, and what to do next.
    public var detail: String
    /// Stable, for programs; docs/api/README.md lists them.
    public var code: String
    /// Whether the same request may succeed later.
    public var retryable: Bool
    public var retryAfterMs: Int?
    /// The field at fault.
    public var field: String?
    /// The limit that was exceeded.
    public var limit: Int?
    public var jobId: String?
    /// `false`, on the compatibility routes only.
    public var success: Bool?

    public init(
        _ code: String, status: Int, title: String, detail: String, retryable: Bool = false, retryAfterMs: Int? = nil,
        field: String? = nil, limit: Int? = nil
    ) {
        type = "/problems/\(code.replacingOccurrences(of: "_", with: "-"))"
        self.title = title
        self.status = status
        self.detail = detail
        self.code = code
        self.retryable = retryable
        self.retryAfterMs = retryAfterMs
        self.field = field
        self.limit = limit
    }

    public static let contentType = "application/problem+json"
}

/// The JSON of the wire: keys sorted, times as RFC 3339 with milliseconds, slashes as they are.
public enum WireJSON {
    public static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(style))
        }
        return try encoder.encode(value)
    }

    public static func decode<T: Decodable>(_ type: T.Type = T.self, from data: Data) throws -> T {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            if let date = try? Date(text, strategy: style) { return date }
            return try Date(text, strategy: .iso8601)
        }
        return try decoder.decode(type, from: data)
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

/// Encodes `nil` as `null`, so that every answer of a kind has the same fields.
@propertyWrapper
public struct Null<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    public var wrappedValue: Value?

    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
}

extension KeyedDecodingContainer {
    /// A field that is missing is `nil` as well.
    public func decode<Value>(_ type: Null<Value>.Type, forKey key: Key) throws -> Null<Value> {
        try decodeIfPresent(type, forKey: key) ?? Null(wrappedValue: nil)
    }
}
