extension RGBImage {
    /// The turn after which the text of a cut-out strip runs from left to right: one narrower than 1:2 is an upright
    /// spine, whose text mostly runs down and so lies right after a turn counter-clockwise.
    public static func turnForReading(of size: PixelSize) -> QuarterTurn {
        size.height > 0 && size.width < (size.height + 1) / 2 ? .threeQuarters : .none
    }

    /// The picture turned for reading, and by what.
    public func turnedForReading() -> (image: RGBImage, turn: QuarterTurn) {
        let turn = Self.turnForReading(of: size)
        return (turned(turn), turn)
    }
}
