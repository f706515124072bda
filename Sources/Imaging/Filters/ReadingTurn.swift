extension RGBImage {
    /// The turn that makes the text of a cropped strip run left to right.
    ///
    /// A strip narrower than 1:2 is an upright spine; its text mostly runs down, so it is turned counter-clockwise.
    package static func turnForReading(of size: PixelSize) -> QuarterTurn {
        size.width < size.height - size.width ? .threeQuarters : .none
    }

    /// Returns the picture turned for reading, and the turn.
    package func turnedForReading() -> (image: RGBImage, turn: QuarterTurn) {
        let turn = Self.turnForReading(of: size)
        return (turned(turn), turn)
    }
}
