import Bounds
import Concurrency
package import Foundation
package import Imaging
package import Inference
import ShelflistAPI

/// The lines read in one photo.
package struct ReadShelf: Codable, Sendable {
    /// In no particular order; those of unknown letters without text.
    package var lines: [TextLine]
    /// The letters of lines without text; nil where all letters are known.
    package var unknownLetters: UnknownLetters?
    /// The clockwise rotation that turns the shelf upright.
    package var turn: QuarterTurn
    /// The edges in the photo; `nil` if only text is known, as where another machine read it.
    package var edges: ShelfEdges?
    /// Seconds that detection and recognition took.
    package var detectionSeconds: Double
    package var recognitionSeconds: Double

    package init(
        lines: [TextLine], unknownLetters: UnknownLetters? = nil, turn: QuarterTurn = .none, edges: ShelfEdges? = nil,
        detectionSeconds: Double = 0, recognitionSeconds: Double = 0
    ) {
        (self.lines, self.unknownLetters, self.turn) = (lines, unknownLetters, turn)
        (self.edges, self.detectionSeconds, self.recognitionSeconds) = (edges, detectionSeconds, recognitionSeconds)
    }

    private enum CodingKeys: CodingKey {
        case lines, unknownLetters, turn, detectionSeconds, recognitionSeconds
    }
}

/// Reads spines on this machine with text detectors and text recognisers of the PP-OCR family.
package struct LocalReader: Sendable {
    private let detector: TextDetector
    private let lines: LoadedOnce<LineReader>

    /// The models are loaded when a photo needs them, or by `prepare()`.
    ///
    /// - Parameters:
    ///   - models: the folder with the files of the precision.
    ///   - kept: where compiled networks are kept for the next process; `nil` for nowhere.
    ///   - scripts: the data of the scripts that the models lack.
    ///   - concurrentPhotos: the number of photos that will be read concurrently.
    ///   - threads: processor threads for each photo.
    package init(
        models: URL, precision: ReadingPrecision = .native, keptIn kept: CompiledNetworks? = nil,
        scripts: ScriptData = .none,
        concurrentPhotos: Int, threads: Int
    ) {
        detector = TextDetector(
            models: models, precision: precision, concurrentPhotos: concurrentPhotos, threads: threads, keptIn: kept)
        let workers = concurrentPhotos * threads
        @Sendable func recognizer(_ name: String) throws -> TextRecognizer {
            let file = models.appending(path: name)
            let budget = ComputeBudget(streams: workers, threads: workers)
            return try TextRecognizer(
                Model(contentsOf: file, budget: budget, floats: precision.floats, keptIn: kept), contentsOf: file,
                workers: threads)
        }
        lines = LoadedOnce {
            let thorough = try recognizer(precision.recognizer)
            return LineReader(
                quick: try recognizer(ReadingPrecision.tinyRecognizer), thorough: thorough,
                complete: precision == .int8
                    ? LoadedOnce { try recognizer(ReadingPrecision.native.recognizer) } : LoadedOnce { thorough },
                scripts: ScriptReader(scripts, workers: threads))
        }
    }

    /// Loads the models for photos of usual proportions, which takes up to a second, so that the first photo does not wait
    /// for them.
    ///
    /// - Throws: `InferenceError` if a model is missing or damaged.
    package func prepare() throws {
        let loadsLines = { @Sendable () throws -> Void in _ = try lines.value() }
        _ = try ([loadsLines] + detector.preparations()).concurrentMap { try $0() }
    }

    /// Reads all text in a photo.
    ///
    /// Blocks the calling thread for a second or two; stops in the middle of a step when the task is cancelled.
    ///
    /// - Parameters:
    ///   - detected: receives the outlines of detected text, in pixels of the photo, before it is read.
    ///   - progress: receives the share of the text that was read, 0...1; the unclear parts are read again after that.
    /// - Throws: `InferenceError`, `CancellationError`.
    package func read(
        _ photo: ImagePyramid, detected report: ([Quad]) -> Void = { _ in }, progress: (Double) -> Void = { _ in }
    ) async throws -> ReadShelf {
        let clock = ContinuousClock()
        let start = clock.now
        let text = try await detector.detect(in: photo)
        try Task.checkCancellation()
        let detected = clock.now
        report(text.areas)
        let (lines, unknown) = try await lines.value().read(text, in: photo, progress: progress)
        let turn = PhotoTurn.estimate(from: lines)
        return ReadShelf(
            lines: lines, unknownLetters: unknown, turn: turn, edges: ShelfEdges(of: photo, turn: turn),
            detectionSeconds: (detected - start) / .seconds(1),
            recognitionSeconds: (clock.now - detected) / .seconds(1))
    }

    /// Detects text in a viewfinder's frame, in pixels of it, without reading it.
    ///
    /// Blocks the calling thread for a tenth of a second or two.
    ///
    /// - Throws: `InferenceError`, `CancellationError`.
    package func outline(_ frame: ImagePyramid) async throws -> [Quad] { try await detector.detect(inFrame: frame) }
}
