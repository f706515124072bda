import Foundation
package import ShelflistAPI

/// The place of a spine as a model wrote it, in a scale that only all boxes of the answer reveal.
package struct ModelBox: Hashable, Sendable, Decodable {
    /// Four numbers in Gemini's order (top, left, bottom, right), or in another one.
    private let edges: [Double]

    /// Which numbers of a box are horizontal.
    package enum Order: CaseIterable, Sendable {
        /// Top, left, bottom, right: as the prompt asks, and as Gemini was trained.
        case rowsFirst
        /// Left, top, right, bottom.
        case columnsFirst
    }

    package init(from decoder: any Decoder) throws {
        let numbers = try decoder.singleValueContainer()
        edges = try numbers.decode([Double].self)
        guard edges.count == 4, edges.allSatisfy({ (-10_000...100_000).contains($0) }) else {
            throw DecodingError.dataCorruptedError(in: numbers, debugDescription: "not a box")
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
            let (x, y) =
                order == .columnsFirst
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
