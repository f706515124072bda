public import Foundation

/// Formats server-sent events, as defined in the HTML standard.
public enum ServerSentEvents {
    public static let contentType = "text/event-stream"

    /// Returns one event.
    ///
    /// `data` must not contain line breaks.
    public static func event(id: String? = nil, type: String, data: Data) -> Data {
        var text = Data()
        if let id { text.append(contentsOf: "id: \(id)\n".utf8) }
        text.append(contentsOf: "event: \(type)\ndata: ".utf8)
        text.append(data)
        text.append(contentsOf: "\n\n".utf8)
        return text
    }

    /// Keeps the connection open.
    ///
    /// It has no id because it is not part of the event log.
    public static let ping = event(type: "ping", data: Data("{}".utf8))
}
