import Foundation

extension TextNormalisation {
    /// Returns the marks of a text that folding removes and that make another letter in their script, each after the
    /// number of its letter; empty where there are none.
    ///
    /// Texts that fold alike are the same word only if these are equal, too: は and ば, क्या and कया, й and и, but not é
    /// and e. Marks on Latin and Greek letters, Hebrew points and Arabic vowel signs are left out, because people leave
    /// them out.
    ///
    /// Marks are those of Unicode's general category M, in NFD.
    package static func letterMarks(of text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return "" }
        var marks = ""
        var (letters, base) = (0, UInt32(0))
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark:
                if !properties.isDefaultIgnorableCodePoint, isLetterMark(scalar.value, on: base) {
                    marks += "\(letters)\(scalar)"
                }
            default:
                guard properties.isAlphabetic || properties.numericType != nil else { continue }
                letters += 1
                base = scalar.value
            }
        }
        return marks
    }

    private static func isLetterMark(_ mark: UInt32, on base: UInt32) -> Bool {
        switch base {
        // Ё is written as Е; Й and Ї are letters of their own.
        case 0x0415, 0x0435: mark != 0x0308
        // Stress marks in Cyrillic text.
        case 0x0400...0x052F: mark != 0x0301 && mark != 0x0300
        default: !marksLeftOut.contains { $0.contains(base) }
        }
    }

    /// Latin, Greek, Hebrew and Arabic letters.
    private static let marksLeftOut: [ClosedRange<UInt32>] = [
        0x0000...0x03FF, 0x1D00...0x1FFF, 0x2C60...0x2C7F, 0xA720...0xA7FF, 0xAB30...0xAB6F, 0xFB00...0xFB06,
        0xFF21...0xFF5A, 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF,
    ]
}
