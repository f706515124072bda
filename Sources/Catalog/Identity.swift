import Bibliography

/// The numbers under which the catalog keeps authors, works and editions.
///
/// What Open Library numbers keeps that number, so that the three dump files link up in any order. What other files
/// describe is numbered by a hash of the description, so that the same description, however often it is imported, is
/// the same row. Numbers stay below 2^62: the word index doubles them.
enum Identity {
    private static let loneEdition: Int64 = 1 << 41
    private static let hashed: Int64 = 1 << 61

    /// The work made up for an edition of Open Library that names none.
    static func workOfLoneEdition(_ edition: Int64) -> Int64 { loneEdition | edition }

    /// A number above all of Open Library's: 61 bits of a hash.
    ///
    /// Of ten million descriptions, two share a number with a probability of 1 in 46,000.
    static func hash(_ parts: [String]) -> Int64 {
        // FNV-1a, then SplitMix64's finaliser for the high bits.
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
            value = (value ^ 0xFF) &* 0x100_0000_01B3
        }
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        value ^= value >> 31
        return hashed | Int64(value >> 3)
    }

    /// `OL27448W`, `x1f…` for what other files describe.
    static func name(work: Int64) -> String {
        work >= hashed
            ? "x" + String(work & ~hashed, radix: 36)
            : work >= loneEdition ? "OL\(work & ~loneEdition)M" : "OL\(work)W"
    }

    static func name(edition: Int64) -> String {
        edition >= hashed ? "x" + String(edition & ~hashed, radix: 36) : "OL\(edition)M"
    }

    /// The number of a name that `name(work:)` gave.
    static func work(named name: String) -> Int64? {
        if name.first == "x" { return Int64(name.dropFirst(), radix: 36).map { $0 | hashed } }
        let bytes = Array(name.utf8)
        return OpenLibraryLine.number(ofKey: bytes, UInt8(ascii: "W"))
            ?? OpenLibraryLine.number(ofKey: bytes, UInt8(ascii: "M")).map(workOfLoneEdition)
    }
}
