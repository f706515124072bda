package import Imaging

/// One run of text that was read in a photo.
package struct TextLine: Hashable, Sendable {
    package var text: String
    /// Mean probability of the characters, 0...1.
    package var score: Double
    /// In pixels of the photo; its corners follow the reading direction.
    package var quad: Quad

    package init(text: String, score: Double, quad: Quad) {
        self.text = text
        self.score = score
        self.quad = quad
    }

    package var direction: ReadingDirection { ReadingDirection(angle: quad.angle) }
}

/// Which way a line runs in the photo, to the nearest quarter.
package enum ReadingDirection: String, CaseIterable, Codable, Sendable {
    case upright
    case topToBottom
    case upsideDown
    case bottomToTop

    /// - Parameter angle: of the reading direction against the x axis in degrees, growing clockwise.
    package init(angle: Double) {
        let quarters = Int((angle / 90).rounded())
        self = Self.allCases[((quarters % 4) + 4) % 4]
    }

    package var isVertical: Bool { self == .topToBottom || self == .bottomToTop }

    /// The direction after the photo is turned clockwise.
    package func turned(_ turn: QuarterTurn) -> ReadingDirection {
        Self(angle: Double(((Self.allCases.firstIndex(of: self) ?? 0) * 90 + turn.rawValue) % 360))
    }
}
