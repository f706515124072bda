package import Imaging
package import SpineReading

/// What the lines say about how the photo was taken.
package enum ShelfFraming {
    /// By how many degrees the shelf tilts: the median deviation of long lines from the nearest quarter; `nil`
    /// where there are too few of them.
    ///
    /// Single leaning books do not move it.
    package static func tilt(of lines: [TextLine]) -> Double? {
        let deviations = lines.filter { $0.quad.length > 5 * $0.quad.height && $0.score > 0.7 }.map { line in
            line.quad.angle - (line.quad.angle / 90).rounded() * 90
        }.sorted()
        return deviations.count >= 5 ? deviations[deviations.count / 2] : nil
    }

    /// The edges of the photo at which text is cut: a line that touches the edge with its side, not just the
    /// neighbouring shelf's.
    package static func cutEdges(_ lines: [TextLine], in size: PixelSize) -> [PhotoEdge] {
        let margin = 0.004 * Double(size.longSide)
        let clear = lines.filter { $0.score > 0.6 && $0.text.count >= 3 }
        return PhotoEdge.allCases.filter { edge in
            clear.contains { line in
                let box = line.quad.bounds
                return switch edge {
                case .left: box.x < margin
                case .right: box.maxX > Double(size.width) - margin
                case .top: box.y < margin
                case .bottom: box.maxY > Double(size.height) - margin
                }
            }
        }
    }
}
