import Foundation
package import Imaging
import Inference

/// Detects text in a photo.
///
/// The detector was trained on upright text, and most spines are not, so it runs on the photo as it is and rotated by
/// 90 degrees; each pass contributes the text that is upright in it.
package struct TextDetector: Sendable {
    private let models: ModelCache
    /// Separate from photos, so that viewfinder frames do not evict a photo's model.
    private let frameModels: ModelCache
    private let concurrentPhotos: Int
    private let threads: Int
    private let postProcessing = DBPostProcessing()

    /// Loads the model for the usual photo size in advance, so that the first photo does not wait for it.
    ///
    /// - Parameters:
    ///   - concurrentPhotos: the number of photos that will be processed concurrently.
    ///   - threads: processor threads for each photo.
    init(contentsOf file: URL, concurrentPhotos: Int, threads: Int) throws {
        models = ModelCache(contentsOf: file, capacity: 2)
        frameModels = ModelCache(contentsOf: file, capacity: 2)
        self.concurrentPhotos = concurrentPhotos
        self.threads = threads
        _ = try concurrently(
            { [self] in try model(for: DetectionCanvas(.wide)) }, { [self] in try model(for: DetectionCanvas(.tall)) })
    }

    /// Returns the text areas in pixels of the full-size photo.
    ///
    /// Corners follow the likelier reading direction: left to right, or top to bottom.
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

    /// The two passes over a photo share its threads; for a square they also share the model and run one after the
    /// other.
    private func model(for canvas: DetectionCanvas) throws -> Model {
        let looksAtOnce = canvas.format == .square ? 1 : min(2, threads)
        return try (canvas.detail == .photo ? models : frameModels).model(
            for: canvas.shape,
            budget: ComputeBudget(streams: concurrentPhotos, threads: threads / looksAtOnce * concurrentPhotos))
    }

    /// Merges both passes: of areas that both found, the rotated pass's is kept for vertical text and the upright
    /// pass's for horizontal text.
    package static func merged(turned: [DetectedText], upright: [DetectedText]) -> [DetectedText] {
        func kept(_ own: [DetectedText], against other: [DetectedText], vertical: Bool) -> [DetectedText] {
            own.filter { text in
                // Each pass is more accurate for text that is upright in it.
                text.runsVertically == vertical
                    || !other.contains { $0.runsVertically == text.runsVertically && $0.covers(text) }
            }
        }
        return kept(turned, against: upright, vertical: true) + kept(upright, against: turned, vertical: false)
    }

    /// - Parameter scale: pixels of the photo per pixel of the picture.
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

/// An area with text that has not been read yet.
package struct DetectedText: Sendable {
    /// In pixels of the full-size photo, corners in reading order; the direction may be the opposite one.
    package var quad: Quad
    /// Mean probability of the area, 0...1.
    package var score: Double
    /// The rotation of the photo in the pass that found the area.
    package var look: QuarterTurn

    package init(quad: Quad, score: Double, look: QuarterTurn) {
        self.quad = quad
        self.score = score
        self.look = look
    }

    /// Whether the text runs up or down the photo, judged by the angle of the long side, because the bounding box of
    /// a leaning spine is not reliable.
    package var runsVertically: Bool { ReadingDirection(angle: quad.angle).isVertical }

    /// Whether nearly all of the other area is inside this one.
    package func covers(_ other: DetectedText) -> Bool {
        guard quad.bounds.intersection(other.quad.bounds) != nil else { return false }
        let shared = Polygon.area(Polygon.intersection(quad.corners, other.quad.corners))
        return shared > 0.8 * other.quad.area
    }
}

extension Quad {
    /// The same area with its corners ordered so that the long side is read from left to right or, if it is closer to
    /// the vertical, from top to bottom.
    ///
    /// Expects a rectangle.
    package var readFromTopOrLeft: Quad {
        let alongSide = topLeft.distance(to: topRight) >= topLeft.distance(to: bottomLeft)
        let quad = alongSide ? self : Quad(topRight, bottomRight, bottomLeft, topLeft)
        // Corners in mirrored order would mirror the text.
        let a = quad.topRight - quad.topLeft
        let b = quad.bottomLeft - quad.topLeft
        let clockwise =
            a.x * b.y - a.y * b.x > 0 ? quad : Quad(quad.bottomLeft, quad.bottomRight, quad.topRight, quad.topLeft)
        let angle = clockwise.angle
        return angle > -45 && angle <= 135 ? clockwise : clockwise.turnedHalf
    }
}
