import Foundation
package import Logging

/// Writes one JSON object per line to standard error, for log collectors.
package struct JSONLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info
    private let label: String

    package init(label: String) { self.label = label }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues(\.description)
        fields["time"] = Date().ISO8601Format()
        fields["level"] = event.level.rawValue
        fields["logger"] = label
        fields["message"] = event.message.description
        if let request = fields.removeValue(forKey: "hb.request.id") { fields["request"] = request }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding strings does not fail.
        guard let line = try? encoder.encode(fields) else { return }
        FileHandle.standardError.write(line + Data("\n".utf8))
    }
}
