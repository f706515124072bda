import Bounds
import Foundation
package import Logging

/// Writes one line for each event, whatever texts from outside it has.
///
/// Messages and values of metadata are on one line without control and format characters: a name cannot begin a line of its
/// own, which programs that read the log would believe, and cannot move the cursor of a terminal.
package struct LineLogHandler: LogHandler {
    package enum Format: String, CaseIterable, Sendable {
        /// `2026-11-28T09:30:00Z notice shelflist: address=192.0.2.7 event=signedIn [Server] access changed`, with the
        /// metadata in the order of their names.
        case text
        /// An object of JSON, for log collectors.
        case json
    }

    package var metadata: Logger.Metadata = [:]
    package var logLevel: Logger.Level = .info
    private let label: String
    private let format: Format
    private let write: @Sendable (String) -> Void

    /// - Parameter write: gets each line with its end; writes to standard error by default.
    package init(
        label: String, format: Format = .text, write: @escaping @Sendable (String) -> Void = Self.toStandardError
    ) {
        (self.label, self.format, self.write) = (label, format, write)
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { BoundedText.line($0.description) }
        if let error = event.error { fields["error"] = BoundedText.line("\(error)") }
        let message = BoundedText.line(event.message.description)
        switch format {
        case .text:
            let values = fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value) " }.joined()
            let time = Date.now.formatted(Self.localTime)
            write("\(time) \(event.level) \(label): \(values)[\(event.source)] \(message)\n")
        case .json:
            if let request = fields.removeValue(forKey: "hb.request.id") { fields["request"] = request }
            fields["time"] = Date.now.ISO8601Format()
            fields["level"] = event.level.rawValue
            fields["logger"] = label
            fields["message"] = message
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // Encoding strings does not fail.
            guard let line = try? encoder.encode(fields) else { return }
            write(String(decoding: line, as: UTF8.self) + "\n")
        }
    }

    private static let localTime = Date.ISO8601FormatStyle(timeZone: .current)

    package static let toStandardError: @Sendable (String) -> Void = { line in
        // A log that cannot be written does not stop the server.
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
