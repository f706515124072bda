import Bounds
import Foundation
import Imaging
package import SpineReading

/// The probability that two lines are on the same spine, from 0 to 1: by their positions, and for lines beside each other by
/// what the photo shows between them.
///
/// O(lines²).
package struct LineAffinity: Sendable {
    /// Heights at which boards are searched between all lines of a photo; beyond, boards do not separate lines.
    ///
    /// Each takes about a microsecond. A photo of some hundred lines needs tens of times fewer.
    private static let mostSearched = 3_000_000
    /// Pairs of lines between which edges are measured; beyond, positions decide alone.
    ///
    /// Each takes about 50 microseconds. A photo of some hundred lines has some hundred to a thousand.
    private static let mostMeasured = 20_000
    /// Of two lines that are in line with each other, but too far apart to be judged alone.
    private static let far = -1.0

    private let count: Int
    /// Row-major; 0 to 1, or `far`.
    private var values: [Double]

    /// - Parameter edges: of the photo, to find boards and the sides of spines between lines; `nil` if only text is known.
    /// - Throws: `IdentificationError.tooMuchText`.
    package init(
        _ lines: [UprightLine], edges: ShelfEdges? = nil, effort: IdentificationEffort = IdentificationEffort()
    ) throws {
        count = lines.count
        values = [Double](repeating: 0, count: count * count)
        // Lines farther apart than the length of a long line are on different shelves; board edges are better
        // evidence.
        let lengths = lines.map(\.length).sorted()
        let reach = edges == nil ? 0.9 : 1.1
        let farthest =
            reach * (lengths.isEmpty ? 0 : lengths[Int(saturating: (0.9 * Double(lengths.count - 1)).rounded(.up))])
        let isStanding = Self.isStanding(lines)
        var (heights, measured) = (Self.mostSearched, 0)
        let reaches = lines.map(Reach.init)
        let imprints = lines.map { Publishers.isExactly($0.words) }
        let grounds = lines.map { line in edges.flatMap { $0.ground(of: line.quad) } }
        for i in lines.indices {
            try effort.spend(i)
            for j in 0..<i where !reaches[i].isApart(from: reaches[j]) {
                try effort.spend(25)
                var affinity = 0.0
                if let edges, measured < Self.mostMeasured, let pair = LinePair(lines[i], lines[j]) {
                    measured += 1
                    let both = grounds[i].flatMap { ground in grounds[j].map { (ground, $0) } }
                    affinity = try pair.probability(edges, grounds: both, effort: effort)
                } else if !isStanding || !Self.areOnNeighbours(lines[i], lines[j]) {
                    affinity = Self.affinity(lines[i], lines[j], farthest: farthest)
                    if affinity > 0, let edges, heights > 0,
                        try ShelfBoards.separate(lines[i], lines[j], edges, searched: &heights, effort: effort)
                    {
                        affinity *= 0.3
                    }
                }
                // Neighbours have one at their feet each, and both are printed across their spines.
                if imprints[i], imprints[j], lines[i].words != lines[j].words, Self.isInLine(lines[i], lines[j]) {
                    affinity = 0
                }
                if affinity == 0, Self.isInLine(lines[i], lines[j]) { affinity = Self.far }
                values[i * count + j] = affinity
                values[j * count + i] = affinity
            }
        }
    }

    package subscript(i: Int, j: Int) -> Double { max(0, values[i * count + j]) }

    /// The weight of a pair in line with each other but too far apart, in the mean of two groups.
    ///
    /// More than 0.41, so that two spines of two lines each, one above the other, are not joined by the one pair that is
    /// near: its share of the weight is less than the least affinity of two groups (`SpineGrouping`).
    private static let farWeight = 0.42

    /// What decides without a closer look that two lines have no affinity and are not in line with each other.
    private struct Reach {
        /// In heights of the higher line, and in pixels: lines across each other's direction that are farther apart have
        /// nothing to do with each other (`stacked`, `alongOneSpine`).
        private static let (mostHeights, margin) = (4.0, 4.0)

        private let center, along: PixelPoint
        /// The largest distances of a corner from the center along and across the line.
        private let alongReach, acrossReach: Double
        private let height: Double

        init(_ line: UprightLine) {
            let extents = line.extents(in: line)
            (center, along, height) = (line.quad.center, line.along, line.height)
            alongReach = max(abs(extents.along.lowerBound), abs(extents.along.upperBound))
            acrossReach = max(abs(extents.across.lowerBound), abs(extents.across.upperBound))
        }

        /// Whether both are apart across the direction of either.
        func isApart(from other: Reach) -> Bool {
            let offset = other.center - center
            let slant = abs(along.x * other.along.y - along.y * other.along.x)
            let room = acrossReach + other.acrossReach + Self.mostHeights * max(height, other.height) + Self.margin
            return abs(offset.y * along.x - offset.x * along.y) > room + slant * other.alongReach
                && abs(offset.y * other.along.x - offset.x * other.along.y) > room + slant * alongReach
        }
    }

    /// Returns the mean affinity of two groups of lines.
    ///
    /// Pairs that are far apart count less: the title at the head of a spine says little about the publisher at its foot,
    /// but both belong to the author between them.
    package func mean(_ a: [Int], _ b: [Int]) -> Double {
        var (total, weight) = (0.0, 0.0)
        for i in a {
            for j in b {
                let value = values[i * count + j]
                total += max(0, value)
                weight += value == Self.far ? Self.farWeight : 1
            }
        }
        return weight == 0 ? 0 : total / weight
    }

    /// Returns the other lines that may be on the same spine as line `i`, likeliest first.
    func neighbours(of i: Int, atLeast minimum: Double) -> [Int] {
        (0..<count).filter { $0 != i && self[i, $0] >= minimum }.sorted { (self[i, $0], $1) > (self[i, $1], $0) }
    }

    /// Whether spines stand: their text is three tenths of all text's length or more, and seven tenths of what is left
    /// without words and short lines, which are set across standing spines as well as along lying ones.
    private static func isStanding(_ lines: [UprightLine]) -> Bool {
        var (standing, lying, all) = (0.0, 0.0, 0.0)
        for line in lines {
            all += line.length
            if line.isVertical {
                standing += line.length
            } else if line.length >= 8 * line.height {
                lying += line.length
            }
        }
        return standing >= 0.3 * all && standing >= 0.7 * (standing + lying)
    }

    /// Whether two short upright lines are farther apart than the words of one line, or side by side with the same text: on
    /// standing spines side by side.
    private static func areOnNeighbours(_ a: UprightLine, _ b: UprightLine) -> Bool {
        guard !a.isVertical, !b.isVertical else { return false }
        let (frame, other) = a.length >= b.length ? (a, b) : (b, a)
        let height = max(a.height, b.height)
        let gap = frame.extents(in: frame).along.gap(to: other.extents(in: frame).along)
        return frame.length < 8 * height && (gap > 1.5 * height || gap > 0 && a.words == b.words)
    }

    private static func affinity(_ a: UprightLine, _ b: UprightLine, farthest: Double) -> Double {
        if a.isVertical == b.isVertical {
            let (longer, shorter) = a.length >= b.length ? (a, b) : (b, a)
            let sameRun = alongOneSpine(longer, shorter, farthest: farthest)
            // Words printed across a wide standing spine, one below the other.
            return a.isVertical ? sameRun : max(sameRun, stacked(a, b))
        }
        let (vertical, across) = a.isVertical ? (a, b) : (b, a)
        return alongOneSpine(vertical, across, farthest: farthest)
    }

    /// Whether both share some of their width across the reading direction of the longer, and none along it.
    private static func isInLine(_ a: UprightLine, _ b: UprightLine) -> Bool {
        let (frame, other) = a.length >= b.length ? (a, b) : (b, a)
        let own = frame.extents(in: frame)
        let its = other.extents(in: frame)
        let narrower = min(own.across.length, its.across.length)
        return own.along.gap(to: its.along) > 0 && own.across.sharedLength(with: its.across) >= 0.2 * max(1, narrower)
    }

    /// Judges in the frame of `frame`, whose reading direction is assumed to be the spine's.
    private static func alongOneSpine(_ frame: UprightLine, _ other: UprightLine, farthest: Double) -> Double {
        let own = frame.extents(in: frame)
        let its = other.extents(in: frame)
        let gap = own.along.gap(to: its.along)
        if gap > farthest { return 0 }
        let narrower = min(own.across.length, its.across.length)
        let overlap = own.across.sharedLength(with: its.across) / max(1, narrower)
        // Decreases slightly with distance, so that the nearer of two candidates is tried first.
        let nearness = 1 - 0.05 * gap / max(1, farthest)
        if overlap >= 0.5 { return nearness }
        if overlap >= 0.2 { return 0.8 * nearness }
        if overlap > 0 { return 0.6 * nearness }
        return max(0, 0.55 - 0.5 * own.across.gap(to: its.across) / max(1, min(frame.height, other.height)))
    }

    private static func stacked(_ a: UprightLine, _ b: UprightLine) -> Double {
        let own = a.extents(in: a)
        let its = b.extents(in: a)
        let overlap = own.along.sharedLength(with: its.along) / max(1, min(own.along.length, its.along.length))
        let height = max(a.height, b.height)
        let gap = own.across.gap(to: its.across) / max(1, height)
        guard overlap >= 0.4, max(a.length, b.length) < 8 * height else { return 0 }
        return gap < 1.5 ? 0.8 : gap < 4 ? 0.6 : 0
    }
}
