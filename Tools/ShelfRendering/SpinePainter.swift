import Fixtures
import Imaging

/// Paints the front of a spine as printed: flat, evenly lit, head at the top.
struct SpinePainter {
    private var fonts = SpineFonts()

    mutating func paint(_ book: DrawnBook, pixelsPerCentimetre scale: Double, seed: UInt64) throws -> RGBImage {
        let size = PixelSize(
            width: max(4, Int((book.thickness * scale).rounded())), height: max(8, Int((book.height * scale).rounded()))
        )
        let design = book.design
        var image = RGBImage(size: size, filledWith: design.ground)
        for band in design.bands { image.fill(strip(band.zone, of: size), with: Paint(band.color)) }
        for rule in design.rules {
            let half = 0.04 / book.height
            image.fill(strip(rule - half...rule + half, of: size), with: Paint(design.accent, alpha: 0.9))
        }
        try write(design.titleAsPrinted ?? book.title, design.titleStyle, in: design.titleZone, design, on: &image)
        if let author = design.authorAsPrinted ?? book.author {
            try write(author, design.authorStyle, in: design.authorZone, design, on: &image)
        }
        if let series = book.series { try write(series, small(book), in: 0.015...0.055, design, on: &image) }
        try paintFoot(book, on: &image)
        SpineRelief(book: book, scale: scale, seed: seed).apply(to: &image)
        return image
    }

    /// Draws lines as large as the style and the zone allow, centred in the zone.
    private mutating func write(
        _ text: String, _ style: TextStyle, in zone: ClosedRange<Double>, _ design: SpineDesign,
        on image: inout RGBImage
    ) throws {
        let typeface = try fonts(style.font)
        let printed = style.capitals ? text.uppercased() : text
        if let missing = printed.first(where: { !$0.isWhitespace && !typeface.draws($0) }) {
            throw MissingFontError(
                description: "The font \(style.font) has no ‘\(missing)’ for the spine text ‘\(text)’.")
        }
        let lines =
            style.direction == .stackedLetters
            ? printed.filter { $0 != " " }.map(String.init) : printed.split(separator: "\n").map(String.init)
        let frame = ReadingFrame(style.direction, zone: zone, size: image.size)
        // The width at a font size of one pixel determines the largest size that fits.
        let widest = lines.map { typeface.run($0, size: 1, tracking: style.tracking).width }.max() ?? 1
        let leading = style.direction == .stackedLetters ? typeface.capHeight * 1.28 : 1.04
        let rows = Double(lines.count - 1) * leading + typeface.capHeight
        let em = min(style.size * Double(image.width), frame.length / widest, frame.depth / rows)
        var baseline = frame.depth / 2 - rows * em / 2 + typeface.capHeight * em
        for line in lines {
            let run = typeface.run(line, size: em, tracking: style.tracking * em)
            let visible = run.width - style.tracking * em
            let start = PixelPoint(x: (frame.length - visible) / 2, y: baseline)
            image.fill(run.path.map { frame.onSpine($0 + start) }, with: Paint(style.ink ?? design.ink))
            baseline += leading * em
        }
    }

    /// Paints the publisher's logo with the name below it.
    private mutating func paintFoot(_ book: DrawnBook, on image: inout RGBImage) throws {
        let (design, width, height) = (book.design, Double(image.width), Double(image.height))
        let (top, bottom) = (design.footZone.lowerBound * height, design.footZone.upperBound * height)
        let nameHeight = book.publisher == nil ? 0 : small(book).size * width
        if let logo = design.logo {
            let radius = min(width * 0.2, (bottom - top - nameHeight) / 2)
            let center = PixelPoint(x: width / 2, y: (top + bottom - nameHeight) / 2)
            logo.paint(on: &image, center: center, radius: radius, color: design.accent, ground: design.ground)
        }
        if let publisher = book.publisher {
            let start = design.logo == nil ? top : bottom - nameHeight
            try write(publisher, small(book), in: start / height...bottom / height, design, on: &image)
        }
    }

    /// The font size is three tenths of the thickness, but at most 7 mm.
    private func small(_ book: DrawnBook) -> TextStyle {
        let size = min(0.3, 0.7 / book.thickness)
        return TextStyle(book.design.authorStyle.font, .upright, size: size, ink: book.design.accent)
    }

    private func strip(_ zone: ClosedRange<Double>, of size: PixelSize) -> Path {
        let height = Double(size.height)
        return Path(
            PixelRect(
                x: 0, y: zone.lowerBound * height, width: Double(size.width),
                height: (zone.upperBound - zone.lowerBound) * height))
    }
}

/// A zone of a spine in its text's frame: x along the line, y down the lines, in pixels.
private struct ReadingFrame {
    let length: Double
    let depth: Double
    private let direction: TextDirection
    private let top: Double
    private let width: Double

    init(_ direction: TextDirection, zone: ClosedRange<Double>, size: PixelSize) {
        self.direction = direction
        width = Double(size.width)
        top = zone.lowerBound * Double(size.height)
        let height = (zone.upperBound - zone.lowerBound) * Double(size.height)
        // A margin keeps text away from the edges of the spine.
        let inner = width * 0.84
        switch direction {
        case .topToBottom, .bottomToTop: (length, depth) = (height, inner)
        case .upright, .upsideDown, .stackedLetters: (length, depth) = (inner, height)
        }
    }

    func onSpine(_ p: PixelPoint) -> PixelPoint {
        let margin = width * 0.08
        return switch direction {
        case .topToBottom: PixelPoint(x: width - margin - p.y, y: top + p.x)
        case .bottomToTop: PixelPoint(x: margin + p.y, y: top + length - p.x)
        case .upright, .stackedLetters: PixelPoint(x: margin + p.x, y: top + p.y)
        case .upsideDown: PixelPoint(x: margin + length - p.x, y: top + depth - p.y)
        }
    }
}

extension SpineLogo {
    fileprivate func paint(
        on image: inout RGBImage, center: PixelPoint, radius: Double, color: RGBColor, ground: RGBColor
    ) {
        let paint = Paint(color)
        switch self {
        case .disc: image.fill(.circle(center: center, radius: radius), with: paint)
        case .ring:
            image.stroke(.circle(center: center, radius: radius * 0.86), StrokeStyle(width: radius * 0.22), with: paint)
            image.fill(.circle(center: center, radius: radius * 0.4), with: paint)
        case .diamond:
            image.fill(.regularPolygon(corners: 4, center: center, radius: radius, angle: 0), with: paint)
            image.fill(.regularPolygon(corners: 4, center: center, radius: radius * 0.5, angle: 0), with: Paint(ground))
        case .star:
            let outer = Path.regularPolygon(corners: 5, center: center, radius: radius, angle: -90).contours[0]
            let inner = Path.regularPolygon(corners: 5, center: center, radius: radius * 0.4, angle: -54).contours[0]
            image.fill(Path(polygon: zip(outer, inner).flatMap { [$0, $1] }), with: paint)
        case .leaf:
            let left = Path.circle(center: center + PixelPoint(x: -radius * 0.5, y: 0), radius: radius)
            let right = Path.circle(center: center + PixelPoint(x: radius * 0.5, y: 0), radius: radius)
            image.fill(Path(polygon: Polygon.intersection(left.contours[0], right.contours[0])), with: paint)
        case .book:
            for side in [-1.0, 1.0] {
                let page = [(0.08, -0.5), (0.95, -0.7), (0.95, 0.5), (0.08, 0.7)].map {
                    center + PixelPoint(x: side * $0.0 * radius, y: $0.1 * radius)
                }
                image.fill(Path(polygon: page), with: paint)
            }
        }
    }
}
