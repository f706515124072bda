package import Imaging

/// A set of connected pixels (eight neighbours).
package struct ConnectedComponent: Equatable {
    package var pixelCount: Int
    /// The first and last pixel of each row, which are enough for the convex hull.
    package var outline: [PixelPoint]
    package var bounds: PixelRect
}

/// Labels runs of set pixels row by row and joins touching runs with a union-find structure, in one pass over the
/// mask and one over the runs.
package enum ConnectedComponents {
    private struct Run {
        let y: Int
        let first: Int
        let last: Int
    }

    /// - Parameter mask: `size.area` values, rows top to bottom.
    package static func find(in mask: [Bool], size: PixelSize) -> [ConnectedComponent] {
        var runs: [Run] = []
        var parents: [Int] = []
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }

        var above = 0..<0
        for y in 0..<size.height {
            let rowStart = runs.count
            var candidate = above.lowerBound
            var x = 0
            while x < size.width {
                guard mask[y * size.width + x] else {
                    x += 1
                    continue
                }
                let first = x
                while x < size.width, mask[y * size.width + x] { x += 1 }
                let index = runs.count
                runs.append(Run(y: y, first: first, last: x - 1))
                parents.append(index)
                // Diagonal neighbours touch as well, hence one pixel of slack on both sides.
                while candidate < above.upperBound, runs[candidate].last < first - 1 { candidate += 1 }
                var other = candidate
                while other < above.upperBound, runs[other].first <= x {
                    let (a, b) = (root(other), root(index))
                    if a != b { parents[max(a, b)] = min(a, b) }
                    other += 1
                }
            }
            above = rowStart..<runs.count
        }

        var members: [Int: [Run]] = [:]
        for index in runs.indices { members[root(index), default: []].append(runs[index]) }
        return members.sorted { $0.key < $1.key }.map { component(of: $0.value) }
    }

    private static func component(of runs: [Run]) -> ConnectedComponent {
        var outline: [PixelPoint] = []
        var count = 0
        var (left, right) = (Int.max, Int.min)
        for run in runs {
            outline.append(PixelPoint(x: Double(run.first), y: Double(run.y)))
            if run.last > run.first { outline.append(PixelPoint(x: Double(run.last), y: Double(run.y))) }
            count += run.last - run.first + 1
            left = min(left, run.first)
            right = max(right, run.last)
        }
        let (top, bottom) = (runs.first?.y ?? 0, runs.last?.y ?? 0)
        return ConnectedComponent(
            pixelCount: count, outline: outline,
            bounds: PixelRect(
                x: Double(left), y: Double(top), width: Double(right - left + 1), height: Double(bottom - top + 1)))
    }
}
