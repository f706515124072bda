import Bounds

/// Computes the share of each pixel that a path covers.
package enum Coverage {
    /// Iterates over the rows that the path touches, top to bottom.
    ///
    /// `row` receives y, the range of x, and for each of these pixels the covered share of its area, 0...1.
    ///
    /// Exact area coverage: every edge adds its signed height to the pixel it crosses and to all pixels to the right,
    /// so that the running sum along the row is the winding number weighted by area. O(edges × rows they cross +
    /// pixels in the bounds); memory for one row.
    package static func forEachRow(
        of path: Path, in size: PixelSize, _ row: (Int, Range<Int>, UnsafeBufferPointer<Float>) -> Void
    ) {
        guard let columns = path.columns(in: size) else { return }
        var waiting = edges(of: path, left: Double(columns.lowerBound), height: Double(size.height))
        guard let top = waiting.last?.top, let bottom = waiting.map(\.bottom).max() else { return }
        var active: [Edge] = []
        var sums = [Float](repeating: 0, count: columns.count + 2)
        sums.withUnsafeMutableBufferPointer { sums in
            for y in Range(from: Int(saturating: top), upTo: min(size.height, Int(saturating: bottom.rounded(.up)))) {
                let (above, below) = (Double(y), Double(y + 1))
                while let edge = waiting.last, edge.top < below {
                    active.append(edge)
                    waiting.removeLast()
                }
                active.removeAll { $0.bottom <= above }
                sums.update(repeating: 0)
                for edge in active { edge.add(to: sums, from: above, to: below, width: columns.count) }
                var winding: Float = 0
                for x in 0..<columns.count {
                    winding += sums[x]
                    // Rounding errors to the right of the path must not tint pixels.
                    let covered = abs(winding)
                    sums[x] = covered < 1e-3 ? 0 : covered > 0.999 ? 1 : covered
                }
                row(y, columns, UnsafeBufferPointer(rebasing: sums[..<columns.count]))
            }
        }
    }

    /// Returns the edges sorted so that the topmost is last.
    ///
    /// Contours with NaN or very distant points are ignored.
    private static func edges(of path: Path, left: Double, height: Double) -> [Edge] {
        var edges: [Edge] = []
        for contour in path.contours where contour.allSatisfy({ abs($0.x) < 1e7 && abs($0.y) < 1e7 }) {
            guard var a = contour.last else { continue }
            for b in contour {
                if let edge = Edge(a, b, left: left, height: height) { edges.append(edge) }
                a = b
            }
        }
        return edges.sorted { $0.top > $1.top }
    }
}

/// One side of a polygon; x is counted from the left column of the row.
private struct Edge {
    /// +1 where the side goes down the picture, -1 where it goes up.
    let winding: Double
    let top: Double
    let bottom: Double
    let slope: Double
    private let xAtZero: Double

    init?(_ a: PixelPoint, _ b: PixelPoint, left: Double, height: Double) {
        let (upper, lower) = a.y < b.y ? (a, b) : (b, a)
        top = max(0, upper.y)
        bottom = min(height, lower.y)
        guard bottom > top else { return nil }
        winding = a.y < b.y ? 1 : -1
        slope = (lower.x - upper.x) / (lower.y - upper.y)
        xAtZero = upper.x - left - slope * upper.y
    }

    func add(to sums: UnsafeMutableBufferPointer<Float>, from above: Double, to below: Double, width: Int) {
        let (y0, y1) = (max(top, above), min(bottom, below))
        guard y1 > y0 else { return }
        let ends = (xAtZero + slope * y0, xAtZero + slope * y1)
        var (x0, x1) = ends.0 < ends.1 ? ends : (ends.1, ends.0)
        var share = winding * (y1 - y0)
        let right = Double(width)
        // Edges to the left of the row count for all of its pixels, edges to the right for none.
        if x1 <= 0 {
            sums[0] += Float(share)
            return
        }
        guard x0 < right else { return }
        if x0 < 0 {
            let outside = share * -x0 / (x1 - x0)
            sums[0] += Float(outside)
            share -= outside
            x0 = 0
        }
        if x1 > right {
            share *= (right - x0) / (x1 - x0)
            x1 = right
        }
        let (first, last) = (Int(saturating: x0), min(Int(saturating: x1), width - 1))
        let density = x1 > x0 ? share / (x1 - x0) : 0
        for x in ClosedRange(ordered: first, max(first, last)) {
            let (a, b) = (max(x0, Double(x)), min(x1, Double(x + 1)))
            let part = first >= last ? share : density * (b - a)
            let rest = part * ((a + b) / 2 - Double(x))
            sums[x] += Float(part - rest)
            sums[x + 1] += Float(rest)
        }
    }
}

extension Path {
    /// The columns of pixels that the path touches in an image of `size`.
    fileprivate func columns(in size: PixelSize) -> Range<Int>? {
        guard let bounds, bounds.x < Double(size.width), bounds.maxX > 0 else { return nil }
        let left = max(0, bounds.x)
        let right = min(Double(size.width), bounds.maxX.rounded(.up))
        return right > left ? Range(from: Int(saturating: left), upTo: Int(saturating: right)) : nil
    }
}
