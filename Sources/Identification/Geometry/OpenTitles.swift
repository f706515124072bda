import Imaging
import SpineReading

/// Finds titles whose next line was grouped apart: the line ends with a comma, a hyphen or a function word, or the next
/// begins with `and`.
enum OpenTitles {
    /// In heights of the line: the largest distance to the next, and to one that begins with `and`, as some titles do.
    private static let (farthest, farthestAnd) = (1.0, 0.5)
    /// The share of the shorter line that must be beside the other.
    private static let sharedLength = 0.5
    /// In heights of the line: the largest distance of the starts or the middles of two lines of one title.
    private static let farthestAligned = 1.0
    /// The ratio of the heights of two lines of one title.
    private static let heights = 0.5...2.0
    /// The same where the second begins with `and`.
    private static let heightsAnd = 0.8...1.25
    private static let conjunctions: Set<String> = ["and", "et", "und", "y"]

    /// Two spines, by position, of which the second continues a title of the first.
    struct Pair {
        var first, second: Int
        /// Whether the second begins with `and`.
        var hasConjunction: Bool
    }

    /// O(lines²).
    ///
    /// - Throws: `IdentificationError.tooMuchText`.
    static func pairs(among spines: [[UprightLine]], effort: IdentificationEffort) throws -> [Pair] {
        let lines = spines.enumerated().flatMap { spine, lines in lines.map { (spine: spine, line: $0) } }
        return try lines.compactMap { spine, line in
            let isOpen = isOpen(line)
            guard isOpen || hasTitle(line) else { return nil }
            try effort.spend(5 * lines.count)
            let next = lines.compactMap { other, candidate -> (pair: Pair, gap: Double)? in
                guard candidate.index != line.index, let gap = gap(from: line, to: candidate),
                    isOpen || continues(candidate, line, gap: gap)
                else { return nil }
                return (Pair(first: spine, second: other, hasConjunction: hasConjunction(candidate)), gap)
            }.min { $0.gap < $1.gap }
            return next.flatMap { $0.pair.second == spine ? nil : $0.pair }
        }
    }

    /// Whether text of several letters cannot end here.
    static func isOpen(_ line: UprightLine) -> Bool {
        guard hasTitle(line), let last = line.words.last else { return false }
        return line.line.text.last.map { ",-&".contains($0) } == true || CommonWords.contains(last)
    }

    private static func hasTitle(_ line: UprightLine) -> Bool {
        line.words.contains { $0.count >= 4 && !CommonWords.contains($0) }
    }

    /// Whether a line begins with `and`, and is as high as the line before it; `and` alone is often smaller.
    private static func continues(_ other: UprightLine, _ line: UprightLine, gap: Double) -> Bool {
        let allowed = other.words.count == 1 ? heights : heightsAnd
        return hasConjunction(other) && gap <= farthestAnd && allowed.contains(other.height / max(1, line.height))
    }

    private static func hasConjunction(_ line: UprightLine) -> Bool {
        // Further authors, who are not named.
        guard !line.words.starts(with: ["et", "al"]) else { return false }
        return line.line.text.first == "&" || line.words.first.map(conjunctions.contains) == true
    }

    /// Returns the distance of the next line in heights; nil if the other is not the next line of the text.
    private static func gap(from line: UprightLine, to other: UprightLine) -> Double? {
        let (own, its) = (line.extents(in: line), other.extents(in: line))
        let gap = (its.across.lowerBound - own.across.upperBound) / max(1, line.height)
        let isParallel = line.along.x * other.along.x + line.along.y * other.along.y > 0.95
        guard isParallel, gap >= -0.5, gap <= farthest, its.across.middle > own.across.upperBound,
            heights.contains(other.height / max(1, line.height)), areAligned(own.along, its.along, height: line.height),
            own.along.sharedLength(with: its.along) >= sharedLength * min(own.along.length, its.along.length)
        else { return nil }
        return gap
    }

    private static func areAligned(_ a: ClosedRange<Double>, _ b: ClosedRange<Double>, height: Double) -> Bool {
        min(abs(a.lowerBound - b.lowerBound), abs(a.middle - b.middle)) <= farthestAligned * height
    }
}
