package import Imaging
package import ShelflistAPI
import SpineReading

/// Where spines seem to stand, judged by where there is text alone, before any of it is read.
///
/// A first picture for the progress view: available after a third of a photo's reading time, and right for most
/// spines.
package enum SpineSketch {
    /// More areas than this are not put together one by one: it would take longer than to wait for the books.
    private static let limit = 300

    /// - Parameters:
    ///   - areas: where text stands, in pixels of the photo, corners in a likely reading direction.
    ///   - size: of the photo in pixels.
    /// - Returns: one outline a spine, in no particular order; empty where there are too many areas.
    package static func spines(around areas: [Quad], in size: PixelSize) -> [SpineOutline] {
        guard areas.count <= limit else { return [] }
        let lines = areas.enumerated().map { index, quad in
            UprightLine(index: index, line: TextLine(text: "", score: 1, quad: quad), quad: quad)
        }
        do {
            let groups = try SpineGrouping.groups(of: Array(lines.indices), affinity: LineAffinity(lines))
            return try OutlineFinder(spines: groups.map { $0.map { lines[$0] } }, size: size).quads().map {
                SpineOutline($0, in: size)
            }
        } catch {
            // The books are found without it, or the same error is reported then.
            return []
        }
    }
}
