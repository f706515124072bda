import Bounds
import Concurrency
import Foundation
import Imaging
import Inference

/// The text of a line's picture.
struct RecognizedText: Hashable, Sendable {
    var text = ""
    /// Mean probability of the characters, 0...1.
    var score = 0.0
    /// One between each two words.
    var spaces: [WordSpace] = []
}

/// Reads the text inside detected areas.
struct TextRecognizer: Sendable {
    /// The height of the model's training pictures.
    static let lineHeight = 48
    /// Longer lines are squeezed; 60 characters fit comfortably.
    static let maximumWidth = 2400

    /// Maximum width of a batch in pixels: the probabilities take 75 kB per 8 pixels.
    private static let batchWidth = 1200

    /// Areas of similar width are batched; larger batches gain little and need more padding.
    private static let batchSize = 4

    private let model: Model
    private let decoder: CTCDecoder
    /// The number of batches processed concurrently.
    private let workers: Int

    /// - Parameters:
    ///   - model: the loaded model.
    ///   - file: of the model, which contains its characters.
    /// - Throws: `InferenceError` if it contains none; a Foundation error if it cannot be read.
    init(_ model: Model, contentsOf file: URL, workers: Int) throws {
        guard let characters = try ModelMetadata.value(of: "character", in: file) else {
            throw InferenceError(action: "load \(file.path)", reason: "it contains no character list")
        }
        self.model = model
        self.workers = workers
        decoder = CTCDecoder(characterList: characters)
    }

    /// Reads the content of each quad along its reading direction; results are in the same order.
    ///
    /// - Parameter progress: receives the number of quads read so far.
    func read(
        _ quads: [Quad], in photo: ImagePyramid, progress: (Int) -> Void = { _ in }
    ) async throws -> [RecognizedText] {
        let sizes = quads.map { quad in
            let width = Double(Self.lineHeight) * quad.length / max(1, quad.height)
            return PixelSize(
                width: Int(saturating: width.rounded()).clamped(to: 16...Self.maximumWidth), height: Self.lineHeight)
        }
        return try await read(widths: sizes.map(\.width), progress: progress) {
            photo.warped(quads[$0], to: sizes[$0])
        }
    }

    /// Reads pictures of lines, each `lineHeight` high.
    func read(_ lines: [RGBImage]) async throws -> [RecognizedText] {
        try await read(widths: lines.map(\.width)) { lines[$0] }
    }

    /// Runs one thread per batch and as many batches as there are workers, because small networks gain more from this
    /// than from several threads per batch.
    private func read(
        widths: [Int], progress: (Int) -> Void = { _ in }, picture: @escaping @Sendable (Int) -> RGBImage
    ) async throws -> [RecognizedText] {
        let batches = batches(of: widths)
        let lines = try await batches.map(
            maxConcurrent: workers,
            onProgress: { progress(widths.count * $0 / batches.count) },
            { try await read(batch: $0.map(picture)) })
        var readings = [RecognizedText](repeating: RecognizedText(), count: widths.count)
        for (index, reading) in zip(batches.joined(), lines.joined()) { readings[index] = reading }
        return readings
    }

    /// Groups lines of similar width, widest first, so that the workers finish at about the same time.
    private func batches(of widths: [Int]) -> [[Int]] {
        var batches: [[Int]] = []
        for index in widths.indices.sorted(by: { (widths[$0], $1) > (widths[$1], $0) }) {
            if let last = batches.last, let widest = last.first, last.count < Self.batchSize,
                widths[widest] * (last.count + 1) <= Self.batchWidth
            {
                batches[batches.endIndex - 1].append(index)
            } else {
                batches.append([index])
            }
        }
        return batches
    }

    private func read(batch lines: [RGBImage]) async throws -> [RecognizedText] {
        let tensor = Self.tensor(of: lines)
        return try await model.run(tensor) { output in
            let (steps, classes) = (output.shape[1], output.shape[2])
            let stepWidth = Double(tensor.shape[3]) / Double(max(1, steps))
            return lines.indices.map { item in
                let rows = output.values[(item * steps * classes)..<((item + 1) * steps * classes)]
                let (text, score, words) = decoder.decode(
                    UnsafeBufferPointer(rebasing: rows), steps: steps, classes: classes)
                let places = words.map { $0.map { (Double($0) + 0.5) * stepWidth } }
                return RecognizedText(
                    text: text, score: score, spaces: WordSpace.spaces(of: text, at: places, in: lines[item]))
            }
        }
    }

    /// Shape [lines, 3, 48, width], BGR planes, -1...1; shorter lines are padded with 0, and the width is a multiple
    /// of 32.
    private static func tensor(of lines: [RGBImage]) -> Tensor {
        let width = ((lines.map(\.width).max() ?? 32) + 31) / 32 * 32
        let plane = width * lineHeight
        var values = [Float](repeating: 0, count: lines.count * 3 * plane)
        for (index, line) in lines.enumerated() {
            line.samples.withUnsafeBufferPointer { input in
                var i = 0
                for y in Range(from: 0, upTo: min(lineHeight, line.height)) {
                    var o = index * 3 * plane + y * width
                    for _ in 0..<line.width {
                        values[o] = Float(input[i + 2]) * (2 / 255) - 1
                        values[o + plane] = Float(input[i + 1]) * (2 / 255) - 1
                        values[o + 2 * plane] = Float(input[i]) * (2 / 255) - 1
                        i += 3
                        o += 1
                    }
                }
            }
        }
        return Tensor(shape: [lines.count, 3, lineHeight, width], values: values)
    }
}
