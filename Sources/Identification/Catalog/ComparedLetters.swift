extension StringProtocol {
    /// The number of `comparedLetters`.
    var comparedCount: Int { unicodeScalars.reduce(0) { $0 + comparedBytes(of: $1).count } }

    /// The folded letters as bytes to compare: one for each letter of ASCII, of the alphabets from Greek to Thai and of
    /// Korean, and those of UTF-8 for others.
    ///
    /// In UTF-8 every letter of such an alphabet has one of two to four first bytes, so that half of all bytes of two words
    /// agree by chance. Letters of two of these alphabets may have the same byte; Han characters are words of their own, and
    /// have to differ.
    var comparedLetters: [UInt8] {
        if utf8.allSatisfy({ $0 < 0x80 }) { return Array(utf8) }
        return unicodeScalars.reduce(into: []) { $0 += comparedBytes(of: $1) }
    }
}

private func comparedBytes(of scalar: Unicode.Scalar) -> [UInt8] {
    if alphabets ~= scalar.value { return [0x80 | UInt8(scalar.value & 0x7F)] }
    if let place = koreanLetters.firstIndex(where: { $0 ~= scalar.value }) {
        let before = koreanLetters[..<place].reduce(0) { $0 + $1.count }
        return [0x80 + UInt8(before + Int(scalar.value - koreanLetters[place].lowerBound))]
    }
    return Array(String(scalar).utf8)
}

/// From Greek to Thai: scripts with an alphabet.
private let alphabets: Range<UInt32> = 0x0370..<0x0E80
/// The letters that a Korean syllable begins with, its vowels, and those that it ends with; folded text has them apart.
private let koreanLetters: [ClosedRange<UInt32>] = [0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2]
