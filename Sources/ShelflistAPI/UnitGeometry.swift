/// A point as a fraction of the EXIF-upright photo: 0...1 in both directions, origin top left.
public struct UnitPoint: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// Encoded as `[x, y]`.
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

/// An axis-parallel rectangle in fractions of the EXIF-upright photo, origin top left.
public struct UnitRect: Hashable, Codable, Sendable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    public func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: CodingKeys.self)
        try keyed.encode(x.roundedForOutput, forKey: .x)
        try keyed.encode(y.roundedForOutput, forKey: .y)
        try keyed.encode(width.roundedForOutput, forKey: .width)
        try keyed.encode(height.roundedForOutput, forKey: .height)
    }
}

/// A quadrilateral in fractions of the EXIF-upright photo, clockwise from the corner that is top left when the spine
/// is viewed in its orientation in the photo.
///
/// Encoded as `[[x, y], …]`, four points.
public struct UnitQuad: Hashable, Sendable {
    /// Exactly four.
    public let corners: [UnitPoint]

    public init(_ first: UnitPoint, _ second: UnitPoint, _ third: UnitPoint, _ fourth: UnitPoint) {
        corners = [first, second, third, fourth]
    }

    public init(_ box: UnitRect) {
        let (right, bottom) = (box.x + box.width, box.y + box.height)
        self.init(
            UnitPoint(x: box.x, y: box.y), UnitPoint(x: right, y: box.y), UnitPoint(x: right, y: bottom),
            UnitPoint(x: box.x, y: bottom))
    }
}

extension UnitQuad: Codable {
    public init(from decoder: any Decoder) throws {
        corners = try [UnitPoint](from: decoder)
        guard corners.count == 4 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "A quad must have 4 points, not \(corners.count)."
                ))
        }
    }

    public func encode(to encoder: any Encoder) throws { try corners.encode(to: encoder) }
}

extension Double {
    /// Rounded to five decimals, which is a twentieth of a pixel in a photo 5,000 pixels wide.
    fileprivate var roundedForOutput: Double { (self * 100_000).rounded() / 100_000 }
}

extension SpineOutline {
    package var inFourDigits: SpineOutline { SpineOutline(quad: quad.inFourDigits, boundingBox: boundingBox) }
}

extension UnitQuad {
    /// Rounded to four decimals, which is a tenth of a pixel in a photo 1,000 pixels wide.
    package var inFourDigits: UnitQuad {
        let points = corners.map { UnitPoint(x: $0.x.inFourDigits, y: $0.y.inFourDigits) }
        return UnitQuad(points[0], points[1], points[2], points[3])
    }
}

extension Double {
    fileprivate var inFourDigits: Double { (self * 10_000).rounded() / 10_000 }
}
