package import Imaging

/// The long side, in pixels, of the pictures in which text is detected (docs/decisions/0032-detection.md).
package enum LookSize {
    /// Of the photo as it is, at first, and of a turned photo that is not larger.
    package static let upright = 1280
    /// Of a viewfinder's frame: enough to find where the spines are.
    package static let frame = 960
    /// Of the turned photo where all of its text is tall.
    package static let coarse = 960
    /// Of the turned photo otherwise, and of the photo as it is where its horizontal text is low.
    ///
    /// In the turned photo, fewer lines are found at 1,600, and no more at 2,560.
    package static let fine = 1920

    /// The height of text, in pixels of a picture, from which on no larger picture is needed.
    ///
    /// The lowest line with a word of a title in the 15 photos of the benchmark is 13.6 pixels high in the fine look.
    private static let legibleHeight = 14.25
    /// The share of all text's length that may be lower.
    private static let neglectedShare = 0.1
    /// The minimum number of areas that say how tall the text is.
    private static let fewestAreas = 5

    /// How much narrower the areas of a look are made at each side, in pixels of it, so that they are as narrow in the photo as
    /// those of a fine look.
    ///
    /// Detectors draw the core of a line up to a pixel too wide at each side, which is more of the photo where the picture is
    /// smaller: in the coarse look, lines came out 1.15 to 1.3 times as high as in the fine one.
    static func inset(of longSide: Int) -> Double { 1 - Double(longSide) / Double(fine) }

    /// Whether the photo as it is needs a fine look by the larger network, too: much of its text is horizontal, and low in the
    /// first look.
    ///
    /// - Parameters:
    ///   - areas: of the text that the first look found, in pixels of the photo.
    ///   - photo: the photo's size.
    package static func needsFineUpright(after areas: [Quad], in photo: PixelSize) -> Bool {
        guard photo.longSide > upright, areas.count >= fewestAreas else { return false }
        return isLow(areas.filter { !$0.runsVertically }, of: areas, in: photo, longSide: upright)
    }

    /// Returns the long side for the turned look.
    ///
    /// - Parameters:
    ///   - areas: of the text that the first upright look found, in pixels of the photo.
    ///   - photo: the photo's size.
    package static func turned(after areas: [Quad], in photo: PixelSize) -> Int {
        guard photo.longSide > coarse else { return coarse }
        // A larger picture of a small photo would be filled with its mirror images.
        let fine = photo.longSide > upright ? fine : upright
        guard areas.count >= fewestAreas else { return fine }
        return isLow(areas, of: areas, in: photo, longSide: coarse) ? fine : coarse
    }

    /// Whether text that is too low in a picture with this long side is more than a tenth of all text's length.
    ///
    /// - Parameter text: the areas in question.
    private static func isLow(_ text: [Quad], of areas: [Quad], in photo: PixelSize, longSide: Int) -> Bool {
        let lowest = legibleHeight * Double(photo.longSide) / Double(longSide)
        let low = text.reduce(0) { $0 + ($1.height < lowest ? $1.length : 0) }
        return low > neglectedShare * areas.reduce(0) { $0 + $1.length }
    }
}
