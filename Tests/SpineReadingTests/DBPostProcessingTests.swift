import Foundation
import Imaging
import SpineReading
import Testing

@Suite("DB post-processing")
struct DBPostProcessingTests {
    // The mask grows by a pixel to the right and down, so the core of pixels 20...59 reaches from 20 to 60.
    // Unclip distance = 40 × 10 × 1.6 ÷ (2 × (40 + 10)) = 6.4.
    @Test("A drawn line becomes a rectangle that is larger by the unclip distance on each side")
    func drawnLine() throws {
        let map = DrawnMap(width: 120, height: 80) { x, y in (20...59).contains(x) && (20...29).contains(y) ? 1 : 0 }
        let area = try #require(only(map.areas()))
        let expected = PixelRect(x: 13.6, y: 13.6, width: 52.8, height: 22.8)
        for (found, wanted) in zip(sides(area.quad.bounds), sides(expected)) { #expect(abs(found - wanted) < 1e-6) }
        #expect(abs(area.quad.area - expected.area) < 1e-6)
        // 400 of the core's 41 × 11 pixels are text.
        #expect(abs(area.score - 400 / 451) < 1e-6)
    }

    @Test(
        "A line at any angle becomes a rectangle at that angle",
        arguments: Array(stride(from: -75.0, through: 90, by: 15)))
    func rotated(_ degrees: Double) throws {
        let angle = degrees * .pi / 180
        let map = DrawnMap(width: 200, height: 200) { x, y in
            let (dx, dy) = (Double(x) - 100, Double(y) - 100)
            let along = dx * cos(angle) + dy * sin(angle)
            let across = dy * cos(angle) - dx * sin(angle)
            return abs(along) <= 40 && abs(across) <= 8 ? 1 : 0
        }
        let quad = try #require(only(map.areas())).quad
        // 80 × 16 pixels, grown by 80 × 16 × 1.6 ÷ (2 × 96) = 10.7 on each side.
        let (long, short) = (max(quad.length, quad.height), min(quad.length, quad.height))
        #expect(abs(long - 101.3) < 4 && abs(short - 37.3) < 4)
        #expect(quad.center.distance(to: PixelPoint(x: 100.5, y: 100.5)) < 1)
        let longSide = quad.length > quad.height ? quad.direction : quad.bottomLeft - quad.topLeft
        let difference = (longSide.angleInDegrees - degrees).truncatingRemainder(dividingBy: 180)
        #expect(min(abs(difference), 180 - abs(difference)) < 2)
    }

    @Test(
        "A line is kept if its mean probability is at least one half",
        arguments: [(0.2, false), (0.31, false), (0.45, false), (0.6, true), (0.9, true)])
    func score(_ probability: Double, _ isKept: Bool) {
        let map = DrawnMap(width: 200, height: 120) { x, y in
            (20...169).contains(x) && (20...89).contains(y) ? Float(probability) : 0
        }
        #expect(map.areas().count == (isKept ? 1 : 0))
    }

    @Test(
        "Specks and hairlines are noise",
        arguments: [
            (1, 1, false), (2, 2, false), (60, 1, false), (60, 2, false), (1, 60, false), (60, 4, true), (8, 8, true),
        ])
    func noise(_ width: Int, _ height: Int, _ isText: Bool) {
        let map = DrawnMap(width: 100, height: 100) { x, y in
            (20..<(20 + width)).contains(x) && (20..<(20 + height)).contains(y) ? 1 : 0
        }
        #expect(map.areas().count == (isText ? 1 : 0))
    }

    @Test("A gap of one pixel does not split a line, one of two does", arguments: [(1, 1), (2, 2), (5, 2)])
    func crack(_ gap: Int, _ areas: Int) {
        let map = DrawnMap(width: 160, height: 60) { x, y in
            (20..<60).contains(x) || ((60 + gap)..<120).contains(x) ? ((20...35).contains(y) ? 1 : 0) : 0
        }
        #expect(map.areas().count == areas)
    }

    @Test("Only the largest of too many areas are kept", arguments: [0, 1, 2, 3, 10])
    func maximum(_ maximum: Int) {
        // Three bars, 12, 24 and 18 pixels long.
        let map = DrawnMap(width: 80, height: 120) { x, y in
            switch y {
            case 10...19: (10..<22).contains(x) ? 1 : 0
            case 50...59: (10..<34).contains(x) ? 1 : 0
            case 90...99: (10..<28).contains(x) ? 1 : 0
            default: 0
            }
        }
        var processing = DBPostProcessing()
        processing.maximumAreas = maximum
        // The middles of the bars in the order of their lengths.
        let middles = map.areas(by: processing).map { $0.quad.center.y.rounded(.down) }
        #expect(Set(middles) == Set([55, 95, 15].prefix(maximum)))
    }

    @Test("The padding beyond the picture's width is ignored")
    func padding() throws {
        let size = PixelSize(width: 50, height: 40)
        let stride = 64
        let values = (0..<(stride * 40)).map { $0 % stride >= 50 ? Float(1) : 0 }
        let areas = values.withUnsafeBufferPointer {
            DBPostProcessing().areas(in: ProbabilityMap(values: $0, stride: stride, size: size))
        }
        #expect(areas.isEmpty)
    }

    @Test(
        "Text that fills the picture or touches its edges is one area",
        arguments: [(0, 100), (0, 40), (60, 100)])
    func edges(_ from: Int, _ to: Int) {
        let map = DrawnMap(width: 100, height: 60) { x, _ in (from..<to).contains(x) ? 1 : 0 }
        #expect(map.areas().count == 1)
    }

    @Test("A map of values that are not numbers has no text")
    func notANumber() {
        #expect(DrawnMap(width: 40, height: 40) { _, _ in .nan }.areas().isEmpty)
    }

    @Test(
        "Unclipping adds area × ratio ÷ perimeter on each side",
        arguments: [(100.0, 20.0), (20, 100), (50, 50), (300, 4)], [0.0, 37, 90, -120])
    func unclipped(_ size: (length: Double, height: Double), _ degrees: Double) {
        let quad = rectangle(size.length, size.height, turnedBy: degrees)
        let grown = DBPostProcessing().unclipped(quad)
        let distance = size.length * size.height * 1.6 / (2 * (size.length + size.height))
        #expect(abs(grown.length - size.length - 2 * distance) < 1e-9)
        #expect(abs(grown.height - size.height - 2 * distance) < 1e-9)
        #expect(grown.center.distance(to: quad.center) < 1e-9)
        #expect(abs(grown.angle - quad.angle) < 1e-9)
    }

    @Test("A shape without an area does not grow")
    func flat() {
        let flat = Quad(PixelRect(x: 3, y: 4, width: 20, height: 0))
        #expect(DBPostProcessing().unclipped(flat) == flat)
    }

    private func only(_ areas: [TextArea]) -> TextArea? { areas.count == 1 ? areas[0] : nil }

    private func sides(_ rect: PixelRect) -> [Double] { [rect.x, rect.y, rect.width, rect.height] }
}

/// A probability map made from a function of the pixel.
private struct DrawnMap {
    let size: PixelSize
    let values: [Float]

    init(width: Int, height: Int, _ probability: (Int, Int) -> Float) {
        size = PixelSize(width: width, height: height)
        values = (0..<(width * height)).map { probability($0 % width, $0 / width) }
    }

    func areas(by processing: DBPostProcessing = DBPostProcessing()) -> [TextArea] {
        values.withUnsafeBufferPointer {
            processing.areas(in: ProbabilityMap(values: $0, stride: size.width, size: size))
        }
    }
}
