package import Imaging
package import ShelflistAPI
import SpineReading

/// Where spines seem to stand, judged by where there is text alone, before any of it is read.
///
/// A first picture for somebody who waits: a third of a photo's time after its start, and right for most spines.
package enum SpineSketch {
    /// More areas than this are not put together one by one: it would take longer than to wait for the books.
    private static let limit = 300

    package struct Spine: Sendable {
        package var quad: UnitQuad
        package var boundingBox: UnitRect
    }

    /// - Parameters:
    ///   - areas: where text stands, in pixels of the photo, corners in a likely reading direction.
    ///   - size: of the photo in pixels.
    /// - Returns: one outline a spine, in no particular order; empty where there are too many areas.
    package static func spines(around areas: [Quad], in size: PixelSize) -> [Spine] {
        guard areas.count <= limit else { return [] }
        let lines = areas.enumerated().map { index, quad in
            UprightLine(index: index, line: TextLine(text: "", score: 1, quad: quad), quad: quad)
        }
        let groups = SpineGrouping.groups(of: Array(lines.indices), affinity: LineAffinity(lines))
        return SpineOutline(spines: groups.map { $0.map { lines[$0] } }, size: size).quads().map {
            Spine(quad: UnitQuad($0, in: size), boundingBox: UnitRect($0.bounds, in: size))
        }
    }
}
