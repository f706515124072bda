package import Bibliography
package import Foundation
import Identification
package import Imaging
package import ShelflistAPI

/// One book to mark on a photo.
package struct AnnotatedBook: Hashable, Sendable {
    /// Shown on the spine and in the legend.
    package var number: Int
    package var title: String
    package var author: String?
    /// The spine.
    package var quad: UnitQuad
    package var tier: ConfidenceTier

    package init(number: Int, title: String, author: String? = nil, quad: UnitQuad, tier: ConfidenceTier) {
        (self.number, self.title, self.author, self.quad, self.tier) = (number, title, author, quad, tier)
    }
}

extension ScannedPhoto {
    /// The photo's books as the annotator marks them, numbered from 1; a book without a title is named by its text.
    package var annotatedBooks: [AnnotatedBook] {
        books.enumerated().map { index, book in
            let text = book.text.map(\.text).joined(separator: " ")
            return AnnotatedBook(
                number: index + 1, title: book.title ?? (text.isEmpty ? "?" : text), author: book.author,
                quad: book.quad, tier: book.tier)
        }
    }
}

/// Marks the books on a photo: the spines keep their light, each outlined and numbered, and a legend below
/// the photo shows which is which.
///
/// Colour, line and shape follow the tiers of the review queue.
package struct PhotoAnnotator: Sendable {
    /// Longer photos are scaled down to this.
    package static let maxLongSide = 2400
    private let typeface: Typeface

    /// - Throws: `TypefaceError` where the font cannot be opened.
    package init(labelFont: URL) throws { typeface = try Typeface(file: labelFont) }

    /// - Parameter image: EXIF-upright, of any size.
    /// - Returns: the photo with a long side of at most `maxLongSide` pixels, with the legend below it.
    package func annotate(_ image: RGBImage, books: [AnnotatedBook]) -> RGBImage {
        var photo = image.fitted(longSide: PhotoAnnotator.maxLongSide)
        // Three pixels in a picture 2,400 long.
        let line = max(1.2, Double(photo.size.longSide) / 800)
        let spines = books.map { Spine($0, in: photo.size, inset: line * 1.2) }
        light(spines.map(\.outline), on: &photo)
        for spine in spines { TierMark(spine.book.tier).drawOutline(spine.outline, width: line, on: &photo) }
        var badges = BadgeLayout(size: photo.size)
        for spine in spines {
            let badge = badges.place(spine, preferredRadius: line * 8.5)
            drawBadge(badge, of: spine.book, on: &photo)
        }
        return PhotoLegend(typeface: typeface, books: books, width: photo.width).appended(to: photo)
    }

    /// Darkens everything but the spines.
    private func light(_ spines: [Path], on photo: inout RGBImage) {
        guard !spines.isEmpty else { return }
        let bright = photo
        let whole = PixelRect(x: 0, y: 0, width: Double(photo.width), height: Double(photo.height))
        photo.fill(Path(whole), with: Paint(TierMark.glass, alpha: 0.4))
        for spine in spines { photo.fill(spine, with: bright) }
    }

    private func drawBadge(_ badge: Badge, of book: AnnotatedBook, on photo: inout RGBImage) {
        let ink = TierMark(book.tier).drawBadge(on: &photo, center: badge.center, radius: badge.radius)
        let text = String(book.number)
        let size = badge.radius * (text.count < 3 ? 0.98 : 0.76)
        let run = typeface.run(text, size: size)
        let start = PixelPoint(x: -run.width / 2, y: typeface.capHeight * size / 2)
        photo.write(run, at: badge.center + start, with: Paint(ink))
    }
}

/// A book's place in the scaled photo, in pixels.
struct Spine {
    let book: AnnotatedBook
    let quad: Quad
    /// A little inside the spine, so that neighbours do not draw over each other.
    let outline: Path

    init(_ book: AnnotatedBook, in size: PixelSize, inset: Double) {
        self.book = book
        quad = book.quad.pixels(in: size)
        outline = Path(quad).grown(by: -min(inset, quad.length / 4, quad.height / 4))
    }

    var isStanding: Bool { quad.height >= quad.length }
    var thickness: Double { min(quad.height, quad.length) }

    /// A point on the middle line: 0 at the head of a standing spine or the right end of a lying one, 1 at
    /// the other end.
    func along(_ t: Double) -> PixelPoint {
        let (start, end) =
            isStanding
            ? ((quad.topLeft + quad.topRight) * 0.5, (quad.bottomLeft + quad.bottomRight) * 0.5)
            : ((quad.topRight + quad.bottomRight) * 0.5, (quad.topLeft + quad.bottomLeft) * 0.5)
        return start + (end - start) * t
    }

    var longSide: Double { max(quad.height, quad.length) }
}

/// The disc with a book's number.
struct Badge {
    var center: PixelPoint
    var radius: Double

    func overlap(with other: Badge) -> Double { max(0, radius + other.radius - center.distance(to: other.center)) }
}

/// Finds a place for each badge where it covers neither another badge nor the edge of the photo.
struct BadgeLayout {
    let size: PixelSize
    private(set) var placed: [Badge] = []

    /// Above a standing spine or at the right end of a lying one; farther along it where that is taken.
    mutating func place(_ spine: Spine, preferredRadius: Double) -> Badge {
        let radius = max(preferredRadius * 0.62, min(preferredRadius, spine.thickness * 0.52))
        let step = radius / max(spine.longSide, 1)
        let first = spine.isStanding ? -1.25 : 1.5
        let candidates = stride(from: first, through: 9, by: 0.75).map { k in
            inside(Badge(center: spine.along(k * step), radius: radius))
        }
        func crowding(_ badge: Badge) -> Double { placed.reduce(0) { $0 + badge.overlap(with: $1) } }
        let free = candidates.first { crowding($0) == 0 }
        let best =
            free ?? candidates.min { crowding($0) < crowding($1) }
            ?? inside(Badge(center: spine.quad.center, radius: radius))
        placed.append(best)
        return best
    }

    private func inside(_ badge: Badge) -> Badge {
        func bounded(_ value: Double, _ limit: Int) -> Double {
            max(badge.radius, min(value, Double(limit) - badge.radius))
        }
        let center = PixelPoint(x: bounded(badge.center.x, size.width), y: bounded(badge.center.y, size.height))
        return Badge(center: center, radius: badge.radius)
    }
}
