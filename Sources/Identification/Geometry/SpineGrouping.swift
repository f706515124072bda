/// Groups lines into spines by their positions alone.
package enum SpineGrouping {
    private static let minimumAffinity = 0.5
    /// Larger groups are not joined: no spine has so many lines, and each mean takes as long as both groups have pairs.
    private static let mostLines = 200

    /// Joins lines that share most of their width across the reading direction, and side-by-side lines of a title
    /// that nearly touch.
    ///
    /// Uses average linkage, so that one chance neighbour does not join two spines.
    ///
    /// - Parameter members: the indices to group.
    /// - Returns: groups of indices, each in no particular order.
    /// - Throws: `IdentificationError.tooMuchText`.
    package static func groups(
        of members: [Int], affinity: LineAffinity, effort: IdentificationEffort = IdentificationEffort()
    ) throws -> [[Int]] {
        var place: [Int: Int] = [:]
        for (position, member) in members.enumerated() { place[member] = position }
        return try clusters(of: members, affinity, effort).flatMap { try joined($0, affinity, effort) }
            .sorted { (place[$0[0]] ?? 0) < (place[$1[0]] ?? 0) }
    }

    /// Returns the members that pairs with the minimum affinity connect, in their order: no mean of groups of different
    /// clusters reaches it.
    private static func clusters(
        of members: [Int], _ affinity: LineAffinity, _ effort: IdentificationEffort
    ) throws -> [[Int]] {
        var left = members
        var clusters: [[Int]] = []
        while let first = left.first {
            var (cluster, next) = (Set([first]), [first])
            left.removeFirst()
            while let member = next.popLast() {
                try effort.spend(left.count)
                let near = left.filter { affinity[member, $0] >= minimumAffinity }
                guard !near.isEmpty else { continue }
                cluster.formUnion(near)
                next += near
                left.removeAll { cluster.contains($0) }
            }
            clusters.append(members.filter(cluster.contains))
        }
        return clusters
    }

    /// O(members²) memory; a mean is computed again only where one of its groups has changed.
    private static func joined(
        _ members: [Int], _ affinity: LineAffinity, _ effort: IdentificationEffort
    ) throws -> [[Int]] {
        guard members.count > 1 else { return [members] }
        var groups = members.map { [$0] }

        /// The mean affinity of two groups, the later one first; 0 if they are not to be joined.
        func mean(_ later: Int, _ earlier: Int) throws -> Double {
            let (a, b) = (groups[later], groups[earlier])
            guard !a.isEmpty, !b.isEmpty, a.count + b.count <= mostLines else { return 0 }
            try effort.spend(1 + a.count * b.count / 2)
            let mean = affinity.mean(a, b)
            return mean >= minimumAffinity ? mean : 0
        }

        /// Of each group with each earlier one.
        var means = try groups.indices.map { later in try (0..<later).map { try mean(later, $0) } }
        var nearest = means.map(Nearest.init)
        // Of equal means, the first.
        while let later = nearest.indices.max(by: { nearest[$0].mean < nearest[$1].mean }), nearest[later].mean > 0 {
            try effort.spend(groups.count)
            let earlier = nearest[later].index
            groups[earlier] += groups[later]
            groups[later] = []
            for row in groups.indices where row >= earlier && !groups[row].isEmpty {
                if row == earlier {
                    for column in 0..<row { means[row][column] = try mean(row, column) }
                    nearest[row] = Nearest(means[row])
                    continue
                }
                let mean = try mean(row, earlier)
                means[row][earlier] = mean
                if row > later { means[row][later] = 0 }
                let was = nearest[row]
                if mean < was.mean, was.index == earlier || was.index == later {
                    try effort.spend(row)
                    nearest[row] = Nearest(means[row])
                } else {
                    nearest[row].consider(mean, at: earlier)
                }
            }
            (means[later], nearest[later]) = ([], Nearest([]))
        }
        return groups.filter { !$0.isEmpty }
    }
}

/// The earlier group that is nearest to a group; the first of equally near ones.
private struct Nearest {
    private(set) var mean = 0.0
    private(set) var index = -1

    init(_ means: [Double]) {
        for (index, mean) in means.enumerated() { consider(mean, at: index) }
    }

    mutating func consider(_ mean: Double, at index: Int) {
        if mean > self.mean || mean == self.mean && index <= self.index { (self.mean, self.index) = (mean, index) }
    }
}
