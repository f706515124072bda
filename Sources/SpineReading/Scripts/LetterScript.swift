/// A script whose letters the models lack, and which Tesseract reads where its data are installed.
package enum LetterScript: String, CaseIterable, Codable, Sendable {
    case cyrillic, greek, hebrew, arabic, hangul, devanagari, thai

    /// As a word of a sentence.
    package var name: String {
        switch self {
        case .hangul: "Korean"
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst()
        }
    }

    /// By ISO 15924.
    var code: String {
        switch self {
        case .cyrillic: "Cyrl"
        case .greek: "Grek"
        case .hebrew: "Hebr"
        case .arabic: "Arab"
        case .hangul: "Kore"
        case .devanagari: "Deva"
        case .thai: "Thai"
        }
    }

    /// The names of the data that read it, the best first: those of a whole script read all its languages.
    var dataNames: [String] {
        switch self {
        case .cyrillic: ["Cyrillic", "script/Cyrillic", "rus"]
        case .greek: ["ell", "Greek", "script/Greek"]
        case .hebrew: ["heb", "Hebrew", "script/Hebrew"]
        case .arabic: ["ara", "Arabic", "script/Arabic"]
        case .hangul: ["kor", "Hangul", "script/Hangul"]
        case .devanagari: ["hin", "Devanagari", "script/Devanagari"]
        case .thai: ["tha", "Thai", "script/Thai"]
        }
    }

    /// The Debian package with its data.
    package var package: String {
        switch self {
        case .cyrillic: "tesseract-ocr-script-cyrl"
        default: "tesseract-ocr-\(dataNames[0])"
        }
    }

    /// Whether a character begins with a letter of the script (the blocks of Unicode 15).
    package func contains(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, scalar.properties.isAlphabetic else { return false }
        return switch self {
        case .cyrillic: 0x400...0x52F ~= scalar.value
        case .greek: 0x370...0x3FF ~= scalar.value || 0x1F00...0x1FFF ~= scalar.value
        case .hebrew: 0x590...0x5FF ~= scalar.value
        case .arabic: 0x600...0x6FF ~= scalar.value || 0x750...0x77F ~= scalar.value
        case .hangul: 0xAC00...0xD7AF ~= scalar.value || 0x1100...0x11FF ~= scalar.value
        case .devanagari: 0x900...0x97F ~= scalar.value
        case .thai: 0xE00...0xE7F ~= scalar.value
        }
    }
}
