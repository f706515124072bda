import Bounds

/// A row's piece of a region of set pixels.
package struct PixelRun: Sendable {
    package let y: Int
    package let first: Int
    package let last: Int

    package var count: Int { last - first + 1 }
}

/// Finds regions of touching set pixels.
///
/// Labels runs of set pixels row by row and joins touching runs with a union-find structure: one pass over the mask,
/// then one over the runs.
package enum ConnectedRuns {
    /// The regions in the order of their first pixels, each as its runs from top to bottom and left to right.
    ///
    /// - Parameters:
    ///   - mask: `size.area` values, rows from the top.
    ///   - diagonally: whether pixels that share only a corner touch.
    package static func regions(in mask: [Bool], size: PixelSize, diagonally: Bool) -> [[PixelRun]] {
        let slack = diagonally ? 1 : 0
        var runs: [PixelRun] = []
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
                runs.append(PixelRun(y: y, first: first, last: x - 1))
                parents.append(index)
                while candidate < above.upperBound, runs[candidate].last < first - slack { candidate += 1 }
                var other = candidate
                while other < above.upperBound, runs[other].first <= x - 1 + slack {
                    let (a, b) = (root(other), root(index))
                    if a != b { parents[max(a, b)] = min(a, b) }
                    other += 1
                }
            }
            above = Range(from: rowStart, upTo: runs.count)
        }

        // A region's root is its first run.
        var regions: [[PixelRun]] = []
        var regionOfRoot = [Int](repeating: -1, count: runs.count)
        for index in runs.indices {
            let root = root(index)
            if regionOfRoot[root] < 0 {
                regionOfRoot[root] = regions.count
                regions.append([])
            }
            regions[regionOfRoot[root]].append(runs[index])
        }
        return regions
    }
}
