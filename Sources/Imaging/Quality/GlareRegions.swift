/// The blown-out places of a picture that look like reflections: of limited size, and fading into what is around
/// them.
///
/// White paper ends at a hard edge, at its border and at each letter on it; walls and windows are larger.
struct GlareRegions {
    /// Share of the picture, 0...1, that lies in such places.
    let share: Double

    /// From this brightness on nothing is left to read.
    private static let blownOut: UInt8 = 250
    /// A reflection is still this bright `falloff` pixels beyond its blown-out part.
    private static let halo: UInt8 = 190
    private static let falloff = 4
    /// The share of the border that has to fade.
    private static let softBorder = 0.6
    /// Of the picture: smaller is a highlight on a letter, larger a wall or a window.
    private static let sizes = 0.0002...0.05

    init(_ image: GrayImage) {
        let area = Double(image.size.area)
        let glaring = Self.regions(of: image).filter {
            Self.sizes.contains(Double($0.area) / area)
                && Double($0.soft) >= Self.softBorder * Double(max(1, $0.border))
        }
        share = Double(glaring.reduce(0) { $0 + $1.area }) / max(1, area)
    }

    private struct Region {
        var area = 0
        /// Steps from inside to outside, along rows and columns, and how many of them fade.
        var border = 0
        var soft = 0
    }

    /// A row's piece of a region.
    private struct Run {
        let start: Int
        let end: Int
        let region: Int
    }

    /// The connected blown-out regions, from runs along the rows joined with those of the row above.
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
                        // At the picture's edge nothing is known.
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
        // A region's parent comes before it, so one pass backwards gathers all parts.
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
