import Bounds
package import Imaging
package import Reading
import ShelflistAPI
import SpineReading

/// The ranges of what servers and workers write to each other: both are other machines, so that their numbers are checked
/// like those of a client.
///
/// Errors are `WorkQueueError.refused`, which names the field.
package enum MessageBounds {
    /// Of a result and of a report, in bytes, which the tables of the queue enforce: the text of a photo has 10 to 40 kB,
    /// and a report at most the outlines of 400 spines.
    package static let (resultBytes, reportBytes) = (4_000_000, 65_536)
    /// More than `LocalReader` reads in any photo.
    package static let mostLines = 3_000
    /// Of a line's text in UTF-8, in bytes: more than fits into the widest picture of a line.
    package static let lineBytes = 500
    static let mostSeconds = 86_400.0
    /// Of the message of a failure in UTF-8, in bytes.
    static let failureBytes = 500
    /// Of a photo that a server asks a worker to read.
    static let photo = PhotoLimits(maxBytes: 200_000_000)

    static let share = 0.0...1
}

extension PhotoText {
    private static let part = "a result"

    /// Reads the result of another machine.
    ///
    /// - Parameter limits: those with which the photo was to be read.
    /// - Throws: `WorkQueueError.notUnderstood`, `.refused`.
    package init(result: [UInt8], limits: PhotoLimits) throws {
        guard result.count <= MessageBounds.resultBytes else {
            throw WorkQueueError.refused(Self.part, field: "its length")
        }
        self = try PhotoText(message: result, Self.part)
        try check(limits.allow(originalSize), "originalSize")
        let isDecoded = size.width > 0 && size.height > 0 && size.longSide <= originalSize.longSide
        try check(isDecoded, "size")
        try check(shelf.lines.count <= MessageBounds.mostLines, "the number of lines")
        for (index, line) in shelf.lines.enumerated() {
            try check(line.text.utf8.count <= MessageBounds.lineBytes, "lines[\(index)].text")
            try check(MessageBounds.share.contains(line.score), "lines[\(index)].score")
            try check(line.quad.corners.allSatisfy { $0.isNear(size) }, "lines[\(index)].quad")
            try check(line.spaces?.count ?? 0 <= MessageBounds.lineBytes, "lines[\(index)].spaces")
            try check(line.spaces?.allSatisfy(\.isWithinBounds) ?? true, "lines[\(index)].spaces")
        }
        let seconds = [decodeSeconds, seconds, shelf.detectionSeconds, shelf.recognitionSeconds]
        try check(seconds.allSatisfy((0...MessageBounds.mostSeconds).contains), "seconds")
    }

    /// Checks that the text is of a photo that was decoded here.
    ///
    /// - Throws: `WorkQueueError.refused`.
    func check(against photo: MeasuredPhoto) throws {
        try check(originalSize == photo.originalSize, "originalSize")
        try check(size == photo.size, "size")
    }

    private func check(_ isRight: Bool, _ field: String) throws {
        guard isRight else { throw WorkQueueError.refused(Self.part, field: field) }
    }

    /// The text within the limits of a message: what is beyond them is left out.
    var bounded: PhotoText {
        var text = self
        text.shelf.lines = shelf.lines.prefix(MessageBounds.mostLines).map { line in
            TextLine(
                text: BoundedText(line.text, limit: MessageBounds.lineBytes).text,
                score: line.score.clamped(to: MessageBounds.share), quad: line.quad, spaces: line.spaces)
        }
        return text
    }
}

extension ReadingProgress {
    /// Reads the report of another machine.
    ///
    /// - Throws: `WorkQueueError.notUnderstood`, `.refused`.
    package init(report: [UInt8]) throws {
        let part = "a report"
        func check(_ isRight: Bool, _ field: String) throws {
            guard isRight else { throw WorkQueueError.refused(part, field: field) }
        }
        try check(report.count <= MessageBounds.reportBytes, "its length")
        self = try ReadingProgress(message: report, part)
        switch self {
        case .stage: break
        case .text(let share): try check(MessageBounds.share.contains(share), "text")
        case .spines(let spines):
            for (index, spine) in spines.enumerated() { try check(spine.isWithinPhoto, "spines[\(index)]") }
        }
    }
}

extension SpineOutline {
    /// Whether all numbers are fractions of the photo; shares are rounded, so that they may be a little more than 1.
    fileprivate var isWithinPhoto: Bool {
        let box = [boundingBox.x, boundingBox.y, boundingBox.width, boundingBox.height]
        return (quad.corners.flatMap { [$0.x, $0.y] } + box).allSatisfy((-0.001...1.001).contains)
    }
}

extension PixelPoint {
    /// Whether the point is as near to a picture as a line of its text can be.
    fileprivate func isNear(_ size: PixelSize) -> Bool {
        let (width, height) = (Double(size.width), Double(size.height))
        return ClosedRange(ordered: -width, 2 * width).contains(x)
            && ClosedRange(ordered: -height, 2 * height).contains(y)
    }
}
