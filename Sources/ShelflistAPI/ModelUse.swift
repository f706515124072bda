/// What a vision-language model was asked about one photo, and what that cost.
public struct ModelUse: Codable, Hashable, Sendable {
    /// The provider of the model: `gemini` or `openai`.
    public var reader: String
    public var model: String
    /// The number of spines that were sent; `nil` for the whole photo.
    @Null public var spines: Int?
    /// The number of spines that the model named.
    public var named: Int
    @Null public var inputTokens: Int?
    @Null public var outputTokens: Int?
    /// US dollars by the provider's published prices; `nil` where those of the model are not known.
    @Null public var cost: Double?
    public var seconds: Double
    /// Whether the answer was kept from an earlier request and cost nothing.
    public var isKept: Bool

    public init(
        reader: String, model: String, spines: Int?, named: Int, inputTokens: Int?, outputTokens: Int?, cost: Double?,
        seconds: Double, isKept: Bool
    ) {
        (self.reader, self.model, self.spines) = (reader, model, spines)
        (self.named, self.inputTokens, self.outputTokens) = (named, inputTokens, outputTokens)
        (self.cost, self.seconds, self.isKept) = (cost, seconds, isKept)
    }
}
