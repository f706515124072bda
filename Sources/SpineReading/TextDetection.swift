import Foundation
package import Imaging
import Inference

/// Finds where text stands in a photo.
///
/// The detector was trained on upright text, and most spines are not: it looks at the photo as it is and turned by
/// 90 degrees, and each look is trusted with the text that is upright in it.
package struct TextDetector: Sendable {
    private let models: ModelCache
    /// Of their own, so that a viewfinder takes no photo's model away.
    private let frameModels: ModelCache
    private let concurrentPhotos: Int
    private let threads: Int
    private let postProcessing = DBPostProcessing()

    /// Loads the model for the usual photo, so that the first one does not wait for it.
    ///
    /// - Parameters:
    ///   - concurrentPhotos: how many photos will be looked at at once.
    ///   - threads: processor threads for each of them.
    init(contentsOf file: URL, concurrentPhotos: Int, threads: Int) throws {
        models = ModelCache(contentsOf: file, capacity: 2)
        frameModels = ModelCache(contentsOf: file, capacity: 2)
        self.concurrentPhotos = concurrentPhotos
        self.threads = threads
        _ = try concurrently(
            { [self] in try model(for: DetectionCanvas(.wide)) }, { [self] in try model(for: DetectionCanvas(.tall)) })
    }

    /// Where text stands, in pixels of the full-size photo.
    ///
    /// Corners follow the likelier reading direction: left to right, or from the top down.
    func detect(in photo: ImagePyramid, detail: DetectionCanvas.Detail = .photo) async throws -> [DetectedText] {
        let picture = photo.fitted(longSide: detail.longSide)
        let scale = Double(photo.size.longSide) / Double(picture.size.longSide)
        guard threads > 1 else {
            return Self.merged(
                turned: try await look(at: picture, turn: .threeQuarters, scale: scale, detail: detail),
                upright: try await look(at: picture, turn: .none, scale: scale, detail: detail))
        }
        async let turned = look(at: picture, turn: .threeQuarters, scale: scale, detail: detail)
        async let upright = look(at: picture, turn: .none, scale: scale, detail: detail)
        return Self.merged(turned: try await turned, upright: try await upright)
    }

    /// The two looks at a photo share its threads; in a square they share the model as well and take turns.
    private func model(for canvas: DetectionCanvas) throws -> Model {
        let looksAtOnce = canvas.format == .square ? 1 : min(2, threads)
        return try (canvas.detail == .photo ? models : frameModels).model(
            for: canvas.shape,
            budget: ComputeBudget(streams: concurrentPhotos, threads: threads / looksAtOnce * concurrentPhotos))
    }

    /// Of areas that both looks found, the turned look's stands for text that runs vertically, the upright
    /// look's for text that runs horizontally.
    package static func merged(turned: [DetectedText], upright: [DetectedText]) -> [DetectedText] {
        func kept(_ own: [DetectedText], against other: [DetectedText], vertical: Bool) -> [DetectedText] {
            own.filter { text in
                // A look is at home with the text that is upright in it.
                text.runsVertically == vertical
                    || !other.contains { $0.runsVertically == text.runsVertically && $0.covers(text) }
            }
        }
        return kept(turned, against: upright, vertical: true) + kept(upright, against: turned, vertical: false)
    }

    /// - Parameter scale: pixels of the photo in one of the picture.
    private func look(
        at picture: RGBImage, turn: QuarterTurn, scale: Double, detail: DetectionCanvas.Detail
    ) async throws -> [DetectedText] {
        let image = picture.turned(turn)
        let canvas = DetectionCanvas(for: image.size, detail: detail)
        return try await model(for: canvas).run(canvas.tensor(of: image)) { map in
            postProcessing.areas(
                in: ProbabilityMap(
                    values: map.values, stride: map.shape[3], size: image.size)
            ).map { area in
                let quad = area.quad.map { turn.inverse.apply(to: $0, in: image.size) * scale }
                return DetectedText(quad: quad.readFromTopOrLeft, score: area.score, look: turn)
            }
        }
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

    /// Whether nearly all of the other area lies within this one.
    package func covers(_ other: DetectedText) -> Bool {
        guard quad.bounds.intersection(other.quad.bounds) != nil else { return false }
        let shared = Polygon.area(Polygon.intersection(quad.corners, other.quad.corners))
        return shared > 0.8 * other.quad.area
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
