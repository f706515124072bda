/// A point in pixels of one particular image; origin top left, x to the right, y down.
package struct PixelPoint: Hashable, Codable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// Of the vector from the origin.
    package var length: Double { (x * x + y * y).squareRoot() }

    package func distance(to other: PixelPoint) -> Double { (self - other).length }

    package static func + (a: PixelPoint, b: PixelPoint) -> PixelPoint { PixelPoint(x: a.x + b.x, y: a.y + b.y) }
    package static func - (a: PixelPoint, b: PixelPoint) -> PixelPoint { PixelPoint(x: a.x - b.x, y: a.y - b.y) }
    package static func * (a: PixelPoint, factor: Double) -> PixelPoint {
        PixelPoint(x: a.x * factor, y: a.y * factor)
    }
}

/// Width and height of an image in pixels.
package struct PixelSize: Hashable, Codable, Sendable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    package var longSide: Int { max(width, height) }
    package var area: Int { width * height }

    /// The size after `turn`; a quarter or three quarters exchange the sides.
    package func turned(_ turn: QuarterTurn) -> PixelSize {
        turn.exchangesSides ? PixelSize(width: height, height: width) : self
    }
}

/// An axis-aligned rectangle in pixels of one particular image; origin top left.
package struct PixelRect: Hashable, Sendable {
    package var x: Double
    package var y: Double
    package var width: Double
    package var height: Double

    package init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    /// The smallest rectangle around all points; `nil` without points.
    init?(around points: some Sequence<PixelPoint>) {
        var box: (left: Double, top: Double, right: Double, bottom: Double)?
        for point in points {
            let b = box ?? (point.x, point.y, point.x, point.y)
            box = (min(b.left, point.x), min(b.top, point.y), max(b.right, point.x), max(b.bottom, point.y))
        }
        guard let box else { return nil }
        self.init(x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top)
    }

    package var maxX: Double { x + width }
    package var maxY: Double { y + height }
    package var area: Double { max(0, width) * max(0, height) }
    package var center: PixelPoint { PixelPoint(x: x + width / 2, y: y + height / 2) }

    /// Returns `nil` if the rectangles do not overlap.
    package func intersection(_ other: PixelRect) -> PixelRect? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(maxX, other.maxX)
        let bottom = min(maxY, other.maxY)
        guard right > left, bottom > top else { return nil }
        return PixelRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    package func union(_ other: PixelRect) -> PixelRect {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return PixelRect(
            x: left, y: top, width: max(maxX, other.maxX) - left, height: max(maxY, other.maxY) - top)
    }

    /// Intersection over union, 0...1.
    package func overlap(with other: PixelRect) -> Double {
        guard let shared = intersection(other)?.area else { return 0 }
        return shared / (area + other.area - shared)
    }
}

/// A clockwise rotation of a picture in steps of 90 degrees; the raw value is in degrees.
package enum QuarterTurn: Int, CaseIterable, Codable, Sendable {
    case none = 0
    case quarter = 90
    case half = 180
    case threeQuarters = 270

    package var exchangesSides: Bool { self == .quarter || self == .threeQuarters }

    /// The rotation that undoes this one.
    package var inverse: QuarterTurn { exchangesSides ? self == .quarter ? .threeQuarters : .quarter : self }

    /// Returns a point's position after an image of `size` is rotated clockwise by this much.
    package func apply(to point: PixelPoint, in size: PixelSize) -> PixelPoint {
        let width = Double(size.width)
        let height = Double(size.height)
        return switch self {
        case .none: point
        case .quarter: PixelPoint(x: height - point.y, y: point.x)
        case .half: PixelPoint(x: width - point.x, y: height - point.y)
        case .threeQuarters: PixelPoint(x: point.y, y: width - point.x)
        }
    }
}
