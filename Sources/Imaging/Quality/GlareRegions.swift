import Bounds

/// Finds the blown-out regions of a picture that look like reflections.
///
/// Reflections are of limited size and simple shape, and fade into their surroundings. White paper ends in hard
/// edges, at its border and at each letter; walls and windows are larger.
struct GlareRegions {
    /// Share of the picture, 0...1, covered by such regions.
    let share: Double

    /// The brightness above which no text is legible.
    private static let blownOut: UInt8 = 250
    /// The minimum brightness of a reflection `falloff` pixels beyond its blown-out part.
    private static let halo: UInt8 = 190
    private static let falloff = 4
    /// The share of the border that has to fade.
    private static let softBorder = 0.6
    /// Border length squared over area.
    ///
    /// 16 for a square, 88 for a streak twenty times as long as wide. Blown-out paper with text is far more ragged,
    /// even if the letters are washed out to grey.
    private static let mostRagged = 100.0
    /// As shares of the picture: smaller regions are highlights on letters, larger ones walls or windows.
    private static let sizes = 0.0002...0.05

    init(_ image: GrayImage) {
        let mask = image.samples.map { $0 >= Self.blownOut }
        let regions = ConnectedRuns.regions(in: mask, size: image.size, diagonally: false)
        let glaring = regions.lazy.map { runs in (area: runs.reduce(0) { $0 + $1.count }, runs: runs) }
            .filter { Self.sizes.contains(Double($0.area) / Double(image.size.area)) && Self.isGlare($0, in: image) }
        share = Double(glaring.reduce(0) { $0 + $1.area }) / Double(max(1, image.size.area))
    }

    /// Whether the region's border is plain and mostly fades.
    private static func isGlare(_ region: (area: Int, runs: [PixelRun]), in image: GrayImage) -> Bool {
        let (width, height) = (image.width, image.height)
        // Steps from inside to outside, along rows and columns, and how many of them fade.
        var border = 0
        var soft = 0
        image.samples.withUnsafeBufferPointer { samples in
            func step(isOutside: Bool, further: @autoclosure () -> Int?) {
                // At the picture's edge nothing is known.
                guard isOutside, let further = further() else { return }
                border += 1
                if samples[further] >= halo { soft += 1 }
            }
            for run in region.runs {
                let (y, row) = (run.y, run.y * width)
                step(isOutside: run.first > 0, further: run.first >= falloff ? row + run.first - falloff : nil)
                step(
                    isOutside: run.last < width - 1,
                    further: run.last + falloff < width ? row + run.last + falloff : nil)
                for i in Range(from: row + run.first, upTo: row + run.last + 1) {
                    step(
                        isOutside: y > 0 && samples[max(0, i - width)] < blownOut,
                        further: y >= falloff ? i - falloff * width : nil)
                    step(
                        isOutside: y < height - 1 && samples[min(samples.count - 1, i + width)] < blownOut,
                        further: y + falloff < height ? i + falloff * width : nil)
                }
            }
        }
        return Double(border * border) <= mostRagged * Double(region.area)
            && Double(soft) >= softBorder * Double(max(1, border))
    }
}
