package import ShelflistAPI

extension UnitPoint {
    /// Clamps the point to the photo.
    package init(_ point: PixelPoint, in size: PixelSize) {
        self.init(
            x: (point.x / Double(size.width)).clamped(to: 0...1), y: (point.y / Double(size.height)).clamped(to: 0...1))
    }

    package func pixels(in size: PixelSize) -> PixelPoint {
        PixelPoint(x: x * Double(size.width), y: y * Double(size.height))
    }
}

extension UnitRect {
    /// Clips `rect` to an image of `size`.
    package init(_ rect: PixelRect, in size: PixelSize) {
        let start = UnitPoint(PixelPoint(x: rect.x, y: rect.y), in: size)
        let end = UnitPoint(PixelPoint(x: rect.maxX, y: rect.maxY), in: size)
        self.init(x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y)
    }

    package func pixels(in size: PixelSize) -> PixelRect {
        let (w, h) = (Double(size.width), Double(size.height))
        return PixelRect(x: x * w, y: y * h, width: width * w, height: height * h)
    }
}

extension UnitQuad {
    package init(_ quad: Quad, in size: PixelSize) {
        let corners = quad.corners.map { UnitPoint($0, in: size) }
        self.init(corners[0], corners[1], corners[2], corners[3])
    }

    package func pixels(in size: PixelSize) -> Quad {
        let points = corners.map { $0.pixels(in: size) }
        return Quad(points[0], points[1], points[2], points[3])
    }
}

extension SpineOutline {
    package init(_ quad: Quad, in size: PixelSize) {
        self.init(quad: UnitQuad(quad, in: size), boundingBox: UnitRect(quad.bounds, in: size))
    }
}

extension Comparable {
    /// The nearest value in a range; its lower bound for NaN.
    package func clamped(to range: ClosedRange<Self>) -> Self {
        self > range.lowerBound ? min(self, range.upperBound) : range.lowerBound
    }
}
