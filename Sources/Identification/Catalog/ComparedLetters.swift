extension StringProtocol {
    /// The number of `comparedLetters`.
    var comparedCount: Int {
        unicodeScalars.reduce(0) { $0 + (alphabets ~= $1.value ? 1 : UTF8.width($1)) }
    }

    /// The folded letters as bytes to compare: one for each letter of ASCII and of the alphabets from Greek to Thai, and those of
    /// UTF-8 for others.
    ///
    /// In UTF-8 every letter of such an alphabet has one of two to four first bytes, so that half of all bytes of two words
    /// agree by chance. Letters of two of these alphabets may have the same byte; Han characters are words of their own, and
    /// have to differ.
    var comparedLetters: [UInt8] {
        if utf8.allSatisfy({ $0 < 0x80 }) { return Array(utf8) }
        return unicodeScalars.reduce(into: []) { bytes, scalar in
            if alphabets ~= scalar.value {
                bytes.append(0x80 | UInt8(scalar.value & 0x7F))
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
    }
}

/// From Greek to Thai: scripts with an alphabet.
private let alphabets: Range<UInt32> = 0x0370..<0x0E80
