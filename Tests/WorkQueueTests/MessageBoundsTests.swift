import Foundation
import Imaging
import Reading
import ShelflistAPI
import SpineReading
import Testing
import WorkQueue

@Suite("Numbers of workers are within their ranges")
struct MessageBoundsTests {
    private static let size = PixelSize(width: 4000, height: 3000)

    private static let valid = PhotoText(
        originalSize: size, size: size,
        shelf: ReadShelf(
            lines: [
                TextLine(
                    text: "Jane Eyre", score: 0.9, quad: Quad(PixelRect(x: 10, y: 20, width: 30, height: 900)),
                    spaces: [WordSpace(gap: 2, contrast: 1.5)]),
                TextLine(
                    text: "Emma", score: 1, quad: Quad(PixelRect(x: -4000, y: -3000, width: 12_000, height: 9000))),
            ], turn: .quarter, detectionSeconds: 0, recognitionSeconds: 86_400),
        quality: PhotoQuality(measuring: RGBImage(size: PixelSize(width: 8, height: 8))), filters: .standard,
        decodeSeconds: 0.5, seconds: 2)

    private static func read(_ text: PhotoText, _ limits: PhotoLimits = PhotoLimits()) throws -> PhotoText {
        try PhotoText(result: [UInt8](try JSONEncoder().encode(text)), limits: limits)
    }

    @Test("A result with numbers at the ends of the ranges is read as it was written")
    func accepted() throws {
        let text = try Self.read(Self.valid)
        #expect(text.shelf.lines == Self.valid.shelf.lines && text.originalSize == Self.size)
        #expect(text.shelf.recognitionSeconds == 86_400)
    }

    private static let wrong: [(String, @Sendable (inout PhotoText) -> Void)] = [
        ("seconds", { $0.seconds = 1e300 }), ("seconds", { $0.decodeSeconds = -1 }),
        ("seconds", { $0.shelf.detectionSeconds = 86_401 }), ("seconds", { $0.shelf.recognitionSeconds = -1e-9 }),
        ("originalSize", { $0.originalSize.width = 0 }), ("originalSize", { $0.originalSize.height = 32_769 }),
        ("originalSize", { $0.originalSize = PixelSize(width: 32_768, height: 32_768) }),
        ("originalSize", { $0.originalSize = PixelSize(width: 30_000, height: 10) }),
        ("originalSize", { $0.originalSize = PixelSize(width: .max, height: .max) }),
        ("size", { $0.size.width = -1 }), ("size", { $0.size.height = 4001 }),
        ("lines[0].score", { $0.shelf.lines[0].score = 1.001 }),
        ("lines[1].score", { $0.shelf.lines[1].score = -0.001 }),
        ("lines[0].text", { $0.shelf.lines[0].text = String(repeating: "x", count: 501) }),
        ("lines[0].text", { $0.shelf.lines[0].text = "e" + String(repeating: "\u{301}", count: 250) }),
        ("lines[0].spaces", { $0.shelf.lines[0].spaces?[0].gap = 21 }),
        ("lines[0].spaces", { $0.shelf.lines[0].spaces?[0].contrast = -1 }),
        (
            "lines[1].spaces",
            { $0.shelf.lines[1].spaces = Array(repeating: WordSpace(gap: 2, contrast: 1), count: 501) }
        ),
        ("lines[1].quad", { $0.shelf.lines[1].quad.topLeft.x = 1e20 }),
        ("lines[1].quad", { $0.shelf.lines[1].quad.bottomRight.y = 6001 }),
        ("lines[1].quad", { $0.shelf.lines[1].quad.bottomLeft.x = -4001 }),
        ("the number of lines", { $0.shelf.lines = Array(repeating: $0.shelf.lines[0], count: 3001) }),
    ]

    @Test("A result with a number outside of its range is refused, and the field is named", arguments: wrong)
    func refused(field: String, change: @Sendable (inout PhotoText) -> Void) throws {
        var text = Self.valid
        change(&text)
        #expect(throws: WorkQueueError.refused("a result", field: field)) { try Self.read(text) }
    }

    @Test("The limits are those of the photo, and the error says what to do")
    func limits() {
        let limits = PhotoLimits(maxPixels: 11_999_999)
        let error = #expect(throws: WorkQueueError.self) { try Self.read(Self.valid, limits) }
        #expect(
            error?.description
                == "A worker sent a result that no photo can have: originalSize is out of its range. Check the workers, "
                + "and use one release on all machines.")
    }

    @Test("A message that is too long, or is not one, is refused")
    func otherBytes() {
        let long = [UInt8](repeating: 0x20, count: MessageBounds.resultBytes + 1)
        #expect(throws: WorkQueueError.refused("a result", field: "its length")) {
            try PhotoText(result: long, limits: PhotoLimits())
        }
        #expect(throws: WorkQueueError.refused("a report", field: "its length")) { try ReadingProgress(report: long) }
        for text in ["", "{}", "[1e999]", "{\"text\":1e309}", String(repeating: "[", count: 100_000)] {
            #expect(throws: WorkQueueError.self) { try PhotoText(result: Array(text.utf8), limits: PhotoLimits()) }
            #expect(throws: WorkQueueError.self) { try ReadingProgress(report: Array(text.utf8)) }
        }
    }

    @Test("Reports have shares and places in the photo")
    func reports() throws {
        func read(_ report: ReadingProgress) throws -> ReadingProgress {
            try ReadingProgress(report: [UInt8](try JSONEncoder().encode(report)))
        }
        for share in [0, 0.5, 1] {
            guard case .text(share) = try read(.text(share)) else { Issue.record("another report"); continue }
        }
        let spine = SpineOutline(UnitRect(x: 0.1, y: 0, width: 0.2, height: 1))
        guard case .spines(let spines) = try read(.spines([spine])), spines.count == 1 else {
            Issue.record("another report")
            return
        }
        for share in [1e300, -0.1, 1.1] {
            #expect(throws: WorkQueueError.refused("a report", field: "text")) { try read(.text(share)) }
        }
        let far = SpineOutline(UnitRect(x: 0.1, y: 0, width: 1e20, height: 1))
        #expect(throws: WorkQueueError.refused("a report", field: "spines[1]")) { try read(.spines([spine, far])) }
        #expect(throws: WorkQueueError.refused("a report", field: "its length")) {
            try read(.spines(Array(repeating: spine, count: 3001)))
        }
    }
}
