import Imaging
package import ShelflistAPI

/// The rule by which two outlines in one photo are the same spine.
extension UnitRect {
    /// Intersection over union, 0...1.
    package func overlap(with other: UnitRect) -> Double {
        // It does not depend on the scale of the axes.
        let size = PixelSize(width: 1, height: 1)
        return pixels(in: size).overlap(with: other.pixels(in: size))
    }

    /// Whether both outline the same spine; neighbours overlap far less.
    package func isSameSpine(as other: UnitRect) -> Bool { overlap(with: other) >= 0.5 }
}

extension [Detection] {
    /// Returns the spine of a scan's book: its own, otherwise the one at its place that another scan of the same picture
    /// found, and that is still in the library.
    func spine(of book: String, in job: String, at box: UnitRect) -> Detection? {
        first { $0.job == job && $0.book == book }
            ?? first { $0.job != job && $0.outcome != .removed && $0.boundingBox.isSameSpine(as: box) }
    }
}
