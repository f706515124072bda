import Foundation
import Imaging
import Reading
import ShelflistAPI
import SpineReading

// What servers and workers write to each other, as JSON. Numbers are exact: a photo that a worker read has the books that
// the server would have found.

/// How a photo is to be read.
struct TextRequestMessage: Codable {
    var preprocessing: String
    var maxBytes: Int
    var maxPixels: Int
    var maxSide: Int
    var maxAspect: Int
    var reportsSpines: Bool

    init(_ request: TextRequest) {
        preprocessing = request.preprocessing.rawValue
        maxBytes = request.limits.maxBytes
        maxPixels = request.limits.maxPixels
        maxSide = request.limits.maxSide
        maxAspect = request.limits.maxAspect
        reportsSpines = request.reportsSpines
    }

    /// - Throws: `WorkQueueError.notUnderstood`.
    func request() throws -> TextRequest {
        guard let preprocessing = PreprocessingMode(rawValue: preprocessing), maxBytes > 0, maxPixels > 0, maxSide > 0,
            maxAspect > 0
        else { throw WorkQueueError.notUnderstood("a request") }
        // A worker's own limits hold as well.
        let most = PhotoLimits(maxBytes: 200_000_000)
        return TextRequest(
            preprocessing: preprocessing,
            limits: PhotoLimits(
                maxBytes: min(maxBytes, most.maxBytes), maxPixels: min(maxPixels, most.maxPixels),
                maxSide: min(maxSide, most.maxSide), maxAspect: min(maxAspect, most.maxAspect)),
            reportsSpines: reportsSpines)
    }
}

/// What was read in a photo.
struct PhotoTextMessage: Codable {
    struct Line: Codable {
        var text: String
        var score: Double
        /// Eight numbers, x and y of the corners from top left clockwise.
        var quad: [Double]
    }

    /// More than the text of any photo, so that a damaged result cannot occupy the server.
    private static let mostLines = 20_000

    var originalWidth: Int
    var originalHeight: Int
    var width: Int
    var height: Int
    var turn: QuarterTurn
    var lines: [Line]
    var quality: PhotoQuality
    var filters: AppliedFilters?
    var decodeSeconds: Double
    var detectionSeconds: Double
    var recognitionSeconds: Double
    var seconds: Double

    init(_ text: PhotoText) {
        originalWidth = text.originalSize.width
        originalHeight = text.originalSize.height
        width = text.size.width
        height = text.size.height
        turn = text.shelf.turn
        lines = text.shelf.lines.map { line in
            Line(text: line.text, score: line.score, quad: line.quad.corners.flatMap { [$0.x, $0.y] })
        }
        quality = text.quality
        filters = text.filters
        decodeSeconds = text.decodeSeconds
        detectionSeconds = text.shelf.detectionSeconds
        recognitionSeconds = text.shelf.recognitionSeconds
        seconds = text.seconds
    }

    /// - Throws: `WorkQueueError.notUnderstood`.
    func text() throws -> PhotoText {
        let sizes = [originalWidth, originalHeight, width, height]
        guard sizes.allSatisfy({ (1...1_000_000).contains($0) }), lines.count <= Self.mostLines,
            lines.allSatisfy({ $0.quad.count == 8 && $0.quad.allSatisfy(\.isFinite) && $0.score.isFinite })
        else { throw WorkQueueError.notUnderstood("a result") }
        let lines = lines.map { line in
            let points = (0..<4).map { PixelPoint(x: line.quad[2 * $0], y: line.quad[2 * $0 + 1]) }
            return TextLine(
                text: line.text, score: line.score, quad: Quad(points[0], points[1], points[2], points[3]))
        }
        return PhotoText(
            originalSize: PixelSize(width: originalWidth, height: originalHeight),
            size: PixelSize(width: width, height: height),
            shelf: ReadShelf(
                lines: lines, turn: turn, detectionSeconds: detectionSeconds, recognitionSeconds: recognitionSeconds),
            quality: quality, filters: filters, decodeSeconds: decodeSeconds, seconds: seconds)
    }
}

/// Why a photo could not be read.
struct FailureMessage: Codable {
    /// An `ImageError`'s; nil for other errors.
    var code: ImageError.Code?
    var message: String

    init(_ error: any Error) {
        if let error = error as? ImageError {
            (code, message) = (error.code, error.message)
        } else {
            message = "\(error)"
        }
    }

    var error: any Error { code.map { ImageError($0, message) } ?? WorkerError(description: message) }
}

/// A failure on a worker.
struct WorkerError: Error, CustomStringConvertible {
    let description: String
}

/// What a worker reports while it reads a photo; one of the three.
struct ProgressMessage: Codable {
    var stage: String?
    var spines: [SpineOutline]?
    var text: Double?

    init(_ progress: ReadingProgress) {
        switch progress {
        case .stage(let stage): self.stage = stage.rawValue
        case .spines(let spines): self.spines = spines
        case .text(let share): text = share
        }
    }

    /// Nil for a report that this program does not know.
    var progress: ReadingProgress? {
        if let stage = stage.flatMap(ScanStage.init) { return .stage(stage) }
        if let spines { return .spines(spines) }
        return text.map { .text($0) }
    }
}

extension Encodable {
    /// As JSON, the same for the same values: requests are part of the photos' keys.
    func message() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return [UInt8](try encoder.encode(self))
    }
}

extension Decodable {
    /// - Parameter part: names the message in the error.
    /// - Throws: `WorkQueueError.notUnderstood`.
    init(message: [UInt8], _ part: String) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(message))
        } catch {
            throw WorkQueueError.notUnderstood(part)
        }
    }
}
