import Bibliography
import Imaging
import ShelflistAPI
import SpineReading

/// The spines that only a model saw.
///
/// No text supports them, so they are shown to a person and never accepted.
struct UnreadSpines {
    /// An opinion is about a spine that was read if they share this much of the smaller outline.
    private static let sameSpine = 0.5

    /// With outlines in the shelf's frame.
    let spines: [(judged: JudgedSpine, outline: Quad)]

    /// - Parameters:
    ///   - opinions: about no spine that was read.
    ///   - read: the outlines of the spines that were read, in the shelf's frame.
    ///   - turn: of the shelf.
    ///   - size: of the photo in pixels.
    ///   - checks: whether a source of records was asked.
    init(_ opinions: [SpineOpinion], beside read: [Quad], turn: QuarterTurn, in size: PixelSize, checks: Bool) {
        var spines: [(judged: JudgedSpine, outline: Quad)] = []
        for opinion in opinions {
            let pixels: Quad = opinion.outline.pixels(in: size)
            let outline = pixels.map { turn.apply(to: $0, in: size) }
            let known = read + spines.map { $0.outline }
            guard outline.area > 0, !known.contains(where: { Self.isSameSpine($0, outline) }) else { continue }
            let confidence = OpinionWeight.highestFromMemory * opinion.certainty
            let judged = JudgedSpine(
                title: opinion.title, author: opinion.author, confidence: confidence, checked: checks,
                matches: [opinion.match(confidence: confidence)], lines: [], text: [])
            spines.append((judged, outline))
        }
        self.spines = spines
    }

    private static func isSameSpine(_ a: Quad, _ b: Quad) -> Bool {
        (a.sharedArea(with: b) ?? 0) > sameSpine * min(a.area, b.area)
    }
}
