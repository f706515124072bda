import Imaging
import ShelflistAPI
import SpineReading

/// Which spine each opinion of a photo is about.
struct OpinionPlaces {
    /// The least share of a spine's text inside of an opinion's outline.
    private static let leastShare = 0.5

    /// For each spine, the opinion about it.
    let opinions: [SpineOpinion?]
    /// The opinions about no spine.
    let others: [SpineOpinion]

    /// Assigns opinions to the spines whose text lies in their outlines and is most like theirs.
    ///
    /// - Parameters:
    ///   - spines: the lines of each.
    ///   - size: of the photo in pixels.
    init(_ opinions: [SpineOpinion], of spines: [[UprightLine]], in size: PixelSize) {
        var claims: [(spine: Int, opinion: Int, score: Double)] = []
        for (place, opinion) in opinions.enumerated() {
            let outline: Quad = opinion.outline.pixels(in: size)
            for (spine, lines) in spines.enumerated() {
                let share = Self.share(of: lines, in: outline)
                guard share >= Self.leastShare else { continue }
                claims.append((spine, place, share + opinion.support(by: lines.flatMap(\.words))))
            }
        }
        var found = [Int?](repeating: nil, count: spines.count)
        var used: Set<Int> = []
        for claim in claims.sorted(by: { ($0.score, $1.opinion) > ($1.score, $0.opinion) })
        where found[claim.spine] == nil && used.insert(claim.opinion).inserted {
            found[claim.spine] = claim.opinion
        }
        self.opinions = found.map { $0.map { opinions[$0] } }
        others = opinions.indices.filter { !used.contains($0) }.map { opinions[$0] }
    }

    /// The share of the lines' area in the outline, 0...1.
    private static func share(of lines: [UprightLine], in outline: Quad) -> Double {
        let total = lines.reduce(0) { $0 + $1.line.quad.area }
        guard total > 0 else { return 0 }
        return lines.reduce(0) { $0 + ($1.line.quad.sharedArea(with: outline) ?? 0) } / total
    }
}
