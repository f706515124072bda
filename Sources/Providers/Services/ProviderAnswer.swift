package import Bibliography
import Bounds
import Foundation

/// Checks that a response is what the provider documents.
package enum ProviderAnswer {
    /// Returns what came instead of a JSON object with results; nil if nothing is wrong.
    static func problem(_ body: [UInt8], type: String?) -> String? {
        let type = type?.lowercased() ?? "nothing"
        guard type.contains("json") else { return "\(printable(type, 60)) instead of JSON" }
        let start = body.first { $0 > 0x20 }
        if start == UInt8(ascii: "<") { return "HTML instead of JSON" }
        // The parser's message would not help the user.
        guard start == UInt8(ascii: "{"),
            let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        else { return "malformed JSON" }
        return error(in: object).map { "an error: \(printable($0, 100))" }
    }

    /// Decodes a body; nil if it has another shape.
    ///
    /// The decoding error is omitted because it would not help the user.
    static func decode<Body: Decodable>(_ type: Body.Type, _ body: Data) -> Body? {
        try? JSONDecoder().decode(type, from: body)
    }

    /// Reads an answer that a provider sent as JSON with status 200; nil if it cannot be used.
    ///
    /// - Parameter isbn: of a lookup; nil for the answer to a search.
    package static func records(in body: [UInt8], from provider: ProviderName, isbn: ISBN? = nil) -> [BookRecord]? {
        guard problem(body, type: "application/json") == nil else { return nil }
        let data = Data(body)
        let records =
            switch (provider, isbn) {
            case (.openLibrary, let isbn?): OpenLibrary.readBook(data, isbn)
            case (.openLibrary, nil): OpenLibrary.readList(data, covers: OpenLibrary.publicCovers)
            case (.googleBooks, _): GoogleBooks.read(data)
            case (.isbndb, nil): ISBNdb.readList(data)
            case (.isbndb, _): ISBNdb.readBook(data)
            }
        return records?.compactMap(\.self)
    }

    /// Returns the URL with HTTPS instead of HTTP: Google returns HTTP URLs, but serves both.
    static func secureURL(_ text: String) -> URL? {
        guard var parts = URLComponents(string: text) else { return nil }
        if parts.scheme == "http" { parts.scheme = "https" }
        return parts.scheme == "https" ? parts.url : nil
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

    /// Returns the message of an error that was sent with another status than 200; nil if there is none.
    static func errorMessage(_ body: [UInt8]) -> String? {
        struct Problem: Decodable {
            struct Detail: Decodable { var message: String? }
            var error: Detail?
        }
        let body = Data(body)
        return (decode(Problem.self, body) ?? decode([Problem].self, body)?.first)?.error?.message
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
    ///
    /// - Parameter limit: in bytes of UTF-8.
    static func printable(_ text: String, _ limit: Int) -> String { text.shortened(to: limit) }
}

/// An element of a list that does not prevent the others from being read.
struct Lenient<Value: Decodable>: Decodable {
    /// Nil if the element has another shape.
    var value: Value?

    init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}
