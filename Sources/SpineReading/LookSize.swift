package import Imaging

/// The long side, in pixels, of the pictures in which text is detected (docs/decisions/0032-detection.md).
package enum LookSize {
    /// Of the photo as it is.
    package static let upright = 1280
    /// Of a viewfinder's frame: enough to find where the spines are.
    package static let frame = 960
    /// Of the turned photo where all of its text is tall.
    package static let coarse = 960
    /// Of the turned photo otherwise.
    ///
    /// Fewer lines are found at 1,600, and no more at 2,560.
    package static let fine = 1920

    /// The height of text, in pixels of the coarse picture, from which on the coarse look suffices.
    ///
    /// The lowest line with a word of a title in the 15 photos of the benchmark is 13.6 pixels high in the fine look.
    private static let legibleHeight = 14.25
    /// The share of the text's length that may be lower.
    private static let neglectedShare = 0.1
    /// The minimum number of areas that say how tall the text is.
    private static let fewestAreas = 5

    /// How much narrower the areas of a look are made at each side, in pixels of it, so that they are as narrow in the photo as
    /// those of a fine look.
    ///
    /// Detectors draw the core of a line up to a pixel too wide at each side, which is more of the photo where the picture is
    /// smaller: in the coarse look, lines came out 1.15 to 1.3 times as high as in the fine one.
    static func inset(of longSide: Int) -> Double { 1 - Double(longSide) / Double(fine) }

    /// Returns the long side for the turned look.
    ///
    /// - Parameters:
    ///   - areas: of the text that the upright look found, in pixels of the photo.
    ///   - photo: the photo's size.
    package static func turned(after areas: [Quad], in photo: PixelSize) -> Int {
        guard photo.longSide > coarse else { return coarse }
        guard areas.count >= fewestAreas else { return fine }
        let height = typicalLowHeight(of: areas) * Double(coarse) / Double(photo.longSide)
        return height >= legibleHeight ? coarse : fine
    }

    /// The height up to which the lowest areas hold `neglectedShare` of the text's length.
    private static func typicalLowHeight(of areas: [Quad]) -> Double {
        let total = areas.reduce(0) { $0 + $1.length }
        var length = 0.0
        let lowestFirst = areas.sorted { $0.height < $1.height }
        let lowest = lowestFirst.first { area in
            length += area.length
            return length >= neglectedShare * total
        }
        return lowest?.height ?? 0
    }
}
