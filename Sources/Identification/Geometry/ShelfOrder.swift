import Imaging

/// Sorts books in shelf order: row by row, left to right, and stacks top to bottom.
enum ShelfOrder {
    /// A single standing book, or a stack.
    private struct Pile {
        var books: [Int]
        var bounds: PixelRect
    }

    /// - Parameter spines: bounds in the shelf's frame, in pixels.
    /// - Returns: indices of `spines`.
    static func sorted(_ spines: [PixelRect]) -> [Int] {
        var rest = piles(of: spines).sorted { ($0.bounds.y, $0.bounds.x) < ($1.bounds.y, $1.bounds.x) }
        var ordered: [Int] = []
        while let top = rest.first {
            let row = rest.filter { $0.bounds.y <= top.bounds.center.y }
            rest.removeAll { $0.bounds.y <= top.bounds.center.y }
            ordered += row.sorted { $0.bounds.center.x < $1.bounds.center.x }.flatMap(\.books)
        }
        return ordered
    }

    private static func piles(of spines: [PixelRect]) -> [Pile] {
        var piles: [Pile] = []
        for index in spines.indices.sorted(by: { spines[$0].y < spines[$1].y }) {
            let spine = spines[index]
            if let below = piles.firstIndex(where: { $0.books.last.map { lies(spine, on: spines[$0]) } ?? false }) {
                piles[below].books.append(index)
                piles[below].bounds = piles[below].bounds.union(spine)
            } else {
                piles.append(Pile(books: [index], bounds: spine))
            }
        }
        return piles
    }

    /// Whether both are lying, one directly below the other.
    private static func lies(_ lower: PixelRect, on upper: PixelRect) -> Bool {
        guard lower.width > lower.height, upper.width > upper.height else { return false }
        let shared = min(lower.maxX, upper.maxX) - max(lower.x, upper.x)
        let gap = lower.y - upper.maxY
        return shared > 0.5 * min(lower.width, upper.width) && gap < min(lower.height, upper.height)
    }
}
