/// A path of the server in a message: `/api/v1/covers/…`.
///
/// Encoded below the path at which clients reach the server, which `WireJSON.encode` is given.
public struct ServerPath: Codable, Hashable, Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Without the path at which clients reach the server.
    public let text: String

    public init(_ text: String) { self.text = text }

    public init(stringLiteral text: String) { self.text = text }

    public init(from decoder: any Decoder) throws { text = try decoder.singleValueContainer().decode(String.self) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Self.base(of: encoder) + text)
    }

    public var description: String { text }

    static let baseKey = CodingUserInfoKey(rawValue: "basePath")

    static func base(of encoder: any Encoder) -> String {
        baseKey.flatMap { encoder.userInfo[$0] as? String } ?? ""
    }
}
