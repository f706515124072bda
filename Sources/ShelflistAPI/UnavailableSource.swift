/// A catalog or provider that is unavailable.
public struct UnavailableSource: Codable, Hashable, Sendable {
    /// The name of the catalog or provider, for example `openlibrary`.
    public var source: String
    /// What is wrong, for users.
    public var message: String
    /// The time in milliseconds until it may be available again; `nil` if unknown.
    public var retryAfterMs: Int?

    public init(source: String, message: String, retryAfterMs: Int? = nil) {
        self.source = source
        self.message = message
        self.retryAfterMs = retryAfterMs
    }

    enum CodingKeys: String, CodingKey {
        case source = "provider"
        case message, retryAfterMs
    }
}
