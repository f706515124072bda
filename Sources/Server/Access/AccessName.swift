import Bounds
import Foundation

/// The rule for the names of members, access tokens and apps, which people choose, and which are shown and logged.
enum AccessName {
    static func isValid(_ name: String, limit: Int = 64) -> Bool {
        name.unicodeScalars.count <= limit && !name.trimmingCharacters(in: .whitespaces).isEmpty
            && !name.unicodeScalars.contains {
                $0.properties.generalCategory == .control || $0.dividesLines || $0.isPrependedMark
            }
    }
}
