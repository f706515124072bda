import Bounds

/// The similarity of folded words with misread, missing or added letters.
package enum Spelling {
    /// Returns the word's distinct trigrams of UTF-8 bytes as sorted numbers below 2^24.
    ///
    /// Both ends of the word are marked, so that prefixes and suffixes count.
    package static func trigrams(of word: String) -> [UInt32] {
        let bytes: [UInt8] = [0x20] + Array(word.utf8) + [0x20]
        guard bytes.count >= 3 else { return [] }
        var keys: Set<UInt32> = []
        var key: UInt32 = 0
        for (place, byte) in bytes.enumerated() {
            key = (key << 8 | UInt32(byte)) & 0xFF_FFFF
            if place >= 2 { keys.insert(key) }
        }
        return keys.sorted()
    }

    /// Returns 0...1: one minus the edit distance divided by the length of the longer word, in UTF-8 bytes.
    ///
    /// Substitutions of letters that readers confuse count half. Values below `minimum` are returned as 0.
    package static func similarity(_ a: String, _ b: String, minimum: Double = 0.5) -> Double {
        var a = a
        var b = b
        return a.withUTF8 { a in b.withUTF8 { b in similarity(a, b, minimum: minimum) } }
    }

    private static func similarity(
        _ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, minimum: Double
    ) -> Double {
        let longest = max(a.count, b.count)
        guard longest > 0, longest <= 128 else { return 0 }
        // Distances are stored in half units.
        let limit = Int(saturating: Double(2 * longest) * (1 - minimum))
        guard 2 * abs(a.count - b.count) <= limit else { return 0 }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: b.count + 1) { row in
            for column in 0...b.count { row[column] = 2 * column }
            for i in 0..<a.count {
                var diagonal = row[0]
                row[0] = 2 * (i + 1)
                var smallest = row[0]
                for j in 0..<b.count {
                    let substitution = diagonal + substitutionCost(a[i], b[j])
                    diagonal = row[j + 1]
                    row[j + 1] = min(substitution, min(row[j], row[j + 1]) + 2)
                    smallest = min(smallest, row[j + 1])
                }
                if smallest > limit { return 0 }
            }
            return row[b.count] > limit ? 0 : 1 - Double(row[b.count]) / Double(2 * longest)
        }
    }

    private static func substitutionCost(_ a: UInt8, _ b: UInt8) -> Int {
        a == b ? 0 : confusable(a) == confusable(b) ? 1 : 2
    }

    /// Returns one representative of each group of characters that readers confuse.
    private static func confusable(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "0"), UInt8(ascii: "o"), UInt8(ascii: "q"), UInt8(ascii: "d"): UInt8(ascii: "o")
        case UInt8(ascii: "1"), UInt8(ascii: "i"), UInt8(ascii: "l"), UInt8(ascii: "j"), UInt8(ascii: "t"):
            UInt8(ascii: "l")
        case UInt8(ascii: "5"), UInt8(ascii: "s"): UInt8(ascii: "s")
        case UInt8(ascii: "8"), UInt8(ascii: "b"): UInt8(ascii: "b")
        case UInt8(ascii: "2"), UInt8(ascii: "z"): UInt8(ascii: "z")
        case UInt8(ascii: "u"), UInt8(ascii: "v"): UInt8(ascii: "u")
        case UInt8(ascii: "c"), UInt8(ascii: "e"), UInt8(ascii: "g"), UInt8(ascii: "6"): UInt8(ascii: "c")
        default: byte
        }
    }
}
