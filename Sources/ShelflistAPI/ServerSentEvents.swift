public import Foundation

/// Server-sent events, as the HTML standard has them.
public enum ServerSentEvents {
    public static let contentType = "text/event-stream"

    /// One event.
    ///
    /// `data` may not hold line ends; JSON does not.
    public static func event(id: Int? = nil, type: String, data: Data) -> Data {
        var text = Data()
        if let id { text.append(contentsOf: "id: \(id)\n".utf8) }
        text.append(contentsOf: "event: \(type)\ndata: ".utf8)
        text.append(data)
        text.append(contentsOf: "\n\n".utf8)
        return text
    }

    /// Shows that the connection lives; it is no event of the log, so it has no id.
    public static let ping = event(type: "ping", data: Data("{}".utf8))
}
