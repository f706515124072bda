import Bounds
import CTesseract
import Concurrency
import Foundation
import Imaging
import Inference
import ShelflistAPI
import Synchronization

/// Reads lines in the letters of one script with Tesseract.
struct ScriptRecognizer: Sendable {
    /// The line's height in pixels at which most titles of four shelves in Russian were read.
    static let lineHeight = 48
    /// Longer lines are squeezed.
    private static let maximumWidth = 2400
    /// Pixels around a line, in which its border is repeated: letters that touch the border are not read.
    private static let margin = 8
    /// Each recogniser holds its own copy of the data, up to 56 MB, which takes as long to load as to read several lines.
    private static let (mostRecognizers, linesForEach) = (4, 8)

    let script: LetterScript
    private let recognizers: Recognizers

    init(_ script: LetterScript, data: URL) {
        self.script = script
        recognizers = Recognizers(data)
    }

    /// Reads the content of each quad along its reading direction; results are in the same order.
    ///
    /// - Parameter height: of the line as it is read, in pixels.
    /// - Throws: `InferenceError` where the data are damaged, `CancellationError`.
    func read(
        _ quads: [Quad], height: Int = lineHeight, in photo: ImagePyramid, workers: Int
    ) async throws -> [ReadText] {
        try await read(count: quads.count, workers: workers) {
            Self.picture(of: quads[$0], height: height, in: photo)
        }
    }

    /// Reads pictures of lines, each `TextRecognizer.lineHeight` high.
    func read(_ pictures: [RGBImage], workers: Int) async throws -> [ReadText] {
        try await read(count: pictures.count, workers: workers) {
            GrayImage(lumaOf: pictures[$0]).bordered(by: Self.margin)
        }
    }

    private func read(
        count: Int, workers: Int, picture: @escaping @Sendable (Int) -> GrayImage
    ) async throws -> [ReadText] {
        let needed = (count + Self.linesForEach - 1) / Self.linesForEach
        return try await Array(0..<count).map(maxConcurrent: min(workers, Self.mostRecognizers, max(1, needed))) {
            try recognizers.read(picture($0))
        }
    }

    private static func picture(of quad: Quad, height: Int, in photo: ImagePyramid) -> GrayImage {
        let width = Int(saturating: (Double(height) * quad.length / max(1, quad.height)).rounded())
            .clamped(to: ClosedRange(ordered: 16, maximumWidth))
        return GrayImage(lumaOf: photo.warped(quad, to: PixelSize(width: width, height: height))).bordered(by: margin)
    }
}

extension GrayImage {
    /// Returns the picture with its border repeated on all sides.
    fileprivate func bordered(by margin: Int) -> GrayImage {
        let size = PixelSize(width: width + 2 * margin, height: height + 2 * margin)
        let samples = [UInt8](unsafeUninitializedCapacity: size.area) { output, count in
            for y in 0..<size.height {
                let row = (y - margin).clamped(to: ClosedRange(ordered: 0, height - 1)) * width
                for x in 0..<size.width {
                    output[y * size.width + x] =
                        self.samples[row + (x - margin).clamped(to: ClosedRange(ordered: 0, width - 1))]
                }
            }
            count = size.area
        }
        return GrayImage(size: size, samples: samples)
    }
}

/// The recognisers for one file of data, as many as are used at once.
private final class Recognizers: Sendable {
    private let folder: String
    private let name: String
    private let free = Mutex<[Recognizer]>([])

    init(_ data: URL) {
        folder = data.deletingLastPathComponent().path
        name = data.deletingPathExtension().lastPathComponent
    }

    func read(_ picture: GrayImage) throws -> ReadText {
        let recognizer = try free.withLock { $0.popLast() } ?? Recognizer(folder: folder, name: name)
        defer { free.withLock { $0.append(recognizer) } }
        return recognizer.read(picture)
    }
}

/// One recogniser of the library.
///
/// `@unchecked Sendable`: the library allows any thread, one at a time, and `Recognizers` lends it to one.
private final class Recognizer: @unchecked Sendable {
    private let handle: OpaquePointer

    /// - Throws: `InferenceError` where the data cannot be loaded.
    init(folder: String, name: String) throws {
        guard let handle = shelf_tess_create(folder, name) else {
            throw InferenceError(
                action: "load \(folder)/\(name).traineddata",
                reason: "Tesseract does not accept it; install its package again")
        }
        self.handle = handle
    }

    deinit { shelf_tess_delete(handle) }

    func read(_ picture: GrayImage) -> ReadText {
        var confidence: Int32 = 0
        let text = picture.samples.withUnsafeBufferPointer {
            shelf_tess_read(
                handle, $0.baseAddress, Int32(clamping: picture.width), Int32(clamping: picture.height), &confidence)
        }
        guard let text else { return ReadText(text: "", score: 0) }
        defer { shelf_tess_free(text) }
        // Greek data have the micro sign in place of the letter.
        let line = String(cString: text).replacing(scalar: "\u{B5}", with: "μ").split(whereSeparator: \.isWhitespace)
            .joined(
                separator: " ")
        return ReadText(text: line, score: Double(confidence).clamped(to: 0...100) / 100)
    }
}
