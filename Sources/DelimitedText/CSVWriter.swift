import Bounds

/// Writes CSV records (RFC 4180) with commas, CR LF, and quotes where needed.
package enum CSVWriter {
    /// Returns a record whose fields are guarded against interpretation as formulas.
    package static func record(_ fields: [String?]) -> String {
        plainRecord(fields.map { EscapedText.guardingFormulas($0 ?? "") })
    }

    /// Returns a record with unchanged fields.
    package static func plainRecord(_ fields: [String]) -> String {
        fields.map(EscapedText.csv).joined(separator: ",") + "\r\n"
    }
}
