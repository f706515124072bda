import Foundation
package import Scanning

/// One JSON document, `ScanResult`, when all photos are there.
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

enum JSONText {
    /// A value of ours as a laid-out JSON document with a line's end.
    ///
    /// The keys are sorted, so that the same result is the same text.
    static func document(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        do {
            return JSONLayout.indented(String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n"
        } catch {
            // Only a number that is not finite cannot be encoded, and no stage may return one.
            preconditionFailure("a result that cannot be written as JSON: \(error)")
        }
    }
}
