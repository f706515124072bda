import Foundation
package import Imaging

/// A printed label of a shelf: black capitals on white paper, drawn onto a photo.
package struct DrawnLabel: Sendable {
    package var text: String
    /// The middle of the label in the photo, in pixels.
    package var middle: PixelPoint
    /// The height of the capitals in pixels.
    package var capitals: Double
    /// In degrees, clockwise.
    package var slant = 0.0
    /// The reach of the blur in pixels; 0 for a sharp label.
    package var blur = 0
    /// The share of the label, from its right end, that something dark covers, 0...1.
    package var covered = 0.0

    package init(_ text: String, at middle: PixelPoint, capitals: Double) {
        (self.text, self.middle, self.capitals) = (text, middle, capitals)
    }
}

extension RGBImage {
    /// Draws a label.
    package mutating func draw(_ label: DrawnLabel, in typeface: Typeface) {
        let run = typeface.run(label.text, size: label.capitals / typeface.capHeight)
        let (width, height) = (run.width + 1.2 * label.capitals, 1.8 * label.capitals)
        func rectangle(from left: Double, to right: Double) -> Path {
            Path(PixelRect(x: left - width / 2, y: -height / 2, width: right - left, height: height))
        }
        let paper = placed(rectangle(from: 0, to: width), label)
        fill(paper, with: Paint(RGBColor(0xF7F6F2)))
        let start = PixelPoint(x: -run.width / 2, y: label.capitals / 2)
        fill(placed(run.path.map { $0 + start }, label), with: Paint(RGBColor(0x16150F)))
        if label.blur > 0, let area = paper.bounds { blur(area, reach: label.blur) }
        if label.covered > 0 {
            let hidden = rectangle(from: width * (1 - label.covered), to: width)
            fill(placed(hidden, label), with: Paint(RGBColor(0x3A2D22)))
        }
    }

    private func placed(_ path: Path, _ label: DrawnLabel) -> Path {
        let angle = label.slant * .pi / 180
        let (cosine, sine) = (cos(angle), sin(angle))
        return path.map {
            PixelPoint(x: $0.x * cosine - $0.y * sine, y: $0.x * sine + $0.y * cosine) + label.middle
        }
    }

    /// Replaces each pixel of an area by the mean of a square of 2 · `reach` + 1 pixels around it, twice, which is nearly a
    /// Gaussian blur with a standard deviation of 0.8 · `reach`.
    private mutating func blur(_ area: PixelRect, reach: Int) {
        let columns = max(reach, Int(area.x))..<min(width - reach, Int(area.maxX))
        let rows = max(reach, Int(area.y))..<min(height - reach, Int(area.maxY))
        let count = (2 * reach + 1) * (2 * reach + 1)
        for _ in 0..<2 {
            let sharp = self
            for y in rows {
                for x in columns {
                    var sum = (red: 0, green: 0, blue: 0)
                    for row in y - reach...y + reach {
                        for column in x - reach...x + reach {
                            let color = sharp[column, row]
                            sum = (sum.red + Int(color.red), sum.green + Int(color.green), sum.blue + Int(color.blue))
                        }
                    }
                    self[x, y] = RGBColor(
                        red: UInt8(sum.red / count), green: UInt8(sum.green / count), blue: UInt8(sum.blue / count))
                }
            }
        }
    }
}
