/// The IDs of authors, works and editions in the catalog.
///
/// Open Library's numbers are kept, so that the three dump files can be imported in any order. Descriptions from
/// other files get a hash, so that importing the same description again gives the same row. IDs are below 2^62,
/// because the word index doubles them.
enum Identity {
    private static let loneEdition: Int64 = 1 << 41
    /// The IDs of descriptions that are not Open Library's start here.
    static let hashed: Int64 = 1 << 61

    /// Returns the ID of a work that is generated for an Open Library edition without one.
    static func workOfLoneEdition(_ edition: Int64) -> Int64 { loneEdition | edition }

    /// Returns an ID above all of Open Library's: 61 bits of a hash.
    ///
    /// Among ten million descriptions, the probability of a collision is 1 in 46,000.
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

    /// Returns `OL27448W`, or `x1f…` for descriptions from other files.
    static func name(work: Int64) -> String {
        work >= hashed
            ? "x" + String(work & ~hashed, radix: 36)
            : work >= loneEdition ? "OL\(work & ~loneEdition)M" : "OL\(work)W"
    }

    static func name(edition: Int64) -> String {
        edition >= hashed ? "x" + String(edition & ~hashed, radix: 36) : "OL\(edition)M"
    }

    /// Returns the ID for a name from `name(work:)`.
    static func work(named name: String) -> Int64? {
        if name.first == "x" { return Int64(name.dropFirst(), radix: 36).map { $0 | hashed } }
        let bytes = Array(name.utf8)
        return OpenLibraryLine.number(ofKey: bytes, UInt8(ascii: "W"))
            ?? OpenLibraryLine.number(ofKey: bytes, UInt8(ascii: "M")).map(workOfLoneEdition)
    }
}
