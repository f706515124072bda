/// How well a photo can be read, and what would make it better.
///
/// All numbers have three decimals.
package struct PhotoQuality: Codable, Hashable, Sendable {
    /// The long side, in pixels, of the picture to measure.
    ///
    /// The limits below are set for it; smaller photos are measured as they are.
    package static let measuredLongSide = 960

    /// How steep the strongest edges are: 0 smeared over eight pixels or more of the measured picture, 1 a hard step.
    ///
    /// 0, too, for a picture without any structure.
    package var sharpness: Double
    /// Mean brightness, from 0 for black to 1 for white.
    package var exposure: Double
    /// Share of the picture that reflections wash out, 0...1.
    package var glare: Double
    /// By how many degrees the shelf leans clockwise; 0 where that is not known.
    package var tilt: Double
    package var suggestions: [Suggestion]
    /// Brightness between the darkest and the brightest twentieth of the picture, 0...1.
    ///
    /// A measure for the choice of filters; not part of the JSON, and 1 in what was read from there.
    package private(set) var contrast = 1.0

    private enum CodingKeys: String, CodingKey {
        case sharpness, exposure, glare, tilt, suggestions
    }

    /// Measures what the pixels tell, in some milliseconds.
    ///
    /// - Parameter image: the photo, its long side fitted to `measuredLongSide`.
    package init(measuring image: RGBImage) {
        let gray = GrayImage(lumaOf: image)
        let brightness = BrightnessHistogram(gray)
        let edges = EdgeSteepness(gray)
        sharpness = edges.steepness.thousandths
        exposure = (brightness.mean / 255).thousandths
        contrast = (Double(brightness.level(0.95) - brightness.level(0.05)) / 255).thousandths
        glare = GlareRegions(gray).share.thousandths
        tilt = 0
        suggestions = []
        if exposure < Self.darkBelow, contrast < Self.darkBelow {
            // Noise and the long exposure of a dark photo follow from the light: one advice is enough.
            suggestions.append(.dark)
        } else if edges.hasStructure, sharpness < Self.blurredBelow {
            suggestions.append(.blur)
        }
        if glare > Self.glaringAbove { suggestions.append(.glare) }
    }

    /// The same with what the found text tells about the framing.
    ///
    /// - Parameters:
    ///   - tilt: degrees, clockwise; `nil` where unknown.
    ///   - edges: the sides of the photo at which books are cut.
    package func adding(tilt: Double?, cutAt edges: [PhotoEdge]) -> PhotoQuality {
        var result = self
        result.suggestions.removeAll { $0.code == .tilt || $0.code == .cutAtEdge }
        if let tilt, tilt.isFinite {
            result.tilt = tilt.thousandths
            if abs(tilt) >= Self.tiltedFrom { result.suggestions.append(.tilt(degrees: tilt)) }
        }
        if !edges.isEmpty { result.suggestions.append(.cut(at: edges)) }
        return result
    }

    /// Whether brightness and contrast have to be raised before reading.
    ///
    /// That is where little light reached the camera, by its mean and by its range: dark books in good light have
    /// bright titles and pages beside them. Or where haze leaves hardly any range.
    var isDimOrFlat: Bool { exposure < 0.2 && contrast < 0.4 || contrast < 0.25 }

    /// Shelf photos that were blurred until most of their titles were lost measured 0.18 to 0.34, the unharmed 0.62 and
    /// more.
    private static let blurredBelow = 0.4
    /// Of the exposure and of the range, both: what is left is a few dozen levels, a good part of them noise.
    private static let darkBelow = 0.12
    private static let glaringAbove = 0.01
    /// In degrees; below, the reader loses nothing.
    private static let tiltedFrom = 6.0
}

extension Double {
    /// Rounded to three decimals.
    fileprivate var thousandths: Double { (self * 1000).rounded() / 1000 }
}
