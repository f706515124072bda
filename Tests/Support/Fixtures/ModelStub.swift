import Foundation
import Imaging

/// A request to a model that was checked as strictly as the providers document it.
///
/// Sources: ai.google.dev/api/generate-content, platform.openai.com/docs/api-reference/chat/create and its guide to
/// structured outputs.
package struct ModelRequest: Sendable {
    package enum Provider: Sendable { case gemini, openAI }

    /// What a provider would reject.
    package struct Invalid: Error, CustomStringConvertible { package let description: String }

    package var provider: Provider
    package var model: String
    package var key: String?
    package var prompt: String
    package var jpeg: [UInt8]
    package var hasSchema: Bool

    /// - Throws: `Invalid` with the first thing that the provider would reject.
    package init(_ request: StubServer.Request) throws {
        try Self.expect(request.method == "POST", "the method is \(request.method)")
        try Self.expect(request.headers["content-type"] == "application/json", "no JSON content type")
        try Self.expect(!request.target.contains("?"), "a query, which may hold a key")
        let body = try JSONSerialization.jsonObject(with: Data(request.body))
        guard let fields = body as? [String: Any] else { throw Invalid(description: "the body is not an object") }
        if let name = request.target.wholeMatch(of: #//v1beta/models/([A-Za-z0-9.-]+):generateContent/#)?.1 {
            try self.init(gemini: String(name), fields, request.headers)
        } else if request.target == "/v1/chat/completions" {
            try self.init(chat: fields, request.headers)
        } else {
            throw Invalid(description: "the path is \(request.target)")
        }
        let photo = try PhotoDecoder.decode(jpeg)
        try Self.expect(photo.format == .jpeg, "the picture is not a JPEG")
        try Self.expect(photo.originalSize.longSide <= 3072, "the picture is longer than 3,072 pixels")
        // Only JFIF's own segment may precede the tables: no EXIF, XMP, colour profile or comment.
        var at = 2
        while at + 4 <= jpeg.count, jpeg[at] == 0xFF, jpeg[at + 1] != 0xDA {
            let marker = jpeg[at + 1]
            try Self.expect(marker == 0xE0 || !(0xE1...0xEF).contains(marker) && marker != 0xFE, "metadata")
            at += 2 + Int(jpeg[at + 2]) << 8 + Int(jpeg[at + 3])
        }
    }

    private init(gemini model: String, _ fields: [String: Any], _ headers: [String: String]) throws {
        provider = .gemini
        self.model = model
        key = headers["x-goog-api-key"]
        try Self.expect(headers["authorization"] == nil, "an Authorization header")
        try Self.expect(Set(fields.keys).isSubset(of: ["contents", "generationConfig"]), "unknown fields")
        guard let contents = fields["contents"] as? [[String: Any]], contents.count == 1,
            contents[0]["role"] as? String == "user", let parts = contents[0]["parts"] as? [[String: Any]],
            parts.count == 2, let prompt = parts[1]["text"] as? String,
            let picture = parts[0]["inlineData"] as? [String: Any], picture["mimeType"] as? String == "image/jpeg",
            let data = (picture["data"] as? String).flatMap({ Data(base64Encoded: $0) })
        else { throw Invalid(description: "the contents are not a picture and a text") }
        (self.prompt, jpeg) = (prompt, Array(data))
        let config = fields["generationConfig"] as? [String: Any] ?? [:]
        try Self.expect(
            Set(config.keys).isSubset(of: ["maxOutputTokens", "responseMimeType", "responseSchema"]),
            "unknown generation settings")
        hasSchema = config["responseSchema"] != nil
        if let schema = config["responseSchema"] {
            try Self.expect(config["responseMimeType"] as? String == "application/json", "a schema without its type")
            try Self.check(geminiSchema: schema)
        }
    }

    private init(chat fields: [String: Any], _ headers: [String: String]) throws {
        provider = .openAI
        key = try headers["authorization"].map { value in
            try Self.expect(value.hasPrefix("Bearer "), "no bearer token")
            return String(value.dropFirst(7))
        }
        try Self.expect(headers["x-goog-api-key"] == nil, "Gemini's header")
        let known: Set = [
            "model", "messages", "response_format", "max_completion_tokens", "max_tokens", "stream",
        ]
        try Self.expect(Set(fields.keys).isSubset(of: known), "unknown fields")
        guard let model = fields["model"] as? String, !model.isEmpty,
            let messages = fields["messages"] as? [[String: Any]], messages.count == 1,
            messages[0]["role"] as? String == "user", let content = messages[0]["content"] as? [[String: Any]],
            content.count == 2, content[0]["type"] as? String == "text", let prompt = content[0]["text"] as? String,
            content[1]["type"] as? String == "image_url", let image = content[1]["image_url"] as? [String: Any],
            ["auto", "low", "high"].contains(image["detail"] as? String ?? "auto"), let url = image["url"] as? String,
            url.hasPrefix("data:image/jpeg;base64,"), let data = Data(base64Encoded: String(url.dropFirst(23)))
        else { throw Invalid(description: "the messages are not a text and a picture") }
        (self.model, self.prompt, jpeg) = (model, prompt, Array(data))
        let format = fields["response_format"] as? [String: Any]
        hasSchema = format != nil
        if let format {
            guard format["type"] as? String == "json_schema", let named = format["json_schema"] as? [String: Any],
                let name = named["name"] as? String, name.wholeMatch(of: #/[A-Za-z0-9_-]{1,64}/#) != nil,
                named["strict"] as? Bool == true, let schema = named["schema"]
            else { throw Invalid(description: "the response format is not a strict schema") }
            try Self.check(strictSchema: schema)
        }
        // OpenAI's models that reason reject the older name.
        try Self.expect(!hasSchema || fields["max_tokens"] == nil, "max_tokens")
    }

    private static func check(geminiSchema value: Any) throws {
        guard let schema = value as? [String: Any], let type = schema["type"] as? String else {
            throw Invalid(description: "a schema without a type")
        }
        let known: Set = ["type", "nullable", "properties", "required", "propertyOrdering", "items"]
        try expect(Set(schema.keys).isSubset(of: known), "an unknown keyword in the schema")
        try expect(
            ["OBJECT", "ARRAY", "STRING", "NUMBER", "INTEGER", "BOOLEAN"].contains(type), "the type \(type)")
        let properties = schema["properties"] as? [String: Any] ?? [:]
        try expect(type != "OBJECT" || !properties.isEmpty, "an object without properties")
        for name in ["required", "propertyOrdering"] {
            try expect(Set(schema[name] as? [String] ?? []).isSubset(of: properties.keys), "\(name) of other fields")
        }
        for property in properties.values { try check(geminiSchema: property) }
        if type == "ARRAY" { try check(geminiSchema: schema["items"] ?? "") }
    }

    private static func check(strictSchema value: Any) throws {
        guard let schema = value as? [String: Any] else { throw Invalid(description: "a schema that is not an object") }
        let types = schema["type"] as? [String] ?? (schema["type"] as? String).map { [$0] } ?? []
        try expect(!types.isEmpty, "a schema without a type")
        try expect(
            Set(types).isSubset(of: ["object", "array", "string", "number", "integer", "boolean", "null"]),
            "the types \(types)")
        if types.contains("object") {
            let properties = schema["properties"] as? [String: Any] ?? [:]
            try expect(schema["additionalProperties"] as? Bool == false, "additionalProperties is not false")
            try expect(
                Set(schema["required"] as? [String] ?? []) == Set(properties.keys), "a field that is not required")
            for property in properties.values { try check(strictSchema: property) }
        }
        if types.contains("array") { try check(strictSchema: schema["items"] ?? "") }
    }

    private static func expect(_ condition: Bool, _ problem: String) throws {
        if !condition { throw Invalid(description: problem) }
    }
}

extension ModelRequest {
    /// Returns an answer with a model's text, in the shape of the request's provider.
    package func answer(_ text: String, input: Int = 1000, output: Int = 200) -> StubAnswer {
        let quoted = Self.quoted(text)
        return switch provider {
        case .gemini:
            .json(
                """
                {"candidates": [{"content": {"role": "model", "parts": [{"text": "thinking", "thought": true},
                  {"text": \(quoted)}]}, "finishReason": "STOP", "index": 0}],
                 "usageMetadata": {"promptTokenCount": \(input), "candidatesTokenCount": \(output - 50),
                  "thoughtsTokenCount": 50, "totalTokenCount": \(input + output)}, "modelVersion": "\(model)"}
                """)
        case .openAI:
            .json(
                """
                {"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "\(model)",
                 "choices": [{"index": 0, "finish_reason": "stop",
                  "message": {"role": "assistant", "content": \(quoted), "refusal": null}}],
                 "usage": {"prompt_tokens": \(input), "completion_tokens": \(output), "total_tokens": \(input + output)}}
                """)
        }
    }

    /// Returns the answer of a model that declines.
    package var refusal: StubAnswer {
        switch provider {
        case .gemini: .json(#"{"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}"#)
        case .openAI:
            .json(
                """
                {"choices": [{"finish_reason": "stop",
                  "message": {"role": "assistant", "content": null, "refusal": "I cannot help with that."}}]}
                """)
        }
    }

    /// Returns a text as a JSON string.
    private static func quoted(_ text: String) -> String {
        // Any text can be encoded.
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}

extension StubServer {
    /// Creates a stand-in for both providers, which rejects requests that they would reject.
    ///
    /// - Parameter answer: receives the number of the request, starting at 0, and the request.
    package static func models(
        _ answer: @escaping @Sendable (Int, ModelRequest) -> StubAnswer
    ) throws -> StubServer {
        try StubServer { number, request in
            do {
                return answer(number, try ModelRequest(request))
            } catch {
                let body = #"{"error": {"code": 400, "message": "\#(error)", "status": "INVALID_ARGUMENT"}}"#
                return .answer(400, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
            }
        }
    }
}
