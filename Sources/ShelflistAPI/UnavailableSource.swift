/// A source of records that could not be asked.
///
/// It says nothing about the book that was looked for.
public struct UnavailableSource: ReportedError, Codable, Hashable, Sendable {
    /// `local` for the catalog, else the provider's identifier.
    public var source: String
    /// What is wrong, and what to do.
    public var message: String
    /// Milliseconds after which it is worth asking again; nil where waiting does not help or the time is unknown.
    public var retryAfterMs: Int?

    public init(source: String, message: String, retryAfterMs: Int? = nil) {
        (self.source, self.message, self.retryAfterMs) = (source, message, retryAfterMs)
    }

    public var description: String { message }
    package var problemCode: String { "source_unavailable" }

    enum CodingKeys: String, CodingKey {
        case source = "provider"
        case message, retryAfterMs
    }
}
