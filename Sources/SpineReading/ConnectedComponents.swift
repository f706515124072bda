package import Imaging

/// A set of connected pixels (eight neighbours).
package struct ConnectedComponent: Equatable {
    package var pixelCount: Int
    /// The first and last pixel of each row, which are enough for the convex hull.
    package var outline: [PixelPoint]
    package var bounds: PixelRect
}

package enum ConnectedComponents {
    /// - Parameter mask: `size.area` values, rows top to bottom.
    package static func find(in mask: [Bool], size: PixelSize) -> [ConnectedComponent] {
        ConnectedRuns.regions(in: mask, size: size, diagonally: true).map(component)
    }

    private static func component(of runs: [PixelRun]) -> ConnectedComponent {
        var outline: [PixelPoint] = []
        var count = 0
        var (left, right) = (Int.max, Int.min)
        for run in runs {
            outline.append(PixelPoint(x: Double(run.first), y: Double(run.y)))
            if run.last > run.first { outline.append(PixelPoint(x: Double(run.last), y: Double(run.y))) }
            count += run.count
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
