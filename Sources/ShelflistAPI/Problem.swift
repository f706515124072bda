public import Foundation

/// An error response: the problem details of RFC 9457 and additional fields.
public struct Problem: ReportedError, Codable, Hashable, Sendable {
    /// Identifies the kind of problem: `/problems/CODE`.
    public var type: String
    /// A short name for the kind of problem, for users.
    public var title: String
    public var status: Int
    /// What is wrong with which file or field, and what to do.
    public var detail: String
    /// A stable identifier for programs, listed in `docs/api/README.md`.
    public var code: String
    /// Whether the same request may succeed later.
    public var retryable: Bool
    public var retryAfterMs: Int?
    /// The invalid field.
    public var field: String?
    /// The limit that was exceeded.
    public var limit: Int?
    public var jobId: String?
    /// `false` on the compatibility routes, otherwise `nil`.
    public var success: Bool?

    public init(
        _ code: String, status: Int, title: String, detail: String, retryable: Bool = false, retryAfterMs: Int? = nil,
        field: String? = nil, limit: Int? = nil
    ) {
        type = "/problems/\(code.split(separator: "_").joined(separator: "-"))"
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

    public var description: String { detail }
    package var problemCode: String { code }
}

/// Encodes and decodes the API's JSON: sorted keys, times in RFC 3339 with milliseconds, unescaped slashes.
public enum WireJSON {
    /// - Parameter basePath: the path at which clients reach the server, without a slash at its end.
    public static func encode(_ value: some Encodable, below basePath: String = "") throws -> Data {
        let encoder = JSONEncoder()
        if let key = ServerPath.baseKey { encoder.userInfo[key] = basePath }
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

/// Encodes `nil` as `null`, so that all responses of a kind have the same fields.
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
    /// Decodes a missing field as `nil`.
    public func decode<Value>(_ type: Null<Value>.Type, forKey key: Key) throws -> Null<Value> {
        try decodeIfPresent(type, forKey: key) ?? Null(wrappedValue: nil)
    }
}
