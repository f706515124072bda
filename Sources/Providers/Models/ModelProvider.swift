package import Foundation

/// The protocols by which models that read pictures are asked; the raw value names the reader.
package enum ModelProvider: String, CaseIterable, Codable, Service {
    /// Google's Gemini API.
    case gemini
    /// Chat completions of OpenAI, which OpenRouter, vLLM, llama.cpp, Ollama and LM Studio offer too.
    case openAI = "openai"

    package var title: String {
        switch self {
        case .gemini: "Gemini"
        case .openAI: "OpenAI"
        }
    }

    /// The address to which the paths of the protocol are appended.
    package var address: URL {
        switch self {
        case .gemini: ServiceSettings.url("https://generativelanguage.googleapis.com")
        case .openAI: ServiceSettings.url("https://api.openai.com/v1")
        }
    }

    /// The model that is asked unless another one is named.
    package var model: String {
        switch self {
        case .gemini: "gemini-3.8-flash"
        case .openAI: "gpt-5.4-mini"
        }
    }

    var wire: any ModelProtocol {
        switch self {
        case .gemini: GeminiProtocol()
        case .openAI: ChatProtocol()
        }
    }
}

/// A picture about which a model is asked.
package struct ModelQuestion: Sendable {
    package enum Picture: Hashable, Sendable {
        /// A photo of shelves.
        case photo
        /// Spines that were cut out of a photo, with the numbers 1 to `spines`.
        case sheet(spines: Int)
    }

    package var picture: Picture
    package var jpeg: [UInt8]

    package init(_ picture: Picture, jpeg: [UInt8]) { (self.picture, self.jpeg) = (picture, jpeg) }
}

/// What a model answered.
package struct ModelReply: Sendable {
    package var readings: [ModelReading]
    package var inputTokens: Int?
    /// Including those of the model's reasoning.
    package var outputTokens: Int?
    /// Whether the answer was kept from an earlier request.
    package var isKept = false
}

/// A protocol's requests and answers, apart from how they are sent.
protocol ModelProtocol: Sendable {
    /// - Parameter model: any text; the path has to escape it.
    func url(base: URL, model: String) -> URL
    func headers(key: APIKey) -> [String: String]
    /// - Parameter withSchema: whether the request names the schema of the answer, which some servers reject.
    func body(_ question: ModelQuestion, model: String, withSchema: Bool) -> JSONValue
    /// Returns the model's text from an answer with status 200.
    ///
    /// - Throws: `declined` for an answer without one, `unreadable` for an answer of another shape.
    func text(in answer: Data) throws(ServiceFailure.Reason) -> ModelText
}

/// The text of a model and what it cost.
struct ModelText: Sendable {
    var text: String
    var inputTokens: Int?
    var outputTokens: Int?
}
