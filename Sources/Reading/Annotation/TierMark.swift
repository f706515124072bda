package import Bibliography
package import Imaging

/// How a tier looks on a photo: colour, shape and line, so that it can be recognised without colour.
package struct TierMark {
    let color: RGBColor
    private let tier: ConfidenceTier

    static let glass = RGBColor(0x14100B)
    static let text = RGBColor(0xFFF9EE)
    static let quiet = RGBColor(0xD9CDB9)

    package init(_ tier: ConfidenceTier) {
        self.tier = tier
        color =
            switch tier {
            case .notChecked: RGBColor(0xA9CCFF)
            case .needsReview: RGBColor(0xFF9A85)
            case .verify: RGBColor(0xFFCB52)
            case .ready: RGBColor(0x9BE7B4)
            }
    }

    var name: String {
        switch tier {
        case .notChecked: "Not checked"
        case .needsReview: "Needs review"
        case .verify: "Verify"
        case .ready: "Ready to add"
        }
    }

    private func line(width: Double) -> StrokeStyle {
        switch tier {
        case .notChecked: StrokeStyle(width: width * 1.3, line: .dashed(dash: width * 1.3, gap: width * 2))
        case .needsReview: StrokeStyle(width: width * 1.3, line: .dashed(dash: width * 5, gap: width * 3.5))
        case .verify: StrokeStyle(width: width * 0.85, line: .double(gap: width * 1.1))
        case .ready: StrokeStyle(width: width * 0.85)
        }
    }

    /// The dark line below, a little wider on both sides.
    private func casing(width: Double) -> StrokeStyle {
        let whole = tier == .verify ? width * 2.8 : tier == .ready ? width * 0.85 : width * 1.3
        return StrokeStyle(width: whole + width * 1.3)
    }

    /// Draws the outline of a spine with lines of about `width` pixels.
    package func drawOutline(_ outline: Path, width: Double, on image: inout RGBImage) {
        image.stroke(outline, casing(width: width), with: Paint(TierMark.glass, alpha: 0.55))
        image.stroke(outline, line(width: width), with: Paint(color))
    }

    /// Draws the ground of a numbered badge and returns the colour for its number.
    func drawBadge(on image: inout RGBImage, center: PixelPoint, radius: Double) -> RGBColor {
        image.fill(.circle(center: center, radius: radius), with: Paint(TierMark.glass, alpha: 0.9))
        switch tier {
        case .notChecked:
            image.stroke(
                .circle(center: center, radius: radius * 0.9),
                StrokeStyle(width: radius * 0.1, line: .dashed(dash: radius * 0.16, gap: radius * 0.2)),
                with: Paint(color))
        case .needsReview:
            image.fill(octagon(center, radius * 0.92), with: Paint(color))
            return TierMark.glass
        case .verify:
            for r in [0.94, 0.76] {
                image.stroke(
                    .circle(center: center, radius: radius * r), StrokeStyle(width: radius * 0.09), with: Paint(color))
            }
        case .ready:
            image.stroke(
                .circle(center: center, radius: radius * 0.9), StrokeStyle(width: radius * 0.1), with: Paint(color))
        }
        return color
    }

    /// The icon of the tier, as the app shows it: octagon with “!”, triangle in triangle, check in a circle, empty box.
    func drawIcon(on image: inout RGBImage, center: PixelPoint, radius r: Double) {
        func at(_ x: Double, _ y: Double) -> PixelPoint { center + PixelPoint(x: x * r, y: y * r) }
        switch tier {
        case .notChecked:
            let box = Path(polygon: [at(-0.78, -0.78), at(0.78, -0.78), at(0.78, 0.78), at(-0.78, 0.78)])
            image.stroke(box, StrokeStyle(width: r * 0.18), with: Paint(color))
        case .needsReview:
            image.fill(octagon(center, r), with: Paint(color))
            image.fill(
                Path(polygon: [at(-0.14, -0.56), at(0.14, -0.56), at(0.09, 0.16), at(-0.09, 0.16)]),
                with: Paint(TierMark.glass))
            image.fill(.circle(center: at(0, 0.44), radius: 0.15 * r), with: Paint(TierMark.glass))
        case .verify:
            let middle = at(0, 0.22)
            let outer = Path.regularPolygon(corners: 3, center: middle, radius: r * 1.02, angle: -90)
            image.stroke(outer, StrokeStyle(width: r * 0.18), with: Paint(color))
            image.fill(.regularPolygon(corners: 3, center: middle, radius: r * 0.5, angle: -90), with: Paint(color))
        case .ready:
            image.stroke(.circle(center: center, radius: r * 0.9), StrokeStyle(width: r * 0.16), with: Paint(color))
            let check = [
                at(-0.42, 0.02), at(-0.3, -0.12), at(-0.1, 0.1), at(0.32, -0.36), at(0.45, -0.24), at(-0.1, 0.36),
            ]
            image.fill(Path(polygon: check), with: Paint(color))
        }
    }

    private func octagon(_ center: PixelPoint, _ radius: Double) -> Path {
        .regularPolygon(corners: 8, center: center, radius: radius, angle: 22.5)
    }
}
