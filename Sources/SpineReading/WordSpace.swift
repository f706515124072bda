import Bounds
import Foundation
package import Imaging

/// What a reader sees at the space between two words of a line: how far they are apart, and whether the print changes.
package struct WordSpace: Hashable, Sendable {
    /// The distance of the letters beside it, from middle to middle, by that of the line's letters, 0...20; mostly 1.3 to
    /// 1.8 inside titles, and 1.6 to 2.5 between title and author.
    package var gap: Double
    /// How much colour, weight and size of the letters before it differ from those after it, 0...50; mostly 0.9
    /// to 3.1 inside titles, and 3.3 to 9.6 between title and author.
    package var contrast: Double

    package init(gap: Double, contrast: Double) {
        self.gap = gap.clamped(to: Self.gaps).thousandths
        self.contrast = contrast.clamped(to: Self.contrasts).thousandths
    }

    private static let (gaps, contrasts) = (0.0...20, 0.0...50)

    /// Whether both numbers are within their ranges, as those of another machine may not be.
    package var isWithinBounds: Bool { Self.gaps.contains(gap) && Self.contrasts.contains(contrast) }

    /// - Parameters:
    ///   - text: the words of the line.
    ///   - places: of the letters of each word, in pixels from the start of the picture.
    ///   - picture: of the line, in reading direction.
    package static func spaces(of text: String, at places: [[Double]], in picture: RGBImage) -> [WordSpace] {
        let words = text.split(separator: " ")
        guard places.count > 1, places.count == words.count else { return [] }
        let letters = Array(places.joined())
        let distances = zip(letters, letters.dropFirst()).map { $1 - $0 }.sorted()
        let pitch = max(1, distances[distances.count / 2])
        let looks = places.map { its in
            let (start, end) = ((its.first ?? 0) - pitch / 2, (its.last ?? 0) + pitch / 2)
            return WordLook(of: picture, from: Int(saturating: start), to: Int(saturating: max(end, start + 6)) + 1)
        }
        let counts = words.map {
            Double($0.count { $0.isLetter || $0.isNumber }).clamped(to: weights)
        }
        var (before, after) = (WordLook.Mean(), WordLook.Mean())
        for (look, count) in zip(looks, counts) { after.add(look, count) }
        return Range(from: 1, upTo: places.count).map { place in
            before.add(looks[place - 1], counts[place - 1])
            after.add(looks[place - 1], -counts[place - 1])
            let gap = (places[place].first ?? 0) - (places[place - 1].last ?? 0)
            return WordSpace(gap: gap / pitch, contrast: before.contrast(with: after))
        }
    }

    /// What a word counts by: marks a little, and long words as much as others.
    private static let weights = 0.3...12
}

extension WordSpace: Codable {
    /// Two numbers in an array: a photo has some three hundred spaces.
    package init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        gap = try values.decode(Double.self)
        contrast = try values.decode(Double.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(gap)
        try values.encode(contrast)
    }
}
