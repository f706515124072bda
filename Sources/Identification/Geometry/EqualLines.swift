import Imaging
import SpineReading

/// Drops lines that lie on another line with the same text, which the reader never returns.
enum EqualLines {
    /// The share of the smaller line's area from which two lines are the same, as in `OverlappingLines`.
    private static let sharedArea = 0.5

    /// Returns the lines without those that lie on an earlier one with the same text.
    ///
    /// O(lines² of one text).
    static func dropped(from lines: [TextLine], effort: IdentificationEffort) throws -> [TextLine] {
        var kept: [String: [(quad: Quad, bounds: PixelRect)]] = [:]
        return try lines.filter { line in
            let (others, bounds) = (kept[line.text, default: []], line.quad.bounds)
            try effort.spend(others.count)
            let isEqual = try others.contains { other in
                if other.quad == line.quad { return true }
                guard other.bounds.intersection(bounds) != nil else { return false }
                try effort.spend(100)
                let least = min(other.quad.area, line.quad.area)
                return other.quad.sharedArea(with: line.quad).map { $0 > sharedArea * least } ?? false
            }
            if !isEqual { kept[line.text, default: []].append((line.quad, bounds)) }
            return !isEqual
        }
    }
}
