import Foundation

/// Gemini's `generateContent` with an inline picture and a response schema.
///
/// Source: ai.google.dev/api/generate-content, and ai.google.dev/gemini-api/docs/structured-output.
struct GeminiProtocol: ModelProtocol {
    func url(base: URL, model: String) -> URL { base.appending(path: "v1beta/models/\(model):generateContent") }

    /// A header keeps the key out of URLs, which may be logged.
    func headers(key: APIKey) -> [String: String] { ["x-goog-api-key": key.value] }

    func body(_ question: ModelQuestion, model: String, withSchema: Bool) -> JSONValue {
        let picture: JSONValue = [
            "inlineData": ["mimeType": "image/jpeg", "data": .string(Data(question.jpeg).base64EncodedString())]
        ]
        let parts: JSONValue = [picture, ["text": .string(ModelPrompt.text(question.picture))]]
        var generation: [String: JSONValue] = ["maxOutputTokens": 32_768]
        if withSchema {
            generation["responseMimeType"] = "application/json"
            generation["responseSchema"] = schema(question.picture)
        }
        return ["contents": [["role": "user", "parts": parts]], "generationConfig": .object(generation)]
    }

    /// Google's subset of OpenAPI 3.0.
    private func schema(_ picture: ModelQuestion.Picture) -> JSONValue {
        let fields = ModelPrompt.fields(picture)
        let properties = fields.map { name, type -> (String, JSONValue) in
            switch type {
            case .optionalText: (name, ["type": "STRING", "nullable": true])
            case .number: (name, ["type": "NUMBER"])
            case .integer: (name, ["type": "INTEGER"])
            case .integers: (name, ["type": "ARRAY", "items": ["type": "INTEGER"]])
            }
        }
        let names = JSONValue.array(fields.map { .string($0.name) })
        let spine: JSONValue = [
            "type": "OBJECT", "properties": .object(Dictionary(properties) { first, _ in first }), "required": names,
            "propertyOrdering": names,
        ]
        return [
            "type": "OBJECT", "properties": ["spines": ["type": "ARRAY", "items": spine]], "required": ["spines"],
        ]
    }

    func text(in answer: Data) throws(ServiceFailure.Reason) -> ModelText {
        guard let answer = ProviderAnswer.decode(Answer.self, answer) else {
            throw .unreadable("JSON of another shape")
        }
        if let reason = answer.promptFeedback?.blockReason { throw .declined(reason) }
        guard let candidate = answer.candidates?.first else { throw .declined("no candidate") }
        let text = (candidate.content?.parts ?? []).filter { $0.thought != true }.compactMap(\.text).joined()
        if text.isEmpty { throw .declined(candidate.finishReason ?? "no text") }
        let usage = answer.usageMetadata
        let output = [usage?.candidatesTokenCount, usage?.thoughtsTokenCount].compactMap(\.self)
        return ModelText(
            text: text, inputTokens: usage?.promptTokenCount,
            outputTokens: output.isEmpty ? nil : output.reduce(0) { $0.addingReportingOverflow($1).partialValue })
    }

    private struct Answer: Decodable {
        struct Part: Decodable {
            var text: String?
            /// Whether the part is reasoning.
            var thought: Bool?
        }
        struct Content: Decodable { var parts: [Part]? }
        struct Candidate: Decodable {
            var content: Content?
            var finishReason: String?
        }
        struct Feedback: Decodable { var blockReason: String? }
        struct Usage: Decodable {
            var promptTokenCount: Int?
            var candidatesTokenCount: Int?
            var thoughtsTokenCount: Int?
        }
        var candidates: [Candidate]?
        var promptFeedback: Feedback?
        var usageMetadata: Usage?
    }
}
