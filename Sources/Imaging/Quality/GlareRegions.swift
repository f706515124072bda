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
        let area = Double(image.size.area)
        let glaring = Self.regions(of: image).filter {
            Self.sizes.contains(Double($0.area) / area)
                && Double($0.border * $0.border) <= Self.mostRagged * Double($0.area)
                && Double($0.soft) >= Self.softBorder * Double(max(1, $0.border))
        }
        share = Double(glaring.reduce(0) { $0 + $1.area }) / max(1, area)
    }

    private struct Region {
        var area = 0
        /// The number of steps from inside to outside, along rows and columns, and how many of them fade.
        var border = 0
        var soft = 0
    }

    /// A run of pixels of a region in one row.
    private struct Run {
        let start: Int
        let end: Int
        let region: Int
    }

    /// Returns the connected blown-out regions, from runs along the rows joined with those of the row above.
    private static func regions(of image: GrayImage) -> [Region] {
        let width = image.width
        let height = image.height
        var regions: [Region] = []
        var parents: [Int] = []
        func root(_ region: Int) -> Int {
            var region = region
            while parents[region] != region { region = parents[region] }
            return region
        }
        image.samples.withUnsafeBufferPointer { samples in
            var above: [Run] = []
            for y in 0..<height {
                let row = y * width
                var runs: [Run] = []
                var firstAbove = 0
                var x = 0
                while x < width {
                    guard samples[row + x] >= blownOut else {
                        x += 1
                        continue
                    }
                    let start = x
                    while x < width, samples[row + x] >= blownOut { x += 1 }
                    while firstAbove < above.count, above[firstAbove].end <= start { firstAbove += 1 }
                    var region: Int?
                    for run in above[firstAbove...].prefix(while: { $0.start < x }) {
                        let other = root(run.region)
                        if let region { parents[max(region, other)] = min(region, other) }
                        region = min(region ?? other, other)
                    }
                    let own = region ?? regions.count
                    if region == nil {
                        regions.append(Region())
                        parents.append(own)
                    }
                    runs.append(Run(start: start, end: x, region: own))

                    regions[own].area += x - start
                    func lookOutside(_ outside: Bool, _ further: @autoclosure () -> Int?) {
                        // The surroundings are unknown at the edge of the picture.
                        guard outside, let further = further() else { return }
                        regions[own].border += 1
                        if samples[further] >= halo { regions[own].soft += 1 }
                    }
                    lookOutside(start > 0, start >= falloff ? row + start - falloff : nil)
                    lookOutside(x < width, x - 1 + falloff < width ? row + x - 1 + falloff : nil)
                    for i in (row + start)..<(row + x) {
                        lookOutside(
                            y > 0 && samples[max(0, i - width)] < blownOut, y >= falloff ? i - falloff * width : nil)
                        lookOutside(
                            y < height - 1 && samples[min(samples.count - 1, i + width)] < blownOut,
                            y + falloff < height ? i + falloff * width : nil)
                    }
                }
                above = runs
            }
        }
        // A region's parent has a lower index, so one backward pass merges all parts.
        for index in regions.indices.reversed() where parents[index] != index {
            let part = regions[index]
            regions[index] = Region()
            regions[parents[index]].area += part.area
            regions[parents[index]].border += part.border
            regions[parents[index]].soft += part.soft
        }
        return regions
    }
}
