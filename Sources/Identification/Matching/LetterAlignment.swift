/// A text to compare many others with, letter by letter; processes 64 letters per machine word.
///
/// Longest common subsequence after Hyyrö (2004, "Bit-parallel LCS-length computation revisited"): O(n × ⌈m / 64⌉).
package struct LetterAlignment: Sendable {
    private let count: Int
    private let blocks: Int
    /// For each byte value, a bit mask of its positions in the text.
    private let places: [UInt64]

    /// - Parameter text: folded bytes without spaces.
    package init(_ text: [UInt8]) {
        count = text.count
        blocks = (text.count + 63) / 64
        var places = [UInt64](repeating: 0, count: 256 * max(1, blocks))
        for (place, byte) in text.enumerated() {
            places[Int(byte) * blocks + place / 64] |= 1 << UInt64(place % 64)
        }
        self.places = places
    }

    /// Returns the length of the longest common subsequence with another text.
    package func commonLength(with other: [UInt8]) -> Int {
        guard count > 0, !other.isEmpty else { return 0 }
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: blocks) { rows in
            for block in 0..<blocks { rows[block] = ~0 }
            return places.withUnsafeBufferPointer { places in
                for byte in other {
                    var carry: UInt64 = 0
                    let start = Int(byte) * blocks
                    for block in 0..<blocks {
                        let row = rows[block]
                        let hits = row & places[start + block]
                        let (sum, overflow) = row.addingReportingOverflow(hits)
                        let (withCarry, again) = sum.addingReportingOverflow(carry)
                        carry = overflow || again ? 1 : 0
                        rows[block] = withCarry | (row & ~hits)
                    }
                }
                var length = 0
                for block in 0..<blocks {
                    let used = min(64, count - 64 * block)
                    let mask: UInt64 = used == 64 ? ~0 : (1 << UInt64(used)) - 1
                    length += (~rows[block] & mask).nonzeroBitCount
                }
                return length
            }
        }
    }

    /// Returns 0...1: twice the common length over the sum of both lengths.
    package func ratio(with other: [UInt8]) -> Double { ratio(commonLength(with: other), of: other) }

    /// Returns the ratio for another text of which the common length is known.
    func ratio(_ common: Int, of other: [UInt8]) -> Double {
        let total = count + other.count
        return total == 0 ? 0 : 2 * Double(common) / Double(total)
    }

    /// Returns 0...1: one minus the fewest edits that turn `needle` into a substring of `text`, over its length.
    ///
    /// Myers (1999, "A fast bit-vector algorithm for approximate string matching"). Only the first 64 bytes of a
    /// longer needle count.
    package static func partialRatio(of needle: some Collection<UInt8>, in text: [UInt8]) -> Double {
        let needle = needle.prefix(64)
        guard !needle.isEmpty else { return 0 }
        let count = needle.count
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 256) { places in
            places.initialize(repeating: 0)
            for (place, byte) in needle.enumerated() { places[Int(byte)] |= 1 << UInt64(place) }
            let last: UInt64 = 1 << UInt64(count - 1)
            var positive: UInt64 = ~0
            var negative: UInt64 = 0
            var distance = count
            var best = count
            for byte in text {
                let equal = places[Int(byte)]
                let diagonal = (((equal & positive) &+ positive) ^ positive) | equal | negative
                var rise = negative | ~(diagonal | positive)
                var fall = positive & diagonal
                if rise & last != 0 { distance += 1 }
                if fall & last != 0 { distance -= 1 }
                rise <<= 1
                fall <<= 1
                positive = fall | ~(diagonal | rise)
                negative = rise & diagonal
                best = min(best, distance)
            }
            return 1 - Double(best) / Double(count)
        }
    }
}
