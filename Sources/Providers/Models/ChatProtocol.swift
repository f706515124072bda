import Foundation

/// OpenAI's chat completions with a picture in a data URI.
///
/// Source: platform.openai.com/docs/api-reference/chat/create, and the guides to images and structured outputs.
struct ChatProtocol: ModelProtocol {
    func url(base: URL, model: String) -> URL { base.appending(path: "chat/completions") }

    func headers(key: APIKey) -> [String: String] { ["Authorization": "Bearer \(key.value)"] }

    func body(_ question: ModelQuestion, model: String, withSchema: Bool) -> JSONValue {
        let data = "data:image/jpeg;base64,\(Data(question.jpeg).base64EncodedString())"
        let content: JSONValue = [
            ["type": "text", "text": .string(ModelPrompt.text(question.picture))],
            ["type": "image_url", "image_url": ["url": .string(data), "detail": "high"]],
        ]
        var fields: [String: JSONValue] = [
            "model": .string(model), "messages": [["role": "user", "content": content]], "stream": false,
        ]
        if withSchema {
            fields["response_format"] = [
                "type": "json_schema",
                "json_schema": ["name": "spines", "strict": true, "schema": schema(question.picture)],
            ]
            fields["max_completion_tokens"] = 32_768
        }
        return .object(fields)
    }

    /// With what OpenAI's strict mode demands: every field is required, and no other is allowed.
    private func schema(_ picture: ModelQuestion.Picture) -> JSONValue {
        let fields = ModelPrompt.fields(picture)
        let properties = fields.map { name, type -> (String, JSONValue) in
            switch type {
            case .optionalText: (name, ["type": ["string", "null"]])
            case .number: (name, ["type": "number"])
            case .integer: (name, ["type": "integer"])
            case .integers: (name, ["type": "array", "items": ["type": "integer"]])
            }
        }
        let spine: JSONValue = [
            "type": "object", "properties": .object(Dictionary(properties) { first, _ in first }),
            "required": .array(fields.map { .string($0.name) }), "additionalProperties": false,
        ]
        return [
            "type": "object", "properties": ["spines": ["type": "array", "items": spine]], "required": ["spines"],
            "additionalProperties": false,
        ]
    }

    func text(in answer: Data) throws(ServiceFailure.Reason) -> ModelText {
        guard let answer = ProviderAnswer.decode(Answer.self, answer) else {
            throw .unreadable("JSON of another shape")
        }
        guard let choice = answer.choices?.first else { throw .declined("no choice") }
        if let refusal = choice.message?.refusal, !refusal.isEmpty { throw .declined(refusal) }
        guard let text = choice.message?.content?.text, !text.isEmpty else {
            throw .declined(choice.finishReason ?? "no text")
        }
        return ModelText(
            text: text, inputTokens: answer.usage?.promptTokens, outputTokens: answer.usage?.completionTokens)
    }

    private struct Answer: Decodable {
        struct Part: Decodable { var text: String? }
        /// A text, or its parts.
        struct Content: Decodable {
            var text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self.text = text
                } else {
                    text = try container.decode([Part].self).compactMap(\.text).joined()
                }
            }
        }
        struct Message: Decodable {
            var content: Content?
            var refusal: String?
        }
        struct Choice: Decodable {
            var message: Message?
            var finishReason: String?

            enum CodingKeys: String, CodingKey {
                case message
                case finishReason = "finish_reason"
            }
        }
        struct Usage: Decodable {
            var promptTokens: Int?
            var completionTokens: Int?

            enum CodingKeys: String, CodingKey {
                case promptTokens = "prompt_tokens"
                case completionTokens = "completion_tokens"
            }
        }
        var choices: [Choice]?
        var usage: Usage?
    }
}
