import Foundation
package import ShelflistAPI

/// The place of a spine as a model wrote it, in a scale that only all boxes of the answer reveal.
package enum ModelBox: Hashable, Sendable {
    /// Left, top, right and bottom, by their names.
    case named([Double])
    /// Four numbers in Gemini's order (top, left, bottom, right), or in another one.
    case numbers([Double])

    /// Which numbers of a box without names are horizontal.
    package enum Order: CaseIterable, Sendable {
        /// Top, left, bottom, right: as the prompt asks, and as Gemini was trained.
        case rowsFirst
        /// Left, top, right, bottom.
        case columnsFirst
    }

    init?(_ value: JSONValue) {
        switch value {
        case .array(let values):
            let numbers = values.compactMap { if case .number(let number) = $0 { number } else { nil } }
            guard numbers.count == 4, values.count == 4 else { return nil }
            self = .numbers(numbers)
        case .string(let text):
            let numbers = text.split { !$0.isNumber && $0 != "." && $0 != "-" }.compactMap { Double($0) }
            guard numbers.count == 4 else { return nil }
            self = .numbers(numbers)
        case .object(let fields): self.init(named: fields)
        default: return nil
        }
        guard edges.allSatisfy({ $0.isFinite && (-10_000...100_000).contains($0) }) else { return nil }
    }

    private init?(named fields: [String: JSONValue]) {
        func number(_ names: String...) -> Double? {
            names.lazy.compactMap { if case .number(let number)? = fields[$0] { number } else { nil } }.first
        }
        guard let left = number("xmin", "x_min", "x1", "left", "x"), let top = number("ymin", "y_min", "y1", "top", "y")
        else { return nil }
        guard let right = number("xmax", "x_max", "x2", "right") ?? number("width", "w").map({ left + $0 }),
            let bottom = number("ymax", "y_max", "y2", "bottom") ?? number("height", "h").map({ top + $0 })
        else { return nil }
        self = .named([left, top, right, bottom])
    }

    private var edges: [Double] {
        switch self {
        case .named(let edges), .numbers(let edges): edges
        }
    }

    /// Returns the boxes as fractions of the picture that was sent; nil for a box without an area.
    ///
    /// The largest number decides the scale: up to 1 are fractions, up to 1,000 are thousandths as the prompt asks, and
    /// larger ones pixels.
    ///
    /// - Parameters:
    ///   - boxes: of one answer.
    ///   - width: of the picture in pixels.
    package static func fractions(
        _ boxes: [ModelBox?], order: Order, width: Int, height: Int
    ) -> [UnitRect?] {
        let largest = boxes.compactMap { $0?.edges.max() }.max() ?? 0
        let scale: (x: Double, y: Double) =
            largest <= 1 ? (1, 1) : largest <= 1000 ? (1000, 1000) : (Double(width), Double(height))
        return boxes.map { box in
            guard let box else { return nil }
            let edges = box.edges
            let isNamed = if case .named = box { true } else { false }
            let (x, y) =
                isNamed || order == .columnsFirst
                ? ((edges[0], edges[2]), (edges[1], edges[3])) : ((edges[1], edges[3]), (edges[0], edges[2]))
            let (left, right) = span(x, scale.x)
            let (top, bottom) = span(y, scale.y)
            guard right > left, bottom > top else { return nil }
            return UnitRect(x: left, y: top, width: right - left, height: bottom - top)
        }
    }

    private static func span(_ ends: (Double, Double), _ scale: Double) -> (Double, Double) {
        func fraction(_ end: Double) -> Double { min(max(end / scale, 0), 1) }
        return (fraction(min(ends.0, ends.1)), fraction(max(ends.0, ends.1)))
    }
}
