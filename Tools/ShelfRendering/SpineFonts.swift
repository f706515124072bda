import Fixtures
import Foundation
import Imaging

/// A font that is not installed, or lacks the letters of a text.
package struct MissingFontError: Error, CustomStringConvertible {
    package let description: String
}

/// Opens each font once.
struct SpineFonts {
    private var opened: [SpineFont: Typeface] = [:]

    mutating func callAsFunction(_ font: SpineFont) throws -> Typeface {
        if let typeface = opened[font] { return typeface }
        guard FileManager.default.fileExists(atPath: font.file.path) else {
            throw MissingFontError(
                description: "The font \(font.file.path) is not installed. "
                    + "Install the fonts for tests with: Scripts/setup/setup.sh test")
        }
        let typeface = try Typeface(file: font.file)
        opened[font] = typeface
        return typeface
    }
}
