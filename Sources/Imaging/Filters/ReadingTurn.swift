extension RGBImage {
    /// The turn after which the text of a cut-out strip runs from left to right: one narrower than 1:2 is an upright
    /// spine, whose text mostly runs down and so lies right after a turn counter-clockwise.
    package static func turnForReading(of size: PixelSize) -> QuarterTurn {
        size.width < size.height - size.width ? .threeQuarters : .none
    }

    /// The picture turned for reading, and by what.
    package func turnedForReading() -> (image: RGBImage, turn: QuarterTurn) {
        let turn = Self.turnForReading(of: size)
        return (turned(turn), turn)
    }
}
