import Imaging

/// The extent of one spine's text, in the frame of its longest line.
struct SpineText {
    let frame: UprightLine
    private let along: ClosedRange<Double>
    private let across: ClosedRange<Double>
    /// Whether the text is words across the spine, one below the other.
    private let isStacked: Bool

    init?(_ lines: [UprightLine]) {
        guard let frame = lines.max(by: { $0.length < $1.length }) else { return nil }
        self.frame = frame
        let extents = lines.map { $0.extents(in: frame) }
        along = extents.dropFirst().reduce(extents[0].along) { $0.union($1.along) }
        across = extents.dropFirst().reduce(extents[0].across) { $0.union($1.across) }
        isStacked = across.length > along.length
    }

    /// Of the longest line, or of the words one below the other, in pixels.
    var length: Double { isStacked ? across.length : frame.length }

    /// Whether a line is within the text's width, and its distance along the spine at most 0.3 of the text's length.
    func contains(_ line: UprightLine) -> Bool {
        let extents = line.extents(in: frame)
        let (width, its) = isStacked ? (along, extents.along) : (across, extents.across)
        let (length, place) = isStacked ? (across, extents.across) : (along, extents.along)
        let share = its.sharedLength(with: width) / max(1, its.length)
        return share >= 0.6 && place.gap(to: length) <= 0.3 * length.length
    }

    /// Returns how far the middle of a line is beside the middle of the text, in pixels; nil for a line that is not in line with
    /// the text, or farther along the spine than `farthest` pixels.
    func offset(of line: UprightLine, within farthest: Double) -> Double? {
        let extents = line.extents(in: frame)
        let shared = extents.across.sharedLength(with: across)
        guard shared >= 0.5 * min(extents.across.length, across.length), extents.along.gap(to: along) <= farthest
        else { return nil }
        return abs(extents.across.middle - across.middle)
    }
}
