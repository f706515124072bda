import Foundation

/// Checks that a response is what the provider documents.
enum ProviderAnswer {
    /// Returns what came instead of a JSON object with results; nil if nothing is wrong.
    static func problem(_ response: HTTPTransport.Response) -> String? {
        let type = response["Content-Type"]?.lowercased() ?? "nothing"
        guard type.contains("json") else { return "\(printable(type, 60)) instead of JSON" }
        let start = response.body.first { $0 > 0x20 }
        if start == UInt8(ascii: "<") { return "HTML instead of JSON" }
        // The parser's message would not help the user.
        guard start == UInt8(ascii: "{"),
            let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any]
        else { return "malformed JSON" }
        return error(in: object).map { "an error: \(printable($0, 100))" }
    }

    /// Returns the message of an error that was sent with status 200.
    private static func error(in object: [String: Any]) -> String? {
        for key in ["error", "errorMessage"] {
            switch object[key] {
            case nil, is NSNull: continue
            case let text as String: return text
            case let error as [String: Any]: return error["message"] as? String ?? "without a message"
            default: return "without a message"
            }
        }
        return nil
    }

    /// Returns the target of a redirect without its query, which may repeat the question.
    static func target(of response: HTTPTransport.Response, from url: URL) -> String {
        guard let location = response["Location"],
            var parts = URLComponents(string: location).flatMap({ $0.url(relativeTo: url) })
                .flatMap({ URLComponents(url: $0.absoluteURL, resolvingAgainstBaseURL: true) })
        else { return "nowhere" }
        (parts.query, parts.fragment, parts.user, parts.password) = (nil, nil, nil, nil)
        return printable(parts.string ?? "nowhere", 100)
    }

    /// Returns the start of the text, for a message that is printed on a terminal.
    private static func printable(_ text: String, _ limit: Int) -> String {
        String(text.prefix(limit).filter { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
    }
}

/// An element of a list that does not prevent the others from being read.
struct Lenient<Value: Decodable>: Decodable {
    /// Nil if the element has another shape.
    var value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
