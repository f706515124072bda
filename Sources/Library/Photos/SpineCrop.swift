import Bounds
import Concurrency
package import Imaging
package import ShelflistAPI

/// The rotation of a spine's crop.
package enum SpineTurn: String, CaseIterable, Sendable {
    case none
    /// Turns a vertical spine so that text running down reads from left to right, as in English and German; a
    /// horizontal spine is not turned.
    case reading
    case quarter = "90"
    case half = "180"
    case threeQuarters = "270"

    fileprivate func quarters(ofCrop size: PixelSize) -> QuarterTurn {
        switch self {
        case .none: .none
        case .reading: size.height > size.width ? .threeQuarters : .none
        case .quarter: .quarter
        case .half: .half
        case .threeQuarters: .threeQuarters
        }
    }
}

/// The picture of one spine, straightened.
package enum SpineCrop {
    /// The margin around the spine, as a fraction of its shorter side, because outlines are never exact.
    private static let margin = 0.08

    /// - Parameter longSide: the long side of the crop, in pixels; smaller spines are not enlarged.
    package static func image(
        of spine: UnitQuad, in photo: RGBImage, turn: SpineTurn = .none, longSide: Int
    ) -> RGBImage {
        BlockingExecutor.assertCurrent()
        let outline = spine.pixels(in: photo.size).grown(by: margin)
        let (width, height) = (max(1, outline.length), max(1, outline.height))
        let scale = min(1, Double(longSide) / max(width, height))
        let size = PixelSize(
            width: max(1, Int(saturating: (width * scale).rounded())),
            height: max(1, Int(saturating: (height * scale).rounded())))
        return photo.warped(outline, to: size).turned(turn.quarters(ofCrop: size))
    }
}

extension Quad {
    /// Returns the quad enlarged on all sides by a fraction of its shorter side.
    fileprivate func grown(by fraction: Double) -> Quad {
        let margin = fraction * min(length, height)
        let right = direction.unit
        let down = ((bottomLeft + bottomRight) * 0.5 - (topLeft + topRight) * 0.5).unit
        return Quad(
            topLeft - right * margin - down * margin, topRight + right * margin - down * margin,
            bottomRight + right * margin + down * margin, bottomLeft - right * margin + down * margin)
    }
}
