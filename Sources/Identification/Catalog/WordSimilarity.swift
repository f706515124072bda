import Bounds

/// Compares folded words, one of which comes from text recognition.
package enum WordSimilarity {
    /// Returns 1 for equal words, down to 0: one minus edit distance over the longer length (Levenshtein, 1966), or 0
    /// below 0.7.
    ///
    /// Words of up to three letters must be equal, because too many others resemble them.
    package static func similarity(_ a: [UInt8], _ b: [UInt8]) -> Double {
        if a == b { return 1 }
        let longer = max(a.count, b.count)
        guard min(a.count, b.count) > 3 else { return 0 }
        let allowed = longer == 4 ? 1 : Int(saturating: 0.3 * Double(longer))
        guard abs(a.count - b.count) <= allowed, let distance = distance(a, b, atMost: allowed) else { return 0 }
        return 1 - Double(distance) / Double(longer)
    }

    /// Returns the edit distance, or `nil` if it exceeds `limit`.
    ///
    /// O(|a| × |b|).
    package static func distance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
        guard abs(a.count - b.count) <= limit else { return nil }
        return withUnsafeTemporaryAllocation(of: Int.self, capacity: b.count + 1) { row in
            for j in 0...b.count { row[j] = j }
            for i in 0..<a.count {
                var diagonal = row[0]
                row[0] = i + 1
                var least = row[0]
                for j in 0..<b.count {
                    let substituted = diagonal + (a[i] == b[j] ? 0 : 1)
                    diagonal = row[j + 1]
                    row[j + 1] = min(substituted, diagonal + 1, row[j] + 1)
                    least = min(least, row[j + 1])
                }
                if least > limit { return nil }
            }
            return row[b.count] <= limit ? row[b.count] : nil
        }
    }
}
