import Imaging
import Inference

/// Reads the text inside detected areas.
struct TextRecognizer: Sendable {
    /// Height of the pictures that the model was trained on.
    static let lineHeight = 48
    /// Longer lines are squeezed: 60 characters fit into it comfortably.
    static let maximumWidth = 2400

    /// Wider lines, in pixels, are not read in batches.
    private static let longLine = 800

    private let model: Model
    private let decoder: CTCDecoder
    /// Areas of similar width are read together; more at once gains little and pads more.
    private let batchSize = 4

    init(model: Model, decoder: CTCDecoder) {
        self.model = model
        self.decoder = decoder
    }

    struct Reading: Sendable {
        var text: String
        var score: Double
    }

    /// Reads the content of each quad along its reading direction, in the order given.
    func read(_ quads: [Quad], in photo: ImagePyramid) throws -> [Reading] {
        try read(
            quads.map { quad in
                let width = Double(Self.lineHeight) * quad.length / max(1, quad.height)
                return photo.warped(
                    quad,
                    to: PixelSize(
                        width: Int(width.rounded()).clamped(to: 16...Self.maximumWidth), height: Self.lineHeight))
            })
    }

    /// Reads pictures of lines, each `lineHeight` high.
    func read(_ lines: [RGBImage]) throws -> [Reading] {
        var readings = [Reading](repeating: Reading(text: "", score: 0), count: lines.count)
        let order = lines.indices.sorted { lines[$0].width < lines[$1].width }
        var start = 0
        while start < order.count {
            try Task.checkCancellation()
            // Long lines are read alone: the probabilities of a batch take 60 kB a step of 8 pixels.
            let longest = lines[order[min(start + batchSize, order.count) - 1]].width
            let size = longest > Self.longLine ? 1 : batchSize
            let batch = order[start..<min(start + size, order.count)]
            start = batch.endIndex
            let results = try model.run(Self.tensor(of: batch.map { lines[$0] })) { output in
                let (steps, classes) = (output.shape[1], output.shape[2])
                return (0..<batch.count).map { item in
                    let rows = output.values[(item * steps * classes)..<((item + 1) * steps * classes)]
                    let (text, score) = decoder.decode(
                        UnsafeBufferPointer(rebasing: rows), steps: steps, classes: classes)
                    return Reading(text: text, score: score)
                }
            }
            for (index, reading) in zip(batch, results) { readings[index] = reading }
        }
        return readings
    }

    /// Shape [lines, 3, 48, width], blue before green before red, -1...1; shorter lines are padded with 0, and
    /// the width is a multiple of 32.
    private static func tensor(of lines: [RGBImage]) -> Tensor {
        let width = ((lines.map(\.width).max() ?? 32) + 31) / 32 * 32
        let plane = width * lineHeight
        var values = [Float](repeating: 0, count: lines.count * 3 * plane)
        for (index, line) in lines.enumerated() {
            line.samples.withUnsafeBufferPointer { input in
                var i = 0
                for y in 0..<min(lineHeight, line.height) {
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
