package import ShelflistAPI

/// How well a photo can be read, and suggestions to improve it.
///
/// All numbers are rounded to three decimals.
package struct PhotoQuality: Codable, Hashable, Sendable {
    /// The long side, in pixels, of the picture to measure.
    ///
    /// The thresholds below are tuned for it; smaller photos are measured at their own size.
    package static let measuredLongSide = 960

    /// Steepness of the strongest edges: 0 for edges smeared over eight pixels or more of the measured picture, 1 for
    /// hard edges.
    ///
    /// 0 also for a picture without any structure.
    package var sharpness: Double
    /// Mean brightness, from 0 for black to 1 for white.
    package var exposure: Double
    /// Share of the picture washed out by reflections, 0...1.
    package var glare: Double
    /// How far the shelf leans clockwise, in degrees; 0 if unknown.
    package var tilt: Double
    package var suggestions: [Suggestion]
    /// Brightness range between the darkest and the brightest twentieth of the picture, 0...1.
    ///
    /// Used to choose filters; not part of the JSON, and 1 after decoding.
    package private(set) var contrast = 1.0

    private enum CodingKeys: String, CodingKey {
        case sharpness, exposure, glare, tilt, suggestions
    }

    /// Measures the pixels, in a few milliseconds.
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
            // Noise and motion blur of a dark photo follow from the lack of light, so one suggestion is enough.
            suggestions.append(.dark)
        } else if edges.hasStructure, sharpness < Self.blurredBelow {
            suggestions.append(.blur)
        }
        if glare > Self.glaringAbove { suggestions.append(.glare) }
    }

    /// Returns the same quality with what the detected text says about the framing.
    ///
    /// - Parameters:
    ///   - tilt: in degrees, clockwise; `nil` if unknown.
    ///   - edges: the sides of the photo at which books are cut off.
    ///   - unknown: what to do about letters that are not known; nil where all are.
    package func adding(
        tilt: Double?, cutAt edges: [PhotoEdge], unknownLetters unknown: Suggestion? = nil
    ) -> PhotoQuality {
        var result = self
        result.suggestions.removeAll { [.tilt, .cutAtEdge, .unknownLetters].contains($0.code) }
        if let unknown { result.suggestions.append(unknown) }
        if let tilt, tilt.isFinite {
            result.tilt = tilt.thousandths
            if abs(tilt) >= Self.tiltedFrom { result.suggestions.append(.tilt(degrees: tilt)) }
        }
        if !edges.isEmpty { result.suggestions.append(.cut(at: edges)) }
        return result
    }

    /// Whether brightness and contrast have to be raised before reading.
    ///
    /// True if little light reached the camera, judged by mean and range together (dark books in good light have
    /// bright titles and pages), or if haze leaves hardly any range.
    var isDimOrFlat: Bool { exposure < 0.2 && contrast < 0.4 || contrast < 0.25 }

    /// Shelf photos that were blurred until most titles were illegible measured 0.18 to 0.34, unblurred ones 0.62 and
    /// more.
    private static let blurredBelow = 0.4
    /// Applies to exposure and range together: only a few dozen levels are left, many of them noise.
    private static let darkBelow = 0.12
    private static let glaringAbove = 0.01
    /// In degrees; smaller tilts do not affect reading.
    private static let tiltedFrom = 6.0
}

extension Double {
    /// Rounded to three decimals.
    package var thousandths: Double { (self * 1000).rounded() / 1000 }
}
