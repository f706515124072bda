import Foundation

/// The most plausible encoding of a text that is not UTF-8.
///
/// Each pair of an encoding and a language is judged by how many bits its letters need: letters that the language
/// does not have, symbols inside words, capital letters after small ones and words in two scripts make an encoding
/// implausible.
package struct EncodingGuess: Equatable, Sendable {
    package let encoding: TextEncoding
    /// The next encoding that reads another text, unless it is clearly less plausible.
    package let alternative: TextEncoding?

    /// The difference in bits from which a guess is certain; two unlikely letters make it.
    private static let certainFrom = 8.0
    /// More does not change the result.
    static let sampleSize = 1 << 14

    /// - Parameter text: whole lines; those in ASCII say nothing.
    package init(_ text: some Collection<UInt8>) {
        let sample = Array(text.prefix(Self.sampleSize))
        var best: [(encoding: TextEncoding, text: String, cost: Double)] = []
        for encoding in TextEncoding.allCases where encoding != .utf8 && !encoding.isUTF16 {
            let text = encoding.text(sample)
            let words = Array(text.unicodeScalars)
            let costs = LetterProfile.all.filter { $0.encodings.contains(encoding) }.map { Self.cost(words, $0) }
            guard let cost = costs.min() else { continue }
            best.append((encoding, text, cost + encoding.rarity))
        }
        best.sort { $0.cost < $1.cost }
        encoding = best[0].encoding
        let next = best.first { $0.text != best[0].text }
        alternative = next.flatMap { $0.cost - best[0].cost < Self.certainFrom ? $0.encoding : nil }
    }

    /// In bits; the values are estimates, which matter by their order.
    private enum Cost {
        static let control = 16.0
        static let foreignLetter = 9.0
        static let ideograph = 10.0
        static let rareIdeograph = 14.0
        static let symbol = 9.0
        static let quotationMark = 4.0
        static let capital = 1.0
        /// Of what no word has: a symbol or a capital letter inside, or letters of two scripts.
        static let brokenWord = 8.0
        /// Of two letters beyond ASCII in a row in a language that has few.
        static let pair = 4.0
    }

    private static func cost(_ text: [Unicode.Scalar], _ language: LetterProfile) -> Double {
        var total = 0.0
        for (index, scalar) in text.enumerated() where scalar.value >= 0x80 {
            let before = index > 0 ? text[index - 1] : " "
            let after = index + 1 < text.count ? text[index + 1] : " "
            total +=
                scalar.properties.isAlphabetic
                ? cost(ofLetter: scalar, before, after, language) : cost(ofSymbol: scalar, before, after)
        }
        return total
    }

    private static func cost(
        ofLetter letter: Unicode.Scalar, _ before: Unicode.Scalar, _ after: Unicode.Scalar, _ language: LetterProfile
    ) -> Double {
        let lowercase = letter.properties.lowercaseMapping.unicodeScalars.first ?? letter
        let isCapital = lowercase != letter
        var cost = language.cost[lowercase] ?? unlisted(lowercase)
        if isCapital { cost += Cost.capital }
        if isCapital, before.properties.isLowercase { cost += Cost.brokenWord }
        if language.isLatin {
            if before.value >= 0x80, before.properties.isAlphabetic { cost += Cost.pair }
        } else {
            for neighbor in [before, after] where neighbor.value < 0x80 && neighbor.properties.isAlphabetic {
                cost += Cost.brokenWord
            }
        }
        return cost
    }

    private static func unlisted(_ letter: Unicode.Scalar) -> Double {
        switch letter.value {
        case 0x4E00..<0xA000, 0xAC00..<0xD7A4, 0x3041..<0x3100: Cost.ideograph
        case 0x3400..<0x4E00, 0xF900..<0xFB00, 0x2_0000...: Cost.rareIdeograph
        default: Cost.foreignLetter
        }
    }

    private static func cost(
        ofSymbol symbol: Unicode.Scalar, _ before: Unicode.Scalar, _ after: Unicode.Scalar
    ) -> Double {
        switch symbol.properties.generalCategory {
        case .control, .unassigned, .privateUse: return Cost.control
        default: break
        }
        guard symbol != "\u{FFFD}" else { return Cost.control }
        let isUsual =
            usualSymbols.contains(symbol) || (0x3000..<0x3040).contains(symbol.value)
            || (0xFF00..<0xFF60).contains(symbol.value)
        let isInside = before.properties.isAlphabetic && after.properties.isAlphabetic && !wordSymbols.contains(symbol)
        return (isUsual ? Cost.quotationMark : Cost.symbol) + (isInside ? Cost.brokenWord : 0)
    }

    private static let usualSymbols = Set("“”‘’–—…«»¡¿·•°©®™€£№„‚・".unicodeScalars)
    private static let wordSymbols = Set("’‘·・".unicodeScalars)
}

extension TextEncoding {
    /// How much rarer than Windows-1252 the encoding is in lists of today, in bits.
    fileprivate var rarity: Double {
        switch self {
        case .utf8, .utf16LittleEndian, .utf16BigEndian, .windows1252: 0
        case .macRoman, .macCyrillic, .koi8R, .ibm850, .ibm852, .ibm866: 4
        default: 2
        }
    }
}
