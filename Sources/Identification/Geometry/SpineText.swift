import Imaging

/// Where the text of one spine stands, in the frame of its longest line.
struct SpineText {
    private let frame: ShelfLine
    private let along: ClosedRange<Double>
    private let across: ClosedRange<Double>

    init?(_ lines: [ShelfLine]) {
        guard let frame = lines.max(by: { $0.length < $1.length }) else { return nil }
        self.frame = frame
        let extents = lines.map { $0.extents(in: frame) }
        along = extents.dropFirst().reduce(extents[0].along) { $0.union($1.along) }
        across = extents.dropFirst().reduce(extents[0].across) { $0.union($1.across) }
    }

    /// Whether a line lies within the text's width, and along the spine no farther off than the text is long.
    func holds(_ line: ShelfLine) -> Bool {
        let extents = line.extents(in: frame)
        let share = extents.across.sharedLength(with: across) / max(1, extents.across.length)
        return share >= 0.6 && extents.along.gap(to: along) <= 0.3 * along.length
    }
}
