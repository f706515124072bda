import Bounds
package import Imaging
package import ShelflistAPI

/// A line of text read in a photo.
package struct TextLine: Hashable, Codable, Sendable {
    package var text: String
    /// Mean probability of the characters, 0...1.
    package var score: Double
    /// In pixels of the photo; corners follow the reading direction.
    package var quad: Quad
    /// One between each two words; `nil` for lines that an earlier version read, and for stacked letters.
    package var spaces: [WordSpace]?

    package init(text: String, score: Double, quad: Quad, spaces: [WordSpace]? = nil) {
        (self.text, self.score, self.quad, self.spaces) = (text, score, quad, spaces)
    }

    /// Text, direction and score, the score rounded to three decimals.
    package var readText: ReadText { ReadText(text: text, score: score.thousandths, direction: direction) }

    package var direction: ReadingDirection { ReadingDirection(angle: quad.angle) }
}

extension ReadingDirection {
    /// - Parameter angle: of the reading direction from the x axis in degrees, clockwise.
    package init(angle: Double) {
        let quarters = Int(saturating: (angle / 90).rounded())
        self = Self.allCases[((quarters % 4) + 4) % 4]
    }

    package var isVertical: Bool { self == .topToBottom || self == .bottomToTop }

    /// Returns the direction after the photo is rotated clockwise.
    package func turned(_ turn: QuarterTurn) -> ReadingDirection {
        Self(angle: Double(((Self.allCases.firstIndex(of: self) ?? 0) * 90 + turn.rawValue) % 360))
    }
}
