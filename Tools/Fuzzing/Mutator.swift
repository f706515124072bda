/// Damages files, deterministically for a given seed.
package struct Mutator {
    private var random: SplitMix

    package init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Returns a copy of one of the files with one to eight defects.
    package mutating func damaged(_ files: [[UInt8]]) -> [UInt8] {
        guard var bytes = files.randomElement(using: &random) else { return [] }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            guard !bytes.isEmpty else { return bytes }
            damage(&bytes, files)
        }
        return bytes
    }

    /// Values at which sizes, counts and offsets are likely to overflow.
    private static let edges: [[UInt8]] = [
        [0], [0xFF], [0x7F], [0x80], [0, 0], [0xFF, 0xFF], [0x7F, 0xFF], [0xFF, 0x7F], [0, 0, 0, 0],
        [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0x7F], [0, 0, 0, 1], [1, 0, 0, 0],
        [0x80, 0, 0, 0],
    ]

    private mutating func damage(_ bytes: inout [UInt8], _ files: [[UInt8]]) {
        // Headers are short and matter most, so half of the positions are near the beginning.
        let reach = Bool.random(using: &random) ? min(bytes.count, 64) : bytes.count
        let at = Int.random(in: 0..<reach, using: &random)
        let length = min(bytes.count - at, Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes[at] = UInt8.random(in: 0...255, using: &random)
        case 3, 4:
            let edge = Self.edges.randomElement(using: &random) ?? [0]
            let end = min(bytes.count, at + edge.count)
            bytes.replaceSubrange(at..<end, with: edge.prefix(end - at))
        case 5: bytes.removeSubrange(at..<at + length)
        case 6: bytes.insert(contentsOf: bytes[at..<at + length], at: Int.random(in: 0...bytes.count, using: &random))
        case 7: bytes.removeLast(min(bytes.count, Int.random(in: 1...bytes.count, using: &random)))
        default:
            guard let other = files.randomElement(using: &random), at < other.count else { return }
            bytes.replaceSubrange(at..<bytes.count, with: other[at...])
        }
    }
}

/// SplitMix64 by Steele, Lea and Flood (OOPSLA 2014), with its published constants.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
