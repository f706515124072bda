package import Imaging
import Inference

/// Finds where text stands in a photo.
///
/// The detector was trained on upright text, and most spines are not: it looks at the photo as it is and turned by
/// 90 degrees, and each look is trusted with the text that is upright in it.
package struct TextDetector: Sendable {
    /// Long side, in pixels, of the picture that each look is taken at; 0 leaves the look out.
    struct Sizes: Sendable {
        var turned = 1920
        var upright = 1920
    }

    private let model: Model
    private let sizes: Sizes
    private let postProcessing = DBPostProcessing()

    init(model: Model, sizes: Sizes = Sizes()) {
        self.model = model
        self.sizes = sizes
    }

    /// Where text stands, in pixels of the full-size photo.
    ///
    /// Corners follow the likelier reading direction: left to right, or from the top down.
    func detect(in photo: ImagePyramid) throws -> [DetectedText] {
        let turned = try look(at: photo, longSide: sizes.turned, turn: .threeQuarters)
        let upright = try look(at: photo, longSide: sizes.upright, turn: .none)
        return Self.merged(turned: turned, upright: upright)
    }

    /// Of areas that both looks found, the turned look's stands for text that runs vertically, the upright
    /// look's for text that runs horizontally.
    package static func merged(turned: [DetectedText], upright: [DetectedText]) -> [DetectedText] {
        func kept(_ own: [DetectedText], against other: [DetectedText], vertical: Bool) -> [DetectedText] {
            own.filter { text in
                // A look is at home with the text that is upright in it.
                text.runsVertically == vertical
                    || !other.contains { $0.runsVertically == text.runsVertically && $0.overlap(with: text) > 0.7 }
            }
        }
        return kept(turned, against: upright, vertical: true) + kept(upright, against: turned, vertical: false)
    }

    private func look(at photo: ImagePyramid, longSide: Int, turn: QuarterTurn) throws -> [DetectedText] {
        guard longSide > 0 else { return [] }
        let image = photo.fitted(longSide: longSide).turned(turn)
        let scale = Double(photo.size.longSide) / Double(image.size.longSide)
        return try model.run(Self.tensor(of: image)) { map in
            postProcessing.areas(
                in: ProbabilityMap(
                    values: map.values, stride: map.shape[3], size: image.size)
            ).map { area in
                let quad = area.quad.map { turn.inverse.apply(to: $0, in: image.size) * scale }
                return DetectedText(quad: quad.readFromTopOrLeft, score: area.score, look: turn)
            }
        }
    }

    /// Shape [1, 3, height, width], blue before green before red, -1...1, padded to multiples of 32.
    private static func tensor(of image: RGBImage) -> Tensor {
        let width = (image.width + 31) / 32 * 32
        let height = (image.height + 31) / 32 * 32
        let plane = width * height
        let values = [Float](unsafeUninitializedCapacity: plane * 3) { output, count in
            output.update(repeating: -1)
            image.samples.withUnsafeBufferPointer { input in
                for y in 0..<image.height {
                    var i = y * image.width * 3
                    for o in (y * width)..<(y * width + image.width) {
                        output[o] = Float(input[i + 2]) * (2 / 255) - 1
                        output[o + plane] = Float(input[i + 1]) * (2 / 255) - 1
                        output[o + 2 * plane] = Float(input[i]) * (2 / 255) - 1
                        i += 3
                    }
                }
            }
            count = plane * 3
        }
        return Tensor(shape: [1, 3, height, width], values: values)
    }
}

/// An area with text that is not yet read.
package struct DetectedText: Sendable {
    /// In pixels of the full-size photo, corners in reading order; the direction may be the opposite one.
    package var quad: Quad
    /// Mean probability of the area, 0...1.
    package var score: Double
    /// By how much the photo was turned when the area was found.
    package var look: QuarterTurn

    package init(quad: Quad, score: Double, look: QuarterTurn) {
        self.quad = quad
        self.score = score
        self.look = look
    }

    /// Whether the text runs up or down the photo, judged by the angle of the long side: the bounding box of
    /// a leaning spine says little.
    package var runsVertically: Bool { ReadingDirection(angle: quad.angle).isVertical }

    /// Intersection over union of the quadrilaterals.
    package func overlap(with other: DetectedText) -> Double {
        guard quad.bounds.intersection(other.quad.bounds) != nil else { return 0 }
        let shared = Polygon.area(Polygon.intersection(quad.corners, other.quad.corners))
        return shared / max(1, quad.area + other.quad.area - shared)
    }
}

extension Quad {
    /// The same area with its corners ordered so that the long side is read from left to right or, where it is
    /// closer to the vertical, from the top down.
    ///
    /// Expects a rectangle.
    package var readFromTopOrLeft: Quad {
        let alongSide = topLeft.distance(to: topRight) >= topLeft.distance(to: bottomLeft)
        let quad = alongSide ? self : Quad(topRight, bottomRight, bottomLeft, topLeft)
        // Corners of a mirrored order would read mirrored.
        let a = quad.topRight - quad.topLeft
        let b = quad.bottomLeft - quad.topLeft
        let clockwise =
            a.x * b.y - a.y * b.x > 0 ? quad : Quad(quad.bottomLeft, quad.bottomRight, quad.topRight, quad.topLeft)
        let angle = clockwise.angle
        return angle > -45 && angle <= 135 ? clockwise : clockwise.turnedHalf
    }
}
