import Foundation
package import Imaging
import Inference
import ShelflistAPI

/// The text areas of a photo, in pixels of it.
///
/// Corners follow the likelier reading direction: left to right, or top to bottom; the other one is possible.
package struct DetectedText: Sendable {
    /// What was found in the photo rotated by 90 degrees.
    package var turned: [Quad]
    /// What was found in the photo as it is.
    package var upright: [Quad]

    package init(turned: [Quad], upright: [Quad]) { (self.turned, self.upright) = (turned, upright) }

    package var areas: [Quad] { turned + upright }

    /// Drops what both looks found: the turned look's area stays for vertical text and the upright look's for horizontal
    /// text.
    package var withoutDuplicates: DetectedText {
        func kept(_ own: [Quad], against other: [Quad], vertical: Bool) -> [Quad] {
            own.filter { text in
                // Each look is more accurate for text that is upright in it.
                text.runsVertically == vertical
                    || !other.contains { $0.runsVertically == text.runsVertically && $0.covers(text) }
            }
        }
        return DetectedText(
            turned: kept(turned, against: upright, vertical: true),
            upright: kept(upright, against: turned, vertical: false))
    }
}

/// Detects text in a photo.
///
/// Detectors are trained on upright text, and most spines are not, so the photo is looked at twice: as it is, by a tiny
/// network, and then rotated by 90 degrees, by a larger one. Each look contributes the text that is upright in it. A photo
/// with much small horizontal text is looked at by the larger network in both directions.
package struct TextDetector: Sendable {
    /// The shapes of each network that stay compiled: of photos and frames in both orientations.
    private static let shapes = 4

    private let tiny: ModelCache
    private let small: ModelCache
    private let budget: ComputeBudget

    /// - Parameters:
    ///   - models: the folder with the models.
    ///   - precision: of the larger network.
    ///   - concurrentPhotos: the number of photos that will be processed concurrently.
    ///   - threads: processor threads for each photo.
    ///   - kept: where compiled networks are kept for the next process; `nil` for nowhere.
    init(models: URL, precision: ReadingPrecision, concurrentPhotos: Int, threads: Int, keptIn kept: CompiledNetworks?)
    {
        func cache(_ name: String) -> ModelCache {
            ModelCache(
                contentsOf: models.appending(path: name), capacity: Self.shapes, floats: precision.floats, keptIn: kept)
        }
        tiny = cache(ReadingPrecision.tinyDetector)
        small = cache(precision.detector)
        budget = ComputeBudget(streams: concurrentPhotos, threads: threads * concurrentPhotos)
    }

    /// Returns the text areas of a photo.
    func detect(in photo: ImagePyramid) async throws -> DetectedText {
        let first = try await look(at: photo, turn: .none, with: tiny, longSide: LookSize.upright)
        let upright =
            LookSize.needsFineUpright(after: first, in: photo.size)
            ? try await look(at: photo, turn: .none, with: small, longSide: LookSize.fine) : first
        let side = LookSize.turned(after: first, in: photo.size)
        let turned = try await look(at: photo, turn: .threeQuarters, with: small, longSide: side)
        return DetectedText(turned: turned, upright: upright).withoutDuplicates
    }

    /// Returns the text areas of a viewfinder's frame, in a quarter of the time or less.
    func detect(inFrame frame: ImagePyramid) async throws -> [Quad] {
        let upright = try await look(
            at: frame, turn: .none, with: tiny, longSide: LookSize.frame, keepsMemory: true)
        let turned = try await look(
            at: frame, turn: .threeQuarters, with: small, longSide: LookSize.frame, keepsMemory: true)
        return DetectedText(turned: turned, upright: upright).withoutDuplicates.areas
    }

    private func look(
        at photo: ImagePyramid, turn: QuarterTurn, with models: ModelCache, longSide: Int, keepsMemory: Bool = false
    ) async throws -> [Quad] {
        let picture = photo.fitted(longSide: longSide)
        // Pixels of the photo per pixel of the picture.
        let scale = Double(photo.size.longSide) / Double(picture.size.longSide)
        let image = picture.turned(turn)
        let canvas = DetectionCanvas(for: image.size, longSide: longSide)
        let model = try models.model(for: canvas.shape, budget: budget)
        // The text is read without what the layers keep; another frame follows soon.
        defer { if !keepsMemory { model.releaseMemory() } }
        var postProcessing = DBPostProcessing()
        postProcessing.inset = LookSize.inset(of: longSide)
        return try await model.run(canvas.tensor(of: image)) { map in
            postProcessing.areas(
                in: ProbabilityMap(values: map.values, stride: map.shape[3], size: image.size)
            ).map { area in
                area.quad.map { turn.inverse.apply(to: $0, in: image.size) * scale }.readFromTopOrLeft
            }
        }
    }

    /// Compiles the networks for photos of usual proportions in advance, so that the first photo does not wait for them.
    ///
    /// - Returns: one piece of work for each network.
    func preparations() -> [@Sendable () throws -> Void] {
        [(tiny, LookSize.upright), (small, LookSize.fine)].flatMap { models, side in
            [PixelSize(width: side, height: 1), PixelSize(width: 1, height: side)].map { picture in
                { @Sendable in
                    _ = try models.model(for: DetectionCanvas(for: picture, longSide: side).shape, budget: budget)
                }
            }
        }
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
