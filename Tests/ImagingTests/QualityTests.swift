import Foundation
import Imaging
import ShelflistAPI
import Testing

@Suite("Photo quality")
struct QualityTests {
    static let size = PixelSize(width: 480, height: 360)

    /// Upright and lying bars of a few widths, as on spines with titles, between two levels.
    static func shelf(_ dark: Double = 40, _ light: Double = 200) -> RGBImage {
        draw { x, y in (x / 11 % 3 == 0) != (y / 7 % 4 == 0) ? light : dark }
    }

    static func draw(_ level: (Int, Int) -> Double) -> RGBImage {
        var image = RGBImage(size: size)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let gray = UInt8(min(max(level(x, y), 0), 255).rounded())
                image[x, y] = RGBColor(red: gray, green: gray, blue: gray)
            }
        }
        return image
    }

    /// Box means of `2 * radius + 1` pixels along each axis that is asked for; three of them are nearly a Gaussian.
    static func blurred(_ image: RGBImage, across: Int, down: Int, times: Int = 3) -> RGBImage {
        var levels = (0..<size.area).map { Double(image.samples[3 * $0]) }
        for _ in 0..<times {
            for y in 0..<size.height {
                mean(of: &levels, from: y * size.width, count: size.width, step: 1, radius: across)
            }
            for x in 0..<size.width { mean(of: &levels, from: x, count: size.height, step: size.width, radius: down) }
        }
        return draw { levels[$1 * size.width + $0] }
    }

    /// Replaces the levels of a row or column by the means of their neighbours; the sum of these moves along.
    private static func mean(of levels: inout [Double], from start: Int, count: Int, step: Int, radius: Int) {
        guard radius > 0 else { return }
        var old = [Double](repeating: levels[start], count: radius)
        for place in 0..<count { old.append(levels[start + place * step]) }
        old.append(contentsOf: repeatElement(levels[start + (count - 1) * step], count: radius + 1))
        var sum = old.prefix(2 * radius + 1).reduce(0, +)
        for place in 0..<count {
            levels[start + place * step] = sum / Double(2 * radius + 1)
            sum += old[place + 2 * radius + 1] - old[place]
        }
    }

    /// The shelf with a reflection that fades out over some pixels.
    static func flash(radius: Double) -> RGBImage {
        let shelf = shelf(70, 160)
        return draw { x, y in
            let distance = hypot(Double(x) - 240, Double(y) - 180)
            return Double(shelf[x, y].red) + 250 * exp(-max(0, distance - radius) / 12)
        }
    }

    static func paper(text: Bool) -> RGBImage {
        draw { x, y in
            guard (200..<280).contains(x), (90..<180).contains(y) else { return 80 }
            return text && x % 8 < 3 && y % 12 < 5 ? 205 : 255
        }
    }

    /// A picture that is drawn in the test: an argument would be printed pixel by pixel.
    struct Picture: Sendable, CustomTestStringConvertible {
        var name: String
        var expected: [Suggestion.Code]
        var image: @Sendable () -> RGBImage

        init(_ name: String, _ expected: [Suggestion.Code], _ image: @escaping @autoclosure @Sendable () -> RGBImage) {
            (self.name, self.expected, self.image) = (name, expected, image)
        }

        var testDescription: String { name }
    }

    static let pictures = [
        Picture("a sharp shelf", [], shelf()),
        Picture("a sharp shelf in little light", [], shelf(20, 70)),
        Picture("blurred", [.blur], blurred(shelf(), across: 3, down: 3)),
        Picture("smeared sideways", [.blur], blurred(shelf(), across: 4, down: 0)),
        Picture("smeared downwards", [.blur], blurred(shelf(), across: 0, down: 4)),
        Picture("soft", [.blur], blurred(shelf(), across: 1, down: 1)),
        Picture("hardly soft", [], blurred(shelf(), across: 1, down: 1, times: 1)),
        Picture("dark", [.dark], shelf(4, 24)),
        Picture("black", [.dark], draw { _, _ in 0 }),
        Picture("a gray wall", [], draw { _, _ in 128 }),
        Picture("a white wall", [], draw { _, _ in 255 }),
        Picture("a flash", [.glare], flash(radius: 30)),
        Picture("a spark", [], flash(radius: 1)),
        Picture("plain white paper", [], paper(text: false)),
        Picture("white paper with washed-out letters", [], paper(text: true)),
        Picture("one pixel", [], RGBImage(size: PixelSize(width: 1, height: 1))),
    ]

    @Test("Each problem gives its suggestion and no other", arguments: pictures)
    func suggestions(_ picture: Picture) {
        let quality = PhotoQuality(measuring: picture.image())
        #expect(quality.suggestions.map(\.code) == picture.expected, "\(quality)")
        for measure in [quality.sharpness, quality.exposure, quality.glare, quality.contrast] {
            #expect((0...1).contains(measure))
            #expect(measure == (measure * 1000).rounded() / 1000)
        }
    }

    @Test("Brightness and range are those of the picture")
    func brightness() {
        let quality = PhotoQuality(measuring: Self.draw { x, _ in x < 240 ? 51 : 153 })
        #expect(quality.exposure == 0.4)
        #expect(quality.contrast == 0.4)
    }

    @Test("More blur is less sharp at any contrast", arguments: [(40.0, 200.0), (20, 60)])
    func blurring(_ dark: Double, _ light: Double) {
        let shelf = Self.shelf(dark, light)
        let sharpness = (0...4).map {
            PhotoQuality(measuring: Self.blurred(shelf, across: $0, down: $0)).sharpness
        }
        #expect(sharpness == sharpness.sorted(by: >))
        #expect(sharpness.first == 1)
    }

    static let framings: [(tilt: Double?, edges: [PhotoEdge], messages: [String])] = [
        (nil, [], []),
        (5.9, [], []),
        (-9.2, [], ["Hold the phone level: the shelf tilts by 9 degrees."]),
        (.nan, [.left], ["Step back a little. Some books are cut off on the left."]),
        (0, [.bottom, .right], ["Step back a little. Some books are cut off on the right and at the bottom."]),
        (
            6, [.top, .right, .left],
            [
                "Hold the phone level: the shelf tilts by 6 degrees.",
                "Step back a little. Some books are cut off on the left, on the right and at the top.",
            ]
        ),
    ]

    @Test("Framing problems are reported once in sentences", arguments: framings)
    func framing(_ tilt: Double?, _ edges: [PhotoEdge], _ messages: [String]) {
        let quality = PhotoQuality(measuring: Self.shelf()).adding(tilt: tilt, cutAt: edges)
        #expect(quality.suggestions.map(\.message) == messages)
        #expect(quality.adding(tilt: tilt, cutAt: edges) == quality)
        #expect(quality.tilt == (tilt.flatMap { $0.isFinite ? $0 : nil } ?? 0))
    }

    @Test("The JSON has the documented fields")
    func json() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let quality = PhotoQuality(measuring: Self.draw { _, _ in 255 }).adding(tilt: -7.5, cutAt: [])
        let text = String(decoding: try encoder.encode(quality), as: UTF8.self)
        let message = "Hold the phone level: the shelf tilts by 8 degrees."
        #expect(
            text == #"{"exposure":1,"glare":0,"sharpness":0,"suggestions":"#
                + #"[{"code":"tilt","message":"\#(message)"}],"tilt":-7.5}"#)
        let read = try JSONDecoder().decode(PhotoQuality.self, from: Data(text.utf8))
        #expect(read.suggestions == quality.suggestions)
        #expect(read.tilt == -7.5)
    }
}
