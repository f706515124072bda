/// Groups lines into spines by their positions alone.
enum SpineGrouping {
    private static let minimumAffinity = 0.5

    /// Joins lines that share most of their width across the reading direction, and side-by-side lines of a title
    /// that nearly touch.
    ///
    /// Uses average linkage, so that one chance neighbour does not join two spines.
    ///
    /// - Parameter members: the indices to group.
    /// - Returns: groups of indices, each in no particular order.
    static func groups(of members: [Int], affinity: LineAffinity) -> [[Int]] {
        var groups = members.map { [$0] }
        while true {
            var best: (value: Double, i: Int, j: Int)?
            for i in groups.indices {
                for j in groups.indices where j < i {
                    let mean = affinity.mean(groups[i], groups[j])
                    if mean >= minimumAffinity, mean > best?.value ?? 0 { best = (mean, i, j) }
                }
            }
            guard let best else { return groups }
            groups[best.j] += groups[best.i]
            groups.remove(at: best.i)
        }
    }
}
