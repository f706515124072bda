import Concurrency
import Foundation
package import Imaging
import Inference
import ShelflistAPI

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

    /// - Parameters:
    ///   - concurrentPhotos: the number of photos that will be processed concurrently.
    ///   - threads: processor threads for each photo.
    ///   - kept: where compiled networks are kept for the next process; `nil` for nowhere.
    init(contentsOf file: URL, concurrentPhotos: Int, threads: Int, keptIn kept: CompiledNetworks?) {
        models = ModelCache(contentsOf: file, capacity: 2, keptIn: kept)
        frameModels = ModelCache(contentsOf: file, capacity: 2, keptIn: kept)
        self.concurrentPhotos = concurrentPhotos
        self.threads = threads
    }

    /// Returns the text areas in pixels of the full-size photo.
    ///
    /// Corners follow the likelier reading direction: left to right, or top to bottom; the other one is possible.
    func detect(in photo: ImagePyramid, detail: DetectionCanvas.Detail = .photo) async throws -> [Quad] {
        let picture = photo.fitted(longSide: detail.longSide)
        // Pixels of the photo per pixel of the picture.
        let scale = Double(photo.size.longSide) / Double(picture.size.longSide)
        let looks = try await [QuarterTurn.threeQuarters, .none].map(maxConcurrent: min(2, threads)) { turn in
            let image = picture.turned(turn)
            let canvas = DetectionCanvas(for: image.size, detail: detail)
            let model = try model(for: canvas)
            // The text is read without what the layers keep.
            defer { if detail == .photo { model.releaseMemory() } }
            return try await model.run(canvas.tensor(of: image)) { map in
                postProcessing.areas(
                    in: ProbabilityMap(values: map.values, stride: map.shape[3], size: image.size)
                ).map { area in
                    area.quad.map { turn.inverse.apply(to: $0, in: image.size) * scale }.readFromTopOrLeft
                }
            }
        }
        return Self.merged(turned: looks[0], upright: looks[1])
    }

    /// The two passes over a photo share its threads; for a square they also share the model and run one after the
    /// other.
    func model(for canvas: DetectionCanvas) throws -> Model {
        let looksAtOnce = canvas.isSquare ? 1 : min(2, threads)
        return try (canvas.detail == .photo ? models : frameModels).model(
            for: canvas.shape,
            budget: ComputeBudget(streams: concurrentPhotos, threads: threads / looksAtOnce * concurrentPhotos))
    }

    /// Merges both passes: of areas that both found, the rotated pass's is kept for vertical text and the upright
    /// pass's for horizontal text.
    package static func merged(turned: [Quad], upright: [Quad]) -> [Quad] {
        func kept(_ own: [Quad], against other: [Quad], vertical: Bool) -> [Quad] {
            own.filter { text in
                // Each pass is more accurate for text that is upright in it.
                text.runsVertically == vertical
                    || !other.contains { $0.runsVertically == text.runsVertically && $0.covers(text) }
            }
        }
        return kept(turned, against: upright, vertical: true) + kept(upright, against: turned, vertical: false)
    }
}

extension Quad {
    /// Whether the text runs up or down the photo, judged by the angle of the long side, because the bounding box of
    /// a leaning spine is not reliable.
    package var runsVertically: Bool { ReadingDirection(angle: angle).isVertical }

    /// Whether nearly all of the other area is inside this one.
    fileprivate func covers(_ other: Quad) -> Bool { sharedArea(with: other) ?? 0 > 0.8 * other.area }

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
