public import ShelflistModels

/// Where a picture is within a view that shows all of it, in the view's points.
public struct PictureFrame: Hashable, Sendable {
    /// The left and the upper edge.
    public let x, y: Double
    /// The size as shown.
    public let width, height: Double

    /// Fits a picture into a view and centres it; an empty picture has no size.
    public init(width: Double, height: Double, inWidth viewWidth: Double, height viewHeight: Double) {
        let scale = width > 0 && height > 0 ? min(viewWidth / width, viewHeight / height) : 0
        (self.width, self.height) = (width * scale, height * scale)
        (x, y) = ((viewWidth - self.width) / 2, (viewHeight - self.height) / 2)
    }

    /// The corners of an outline in the view.
    public func corners(of quad: UnitQuad) -> [(x: Double, y: Double)] {
        quad.corners.map { (x + $0.x * width, y + $0.y * height) }
    }

    /// The point of the picture at a point of the view; nil beside the picture.
    public func point(atX viewX: Double, y viewY: Double) -> UnitPoint? {
        guard width > 0, height > 0 else { return nil }
        let point = UnitPoint(x: (viewX - x) / width, y: (viewY - y) / height)
        return (0...1).contains(point.x) && (0...1).contains(point.y) ? point : nil
    }
}

extension UnitQuad {
    /// Whether the point is inside; the corners go around it.
    public func contains(_ point: UnitPoint) -> Bool {
        var isInside = false
        for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) where (a.y > point.y) != (b.y > point.y) {
            if point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x) { isInside.toggle() }
        }
        return isInside
    }

    /// The outline with each edge moved outwards by a part of the photo, and kept within it.
    public func grown(by part: Double) -> UnitQuad {
        let centre = (
            x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4
        )
        func moved(_ value: Double, from middle: Double) -> Double {
            min(max(value + (value < middle ? -part : part), 0), 1)
        }
        let moved = corners.map { UnitPoint(x: moved($0.x, from: centre.x), y: moved($0.y, from: centre.y)) }
        return UnitQuad(moved[0], moved[1], moved[2], moved[3])
    }
}
