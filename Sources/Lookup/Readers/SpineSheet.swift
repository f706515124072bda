import Bounds
import Foundation
package import Imaging
package import ShelflistAPI
package import SpineReading

/// The picture that `assist` sends: spines cut out of a photo, each with its number at its left.
///
/// A spine is turned so that its text reads from left to right, as far as the lines read on it show how.
package struct SpineSheet {
    /// More spines of one photo are not sent.
    package static let spineLimit = 60
    /// Of the picture, in pixels.
    package static let longSide = 3072

    /// In pixels, before the sheet is reduced to its limits.
    private static let textHeight = 160.0
    private static let textLength = 1300.0
    private static let gap = 14.0
    private static let labelWidth = 100.0
    private static let labelSize = 54.0

    package let image: RGBImage

    /// - Parameters:
    ///   - spines: in pixels of the photo, from the start of the text; see `readingQuad`.
    ///   - font: of the numbers.
    package init(_ spines: [Quad], of photo: RGBImage, font: Typeface) {
        var layout = SheetLayout(spines, factor: 1)
        // Fewer pixels for each spine until all fit.
        for _ in 0..<12 where layout.height > Double(Self.longSide) {
            layout = SheetLayout(spines, factor: layout.factor * 0.85)
        }
        let pyramid = ImagePyramid(photo)
        var sheet = RGBImage(
            size: PixelSize(
                width: max(64, min(Self.longSide, Int(saturating: layout.width.rounded(.up)))),
                height: max(64, min(Self.longSide, Int(saturating: layout.height.rounded(.up))))))
        for (index, place) in layout.places.enumerated() {
            let crop = pyramid.warped(
                spines[index],
                to: PixelSize(
                    width: max(1, Int(saturating: place.width)), height: max(1, Int(saturating: place.height))))
            sheet.paste(crop, x: Int(saturating: place.x), y: Int(saturating: place.y))
            let size = Self.labelSize * layout.factor
            let run = font.run(String(index + 1), size: size)
            let middle = place.y + place.height / 2 + font.capHeight * size / 2
            sheet.write(
                run, at: PixelPoint(x: place.x - Self.gap - run.width, y: middle), with: Paint(RGBColor.black))
        }
        image = sheet
    }

    /// The outline of a book from the start of its text: its first edge runs in the reading direction of the longest line
    /// inside, or along the spine if none was read.
    ///
    /// - Parameters:
    ///   - book: whose outline is clockwise.
    ///   - lines: of the photo.
    ///   - readSize: of the picture in which the lines were read, in pixels.
    ///   - size: of the photo that is cut, in pixels.
    package static func readingQuad(
        of book: DetectedBook, lines: [TextLine], readSize: PixelSize, in size: PixelSize
    ) -> Quad {
        let outline: Quad = book.quad.pixels(in: size)
        let box = book.boundingBox.pixels(in: readSize)
        let inside = lines.filter { box.contains($0.quad.center) }
        let along =
            outline.height > outline.length
            ? outline.bottomLeft - outline.topLeft : outline.topRight - outline.topLeft
        let direction = inside.max { $0.quad.length < $1.quad.length }?.quad.direction ?? along
        let corners = outline.corners
        func agreement(_ start: Int) -> Double {
            let edge = corners[(start + 1) % 4] - corners[start]
            let length = max(1e-9, edge.length)
            return (edge.x * direction.x + edge.y * direction.y) / length
        }
        let start = (0..<4).max { agreement($0) < agreement($1) } ?? 0
        return Quad(
            corners[start], corners[(start + 1) % 4], corners[(start + 2) % 4], corners[(start + 3) % 4])
    }

    /// Rows of spines from left to right.
    private struct SheetLayout {
        private(set) var places: [PixelRect] = []
        private(set) var width = 0.0
        private(set) var height = 0.0
        let factor: Double

        init(_ spines: [Quad], factor: Double) {
            self.factor = factor
            let gap = SpineSheet.gap
            var (x, y, row) = (0.0, gap, 0.0)
            for spine in spines {
                let (length, height) = (max(1, spine.length), max(1, spine.height))
                // Text across a spine needs the height of the spine.
                let limit = height > length ? SpineSheet.textLength : SpineSheet.textHeight
                let scale = factor * min(limit / height, SpineSheet.textLength / length, 2)
                let size = (width: length * scale, height: height * scale)
                let label = SpineSheet.labelWidth * factor
                if x > 0, x + label + size.width + gap > Double(SpineSheet.longSide) {
                    (x, y, row) = (0, y + row + gap, 0)
                }
                places.append(PixelRect(x: x + label, y: y, width: size.width, height: size.height))
                x += label + size.width + gap
                width = max(width, x)
                row = max(row, size.height, SpineSheet.labelSize * factor)
            }
            self.height = y + row + gap
        }
    }
}

extension PixelRect {
    fileprivate func contains(_ point: PixelPoint) -> Bool {
        point.x >= x && point.x <= maxX && point.y >= y && point.y <= maxY
    }
}

extension RGBImage {
    /// Copies a picture to a place; what is outside is left out.
    fileprivate mutating func paste(_ other: RGBImage, x: Int, y: Int) {
        let columns = min(other.width, width - x)
        guard x >= 0, y >= 0, columns > 0 else { return }
        for row in 0..<max(0, min(other.height, height - y)) {
            let from = row * other.width * 3
            let to = ((y + row) * width + x) * 3
            samples.replaceSubrange(to..<to + columns * 3, with: other.samples[from..<from + columns * 3])
        }
    }
}
