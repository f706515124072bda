/// A catalog or provider that could not be asked.
public struct UnavailableSource: Codable, Hashable, Sendable {
    /// Its name, for example `openlibrary`.
    public var source: String
    /// What is wrong, for people.
    public var message: String
    /// In how many milliseconds it may answer again; `nil` where that is not known.
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
