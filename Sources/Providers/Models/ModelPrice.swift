package import Foundation

/// What a model costs, in US dollars for a million tokens.
///
/// Sources: ai.google.dev/gemini-api/docs/pricing and developers.openai.com/api/docs/pricing as others quoted them between
/// June and October 2026; standard tier, prompts of less than 200,000 tokens.
package struct ModelPrice: Hashable, Sendable {
    package var input: Double
    package var output: Double

    /// Returns the price of a model; nil for one that is not in the table, such as a model at home.
    ///
    /// - Parameter model: also with a vendor before it (`google/…`) or a date behind it (`…-2026-04-01`).
    package static func of(_ model: String, at date: Date) -> ModelPrice? {
        let name = model.lowercased().split(separator: "/").last.map(String.init) ?? ""
        let base = name.firstRange(of: #/-20\d\d-\d\d-\d\d$/#).map { String(name[..<$0.lowerBound]) } ?? name
        // Half of the usual price until the end of 2026.
        if base == "gemini-3.8-flash", date < newYear { return ModelPrice(input: 0.75, output: 3.75) }
        return table[base]
    }

    /// 1 January 2027.
    private static let newYear = Date(timeIntervalSince1970: 1_798_761_600)

    private static let table: [String: ModelPrice] = [
        "gemini-3.8-flash": ModelPrice(input: 1.5, output: 7.5),
        "gemini-3.5-flash": ModelPrice(input: 1.5, output: 9),
        "gemini-3.5-flash-lite": ModelPrice(input: 0.3, output: 2.5),
        "gemini-2.5-flash": ModelPrice(input: 0.3, output: 2.5),
        "gemini-2.5-pro": ModelPrice(input: 1.25, output: 10),
        "gpt-5.5": ModelPrice(input: 5, output: 30),
        "gpt-5.4": ModelPrice(input: 2.5, output: 15),
        "gpt-5.4-mini": ModelPrice(input: 0.75, output: 4.5),
        "gpt-5.4-nano": ModelPrice(input: 0.2, output: 1.25),
    ]

    package func cost(input tokens: Int, output: Int) -> Double {
        (Double(max(0, tokens)) * input + Double(max(0, output)) * self.output) / 1_000_000
    }
}
