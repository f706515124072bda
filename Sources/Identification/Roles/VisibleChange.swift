import Foundation
import Imaging
import SpineReading

/// How the print changes at a space of a line, in natural logarithms.
struct VisibleChange {
    /// As `WordSpace.contrast`.
    let contrast: Double
    /// The contrast less the largest at the other spaces of the line, 0 where there is none: a change is seen at the spaces
    /// beside it as well.
    let lead: Double
    /// As `WordSpace.gap`.
    let gap: Double

    init(at place: Int, of spaces: [WordSpace]) {
        let contrasts = spaces.map { log($0.contrast + Self.leastContrast) }
        let others = contrasts.indices.filter { $0 != place }.map { contrasts[$0] }
        contrast = contrasts[place]
        lead = others.max().map { contrasts[place] - $0 } ?? 0
        gap = log(spaces[place].gap.clamped(to: Self.gaps))
    }

    /// Less says nothing more.
    private static let leastContrast = 0.1
    /// In letters; more, as before a number at the foot, says nothing more.
    private static let gaps = 0.1...4
}
