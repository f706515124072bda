/// A point as a fraction of the EXIF-upright photo: 0...1 in both directions, origin top left.
public struct UnitPoint: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }

    /// Clamped into the photo.
    public init(_ point: PixelPoint, in size: PixelSize) {
        self.init(
            x: (point.x / Double(size.width)).clamped(to: 0...1), y: (point.y / Double(size.height)).clamped(to: 0...1))
    }

    public func pixels(in size: PixelSize) -> PixelPoint {
        PixelPoint(x: x * Double(size.width), y: y * Double(size.height))
    }
}

/// Written as `[x, y]`.
extension UnitPoint: Codable {
    public init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        self.init(x: try list.decode(Double.self), y: try list.decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(x.roundedForOutput)
        try list.encode(y.roundedForOutput)
    }
}

/// A rectangle along the axes as fractions of the EXIF-upright photo, origin top left.
public struct UnitRect: Hashable, Codable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The part of `rect` inside an image of `size`.
    public init(_ rect: PixelRect, in size: PixelSize) {
        let start = UnitPoint(PixelPoint(x: rect.x, y: rect.y), in: size)
        let end = UnitPoint(PixelPoint(x: rect.maxX, y: rect.maxY), in: size)
        self.init(x: start.x, y: start.y, width: end.x - start.x, height: end.y - start.y)
    }

    public func pixels(in size: PixelSize) -> PixelRect {
        let (w, h) = (Double(size.width), Double(size.height))
        return PixelRect(x: x * w, y: y * h, width: width * w, height: height * h)
    }

    public func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: CodingKeys.self)
        try keyed.encode(x.roundedForOutput, forKey: .x)
        try keyed.encode(y.roundedForOutput, forKey: .y)
        try keyed.encode(width.roundedForOutput, forKey: .width)
        try keyed.encode(height.roundedForOutput, forKey: .height)
    }
}

/// A quadrilateral as fractions of the EXIF-upright photo, clockwise from the corner that is top left when the
/// spine is looked at as it stands in the photo.
///
/// Written as `[[x, y], …]`, four points.
public struct UnitQuad: Hashable, Sendable {
    public var corners: [UnitPoint]

    public init(_ quad: Quad, in size: PixelSize) {
        corners = quad.corners.map { UnitPoint($0, in: size) }
    }

    public func pixels(in size: PixelSize) -> Quad {
        let points = corners.map { $0.pixels(in: size) }
        return Quad(points[0], points[1], points[2], points[3])
    }
}

extension UnitQuad: Codable {
    public init(from decoder: any Decoder) throws {
        corners = try [UnitPoint](from: decoder)
        guard corners.count == 4 else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "A quad has 4 points, not \(corners.count)."))
        }
    }

    public func encode(to encoder: any Encoder) throws { try corners.encode(to: encoder) }
}

extension Comparable {
    package func clamped(to range: ClosedRange<Self>) -> Self { min(max(self, range.lowerBound), range.upperBound) }
}

extension Double {
    /// Five digits are a twentieth of a pixel in a photo 5,000 pixels wide.
    fileprivate var roundedForOutput: Double { (self * 100_000).rounded() / 100_000 }
}
