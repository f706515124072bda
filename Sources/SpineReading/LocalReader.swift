import Bounds
import Concurrency
package import Foundation
package import Imaging
package import Inference
import ShelflistAPI

/// The lines read in one photo.
package struct ReadShelf: Codable, Sendable {
    /// In no particular order.
    package var lines: [TextLine]
    /// The clockwise rotation that turns the shelf upright.
    package var turn: QuarterTurn
    /// The edges in the photo; `nil` if only text is known, as where another machine read it.
    package var edges: ShelfEdges?
    /// Seconds that detection and recognition took.
    package var detectionSeconds: Double
    package var recognitionSeconds: Double

    package init(
        lines: [TextLine], turn: QuarterTurn = .none, edges: ShelfEdges? = nil, detectionSeconds: Double = 0,
        recognitionSeconds: Double = 0
    ) {
        (self.lines, self.turn) = (lines, turn)
        (self.edges, self.detectionSeconds, self.recognitionSeconds) = (edges, detectionSeconds, recognitionSeconds)
    }

    private enum CodingKeys: CodingKey { case lines, turn, detectionSeconds, recognitionSeconds }
}

/// Reads spines on this machine with a text detector and a text recogniser of the PP-OCR family.
package struct LocalReader: Sendable {
    /// Text below this score is also read in the opposite direction.
    private static let sureScore = 0.85
    /// Text of the quick recogniser is read again below this score.
    ///
    /// At 0.98 the lines and books of the benchmark photos are those of the other recogniser alone; at 0.95 and 0.90 up to
    /// two fewer are found (docs/decisions/0023-faster-reading.md).
    private static let certainScore = 0.98
    /// Text below this score is noise.
    private static let minimumScore = 0.3
    /// Tall areas that score less than this in both directions are also read as stacked letters.
    private static let stackedBelow = 0.8
    /// The number of long lines that decide the direction in which a shelf's spines run.
    private static let sampleSize = 6
    /// The minimum gain in score for the opposite direction to win.
    private static let turnGain = 0.02

    private let detector: TextDetector
    /// Reads all lines, in a quarter of the time.
    private let quick: TextRecognizer
    /// Reads the lines of which `quick` is not certain.
    private let recognizer: TextRecognizer

    /// Loads the models from a folder that contains `detection.onnx`, `recognition-tiny.onnx` and the recogniser of each
    /// precision.
    ///
    /// - Parameters:
    ///   - precision: in which lines are recognised.
    ///   - kept: where compiled networks are kept for the next process; `nil` for nowhere.
    ///   - concurrentPhotos: the number of photos that will be read concurrently.
    ///   - threads: processor threads for each photo.
    /// - Throws: `InferenceError` if a model is missing or damaged.
    package init(
        models: URL, precision: RecognitionPrecision = .native, keptIn kept: CompiledNetworks? = nil,
        concurrentPhotos: Int, threads: Int
    ) throws {
        let detector = TextDetector(
            contentsOf: models.appending(path: "detection.onnx"), concurrentPhotos: concurrentPhotos, threads: threads,
            keptIn: kept)
        let recognition = [precision.file, "recognition-tiny.onnx"].map { models.appending(path: $0) }
        let workers = concurrentPhotos * threads
        // The detector's models for the usual photo size are compiled in advance, so that the first photo does not wait
        // for them.
        let loads: [@Sendable () throws -> Model] =
            [PixelSize(width: 1920, height: 1440), PixelSize(width: 1440, height: 1920)].map {
                size -> @Sendable () throws -> Model in
                { try detector.model(for: DetectionCanvas(for: size)) }
            }
            + recognition.map { file -> @Sendable () throws -> Model in
                {
                    try Model(
                        contentsOf: file, budget: ComputeBudget(streams: workers, threads: workers), keptIn: kept)
                }
            }
        let loaded = try loads.concurrentMap { try $0() }
        self.detector = detector
        recognizer = try TextRecognizer(loaded[2], contentsOf: recognition[0], workers: threads)
        quick = try TextRecognizer(loaded[3], contentsOf: recognition[1], workers: threads)
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
        let areas = try await detector.detect(in: photo)
        try Task.checkCancellation()
        let detected = clock.now
        report(areas)
        let lines = try await recognise(areas, in: photo) { progress(Double($0) / Double(areas.count)) }
        let turn = PhotoTurn.estimate(from: lines)
        return ReadShelf(
            lines: lines, turn: turn, edges: ShelfEdges(of: photo, turn: turn),
            detectionSeconds: (detected - start) / .seconds(1),
            recognitionSeconds: (clock.now - detected) / .seconds(1))
    }

    /// Detects text in a viewfinder's frame, in pixels of it, without reading it.
    ///
    /// Blocks the calling thread for a tenth of a second or two.
    ///
    /// - Throws: `InferenceError`, `CancellationError`.
    package func outline(_ frame: ImagePyramid) async throws -> [Quad] {
        try await detector.detect(in: frame, detail: .frame)
    }

    private func recognise(
        _ areas: [Quad], in photo: ImagePyramid, progress: (Int) -> Void
    ) async throws -> [TextLine] {
        var lines = try await readFirst(areas, in: photo, progress: progress)
        try await readTurned(Array(lines.indices), of: &lines, with: quick, in: photo)
        let doubtful = lines.indices.filter { !Self.isCertain(lines[$0]) }
        let quads = doubtful.map { lines[$0].quad }
        for (index, reading) in zip(doubtful, try await recognizer.read(quads, in: photo)) {
            lines[index].text = reading.text
            lines[index].score = reading.score
        }
        try await readTurned(doubtful, of: &lines, with: recognizer, in: photo)
        try await readStacked(&lines, areas, in: photo)
        let kept = lines.filter { $0.score >= Self.minimumScore && !$0.text.isEmpty }
        return OverlappingLines.resolved(kept)
    }

    /// Whether the quick recogniser's reading stands.
    ///
    /// It lacks Kana and many Han characters, so only Latin letters count: those up to U+017F, all of which it has.
    private static func isCertain(_ line: TextLine) -> Bool {
        line.score >= certainScore && line.text.unicodeScalars.allSatisfy { $0.value <= 0x17F }
    }

    /// Reads unsure lines in the opposite direction too, and keeps the better reading.
    private func readTurned(
        _ indices: [Int], of lines: inout [TextLine], with recognizer: TextRecognizer, in photo: ImagePyramid
    ) async throws {
        let unsure = indices.filter { lines[$0].score < Self.sureScore }
        let turned = unsure.map { lines[$0].quad.turnedHalf }
        for (index, reading) in zip(unsure, try await recognizer.read(turned, in: photo))
        where reading.score > lines[index].score + Self.turnGain {
            lines[index] = TextLine(text: reading.text, score: reading.score, quad: lines[index].quad.turnedHalf)
        }
    }

    /// Reads tall areas again as stacked letters if they scored low in both directions.
    private func readStacked(_ lines: inout [TextLine], _ areas: [Quad], in photo: ImagePyramid) async throws {
        var indices: [Int] = []
        var pictures: [RGBImage] = []
        for index in areas.indices where areas[index].runsVertically && lines[index].score < Self.stackedBelow {
            let quad = areas[index]
            guard quad.length > StackedLetters.minimumAspect * quad.height else { continue }
            // The area upright in the photo: its top is the start of the text that runs down.
            let upright = Quad(quad.bottomLeft, quad.topLeft, quad.topRight, quad.bottomRight)
            let width = TextRecognizer.lineHeight
            let height = min(
                TextRecognizer.maximumWidth, Int(saturating: Double(width) * quad.length / max(1, quad.height)))
            guard
                let line = StackedLetters.line(from: photo.warped(upright, to: PixelSize(width: width, height: height)))
            else { continue }
            indices.append(index)
            pictures.append(line)
        }
        for (index, reading) in zip(indices, try await recognizer.read(pictures))
        where reading.score > max(lines[index].score + Self.turnGain, 0.7) && reading.text.count >= 3 {
            lines[index] = TextLine(text: reading.text, score: reading.score, quad: areas[index])
        }
    }

    /// Reads each area in the likelier direction.
    ///
    /// Spines of one shelf mostly run the same way, up or down, so the longest areas are read first and decide which
    /// direction is tried first for the others.
    private func readFirst(
        _ areas: [Quad], in photo: ImagePyramid, progress: (Int) -> Void
    ) async throws -> [TextLine] {
        var quads = areas
        let vertical = areas.indices.filter { areas[$0].runsVertically }
        let sample = vertical.sorted { quads[$0].length > quads[$1].length }.prefix(Self.sampleSize)
        var readings: [Int: ReadText] = [:]
        if vertical.count >= 3 * Self.sampleSize {
            let down = try await quick.read(sample.map { quads[$0] }, in: photo)
            for (index, reading) in zip(sample, down) { readings[index] = reading }
            if down.filter({ $0.score < Self.sureScore }).count > sample.count / 2 {
                let up = try await quick.read(sample.map { quads[$0].turnedHalf }, in: photo)
                if up.reduce(0, { $0 + $1.score }) > down.reduce(0, { $0 + $1.score }) {
                    for index in vertical { quads[index] = quads[index].turnedHalf }
                    for (index, reading) in zip(sample, up) { readings[index] = reading }
                }
            }
        }
        let rest = areas.indices.filter { readings[$0] == nil }
        let known = readings.count
        let remaining = try await quick.read(rest.map { quads[$0] }, in: photo) { progress(known + $0) }
        for (index, reading) in zip(rest, remaining) { readings[index] = reading }
        return areas.indices.map { index in
            let reading = readings[index] ?? ReadText(text: "", score: 0)
            return TextLine(text: reading.text, score: reading.score, quad: quads[index])
        }
    }
}
