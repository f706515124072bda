/// Finds the copies of a board that are not in the order of its sort rule.
package enum BoardOrder {
    /// A copy out of order; places are indices of the board.
    package struct Stray: Hashable, Sendable {
        package var place: Int
        /// The copy to its left; nil at the left end.
        package var standsAfter: Int?
        /// The copy in order after which it belongs; nil before all others.
        package var belongsAfter: Int?
    }

    /// Returns the fewest copies without which the others are in order, from left to right.
    ///
    /// The others are the longest subsequence that does not decrease, found by patience sorting in O(n log n). Of several
    /// such subsequences, the one that ends with the least keys counts, so exchanging two neighbours makes one copy stray.
    ///
    /// - Parameter keys: of the copies from left to right; nil for those without a value to sort by, which are in order
    ///   anywhere.
    package static func strays<Key: Comparable>(_ keys: [Key?]) -> [Stray] {
        // The last copies of the best subsequences of each length, and the copy before each.
        var tops: [(place: Int, key: Key)] = []
        var before = [Int?](repeating: nil, count: keys.count)
        for (place, key) in keys.enumerated() {
            guard let key else { continue }
            var (low, high) = (0, tops.count)
            while low < high {
                let middle = (low + high) / 2
                if tops[middle].key <= key { low = middle + 1 } else { high = middle }
            }
            before[place] = low > 0 ? tops[low - 1].place : nil
            if low < tops.count { tops[low] = (place, key) } else { tops.append((place, key)) }
        }
        var ordered: [(place: Int, key: Key)] = []
        var next = tops.last?.place
        while let place = next {
            if let key = keys[place] { ordered.append((place, key)) }
            next = before[place]
        }
        ordered.reverse()
        let inOrder = Set(ordered.map(\.place))
        return keys.indices.compactMap { place in
            guard let key = keys[place], !inOrder.contains(place) else { return nil }
            return Stray(
                place: place, standsAfter: place > 0 ? place - 1 : nil,
                belongsAfter: ordered.last { $0.key <= key }?.place)
        }
    }
}
