import Foundation
package import Reading

/// Writes one JSON document, `ScanResult`, after the last photo.
package struct ScanJSON: ScanWriter {
    private var photos: [ScannedPhoto] = []

    package init() {}

    package mutating func text(for photo: ScannedPhoto) -> String {
        photos.append(photo)
        return ""
    }

    package mutating func closing() -> String {
        JSONText.document(ScanResult(photos: photos))
    }
}

package enum JSONText {
    /// Encodes a value as a formatted JSON document with a line end.
    ///
    /// The keys are sorted, so that equal results give equal text.
    package static func document(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return JSONLayout.indented(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
        } catch {
            // Only non-finite numbers cannot be encoded, and no stage returns them.
            preconditionFailure("a result that cannot be written as JSON: \(error)")
        }
    }
}
